/**
 * The life of one agent. A cell outlives restarts, an incarnation is one life.
 *
 *     AgentCell (name, Mailbox, counters, Checkpoints)
 *        └ Incarnation (object, loop, end) ── ChildExit ──▶ onExit
 *
 * It must not know supervisors: it says how a life ended, and does not decide what follows.
 */
export { AgentCell, type AgentCellOptions } from "./agent-cell.ts";
export { refuseIfDrained } from "./refuse-if-drained.ts";
export { endRemoved } from "./end-removed.ts";
export { TallyCounters } from "./counters.ts";
export { Checkpoints } from "./checkpoints.ts";
export { failExpired, failUnwanted } from "./message-end.ts";
export { isFreeRestart, type RestartRequest, restartRequested } from "./restart-request.ts";
export { discardChunks } from "./produce-reply.ts";
