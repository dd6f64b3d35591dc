import { createRealSystem } from "../../core/index.ts";
import { controlFlags } from "../control-flags.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import {
  atHandText,
  type Cell,
  type Column,
  type ControlReader,
  drawTable,
  durationText,
  numberIn,
  objectOf,
  objectsOf,
  openControl,
  type OverviewRow,
  Pace,
  printJson,
  readOverview,
  repaint,
  troubleText,
} from "../watching/index.ts";

/** Between the two questions that the first picture takes. */
const firstPaceMs = 1000;
/** Agents in each list. */
const listedCountMax = 5;

/** `agentrt top`. */
export const topCommand: CommandSpec = {
  words: ["top"],
  summary: "watch the slowest, fullest and costliest agents of a running topology",
  flags: [
    { name: "once", summary: "print one picture and end" },
    { name: "interval", value: "seconds", summary: "between two pictures", default: "2" },
    ...controlFlags,
  ],
  examples: [
    ["agentrt top", "draws a new picture every two seconds, until Ctrl+C"],
    ["agentrt top --once", "draws one, of the second that it takes"],
  ],
  run: async (input, io) => {
    const seconds = Number(input.text("interval"));
    if (!(seconds >= 0.1 && seconds <= 3600)) {
      const reason = "--interval must be a number of seconds from 0.1 to 3600";
      throw new cliErrors.USAGE({ reason, help: "agentrt top --help" });
    }
    const reader = await openControl(input, io);
    if (input.isSet("json")) {
      const [overview, processes] = await bodies(reader);
      printJson(io, { ...objectOf(overview), ...objectOf(processes) });
      return 0;
    }
    const pace = new Pace();
    const draw = async (): Promise<string> => {
      if (pace.isNew) {
        pace.measure(await reader.ask("/overview"));
        await new Promise<void>(
          (resolve) => void createRealSystem().setTimer(firstPaceMs, resolve),
        );
      }
      const [overview, processes] = await bodies(reader);
      pace.measure(overview);
      return picture({ overview, processes, health: await reader.ask("/health"), pace }, io);
    };
    if (!input.isSet("once")) return await repaint(io, { intervalMs: seconds * 1000, draw });
    io.print(await draw());
    return 0;
  },
};

async function bodies(reader: ControlReader): Promise<[overview: unknown, processes: unknown]> {
  return [await reader.ask("/overview"), await reader.ask("/processes")];
}

/** What a picture shows. */
interface Shown {
  readonly overview: unknown;
  readonly processes: unknown;
  readonly health: unknown;
  readonly pace: Pace;
}

function picture({ overview, processes, health, pace }: Shown, { style }: CommandIo): string {
  const rows = readOverview(overview);
  const list = (title: string, of: Listed): string => {
    const found = rows
      .filter((row) => of.rank(row).some((value) => value > 0))
      .toSorted((a, b) => compare(of.rank(b), of.rank(a)))
      .slice(0, listedCountMax);
    if (found.length === 0) return `${style.bold(title)}: nothing\n`;
    const cells = found.map((row) => [{ text: row.name }, ...of.cells(row)]);
    return drawTable([{ title }, ...of.columns], cells, style.bold);
  };
  const sections = [
    processLine(processes) + troubleText({ overview, health, processes }, style),
    list("SLOWEST", slowest(pace)),
    list("FULLEST", fullest),
    list("COSTLIEST", costliest(pace)),
  ];
  return sections.join("\n");
}

function processLine(processes: unknown): string {
  const [first = {}] = objectsOf(objectOf(processes)["processes"]);
  const delay = objectOf(first["event_loop_delay"]);
  const megabytes = Math.round(numberIn(first["rss_bytes"]) / 1_048_576);
  return `${[
    `pid ${numberIn(first["pid"])}`,
    `up ${durationText(numberIn(first["uptime_seconds"]))}`,
    `cpu ${numberIn(first["cpu_percent"])} %`,
    `memory ${megabytes} MiB`,
    `event loop late by ${numberIn(delay["p99_ms"])} ms (p99), ${numberIn(delay["max_ms"])} ms (max)`,
  ].join("  ")}\n`;
}

/** A list of the picture. */
interface Listed {
  /** What comes first: the first number that differs decides. Rows of zeros are left out. */
  readonly rank: (row: OverviewRow) => readonly number[];
  readonly columns: readonly Column[];
  readonly cells: (row: OverviewRow) => readonly Cell[];
}

/** Who is slow now comes first: the mean of weeks hides the last hour. */
const slowest = (pace: Pace): Listed => ({
  rank: ({ name, atHand, avgLatencyMs }) => [
    atHand?.seconds ?? 0,
    pace.meanMs(name) ?? 0,
    avgLatencyMs,
  ],
  columns: [
    { title: "AT HAND" },
    { title: "MEAN", isRight: true },
    { title: "MEAN OF LIFE", isRight: true },
    { title: "HANDLED", isRight: true },
  ],
  cells: (row) => {
    const meanMs = pace.meanMs(row.name);
    return [
      { text: atHandText(row) },
      { text: meanMs === undefined ? "" : `${meanMs.toFixed(1)} ms` },
      { text: `${row.avgLatencyMs.toFixed(1)} ms` },
      { text: String(row.messagesHandled) },
    ];
  },
});

const fullest: Listed = {
  rank: ({ mailboxDepth, oldestSeconds }) => [mailboxDepth, oldestSeconds ?? 0],
  columns: [
    { title: "MAILBOX", isRight: true },
    { title: "OLDEST", isRight: true },
    { title: "STATUS" },
  ],
  cells: ({ mailboxDepth, oldestSeconds, status }) => [
    { text: String(mailboxDepth) },
    { text: oldestSeconds === null ? "" : durationText(oldestSeconds) },
    { text: status },
  ],
};

/** Who spends most now comes first: what leaks has often spent less than what runs since weeks. */
const costliest = (pace: Pace): Listed => ({
  rank: ({ name, costUsd, tokens }) => [pace.tokensPerMinute(name), costUsd, tokens],
  columns: [
    { title: "TOKENS/MIN", isRight: true },
    { title: "TOKENS", isRight: true },
    { title: "USD", isRight: true },
  ],
  cells: ({ name, costUsd, tokens }) => [
    { text: String(Math.round(pace.tokensPerMinute(name))) },
    { text: String(tokens) },
    { text: costUsd.toFixed(4) },
  ],
});

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
