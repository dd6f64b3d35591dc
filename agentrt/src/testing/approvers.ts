import { TableError, type ApprovalRecord } from "../core/index.ts";
import type { DecisionTried } from "./fact.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Simulation } from "./simulation.ts";

const people = ["Ada", "Bob"] as const;
/** Longest time that somebody takes to decide, in virtual milliseconds. */
const delayMsMax = 10_000;

/**
 * Lets two people decide about each approval that agents ask for, as a seed decides: they approve, deny, edit or leave it,
 * both at once or long after each other, and decide again about one that was decided before. A tree in which nobody asks runs
 * as it did without them.
 *
 * @param simulation The tree.
 * @param random Of nothing else.
 */
export function decideApprovals(simulation: Simulation, random: SeededRandom): void {
  const ids: string[] = [];
  simulation.runtime.onEvent((event) => {
    if (event.type !== "approval.requested") return;
    ids.push(event.id);
    for (const principal of people) void decideOne(simulation, { principal, id: event.id });
  });

  async function decideOne(
    { runtime, record }: Simulation,
    { principal, id }: { readonly principal: string; readonly id: string },
  ): Promise<void> {
    const draw = random.next();
    if (draw < 0.2) return;
    await simulation.sleep(random.next() < 0.2 ? 1 : random.next() * delayMsMax);
    const other = ids[random.below(ids.length)] ?? id;
    for (const each of random.next() < 0.2 ? [id, other] : [id]) {
      if (runtime.status !== "started") return;
      const decision = decisionOf(recordOf(each), { principal, draw });
      if (decision === undefined) continue;
      record.approvalTried(decision);
      const isDone = await decided(decision);
      record.approvalSettled(decision, isDone ? "done" : "refused");
    }
  }

  function recordOf(id: string): ApprovalRecord | undefined {
    try {
      return simulation.runtime.approvals.get(id);
    } catch {
      return undefined;
    }
  }

  async function decided({ id, principal, payload }: DecisionTried): Promise<boolean> {
    const { approvals } = simulation.runtime;
    try {
      if (payload === undefined) await approvals.deny(id, { principal });
      else await approvals.approve(id, { principal, ...edited(id, payload) });
      return true;
    } catch (error) {
      // Somebody was first, it is over its time, or the store is away.
      if (!(error instanceof TableError) && !isInjectedFault(error)) throw error;
      return false;
    }
  }

  function edited(id: string, payload: string): { readonly payload?: ApprovalRecord["payload"] } {
    const asked = recordOf(id)?.payload;
    if (JSON.stringify(asked) === payload) return {};
    return { payload: JSON.parse(payload) as ApprovalRecord["payload"] };
  }
}

function isInjectedFault(error: unknown): boolean {
  return error instanceof Error && error.name === "InjectedFault";
}

/** What somebody makes of an approval: it is edited where its schema has a number to be changed. */
function decisionOf(
  found: ApprovalRecord | undefined,
  { principal, draw }: { readonly principal: string; readonly draw: number },
): DecisionTried | undefined {
  if (found === undefined) return undefined;
  const { id, payload, schema } = found;
  const isDenied = draw < 0.4;
  const isEdited = !isDenied && draw < 0.6 && schema !== null;
  const shown = isEdited ? changed(payload) : payload;
  return { id, principal, payload: isDenied ? undefined : JSON.stringify(shown), outcome: "open" };
}

function changed(payload: ApprovalRecord["payload"]): ApprovalRecord["payload"] {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === "number" ? value + 1 : value,
    ]),
  );
}
