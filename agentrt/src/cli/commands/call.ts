import { reasonOf, printable } from "../../core/index.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { headerFlag, parseHeaders } from "../headers.ts";
import { parsePayload } from "../parse-payload.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { loadTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

/** `agentrt call`. */
export const callCommand: CommandSpec = {
  words: ["call"],
  summary: "ask an agent of a running topology through its gateway",
  arguments: [
    { name: "agent", summary: "name of the agent" },
    { name: "json", summary: "payload, a JSON object; default {}", isOptional: true },
  ],
  flags: [
    ...topologyFlags,
    { name: "timeout", value: "seconds", summary: "longest wait for the reply", default: "30" },
    headerFlag,
  ],
  examples: [
    [
      `agentrt call greeter '{"name":"Ada"}'`,
      "asks the agent of ./topology.yaml and prints its reply as JSON",
    ],
    [
      "agentrt call greeter -t demo/topology.yaml --timeout 5",
      "asks with an empty payload, for five seconds at most",
    ],
  ],
  run: async (input, io) => {
    const agent = input.argument("agent");
    const payload = parsePayload(input.arguments("json")[0] ?? "{}", "call");
    const timeoutMs = parseTimeout(input.text("timeout") ?? "30", "call");
    const headers = parseHeaders(input.texts("header"));
    const { requestFor } = await import("../remote/index.ts");
    const { topology } = await loadTopology({ paths: topologyPaths(input), input, io });
    const request = requestFor(topology, agent, payload);
    return printReply(io, { agent, ...(await send(agent, { ...request, headers, timeoutMs })) });
  },
};

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly headers: Headers;
  readonly timeoutMs: number;
}

async function send(
  agent: string,
  { method, url, body, headers, timeoutMs }: Sent,
): Promise<{ readonly status: number; readonly text: string }> {
  if (body !== undefined) headers.set("content-type", "application/json");
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new cliErrors.NO_REPLY(
      { agent, reason: failureOf(cause, { url, timeoutMs }) },
      { cause },
    );
  }
}

function failureOf(error: unknown, { url, timeoutMs }: { url: string; timeoutMs: number }): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `none came within ${timeoutMs / 1000} s from ${url}`;
  const inner = error instanceof Error ? error.cause : undefined;
  const code = (inner as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ECONNREFUSED") return `nothing listens at ${url}: is the topology running?`;
  return `${url} does not answer (${code ?? reasonOf(inner ?? error)}): is the topology running?`;
}

/**
 * The reply goes to stdout whatever its status, so that a script can read it; the status decides the exit code. What
 * answers may be any server: nothing in its reply commands a terminal.
 */
function printReply(io: CommandIo, reply: { agent: string; status: number; text: string }): number {
  const { agent, status, text } = reply;
  if (text !== "") io.print(`${printable(text, Number.POSITIVE_INFINITY)}\n`);
  const isDone = status >= 200 && status < 300;
  const hint = status === 401 ? ': send credentials, such as -H "X-API-Key: …"' : "";
  if (!isDone) io.tell(`agentrt: "${agent}" answered with HTTP status ${status}${hint}`);
  else if (!isJson(text)) io.tell(`agentrt: "${agent}" did not answer: the reply is not JSON`);
  else return 0;
  return 1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // What answers at that address is no agentrt.
    return false;
  }
}
