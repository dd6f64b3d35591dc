import type { JsonObject, StateStore } from "../core/index.ts";

/** Under this name the head is in the state store, with the states of agents. */
export const auditStateKey = "_agentrt.audit";

/** How far the records go. */
export interface AuditHead {
  /** Records that are written for sure. */
  readonly count: number;
  /** Hash of the last of them. */
  readonly hash: string;
  /** Those that were about to be written after them; undefined when the log was closed. */
  readonly next: { readonly count: number; readonly hash: string } | undefined;
  /** True where the hashes are made with a key. */
  readonly isKeyed: boolean;
  /** Records that were lost and of which no record says so. */
  readonly lostCount: number;
}

/**
 * Reads the head as it is in a state store.
 *
 * @returns Undefined when it is none.
 */
export function readHead(saved: JsonObject | null | undefined): AuditHead | undefined {
  if (saved === null || saved === undefined) return undefined;
  const { count, hash, next_count: nextCount, next_hash: nextHash, keyed, lost } = saved;
  if (typeof count !== "number" || typeof hash !== "string") return undefined;
  const next =
    typeof nextCount === "number" && typeof nextHash === "string"
      ? { count: nextCount, hash: nextHash }
      : undefined;
  const lostCount = typeof lost === "number" ? lost : 0;
  return { count, hash, next, isKeyed: keyed === true, lostCount };
}

/** Saves the head. @throws What the store throws. */
export async function saveHead(store: StateStore, head: AuditHead): Promise<void> {
  const { count, hash, next, isKeyed, lostCount } = head;
  await store.set(auditStateKey, {
    count,
    hash,
    ...(next === undefined ? {} : { next_count: next.count, next_hash: next.hash }),
    ...(isKeyed ? { keyed: true } : {}),
    ...(lostCount > 0 ? { lost: lostCount } : {}),
  });
}
