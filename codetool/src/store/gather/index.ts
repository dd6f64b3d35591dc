/**
 * From files to a segment: files are read and parsed in batches, by threads where there are many, each batch becomes a
 * run on disk, and the runs are merged. The result is the same bytes however many threads there are.
 *
 * This folder must not know: generations, the lock, what was indexed before.
 */
export { gatherFiles, type GatherPlan, runsFolder } from "./gather-files.ts";
export { serveGathering } from "./worker.ts";
