import type { CommandInput, CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import {
  drawTable,
  momentText,
  numberIn,
  objectsOf,
  printJson,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import { openTraces, tellUnread, traceFlags, type TraceSource } from "./trace-source.ts";

/** Traces of one answer, and of a command, at most. */
const [pageLengthMax, limitMax] = [200, 1000];
/** Answers that are looked through at most: of each at least 20 000 spans, or 1 000 traces of each process. */
const askCountMax = 20;
/** Agents of a trace that are named in a table. */
const namedCountMax = 3;

/** `agentrt traces list`. */
export const tracesListCommand: CommandSpec = {
  words: ["traces", "list"],
  summary: "list the traces of a running topology, or of a folder of spans, newest first",
  flags: [
    {
      name: "agent",
      value: "name",
      summary:
        "only those that reached this agent, a member of this pool, or a key of it; * for any",
    },
    {
      name: "status",
      value: "name",
      summary: "only those in which a span has failed, or none has",
      choices: ["ok", "error"],
    },
    {
      name: "min-duration",
      value: "seconds",
      summary: "only those that took so long, such as 0.5",
    },
    { name: "limit", value: "n", summary: `at most so many, up to ${limitMax}`, default: "50" },
    {
      name: "before",
      value: "place",
      summary: "go on where an earlier list has ended: its `next`",
    },
    ...traceFlags,
  ],
  examples: [
    ["agentrt traces list", "lists the latest 50 of the topology of ./topology.yaml"],
    [
      "agentrt traces list --agent ticket --status error --min-duration 0.5",
      "lists what has failed at an agent, or at one of its keys, and took half a second",
    ],
    ["agentrt traces list --dir ./telemetry --json", "prints those of a folder for a script"],
  ],
  run: async (input, io) => {
    const query = queryOf(input);
    const list = await listed(await openTraces(input, io), query);
    if (input.isSet("json")) printJson(io, list);
    else if (list.traces.length > 0) io.print(await tableOf(list.traces, io));
    else io.tell(list.recorded ? "no trace is known that fits" : "no spans are made: no exporter");
    if (list.next !== null && !input.isSet("json"))
      io.tell(`older ones: the same command with --before ${textIn(list.next)}`);
    return tellUnread(list, io);
  },
};

interface Query {
  readonly limit: number;
  readonly before: string | undefined;
  readonly filters: { readonly [name: string]: string };
}

interface Listed extends WireObject {
  readonly recorded: boolean;
  readonly traces: readonly WireObject[];
  readonly next: string | null;
}

function queryOf(input: CommandInput): Query {
  const usage = (reason: string): Error =>
    new cliErrors.USAGE({ reason, help: "agentrt traces list --help" });
  const limit = Number(input.text("limit"));
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= limitMax))
    throw usage(`--limit must be a whole number from 1 to ${limitMax}`);
  const duration = input.text("min-duration");
  if (duration !== undefined && !/^\d{1,9}(?:\.\d{1,9})?$/.test(duration))
    throw usage("--min-duration must be a number of seconds, such as 0.5");
  const given = {
    agent: input.text("agent"),
    status: input.text("status"),
    min_duration: duration,
  };
  const filters = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { limit, before: input.text("before"), filters };
}

/** Asks until there are as many as wanted: an answer looks at a bounded number of spans, however few of them fit. */
async function listed(source: TraceSource, { limit, before, filters }: Query): Promise<Listed> {
  const traces: WireObject[] = [];
  const unread = new Map<string, WireObject>();
  let [next, recorded] = [before ?? null, true];
  for (let askCount = 1; ; askCount += 1) {
    const count = Math.min(pageLengthMax, limit - traces.length);
    const place = next === null ? {} : { before: next };
    const body = await source.list({ ...filters, limit: String(count), ...place });
    traces.push(...objectsOf(body["traces"]));
    for (const each of objectsOf(body["unread"])) unread.set(JSON.stringify(each), each);
    recorded = body["recorded"] === true;
    next = typeof body["next"] === "string" ? body["next"] : null;
    if (next === null || traces.length >= limit || askCount >= askCountMax) break;
  }
  const faults = unread.size === 0 ? {} : { unread: [...unread.values()] };
  return { recorded, traces, next, ...faults };
}

async function tableOf(traces: readonly WireObject[], { style }: CommandIo): Promise<string> {
  const { millisecondsText } = await import("../telemetry-view/index.ts");
  const rows = traces.map((trace) => {
    const [start, end] = [numberIn(trace["start_time"]), numberIn(trace["end_time"])];
    const isError = trace["status"] === "error";
    return [
      { text: momentText(start) },
      { text: textIn(trace["trace_id"]) },
      { text: millisecondsText((end - start) * 1000) },
      { text: String(numberIn(trace["span_count"])) },
      { text: textIn(trace["status"]), colour: isError ? style.red : undefined },
      { text: textIn(trace["name"]) },
      { text: agentsText(trace["agents"]) },
    ];
  });
  const columns = [
    { title: "START" },
    { title: "TRACE" },
    { title: "TOOK", isRight: true },
    { title: "SPANS", isRight: true },
    { title: "STATUS" },
    { title: "NAME" },
    { title: "AGENTS" },
  ];
  return drawTable(columns, rows, style.bold);
}

function agentsText(agents: unknown): string {
  const names = Array.isArray(agents) ? agents.map(textIn) : [];
  const more = names.length - namedCountMax;
  return `${names.slice(0, namedCountMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
