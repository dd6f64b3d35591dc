import type { ChildSpec, Message, SupervisorSpec } from "../core/index.ts";

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
  /** The agents with an object for each key, in declaration order. */
  readonly keyed: readonly PlannedSupervisor[];
  /** The pools, in declaration order. */
  readonly pools: readonly PlannedSupervisor[];
  readonly #nodes = new Map<string, PlannedNode>();

  constructor(supervision: SupervisorSpec) {
    this.root = this.#plan(supervision, undefined, 0) as PlannedSupervisor;
    this.keyed = [...this.#nodes.values()].filter(isKeyed);
    this.pools = [...this.#nodes.values()].filter(isPool);
  }

  /** @returns The node of a name; undefined for what was spawned. */
  node(name: string): PlannedNode | undefined {
    return this.#nodes.get(name);
  }

  /** @returns The supervisor of a name, a pool for its members; undefined for the root and for what was spawned. */
  parentOf(name: string): PlannedSupervisor | undefined {
    const node = this.#nodes.get(name);
    return node === undefined ? this.poolOf(name) : node.parent;
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

  /** @returns All nodes, in declaration order. */
  get nodes(): PlannedNode[] {
    return [...this.#nodes.values()];
  }

  /** @returns The pool that a name is a member of, as in `writer/2`. */
  poolOf(name: string): PlannedSupervisor | undefined {
    const found = this.supervisorOf(name.slice(0, Math.max(0, name.lastIndexOf("/"))));
    return found !== undefined && isPool(found) ? found : undefined;
  }

  /** @returns The names that messages can be sent to, in declaration order. */
  get receiverNames(): string[] {
    const isReceiver = ({ spec }: PlannedNode): boolean =>
      spec.kind !== "supervisor" || spec.keyed !== undefined || spec.pool !== undefined;
    return [...this.#nodes.values()].filter(isReceiver).map(({ name }) => name);
  }

  /** @returns The agent with an object for each key that a name stands for: its own name, or `name/key`. */
  keyedOf(name: string): PlannedSupervisor | undefined {
    for (let end = name.length; end > 0; end = name.lastIndexOf("/", end - 1)) {
      const found = this.supervisorOf(name.slice(0, end));
      if (found !== undefined) return isKeyed(found) ? found : undefined;
    }
    return undefined;
  }

  /**
   * Finds the name of the agent that a message is for: that of the key's object, where there is one for each key. It is
   * not the kernel's own answer, which could be wrong.
   */
  agentOf({ recipient, payload }: Pick<Message, "recipient" | "payload">): string {
    const keyed = this.keyedOf(recipient);
    const keyField = keyed?.spec.keyed?.keyField;
    if (keyed === undefined || recipient !== keyed.name || keyField === undefined) return recipient;
    const key = payload[keyField];
    return typeof key === "string" || typeof key === "number" ? `${recipient}/${key}` : recipient;
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

/** @returns Whether a node is an agent with an object for each key. */
export function isKeyed(node: PlannedNode): node is PlannedSupervisor {
  return node.spec.kind === "supervisor" && node.spec.keyed !== undefined;
}

/** @returns Whether a node is a pool. */
export function isPool(node: PlannedNode): node is PlannedSupervisor {
  return node.spec.kind === "supervisor" && node.spec.pool !== undefined;
}

/** @returns The agents at a node and below it, in declaration order. */
export function agentNames(node: PlannedNode): string[] {
  if (!isSupervisor(node)) return [node.name];
  return node.children.flatMap((each) => agentNames(each));
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
