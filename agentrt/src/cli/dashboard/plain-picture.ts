import { createTones } from "../../terminal/index.ts";
import { processLines } from "./process-lines.ts";
import type { Tab } from "./tab.ts";
import { treeLines } from "./tree-lines.ts";
import { troubleLines } from "./trouble-lines.ts";

/** Wide enough for every name that is given to agents in practice. */
const width = 120;

/** Says what a tab knows, as lines without colours or borders: for scripts, logs and screen readers. */
export function plainPicture(tab: Tab): string {
  const looks = { tones: createTones(false), width };
  const failures = Array.from(
    tab.failures,
    ([route, reason]) => `unreachable: ${tab.origin}${route}: ${reason}`,
  );
  const lines = [
    `${tab.label} at ${tab.origin}`,
    ...failures,
    ...troubleLines(tab),
    "",
    ...treeLines(tab.rows, undefined, looks).map((line) => line.slice(1)),
    "",
    ...processLines(tab, looks),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** What was said of each node and endpoint, so that only changes are said. */
export class ToldChanges {
  readonly #statuses = new Map<string, string>();
  #failures: ReadonlySet<string> = new Set();

  /**
   * @param tab What is known now.
   * @returns A line for each change since the last time.
   */
  changesOf(tab: Tab): string[] {
    const lines: string[] = [];
    const failures = new Set(tab.failures.keys());
    for (const route of failures)
      if (!this.#failures.has(route))
        lines.push(`unreachable: ${tab.origin}${route}: ${tab.failures.get(route) ?? ""}`);
    for (const route of this.#failures)
      if (!failures.has(route)) lines.push(`reachable again: ${tab.origin}${route}`);
    this.#failures = failures;
    const gone = new Set(this.#statuses.keys());
    for (const { name, status, restartCount } of tab.rows) {
      const now = `${status === "" ? "there" : status}${restartCount > 0 ? `, ${restartCount} restarts` : ""}`;
      const before = this.#statuses.get(name);
      gone.delete(name);
      this.#statuses.set(name, now);
      if (before !== now)
        lines.push(`${name}: ${before === undefined ? "" : `${before}, now `}${now}`);
    }
    for (const name of gone) {
      this.#statuses.delete(name);
      lines.push(`${name}: gone`);
    }
    return lines;
  }
}
