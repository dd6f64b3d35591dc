/**
 * Pools and keyed agents whose parts are on the workers of one process group.
 *
 *   supervisor's process                                 each worker
 *   SpreadGroup → SpreadPool, SpreadKeyed ── place, take, release ──→ SpreadHost → Pool, KeyedPart → KeyedSupervisor
 *                      └── every message, to the topic of the part ──→ its door
 *
 * The supervisor's process decides who has what, and routes. A worker handles keys while it has a lease, and reads and
 * writes their states under the fences that it has raised.
 *
 * It must not know which store keeps the states.
 */
export { FencedStateStore } from "./fenced-state-store.ts";
export { SpreadGroup } from "./spread-group.ts";
export { SpreadHost } from "./spread-host.ts";
export type { SpreadNode } from "./spread-node.ts";
export { partsPayload } from "./spread-protocol.ts";
export { spreadIntervalMs, type SpreadWorker } from "./spread-worker.ts";
