/**
 * Another description in place of one that runs.
 *
 *     RuntimeDescription ─▶ RuntimeChanges (one at a time; models and tools) ─▶ TreeChange (steps, undo, commit)
 *                                                                               ├─ HeldTree: the lanes it holds
 *                                                                               └─ StateSaver: states of what stops
 *
 * It must not know where a description comes from, nor why a node counts as changed: names tell it.
 */
export { RuntimeChanges, type RuntimeDescription } from "./change-runtime.ts";
export type { TreeDescription } from "./tree-change.ts";
