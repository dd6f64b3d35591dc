import { didYouMean, type JsonObject, type JsonValue, TableError } from "../../core/index.ts";
import type { Topology } from "../../topology/index.ts";
import {
  agentNames,
  askControl,
  type ControlAnswer,
  controlUrl,
  refusalReason,
  requestFor,
} from "../remote/index.ts";
import { type ControlPort, ToolFault } from "./control-tool.ts";
import { readEvents } from "./read-events.ts";

/** How a running topology is asked. */
export interface ControlClientInit {
  readonly topology: Topology;
  readonly headers: Headers;
  /** Upper bound on each question. */
  readonly timeoutMs: number;
  /** Aborted when the client has taken its call back. */
  readonly signal: AbortSignal;
}

const replyBytesMax = 16_777_216;

/**
 * Makes what the tools of one call ask over.
 *
 * @param init Of the call.
 */
export function controlClient({
  topology,
  headers,
  timeoutMs,
  signal,
}: ControlClientInit): ControlPort {
  const urlOf = (route: string): string => {
    const url = controlUrl(topology, route);
    if (url === undefined) throw new ToolFault("the topology declares no topology_server");
    return url;
  };
  const ask = async (route: string, body?: JsonObject): Promise<JsonValue> => {
    const url = urlOf(route);
    const answer = await askControl(url, { headers, timeoutMs, body });
    if (answer.kind === "body") return answer.body as JsonValue;
    throw new ToolFault(
      await explain(answer, { url, route, ask: async (other) => await ask(other) }),
    );
  };
  return {
    get: async (route) => await ask(route),
    post: ask,
    events: async (route, bounds) => await readEvents(urlOf(route), { ...bounds, headers, signal }),
    call: async (agent, payload) => {
      const { method, url, body } = requestOf(topology, agent, payload);
      const sent = new Headers(headers);
      if (body !== undefined) sent.set("content-type", "application/json");
      return await askAgent(url, {
        method,
        headers: sent,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body }),
      });
    },
  };
}

/** One line about an answer that is none, with the nearest name where the agent is not there. */
async function explain(
  answer: Exclude<ControlAnswer, { kind: "body" }>,
  of: {
    readonly url: string;
    readonly route: string;
    readonly ask: (route: string) => Promise<JsonValue>;
  },
): Promise<string> {
  if (answer.kind === "failure") return `Cannot ask ${of.url}: ${answer.reason}`;
  const name = /^\/agents\/([^/?]+)/.exec(of.route)?.[1];
  const reason = refusalReason(answer);
  if (answer.status !== 404 || name === undefined) return reason;
  const body = await of.ask("/agents");
  return `${reason}${didYouMean(decodeURIComponent(name), agentNames({ kind: "body", body }))}`;
}

function requestOf(topology: Topology, agent: string, payload: JsonObject) {
  try {
    return requestFor(topology, agent, payload);
  } catch (error) {
    if (error instanceof TableError) throw new ToolFault(error.message);
    throw error;
  }
}

async function askAgent(url: string, init: RequestInit): Promise<JsonValue> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, init);
    ({ status } = response);
    text = await response.text();
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    const reason = name === "TimeoutError" ? "no reply came in time" : (cause?.code ?? name);
    throw new ToolFault(`Cannot ask ${url}: ${reason}`);
  }
  if (text.length > replyBytesMax) throw new ToolFault("the reply is too long");
  if (status >= 300) throw new ToolFault(`HTTP status ${status}: ${text.slice(0, 2000)}`);
  try {
    return text === "" ? null : (JSON.parse(text) as JsonValue);
  } catch {
    throw new ToolFault("the reply is not JSON");
  }
}
