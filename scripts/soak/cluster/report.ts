/** What a soak of the cluster found, in words. */
import { historyText, type Operation, type Verdict } from "./history.ts";
import type { SoakNode } from "./node.ts";

/** What a report says. */
export interface ReportInit {
  /** What ran. */
  readonly head: string;
  readonly operations: readonly Operation[];
  readonly finals: ReadonlyMap<string, readonly string[]>;
  readonly verdict: Verdict;
  /** Increments without an answer, by what they failed with. */
  readonly failures: ReadonlyMap<string, number>;
  /** How often each kind of fault was there. */
  readonly faults: ReadonlyMap<string, number>;
  /** How long after each fault the slowest key was away, milliseconds. */
  readonly awayMs: readonly number[];
  readonly nodes: readonly SoakNode[];
}

/** Violations that are printed at most. */
const printedMax = 20;

/**
 * Says what was done.
 *
 * @throws Error with the history of the first key that is wrong, or the output of a program that broke.
 */
export function reportOf(init: ReportInit): string {
  const { head, operations, finals, verdict, awayMs, nodes } = init;
  const { violations, acknowledgedCount, doneUnansweredCount } = verdict;
  const ends = nodes
    .filter(({ exits }) => exits.size > 0)
    .map(({ machine, exits }) => `${machine.name} ${countsText(exits)}`);
  const summary = [
    `${head}: ${operations.length} increments of ${finals.size} keys, ${acknowledgedCount} acknowledged`,
    `${doneUnansweredCount} done without an answer`,
    `not answered: ${countsText(init.failures)}`,
    `faults: ${countsText(init.faults)}`,
    `all served again after a fault within ${Math.round(Math.max(...awayMs))} ms (median ${Math.round(median(awayMs))})`,
    `ends by themselves, count and exit code: ${ends.join("; ") || "none"}`,
  ].join("; ");
  const broken = nodes.find((node) => node.broken !== "");
  if (broken !== undefined)
    throw new Error(`${summary}\n${broken.machine.name} broke:\n${broken.broken}`);
  const [first] = violations;
  if (first === undefined) return `${summary}; every key is linear`;
  const list = violations.slice(0, printedMax).map(({ key, reason }) => `  ${key}: ${reason}`);
  const history = historyText(first.key, operations, finals);
  throw new Error([summary, `${violations.length} violations`, ...list, history].join("\n"));
}

function countsText(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${count} × ${name}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
