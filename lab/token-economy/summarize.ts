import { fileURLToPath } from "node:url";
import type { TaskResult } from "./run-task.ts";

/** Where the results of the last whole run lie. */
export const resultsPath = fileURLToPath(new URL("../results/token-economy.json", import.meta.url));

/** What a run found. */
export interface EconomyResults {
  readonly date: string;
  /** What codetool, ripgrep and git say of their versions. */
  readonly versions: readonly string[];
  readonly repositories: readonly {
    readonly name: string;
    readonly repository: string;
    readonly commit: string;
  }[];
  readonly tasks: readonly TaskResult[];
}

/** The sides of a task. */
export type Side = "codetool" | "plain" | "unix";

/** A distribution of ratios. */
export interface Spread {
  readonly minimum: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly maximum: number;
}

/** The figures of one side of a group of tasks, and of the Unix tools for the same. */
export interface SideSummary {
  readonly answeredCount: number;
  readonly failedCount: number;
  /** Tasks that both answered and where this side printed more. */
  readonly largerCount: number;
  readonly medianTokens: number;
  /** Over tasks that both answered, as `unixTotalTokens`. */
  readonly totalTokens: number;
  readonly unixTotalTokens: number;
  readonly medianDurationMs: number;
  /** Its tokens by those of the Unix tools, over tasks that both answered. */
  readonly ratio: Spread;
}

/** Tells whether two sides gave what the proof wants. */
export function isAnswered(task: TaskResult, side: Side): boolean {
  return task[side].missing.length === 0 && task.unix.missing.length === 0;
}

/** A side's tokens by those of the Unix tools; infinite where these answer by printing nothing. */
export function ratioOf(task: TaskResult, side: Side): number {
  return task[side].tokens / task.unix.tokens;
}

/** Puts the figures of one side of some tasks together. */
export function summarize(tasks: readonly TaskResult[], side: Side): SideSummary {
  const answered = tasks.filter((task) => isAnswered(task, side));
  const sum = (of: Side): number => answered.reduce((total, task) => total + task[of].tokens, 0);
  return {
    answeredCount: answered.length,
    failedCount: tasks.filter((task) => task[side].missing.length > 0).length,
    largerCount: answered.filter((task) => task[side].tokens > task.unix.tokens).length,
    medianTokens: median(answered.map((task) => task[side].tokens)),
    totalTokens: sum(side),
    unixTotalTokens: sum("unix"),
    medianDurationMs: median(answered.map((task) => task[side].durationMs)),
    ratio: spreadOf(answered.map((task) => ratioOf(task, side))),
  };
}

/** Quartiles and ends of some values; NaN when there are none. */
export function spreadOf(values: readonly number[]): Spread {
  return {
    minimum: quantile(values, 0),
    lowerQuartile: quantile(values, 0.25),
    median: median(values),
    upperQuartile: quantile(values, 0.75),
    maximum: quantile(values, 1),
  };
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which a share (0 to 1) of the values lies, linear between two neighbours. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => (left < right ? -1 : Number(left > right)));
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below === above ? below : below + (above - below) * (position - Math.floor(position));
}

/** The run in a few lines, for the terminal. */
export function describeResults({ tasks }: EconomyResults): string {
  const lines = tasks.map((task) => {
    const failed = (["codetool", "plain", "unix"] as const)
      .filter((side) => task[side].missing.length > 0)
      .map((side) => ` FAILED ${side}: lacks ${task[side].missing.join(", ")}`);
    const tokens = `${task.codetool.tokens} (plain ${task.plain.tokens}) : ${task.unix.tokens}`;
    return `${task.repository}: ${task.kind}: ${tokens}${failed.join("")}\n`;
  });
  const summaries = (["codetool", "plain"] as const).map((side) => {
    const { answeredCount, failedCount, ratio, totalTokens, unixTotalTokens, largerCount } =
      summarize(tasks, side);
    return (
      `${side}: ${answeredCount} of ${tasks.length} answered by both, ${failedCount} failed here; median ` +
      `${ratio.median.toFixed(2)}, in total ${(totalTokens / unixTotalTokens).toFixed(2)}, larger in ${largerCount}\n`
    );
  });
  return [...lines, ...summaries].join("");
}
