import type { StateStore } from "../../core/index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { FencedStateStore } from "../../workers/index.ts";
import type { SpreadGroup } from "./worker-topology.ts";

/**
 * Opens the states of a worker whose group may have several: those of its keys and agents and what members of its pools wait for, in what
 * they share, under fences. All else, such as that a pool is suspended here, it keeps in memory; and all of it where it has only pools and they share nothing.
 *
 * @param group What they share.
 * @param open Opens the store of the topology, as one of several processes that write it.
 * @throws AGENTRT_COMPOSITION_STORE_NOT_SHARED; what `open` throws.
 */
export async function openSharedStates(
  { keyed, single, refusal }: SpreadGroup,
  open: () => Promise<StateStore>,
): Promise<StateStore> {
  const rest = new MemoryStateStore();
  const shared = await open();
  const { fenced } = shared;
  if (fenced !== undefined) return new FencedStateStore({ shared, fenced, rest, keyed, single });
  await shared.close();
  if (refusal !== undefined) throw refusal;
  return rest;
}
