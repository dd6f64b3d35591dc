import type { ChildSpec } from "../core/index.ts";
import type { KeyDescriptions, KindNode, NodeKind } from "../topology/index.ts";
import type { TreeLoader } from "./tree-loader.ts";

/** A kind of node that this build can run: what the parser asks of it, what its keys are for, and how it is built. */
export interface BuildableKind<Settings extends object = object> extends NodeKind<Settings> {
  /** What each key of its settings is for, for the JSON Schema. Default: keys that all class nodes have. */
  readonly keys?: KeyDescriptions;
  /** True for a node that serves the outside world: a simulation leaves it out. */
  readonly isServer?: boolean;
  /**
   * Makes the description of a node, which a runtime is built from.
   *
   * @param node The node; its settings were checked when the file was read.
   * @param loader Loads the classes and functions that the settings name.
   * @throws AGENTRT_COMPOSITION_* with the position of the node in the file.
   */
  build(node: KindNode<Settings>, loader: TreeLoader): Promise<ChildSpec>;
}
