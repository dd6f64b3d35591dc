import type { CircuitSnapshot, DeadLetter, TreeNode } from "../core/index.ts";
import type { RuntimeHealth, RuntimeSnapshot, RuntimeStatus } from "../runtime/index.ts";

/** What the control plane may see of a runtime: plain values, pictures of the moment it asks. A `Runtime` is one. */
export interface RuntimeView {
  /** The whole tree, from its root. */
  tree(): TreeNode;
  /** Where it is in its life. */
  readonly status: RuntimeStatus;
  /** Whether all of it runs. */
  health(): RuntimeHealth;
  /** The circuits of models, agents and tools. */
  circuits(): readonly CircuitSnapshot[];
  /** The counters. */
  snapshot(): RuntimeSnapshot;
  /** The latest messages that nobody handled, oldest first. */
  deadLetters(): readonly DeadLetter[];
}
