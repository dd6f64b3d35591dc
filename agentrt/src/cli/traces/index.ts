/**
 * The commands about traces: of a running topology, by the routes of its control plane, or of a folder of spans, without a
 * server. Both answer the same bodies.
 */
export { tracesListCommand } from "./list.ts";
export { tracesShowCommand } from "./show.ts";
