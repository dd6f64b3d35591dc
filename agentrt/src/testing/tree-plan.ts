import type { ChildSpec, SupervisorSpec } from "../core/index.ts";

/** A node of a tree as it was described, with its place. */
export interface PlannedNode {
  readonly spec: ChildSpec;
  readonly name: string;
  readonly parent: PlannedSupervisor | undefined;
  /** Place among the children of its supervisor, from 0. */
  readonly index: number;
}

/** A supervisor of the plan. */
export interface PlannedSupervisor extends PlannedNode {
  readonly spec: SupervisorSpec;
  readonly children: readonly PlannedNode[];
}

/** The tree as it was described: who is where. What is spawned while it runs is not in it. */
export class TreePlan {
  readonly root: PlannedSupervisor;
  readonly #nodes = new Map<string, PlannedNode>();

  constructor(supervision: SupervisorSpec) {
    this.root = this.#plan(supervision, undefined, 0) as PlannedSupervisor;
  }

  /** @returns The node of a name; undefined for what was spawned. */
  node(name: string): PlannedNode | undefined {
    return this.#nodes.get(name);
  }

  /** @returns The supervisor of a name; undefined for the root and for what was spawned. */
  parentOf(name: string): PlannedSupervisor | undefined {
    return this.#nodes.get(name)?.parent;
  }

  /** @returns The supervisor of this name; undefined when it is none. */
  supervisorOf(name: string): PlannedSupervisor | undefined {
    const node = this.#nodes.get(name);
    return node !== undefined && isSupervisor(node) ? node : undefined;
  }

  /** @returns The names of all agents, in declaration order. */
  get agentNames(): string[] {
    return agentNames(this.root);
  }

  /** @returns The names of what takes messages, agents and pools, in declaration order. */
  get receiverNames(): string[] {
    return receiverNames(this.root);
  }

  #plan(spec: ChildSpec, parent: PlannedSupervisor | undefined, index: number): PlannedNode {
    if (spec.kind !== "supervisor") {
      const node: PlannedNode = { spec, name: spec.name, parent, index };
      this.#nodes.set(spec.name, node);
      return node;
    }
    const children: PlannedNode[] = [];
    const node: PlannedSupervisor = { spec, name: spec.name, parent, index, children };
    this.#nodes.set(spec.name, node);
    for (const [at, childSpec] of spec.children.entries()) {
      children.push(this.#plan(childSpec, node, at));
    }
    return node;
  }
}

/** @returns Whether a node has children. */
export function isSupervisor(node: PlannedNode): node is PlannedSupervisor {
  return node.spec.kind === "supervisor";
}

/** @returns The agents at a node and below it, in declaration order. */
export function agentNames(node: PlannedNode): string[] {
  if (!isSupervisor(node)) return [node.name];
  return node.children.flatMap((each) => agentNames(each));
}

function receiverNames(node: PlannedNode): string[] {
  if (!isSupervisor(node) || node.spec.pool !== undefined) return [node.name];
  return node.children.flatMap((each) => receiverNames(each));
}

/** @returns The supervisors at a node and below it. */
export function supervisorNames(node: PlannedNode): string[] {
  if (!isSupervisor(node)) return [];
  return [node.name, ...node.children.flatMap((each) => supervisorNames(each))];
}

/** @returns The children of the same supervisor that are declared after a node. */
export function laterSiblings(node: PlannedNode): readonly PlannedNode[] {
  return node.parent === undefined ? [] : node.parent.children.slice(node.index + 1);
}
