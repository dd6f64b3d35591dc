/**
 * From files to a segment: files are read and parsed in batches, by several threads if there are many files. Each batch
 * becomes a run on disk, and the runs are merged. The result has the same bytes with any number of threads.
 *
 * This folder must not know: generations, the lock, what was indexed before.
 */
export { gatherFiles, type GatherPlan, runsFolder } from "./gather-files.ts";
export { serveGathering } from "./worker.ts";
