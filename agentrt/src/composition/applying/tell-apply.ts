import { type JsonObject, TableError } from "../../core/index.ts";
import type { Observer } from "../../node-specs/index.ts";
import type { NodeAct } from "./plan-topology.ts";
import type { LivePlan } from "./live-plan.ts";

/** Most names that a summary has of each act. */
const nameCountMax = 10;

const words: readonly (readonly [act: NodeAct, word: string])[] = [
  ["stop", "stopped"],
  ["start", "started"],
  ["restart", "restarted"],
  ["move", "moved"],
  ["change", "changed"],
];

/**
 * Tells watchers that a topology was put in place of the one that ran, and writes it into the histories of what changed.
 *
 * @param observer Where watchers look.
 * @param applied What was done, and who asked.
 */
export function tellApplied(
  observer: Observer,
  applied: { readonly plan: LivePlan; readonly initiatedBy: string },
): void {
  const { plan, initiatedBy } = applied;
  const timestamp = observer.nowMs / 1000;
  for (const { name, act } of plan.nodes)
    if (act !== "keep")
      observer.history.add(name, { event: "applied", timestamp, act, initiated_by: initiatedBy });
  const fields: JsonObject = { initiated_by: initiatedBy, summary: summaryOf(plan) };
  observer.publish("topology.applied", null, fields);
}

/**
 * Tells watchers that a topology was not put in place.
 *
 * @param observer Where watchers look.
 * @param failed Why, and who asked.
 */
export function tellNotApplied(
  observer: Observer,
  failed: { readonly error: unknown; readonly initiatedBy: string },
): void {
  const { error, initiatedBy } = failed;
  const reason = error instanceof TableError ? error.code : "error";
  observer.publish("topology.not_applied", null, { initiated_by: initiatedBy, reason });
}

/** Writes what was done: `restarted desk, tickets; started billing`. */
function summaryOf({ nodes, parts }: LivePlan): string {
  const done = words.flatMap(([act, word]) => {
    const names = nodes.filter((node) => node.act === act).map(({ name }) => name);
    return names.length === 0 ? [] : `${word} ${listed(names)}`;
  });
  const others = parts.map(({ kind, name }) => `${kind} ${name}`);
  const all = others.length === 0 ? done : [...done, `replaced ${listed(others)}`];
  return all.length === 0 ? "nothing changed" : all.join("; ");
}

function listed(names: readonly string[]): string {
  const more = names.length > nameCountMax ? ` and ${names.length - nameCountMax} more` : "";
  return `${names.slice(0, nameCountMax).join(", ")}${more}`;
}
