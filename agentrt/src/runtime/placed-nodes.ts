import type { ChildSpec, SupervisorSpec } from "../core/index.ts";

/** What drives a node: a node of another kind is another node, whatever its name. */
export type DriverKind = "agent" | "dynamic" | "keyed" | "pool" | "supervisor";

/** A node of a description, with its place. */
export interface PlacedNode {
  readonly spec: ChildSpec;
  readonly kind: DriverKind;
  /** Process group of an agent, where nodes are placed on processes. */
  readonly process?: string | undefined;
  /** Name of the supervisor above it; undefined for the root. */
  readonly parent: string | undefined;
}

/** @returns What drives a node; `supervisor` for one of declared children. */
export function kindOfSpec(spec: ChildSpec): DriverKind {
  if (spec.kind === "agent") return "agent";
  if (spec.dynamic !== undefined) return "dynamic";
  if (spec.keyed !== undefined) return "keyed";
  return spec.pool === undefined ? "supervisor" : "pool";
}

/**
 * Lists the nodes of a description, each supervisor before its children.
 *
 * @param root The description.
 * @param isPlaced Whether nodes are placed on processes: one that comes to be in another process is another node.
 * @returns The nodes, by name.
 */
export function placedNodes(
  root: SupervisorSpec,
  isPlaced = false,
): ReadonlyMap<string, PlacedNode> {
  const nodes = new Map<string, PlacedNode>();
  const visit = (spec: ChildSpec, parent: string | undefined): void => {
    const process = isPlaced && spec.kind === "agent" ? spec.processName : undefined;
    nodes.set(spec.name, { spec, kind: kindOfSpec(spec), process, parent });
    if (spec.kind === "supervisor") for (const each of spec.children) visit(each, spec.name);
  };
  visit(root, undefined);
  return nodes;
}
