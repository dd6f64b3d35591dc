import type { JsonObject } from "../../core/index.ts";
import { isShared, sharedGroupsOf, stateTypeOf, storeNotShared } from "./refuse-unhosted.ts";
import { compositionErrors } from "../../node-kinds/index.ts";
import type { AgentElsewhere } from "../../runtime/index.ts";
import {
  isSupervisorNode,
  type KindNode,
  type PluginEntry,
  processGroups,
  type Topology,
  type TopologyNode,
  walkTree,
} from "../../topology/index.ts";

/** What several workers of one group share. */
export interface SpreadGroup {
  /** Names of their keyed agents. */
  readonly keyed: ReadonlySet<string>;
  /** Names of the agents that are at one of them each. */
  readonly single: ReadonlySet<string>;
  /** What says that their store keeps no states that they can share; undefined where none of them has a state. */
  readonly refusal: Error | undefined;
}

/** What a worker runs, and who else there is. */
interface WorkerTopology {
  /** The agents of one process group under one supervisor, which restarts none of them. */
  readonly topology: Topology;
  /** There where several workers may be of the group. */
  readonly spread?: SpreadGroup;
  /** The agents that are elsewhere. */
  readonly others: readonly AgentElsewhere[];
  /** Those of its agents that are below supervisors with a budget. */
  readonly budgetedNames: ReadonlySet<string>;
}

/**
 * Takes out of a topology what one worker runs.
 *
 * @param options.isEmptyTaken Whether a group without agents is one; default false.
 * @throws AGENTRT_COMPOSITION_NO_PROCESS when no agent belongs to the process group.
 */
export function workerTopology(
  topology: Topology,
  process: string,
  { isEmptyTaken = false }: { readonly isEmptyTaken?: boolean } = {},
): WorkerTopology {
  const nodes = [...walkTree(topology.supervision)].filter(
    (node): node is KindNode => !isSupervisorNode(node),
  );
  const placed = nodes.filter((node) => node.process === process);
  // Of a dynamic supervisor only the children are here: it is in the supervisor's process.
  const own = placed.filter((node) => !isDynamic(node));
  if (placed.length === 0 && !isEmptyTaken)
    throw new compositionErrors.NO_PROCESS({
      process,
      file: topology.fileName,
      known: processGroups(topology),
    });
  const shared = sharedGroupsOf(topology);
  const { supervision } = topology;
  // Its budget is in the supervisor's process.
  const { budget: _, ...root } = supervision;
  return {
    topology: {
      ...withStatesOf(topology, process),
      supervision: {
        ...root,
        name: `worker:${process}`,
        strategy: "ONE_FOR_ONE",
        restartCountMax: 0,
        children: own,
      },
    },
    budgetedNames: new Set(budgetedNamesOf(supervision, false)),
    ...(shared.has(process) ? { spread: spreadOf(topology, own) } : {}),
    // Where several workers may be, it has a part of the group: the supervisor's process knows who has which.
    others: nodes
      .filter((node) => !isDynamic(node))
      .filter((node) => node.process !== process || shared.has(process))
      .map(({ name, kind }) => ({
        name,
        takesKeys: kind === "keyed",
        isEvalAgent: kind === "eval_agent",
      })),
  };
}

/** Names of the agents below supervisors that have a budget, of all processes. */
function budgetedNamesOf(node: TopologyNode, isBelow: boolean): string[] {
  if (!isSupervisorNode(node)) return isBelow ? [node.name] : [];
  const isBudgeted = isBelow || node.budget !== undefined;
  return node.children.flatMap((each) => budgetedNamesOf(each, isBudgeted));
}

function isDynamic({ kind }: KindNode): boolean {
  return kind === "dynamic_supervisor";
}

/** @param own The nodes of a group that several workers may join. */
function spreadOf(topology: Topology, own: readonly KindNode[]): SpreadGroup {
  const groups = sharedGroupsOf(topology);
  const withState = own.filter((node) => isShared(node, groups));
  const [first] = withState;
  const namesOf = (isKeyed: boolean): ReadonlySet<string> =>
    new Set(withState.flatMap(({ kind, name }) => ((kind === "keyed") === isKeyed ? [name] : [])));
  const refusal =
    first === undefined ? undefined : storeNotShared(topology, first, stateTypeOf(topology));
  return { keyed: namesOf(true), single: namesOf(false), refusal };
}

/** Kinds of nodes that serve no messages of agents. */
const entranceKinds: ReadonlySet<string> = new Set(["http_gateway", "topology_server"]);

/** @returns The agents, pools and keyed agents whose messages a broker may keep: those of a name are taken by one process. */
export function agentNamesOf(topology: Topology): ReadonlySet<string> {
  const nodes = [...walkTree(topology.supervision)].filter(
    (node): node is KindNode => !isSupervisorNode(node) && !entranceKinds.has(node.kind),
  );
  return new Set(nodes.map(({ name }) => name));
}

/** @returns A topology whose states are those of a process group. */
export function withStatesOf(topology: Topology, process: string): Topology {
  const { plugins } = topology;
  const { state } = plugins;
  if (state === undefined) return topology;
  return { ...topology, plugins: { ...plugins, state: ownStore(state, process) } };
}

/** A SQLite file belongs to one process group: each has its own next to the supervisor's. */
function ownStore<Entry extends Pick<PluginEntry, "type" | "config">>(
  entry: Entry,
  process: string,
): Entry {
  const { config } = entry;
  if (entry.type === "sqlite") {
    const path = typeof config["db_path"] === "string" ? config["db_path"] : "agency_state.db";
    return { ...entry, config: { ...config, db_path: pathBeside(path, process) } };
  }
  const { store } = config as {
    readonly store?: { readonly type: string; readonly config?: JsonObject | null };
  };
  if (store === undefined) return entry;
  const own = ownStore({ ...store, config: store.config ?? {} }, process);
  return { ...entry, config: { ...config, store: own } };
}

function pathBeside(path: string, process: string): string {
  const suffix = `-${encodeURIComponent(process).replaceAll(".", "%2E")}`;
  return /\.\w+$/.test(path) ? path.replace(/(\.\w+)$/, `${suffix}$1`) : `${path}${suffix}`;
}
