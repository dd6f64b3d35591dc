/**
 * The processes of a topology: the supervisor, which has the tree, and workers, which run the agents of one process group.
 *
 *   supervisor process                                    worker process
 *   Supervisor → RemoteChild → Workers ── commands ──→ WorkerHost → Runtime → AgentCell
 *                     ↑             ←── register, exit ──
 *
 * Only the supervisor's engine restarts: a worker starts no agent again by itself. It reports when one has ended; when
 * the worker itself is gone, all of its agents have crashed. A worker outlives its supervisor, and is found again by the next.
 *
 * It must not know topology files, gateways, or how messages travel.
 */
export type { ConnectionOptions } from "./connect.ts";
export { workerErrors } from "./errors.ts";
export { FencedStateStore } from "./spread/index.ts";
export { LeaderReads } from "./leader-reads.ts";
export { wantedTree } from "./wanted-tree.ts";
export { supervisorNetwork } from "./supervisor-network.ts";
export { workerNetwork, type WorkerOptions } from "./worker-network.ts";
