/**
 * Which of the processes of a topology this one is: what a worker runs of it, and what connects it with the others.
 *
 *     Topology → workerTopology → the worker's own tree;  Topology → networkOf → Network
 *
 * It must not know the command line.
 */
export { readJoinAddress } from "./join-address.ts";
export { joinedAt, joinTopology } from "./join-topology.ts";
export { linkOf, networkOf, type ProcessOptions } from "./network-of.ts";
export { type PlacedTopologies, placedTopologies } from "./placed-topology.ts";
export { sharedGroupsOf } from "./refuse-unhosted.ts";
export { openSharedStates } from "./shared-states.ts";
export { makeSigningKeys, signingFiles } from "./signing-keys.ts";
export { type SpreadGroup, withStatesOf, workerTopology } from "./worker-topology.ts";
