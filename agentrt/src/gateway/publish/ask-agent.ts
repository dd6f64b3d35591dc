import type { JsonObject, PayloadIssue, System } from "../../core/index.ts";
import { clientLog } from "../client-log.ts";
import {
  agentFor,
  assemblePayload,
  failureResponse,
  openChunks,
  payloadResponse,
  streamFailure,
} from "../dispatch/index.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";
import { recordKey } from "../request-record.ts";
import { parseTraceparent } from "../trace-context.ts";
import type { PublishedAgent } from "./published-agent.ts";

/** What published agents are asked over. */
export interface AskPorts {
  readonly bus: AgentBus;
  readonly system: System;
  readonly log: GatewayLog;
  /** Bounds of the replies in parts. */
  readonly streamLimits: {
    readonly queueLengthMax: number;
    readonly idleTimeoutMs: number;
    readonly durationMsMax: number;
  };
}

/** One question to a published agent. */
export interface Question {
  readonly agent: PublishedAgent;
  readonly payload: JsonObject;
  /** Whose it is. */
  readonly request: GatewayRequest;
  /** Longest wait for the reply, or for the first part, milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** What the message belongs to. Default the id of the request. */
  readonly correlationId?: string | undefined;
  /** Takes a part of the reply; the next one is asked for when it has settled. */
  readonly onPart: (part: JsonObject) => Promise<void>;
}

/** What became of a question. */
export type Answer =
  | { readonly kind: "reply"; readonly reply: JsonObject }
  /** All parts have been handed to `onPart`. */
  | { readonly kind: "parts" }
  /** As a route would have answered: the text is one line, and says nothing that is not the client's business. */
  | { readonly kind: "failed"; readonly status: number; readonly error: string };

/**
 * Asks a published agent as a route would.
 *
 * @param question Who is asked what.
 * @param ports The bus.
 * @returns Never rejects, unless `onPart` does.
 */
export async function askAgent(question: Question, ports: AskPorts): Promise<Answer> {
  const { agent, request } = question;
  const log = clientLog(ports.log, request.clientIp);
  let recipient = "";
  try {
    recipient = agentFor(agent.recipient, ports.bus);
    const message = messageFor(question, recipient);
    if (agent.mode === "stream") return await askForParts(question, message, ports);
    return answerOf(await ports.bus.call(message));
  } catch (error) {
    return failed(failureResponse(error, recipient, log));
  }
}

function messageFor(question: Question, recipient: string): GatewayMessage {
  const { agent, payload, request, timeoutMs, signal } = question;
  const nothing = {};
  const ownId = request.requestId === "" ? undefined : request.requestId;
  return {
    recipient,
    type: agent.type,
    payload: assemblePayload({ query: nothing, body: payload, path: nothing, fixed: nothing }),
    correlationId: question.correlationId ?? ownId,
    trace: request[recordKey]?.trace ?? parseTraceparent(request.headers["traceparent"]),
    timeoutMs,
    signal,
  };
}

async function askForParts(
  { signal, onPart, request }: Question,
  message: GatewayMessage,
  { bus, system, log, streamLimits }: AskPorts,
): Promise<Answer> {
  const { recipient } = message;
  const { queueLengthMax: bufferLengthMax, idleTimeoutMs, durationMsMax } = streamLimits;
  const { signal: _, ...asked } = message;
  const limits = { bufferLengthMax, idleTimeoutMs, durationMsMax };
  const parts = await openChunks(bus.stream(asked, limits), system);
  const leave = (): void => void parts.return?.();
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const step = await nextPart(parts, (error) =>
        streamFailure(error, recipient, clientLog(log, request.clientIp)),
      );
      if ("error" in step) return { kind: "failed", status: 502, error: step.error };
      if (step.part === undefined) return { kind: "parts" };
      await onPart(step.part);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

async function nextPart(
  parts: AsyncIterator<JsonObject, undefined>,
  describe: (error: unknown) => string,
): Promise<{ readonly part: JsonObject | undefined } | { readonly error: string }> {
  try {
    const { done, value } = await parts.next();
    return { part: done === true ? undefined : value };
  } catch (error) {
    return { error: describe(error) };
  }
}

function answerOf(reply: JsonObject): Answer {
  const response = payloadResponse(reply);
  if (response.status >= 400) return failed(response);
  // A reply that says `error` is one over HTTP, too.
  if (Object.hasOwn(reply, "error")) return failed({ status: 400, body: reply });
  return { kind: "reply", reply };
}

function failed({ status, body }: GatewayResponse): Answer {
  const { error, issues = [] } = (body ?? {}) as {
    readonly error?: unknown;
    readonly issues?: readonly PayloadIssue[];
  };
  const text = typeof error === "string" ? error : JSON.stringify(error ?? body ?? null);
  // Where a payload is wrong: a model mends it by this.
  const lines = issues.map(({ path, message }) => `${path}: ${message}`);
  return { kind: "failed", status, error: [text, ...lines].join("\n") };
}
