import process from "node:process";
import { runProcess } from "../../processes/index.ts";
import type { CommandContext } from "../command.ts";
import type { BenchTask } from "./payload.ts";
import type { Task } from "./make-tasks.ts";

/** Each side is run so often; the middle time counts. */
const roundCount = 3;
/** A side that takes longer than this is run once. */
const slowMs = 3000;
const timeoutMs = 120_000;

/** Where a bench runs. */
export interface BenchPlace {
  /** The words that start codetool. */
  readonly program: readonly string[];
  readonly folder: string;
  readonly context: CommandContext;
}

interface Side {
  sizeBytes: number;
  readonly timesMs: number[];
}

/**
 * Runs both sides of a task, by turns.
 *
 * @returns The reason where a side cannot be run: then the task is left out.
 */
export async function measureTask(
  task: Task,
  place: BenchPlace,
): Promise<BenchTask | { readonly reason: string }> {
  const own: Side = { sizeBytes: 0, timesMs: [] };
  const unix: Side = { sizeBytes: 0, timesMs: [] };
  const ownWords = [[...place.program, ...task.codetool]];
  const unixWords = task.unix.map(({ program, args }) => [program, ...args]);
  for (let round = 0; round < roundCount; round += 1) {
    for (const [side, commands, isOwn] of [
      [own, ownWords, true],
      [unix, unixWords, false],
    ] as const) {
      if ((side.timesMs[0] ?? 0) > slowMs) continue;
      const reason = await runSide(side, commands, { place, isOwn });
      if (reason !== undefined) return { reason };
    }
  }
  const [ownTokens, unixTokens] = [Math.floor(own.sizeBytes / 4), Math.floor(unix.sizeBytes / 4)];
  return {
    name: task.name,
    query: task.query,
    codetool_command: shown(["codetool", ...task.codetool]),
    baseline_command: unixWords.map(shown).join("; "),
    codetool_tokens: ownTokens,
    baseline_tokens: unixTokens,
    savings_pct: savingsOf(ownTokens, unixTokens),
    codetool_ms: middleOf(own.timesMs),
    baseline_ms: middleOf(unix.timesMs),
  };
}

/** How much less the one is than the other, percent with one digit. */
export function savingsOf(ownTokens: number, unixTokens: number): number {
  return unixTokens === 0 ? 0 : Math.round((1000 * (unixTokens - ownTokens)) / unixTokens) / 10;
}

/** @returns Why it cannot be run; `undefined` when it was. */
async function runSide(
  side: Side,
  commands: readonly (readonly string[])[],
  { place, isOwn }: { readonly place: BenchPlace; readonly isOwn: boolean },
): Promise<string | undefined> {
  const { folder, context } = place;
  let sizeBytes = 0;
  let timeMs = 0;
  for (const argv of commands) {
    const ended = await runProcess({
      argv,
      workingDirectory: folder,
      environment: {
        ...context.environment,
        CODETOOL_STATS_FILE: process.platform === "win32" ? "NUL" : "/dev/null",
        CODETOOL_SERVE: "off",
        LC_ALL: "C.UTF-8",
      },
      standardInput: "closed",
      timeoutMs,
      // Its output is counted and not looked at.
      captureSizeBytesMax: 64 * 1024,
      ...(context.onSignal === undefined ? {} : { onSignal: context.onSignal }),
    });
    const name = isOwn ? "codetool" : (argv[0] ?? "");
    if (!ended.isStarted)
      return ended.code === "ENOENT"
        ? `${name} is not installed`
        : `${name} cannot be started: ${ended.message}`;
    if (ended.isTimedOut) return `${name} took longer than ${timeoutMs / 1000} seconds`;
    // A program that finds nothing ends with 1, and with 2 where it could not read some of the files.
    if (isOwn && ended.exitCode !== 0)
      return `codetool ended with exit code ${String(ended.exitCode)}`;
    sizeBytes += ended.stdout.sizeBytes;
    timeMs += ended.durationMs;
  }
  side.sizeBytes = sizeBytes;
  side.timesMs.push(timeMs);
  return undefined;
}

function middleOf(timesMs: readonly number[]): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** A command line as a shell would read it. */
function shown(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
