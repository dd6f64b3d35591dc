import { parseLine } from "../../audit/index.ts";
import { printable } from "../../core/index.ts";

/**
 * Writes a record for people: when, what, about whom, and the details.
 *
 * @param line A line of the log; one that is not a record is shown as it is.
 */
export function recordText(line: string): string {
  const record = parseLine(line);
  if (record === undefined) return `? ${printable(line)}`;
  const { ts, event, agent, details } = record;
  const shown = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return printable([ts, event, ...(agent === null ? [] : [agent]), ...shown].join("  "));
}
