import { type JsonObject, printable } from "../../core/index.ts";
import { type CommandInput, type CommandIo, type FlagSpec, jsonFlag } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { headerFlag, parseHeaders } from "../headers.ts";
import type { ControlAnswer, LivePlanBody } from "../remote/index.ts";
import { environmentFlags, loadTopology } from "../topologies/index.ts";

const planTimeoutMs = 10_000;
/** Starts and stops take their time: as long as the longest of them may. */
const applyTimeoutMs = 600_000;
/** How often a control plane that restarts itself is asked what became of it. */
const pollMs = 200;

const untold =
  "it is under way, and the file has no control plane that could tell its end: the log of the process does";

/** The argument of `topology plan` and `topology apply`. */
export const fileArgument = { name: "file", summary: "the topology file that is to run" } as const;

/** Their flags. */
export const changeFlags: readonly FlagSpec[] = [
  {
    name: "topology",
    short: "t",
    value: "path",
    summary: "lay this file over the file; may be repeated",
    isRepeatable: true,
  },
  {
    name: "running",
    value: "path",
    summary: "the file that runs, whose control plane is asked; default the file itself",
  },
  ...environmentFlags,
  headerFlag,
  jsonFlag,
];

/** A topology on its way to the control plane of the one that runs. */
export interface Change {
  /** Asks a route, and refuses what is not an answer. */
  readonly ask: (route: string) => Promise<{
    readonly body: unknown;
    readonly isPlan: (body: unknown) => body is LivePlanBody;
  }>;
  readonly isPlan: (body: unknown) => body is LivePlanBody;
  /** What `GET /overview` says; undefined where nobody answers. */
  readonly overview: () => Promise<unknown>;
  /** Applies it and waits for the end. */
  readonly apply: () => Promise<Applied>;
  readonly printJson: (body: unknown) => void;
  readonly renderPlan: (plan: LivePlanBody, tense: "did" | "would") => string;
  readonly nonsense: () => Error;
}

/** What became of it. */
interface Applied {
  readonly body: unknown;
  readonly late: readonly string[];
  readonly plan: LivePlanBody | undefined;
}

/**
 * Reads and checks the file here, with positions, and finds whom to ask.
 *
 * @param act For messages.
 * @param input With `fileArgument` and `changeFlags`.
 * @param io Where the answer goes.
 * @throws AGENTRT_TOPOLOGY_INVALID, AGENTRT_CLI_NO_CONTROL_PLANE.
 */
export async function openChange(
  act: "apply" | "plan",
  input: CommandInput,
  io: CommandIo,
): Promise<Change> {
  const headers = parseHeaders(input.texts("header"));
  const paths = [input.argument("file"), ...input.texts("topology")] as const;
  const remote = await import("../remote/index.ts");
  const { topology } = await loadTopology({ paths, input, io });
  const running = input.text("running");
  const from =
    running === undefined
      ? topology
      : (await loadTopology({ paths: [running], input, io })).topology;
  const urlOf = (route: string): string => {
    const url = remote.controlUrl(from, route);
    if (url === undefined) throw new cliErrors.NO_CONTROL_PLANE({ path: running ?? paths[0] });
    return url;
  };
  const { readTopologyText } = await import("../../topology/index.ts");
  const files = paths.map((path) => ({ name: path, topology: readTopologyText(path) }));
  const { isLivePlan: isPlan, renderLivePlan } = remote;
  const question = { headers, body: { files } as JsonObject };
  const post = async (route: string, timeoutMs: number): Promise<unknown> => {
    const url = urlOf(route);
    const answer = await remote.askControl(url, { ...question, timeoutMs });
    return bodyOf(answer, { url, act, file: paths[0] });
  };
  return {
    ask: async (route) => ({ body: await post(route, planTimeoutMs), isPlan }),
    isPlan,
    overview: async () => {
      // The control plane may have moved to another address with the change.
      for (const each of new Set([urlOf("/overview"), remote.controlUrl(topology, "/overview")])) {
        if (each === undefined) continue;
        const answer = await remote.askControl(each, { headers, timeoutMs: planTimeoutMs });
        if (answer.kind === "body") return answer.body;
      }
      return undefined;
    },
    apply: async () => {
      const body = await post("/apply", applyTimeoutMs);
      const planned = (body as { readonly plan?: unknown }).plan;
      const plan = isPlan(planned) ? planned : undefined;
      if (statusIn(body) !== "applying") return { body, late: lateIn(body), plan };
      // The control plane restarts itself: it answers at the one address, then at the other.
      const next = remote.controlUrl(topology, "/apply");
      if (next === undefined) throw refused(act, paths[0], untold);
      const urls = [urlOf("/apply"), next];
      const end = await remote.pollApply(urls, { headers, pollMs, timeoutMs: applyTimeoutMs });
      if (statusIn(end) === "applied") return { body: end, late: lateIn(end), plan };
      const reason = (end as { readonly error?: unknown } | undefined)?.error;
      throw refused(
        act,
        paths[0],
        typeof reason === "string" ? reason : "nobody tells how it ended",
      );
    },
    printJson: (body) =>
      io.print(`${printable(JSON.stringify(body, null, 2), Number.POSITIVE_INFINITY)}\n`),
    renderPlan: (plan, tense) => renderLivePlan(plan, io.style, tense),
    nonsense: () => refused(act, paths[0], "the answer makes no sense"),
  };
}

function bodyOf(
  answer: ControlAnswer,
  { url, act, file }: { readonly url: string; readonly act: string; readonly file: string },
): unknown {
  if (answer.kind === "body") return answer.body;
  if (answer.kind === "failure")
    throw new cliErrors.CONTROL_UNREACHABLE({ url, reason: answer.reason });
  const { status, error } = answer;
  const hint = status === 401 ? ': send credentials, such as -H "X-API-Key: …"' : "";
  throw refused(
    act,
    file,
    `${error === undefined ? "" : `${printable(error)}, `}HTTP status ${status}${hint}`,
  );
}

function refused(act: string, file: string, reason: string): Error {
  return new cliErrors.CHANGE_REFUSED({ act, file, reason });
}

function statusIn(body: unknown): unknown {
  return (body as { readonly status?: unknown } | undefined)?.status;
}

function lateIn(body: unknown): readonly string[] {
  const { late } = body as { readonly late?: unknown };
  return Array.isArray(late) ? late.filter((name) => typeof name === "string") : [];
}
