import { compositionErrors } from "../../node-kinds/index.ts";
import {
  isSupervisorNode,
  type KindNode,
  placeInFile,
  type Topology,
  type TopologyNode,
  walkTree,
} from "../../topology/index.ts";

/** Kinds of nodes that one worker runs as a whole. */
const hostedKinds: ReadonlySet<string> = new Set([
  "agent",
  "gen_server",
  "eval_agent",
  "dynamic_supervisor",
]);

/** Kinds of nodes of which each worker of a group runs a part. */
const spreadKinds: ReadonlySet<string> = new Set(["pool", "keyed"]);

/** Kinds of nodes that are at one of several workers. */
const singleKinds: ReadonlySet<string> = new Set(["agent", "gen_server"]);

/** @returns The process groups that several workers may join: those with pools or keyed agents. */
export function sharedGroupsOf(topology: Topology): ReadonlySet<string> {
  return new Set(
    [...walkTree(topology.supervision)].flatMap((node) =>
      !isSupervisorNode(node) && node.process !== undefined && spreadKinds.has(node.kind)
        ? [node.process]
        : [],
    ),
  );
}

/**
 * @throws AGENTRT_COMPOSITION_KEY_NOT_SERVED for a node that has a process group and cannot be on a worker, and for a pool or
 *   a keyed agent of one with a budget: it would not count what is spent there; AGENTRT_COMPOSITION_STORE_NOT_SHARED for a keyed agent or an
 *   agent of several workers whose states are in memory.
 */
export function refuseUnhosted(topology: Topology): void {
  const spread = sharedGroupsOf(topology);
  const uses = unhostedUses(topology.supervision, { spread });
  const [first] = uses;
  if (first !== undefined) {
    const text = `${placeInFile(topology.fileName, first.node.at)}: ${first.key}`;
    throw new compositionErrors.KEY_NOT_SERVED({ first: text, useCount: uses.length });
  }
  refuseMemory(topology, spread);
}

interface Above {
  /** Process groups that several workers may join. */
  readonly spread: ReadonlySet<string>;
}

interface UnhostedUse {
  readonly node: TopologyNode;
  readonly key: string;
}

function unhostedUses(node: TopologyNode, above: Above): UnhostedUse[] {
  if (isSupervisorNode(node)) {
    return node.children.flatMap((each) => unhostedUses(each, above));
  }
  if (node.process === undefined) return [];
  const key = whyUnhosted(node, above);
  return key === undefined ? [] : [{ node, key: `${node.kind}: process${key}` }];
}

function whyUnhosted(node: KindNode, { spread }: Above): string | undefined {
  if (spreadKinds.has(node.kind)) {
    const { options } = node.settings as {
      readonly options?: { readonly budget?: unknown };
    };
    return options?.budget === undefined ? undefined : " with a budget";
  }
  if (!hostedKinds.has(node.kind)) return "";
  const isOne = spread.has(node.process ?? "") && !singleKinds.has(node.kind);
  return isOne ? " in a group with pools or keyed agents" : undefined;
}

function refuseMemory(topology: Topology, shared: ReadonlySet<string>): void {
  const type = stateTypeOf(topology);
  if (type !== "in_memory") return;
  for (const node of walkTree(topology.supervision))
    if (!isSupervisorNode(node) && isShared(node, shared))
      throw storeNotShared(topology, node, type);
}

/**
 * Says of a node of a group that several workers may join whether what it saves has to be where all of them reach it.
 *
 * @param shared Those groups.
 */
export function isShared({ kind, process }: KindNode, shared: ReadonlySet<string>): boolean {
  if (process === undefined || !shared.has(process)) return false;
  return kind === "keyed" || singleKinds.has(kind);
}

/** @returns The store that keeps the states of a topology, without what encrypts them. */
export function stateTypeOf({ plugins }: Topology): string {
  const { type = "in_memory", config = {} } = plugins.state ?? {};
  const { store } = config as { readonly store?: { readonly type?: unknown } };
  return type === "encrypted" && typeof store?.type === "string" ? store.type : type;
}

/** @returns The error of a node whose states several processes cannot share. */
export function storeNotShared(topology: Topology, node: KindNode, store: string): Error {
  const { name: agent, process = "" } = node;
  const at = placeInFile(topology.fileName, node.at);
  return new compositionErrors.STORE_NOT_SHARED({ at, agent, process, store });
}
