/**
 * Which of several processes of a topology leads: the one whose lease is renewed.
 *
 *     LeaderLease ── read, write after a revision ──▶ LeaseCell: a key in a bucket of NATS
 *          │ isHeld
 *     LeaderStates ── what a process that does not lead would save is refused
 *
 * It must not know agents, supervision or messages.
 */
export { LeaderLease, type LeaseHolder } from "./leader-lease.ts";
export { LeaderStates } from "./leader-states.ts";
export { NatsCell } from "./nats-cell.ts";
