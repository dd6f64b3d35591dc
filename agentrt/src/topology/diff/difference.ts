import type { JsonValue } from "../../core/index.ts";

/** The parts of a topology file that are compared, in the order in which differences are listed. */
export const diffSections = [
  "supervision",
  "transport",
  "plugins",
  "audit",
  "security",
  "mcp",
  "shutdown",
  "tracing",
  "resilience",
] as const;

/** One part of a topology file. */
export type DiffSection = (typeof diffSections)[number];

/** One thing that two topologies do not agree on. */
export interface Difference {
  readonly section: DiffSection;
  /** `moved`: a node under another supervisor. `reordered`: items of a list in another order. */
  readonly change: "added" | "removed" | "changed" | "moved" | "reordered";
  /** The node's name, `models.<name>`, `exporters.<name>` or `state`; empty where it is the section itself. */
  readonly subject: string;
  /** The key below the subject, for example `config.limit` or `routes[GET /ask].mode`; empty for the subject itself. */
  readonly field: string;
  /** What the first file says: a value, for `moved` the supervisor's name, for `reordered` the items' names. */
  readonly from?: JsonValue;
  /** What the second file says. */
  readonly to?: JsonValue;
}

/** How many differences there are; what moved and what is in another order is a change. */
export interface DifferenceCounts {
  readonly changeCount: number;
  readonly additionCount: number;
  readonly removalCount: number;
}

/**
 * Counts differences.
 *
 * @param differences What `diffTopologies` found.
 * @returns The three counts; together as many as there are differences.
 */
export function countDifferences(differences: readonly Difference[]): DifferenceCounts {
  const additionCount = differences.filter(({ change }) => change === "added").length;
  const removalCount = differences.filter(({ change }) => change === "removed").length;
  const changeCount = differences.length - additionCount - removalCount;
  return { changeCount, additionCount, removalCount };
}

/**
 * Makes the difference of two values; one that is absent was added or removed.
 *
 * @param place Section, subject and field.
 * @param values What each file says.
 * @returns The difference, frozen.
 */
export function differenceOf(
  place: Pick<Difference, "section" | "subject" | "field">,
  { from, to }: { readonly from: JsonValue | undefined; readonly to: JsonValue | undefined },
): Difference {
  const change = from === undefined ? "added" : to === undefined ? "removed" : "changed";
  return Object.freeze({
    section: place.section,
    change,
    subject: place.subject,
    field: place.field,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
}
