import { createRealSystem, didYouMean, type JsonObject, printable } from "../../core/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { parseHeaders } from "../headers.ts";
import type { ControlAnswer } from "../remote/index.ts";
import { loadRunningTopology, topologyPaths } from "../topologies/index.ts";
import { numberIn, objectOf, type WireObject } from "../watching/index.ts";

const timeoutMs = 5000;
/** An act that is acknowledged shows within some turns of the loop; so often it is looked for, with a pause between. */
const lookCountMax = 10;
const lookPauseMs = 100;

/** The argument of those commands. */
export const agentArgument = {
  name: "agent",
  summary: "name of an agent, a pool, a keyed agent, or a key (ticket/4711)",
  isAgent: true,
} as const;

/** What is asked of one agent. */
export interface Operation {
  /** What is done, for messages; also the word of the route unless `route` says another one. */
  readonly act: "suspend" | "resume" | "drain" | "restart" | "inject" | "drop from";
  readonly route?: string;
  /** Says in words what was acknowledged, without a line end. Default: that the agent is asked to be so, and its status. */
  readonly done: string | ((body: unknown) => string);
  readonly body: JsonObject;
  /** Says what became of it by what `GET /agents/{name}` says now; undefined when nothing is to be seen of it yet. */
  readonly outcomeText?: (agent: string, detail: WireObject, now: number) => string | undefined;
  /** What `--json` prints with the acknowledgement; it is waited for. Default nothing. */
  readonly outcome?: () => Promise<JsonObject>;
}

/**
 * Asks the control plane of a running topology to change something, and prints what it acknowledges.
 *
 * @param operation What is asked.
 * @param input With the flags `controlFlags` and the argument `agentArgument`.
 * @param io Where the answer goes.
 * @returns The exit code.
 * @throws AGENTRT_CLI_NO_CONTROL_PLANE, AGENTRT_CLI_CONTROL_UNREACHABLE, AGENTRT_CLI_OPERATION_REFUSED.
 */
export async function operate(
  operation: Operation,
  input: CommandInput,
  io: CommandIo,
): Promise<number> {
  const { act, route: word = act, done, body, outcome, outcomeText } = operation;
  const agent = input.argument("agent");
  const headers = parseHeaders(input.texts("header"));
  const { agentNames, askControl, controlUrl, refusalReason } = await import("../remote/index.ts");
  const paths = topologyPaths(input);
  const { topology } = await loadRunningTopology({ paths, input, io });
  const ask = async (route: string, sent?: JsonObject): Promise<ControlAnswer> => {
    const url = controlUrl(topology, route);
    if (url === undefined) throw new cliErrors.NO_CONTROL_PLANE({ path: paths.join(" + ") });
    const answer = await askControl(url, { headers, timeoutMs, body: sent });
    if (answer.kind === "failure")
      throw new cliErrors.CONTROL_UNREACHABLE({ url, reason: answer.reason });
    return answer;
  };
  const path = `/agents/${encodeURIComponent(agent.toWellFormed())}`;
  const answer = await ask(`${path}/${word}`, body);
  if (answer.kind !== "body") {
    const hint =
      refusalStatus(answer) === 404 ? didYouMean(agent, agentNames(await ask("/agents"))) : "";
    throw new cliErrors.OPERATION_REFUSED({
      act,
      agent,
      reason: `${refusalReason(answer)}${hint}`,
    });
  }
  if (input.isSet("json")) {
    const shown =
      outcome === undefined ? answer.body : { ...objectOf(answer.body), ...(await outcome()) };
    io.print(`${printable(JSON.stringify(shown, null, 2), Number.POSITIVE_INFINITY)}\n`);
    return 0;
  }
  if (typeof done !== "string") {
    io.print(`${printable(done(answer.body))}\n`);
    return 0;
  }
  const text = outcomeText && (await lookFor(outcomeText, { agent, path, ask }));
  if (text !== undefined) {
    io.print(`${printable(text)}\n`);
    return 0;
  }
  const status = statusIn(await ask(path));
  const now = status === undefined ? "" : `; it is ${status}`;
  io.print(`${printable(`"${agent}" is asked to be ${done}${now}`)}\n`);
  return 0;
}

/** Looks at an agent until it shows what became of an act. */
async function lookFor(
  text: NonNullable<Operation["outcomeText"]>,
  {
    agent,
    path,
    ask,
  }: {
    readonly agent: string;
    readonly path: string;
    readonly ask: (route: string) => Promise<ControlAnswer>;
  },
): Promise<string | undefined> {
  const system = createRealSystem();
  const bodyOf = async (route: string): Promise<WireObject> => {
    const answer = await ask(route);
    return answer.kind === "body" ? objectOf(answer.body) : {};
  };
  for (let count = 0; count < lookCountMax; count += 1) {
    if (count > 0) await new Promise<void>((resolve) => void system.setTimer(lookPauseMs, resolve));
    const detail = await bodyOf(path);
    const now = numberIn((await bodyOf("/overview"))["timestamp"]);
    const found = text(agent, detail, now);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refusalStatus(answer: ControlAnswer): number | undefined {
  return answer.kind === "status" ? answer.status : undefined;
}

function statusIn(answer: ControlAnswer): string | undefined {
  if (answer.kind !== "body" || typeof answer.body !== "object" || answer.body === null)
    return undefined;
  const { status } = answer.body as { readonly status?: unknown };
  return typeof status === "string" ? status : undefined;
}
