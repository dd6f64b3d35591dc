/**
 * The folder of an index: which generation counts, the lock of the one process that writes, what is known of the tree
 * as it was indexed, and the update that brings the index up to the tree.
 *
 * This folder must not know: queries, how postings of several segments are joined.
 */
export {
  anyFolderChanged,
  changedFiles,
  endsOfPaths,
  type StampedFiles,
  stampedFolders,
} from "./changed-files.ts";
export { findIndexRoot, indexFolder, openGeneration, type OpenGeneration } from "./index-folder.ts";
export { countStanding, countStandingSymbols, type StandingCounts } from "./standing-counts.ts";
export { lockIndex } from "./index-lock.ts";
export { pathsBelow } from "./paths-below.ts";
export { LookThread, type ThreadedLook } from "./look-thread.ts";
export { graphOfChangedTree, graphOfTree, resolverOfTree } from "./tree-graph.ts";
export type { SeenStamps } from "./tree-look.ts";
export { haveRulesChanged } from "./tree-rules.ts";
export { IndexBusy, updateIndex, type UpdateOptions, type UpdateResult } from "./update-index.ts";
