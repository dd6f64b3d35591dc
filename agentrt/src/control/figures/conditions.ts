import type { CircuitSnapshot, JsonObject, JsonValue } from "../../core/index.ts";
import type { RuntimeHealth } from "../../runtime/index.ts";

/** The question for it: no client can ask it. */
export const conditionQuestion = "GET /_condition";

/** Most names of halted agents that a health has. */
const nameCountMax = 100;

/** What a worker says of its health, and of its circuits. */
export interface Condition {
  /** Name of its process group, or its label. */
  readonly group: string;
  readonly health: RuntimeHealth;
  readonly circuits: readonly CircuitSnapshot[];
}

/** The health of all processes of a topology. */
export interface WholeHealth extends RuntimeHealth {
  /** Whose store is away; absent for that of the process that has the tree. */
  readonly outageOf?: string;
  /** Process groups that have no process; absent for none. */
  readonly awayGroups?: readonly string[];
  /** Workers that are there and do not answer; absent for none. */
  readonly silentWorkers?: readonly string[];
}

/** A circuit, and the worker that it is in. */
export type PlacedCircuit = CircuitSnapshot & { readonly worker?: string };

/** Makes the body of the answer. */
export function conditionBody(runtime: {
  health(): RuntimeHealth;
  circuits(): readonly CircuitSnapshot[];
}): JsonObject {
  const body: object = { health: runtime.health(), circuits: runtime.circuits() };
  return body as JsonObject;
}

/** Reads it: the other side has the same topology, and so the same release. */
export function readCondition(group: string, body: JsonValue | undefined): Condition | undefined {
  const { health, circuits } = (body ?? {}) as unknown as Partial<Condition>;
  if (typeof health !== "object" || !Array.isArray(circuits)) return undefined;
  return { group, health, circuits: circuits as readonly CircuitSnapshot[] };
}

/**
 * Puts the health of all processes together. What is given up is known to the process that has the tree.
 *
 * @param own Of that process.
 * @param workers What the others have said.
 * @param lacking.awayGroups Process groups that have no process.
 * @param lacking.silentWorkers Workers that are there and have not answered.
 */
export function wholeHealth(
  own: RuntimeHealth,
  workers: readonly Condition[],
  {
    awayGroups,
    silentWorkers,
  }: { readonly awayGroups: readonly string[]; readonly silentWorkers: readonly string[] },
): WholeHealth {
  const withoutStore =
    own.outage === undefined
      ? workers.find(({ health }) => health.outage !== undefined)
      : undefined;
  const outage = own.outage ?? withoutStore?.health.outage;
  const all = [own, ...workers.map(({ health }) => health)];
  const halted = all.flatMap((health) => health.halted ?? []).slice(0, nameCountMax);
  const pending = all.reduce((sum, health) => sum + (health.pendingApprovalCount ?? 0), 0);
  const isLacking = awayGroups.length > 0 || silentWorkers.length > 0;
  const isOk = own.status === "ok" && outage === undefined && !isLacking;
  return {
    ...own,
    status: isOk ? "ok" : "degraded",
    ...(halted.length === 0 ? {} : { halted }),
    ...(outage === undefined ? {} : { outage }),
    ...(withoutStore === undefined ? {} : { outageOf: withoutStore.group }),
    ...(pending === 0 ? {} : { pendingApprovalCount: pending }),
    ...(awayGroups.length === 0 ? {} : { awayGroups }),
    ...(silentWorkers.length === 0 ? {} : { silentWorkers }),
  };
}

/** @returns The circuits of all processes: each has separate ones. */
export function wholeCircuits(
  own: readonly CircuitSnapshot[],
  workers: readonly Pick<Condition, "group" | "circuits">[],
): PlacedCircuit[] {
  const others = workers.flatMap(({ group, circuits }) =>
    circuits.map((circuit) => ({ ...circuit, worker: group })),
  );
  return [...own, ...others];
}
