/**
 * Traces as clients see them: `GET /traces` and `/traces/{id}`, and one list made of what several processes know.
 *
 *     each process → TracePartsBody → joinTraceLists: the parts of a trace together, then the filters, then the page
 */
export { joinTraceLists } from "./trace-parts.ts";
export { traceResponse } from "./trace-route.ts";
export { tracePartsResponse, tracesResponse } from "./traces-route.ts";
