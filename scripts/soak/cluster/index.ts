/**
 * A cluster under faults: three NATS servers, two supervisors and four workers of one topology, each on a machine of a network that
 * can be cut, and the check that the counters on them are linear.
 *
 *     load → HTTP → supervisor → worker → bucket      operations + final states → checkHistory → violations
 *     seed → FaultPlan → Network | SoakNode
 */
export { soakCluster } from "./cluster.ts";
