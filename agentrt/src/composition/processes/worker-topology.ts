import type { JsonObject } from "../../core/index.ts";
import { compositionErrors } from "../../node-kinds/index.ts";
import type { AgentElsewhere } from "../../workers/index.ts";
import {
  isSupervisorNode,
  type KindNode,
  placeInFile,
  type PluginEntry,
  processGroups,
  type Topology,
  type TopologyNode,
  walkTree,
} from "../../topology/index.ts";

/** Kinds of nodes that a worker can run. */
const hostedKinds: ReadonlySet<string> = new Set(["agent", "gen_server", "eval_agent"]);

/**
 * @throws AGENTRT_COMPOSITION_KEY_NOT_SERVED for a node that has a process group and cannot be on a worker, and for a budget
 *   above one: it would not count what is spent there.
 */
export function refuseUnhosted(topology: Topology): void {
  const uses = unhostedUses(topology.supervision, false);
  const [first] = uses;
  if (first === undefined) return;
  const text = `${placeInFile(topology.fileName, first.node.at)}: ${first.key}`;
  throw new compositionErrors.KEY_NOT_SERVED({ first: text, useCount: uses.length });
}

function unhostedUses(
  node: TopologyNode,
  isBudgeted: boolean,
): { readonly node: TopologyNode; readonly key: string }[] {
  if (isSupervisorNode(node)) {
    const isBelow = isBudgeted || node.budget !== undefined;
    return node.children.flatMap((each) => unhostedUses(each, isBelow));
  }
  if (node.process === undefined) return [];
  if (!hostedKinds.has(node.kind)) return [{ node, key: `${node.kind}: process` }];
  return isBudgeted
    ? [{ node, key: `${node.kind}: process below a supervisor with a budget` }]
    : [];
}

/** What a worker runs, and who else there is. */
interface WorkerTopology {
  /** The agents of one process group under one supervisor, which restarts none of them. */
  readonly topology: Topology;
  /** The agents that are elsewhere. */
  readonly others: readonly AgentElsewhere[];
}

/**
 * Takes out of a topology what one worker runs.
 *
 * @throws AGENTRT_COMPOSITION_NO_PROCESS when no agent belongs to the process group.
 */
export function workerTopology(topology: Topology, process: string): WorkerTopology {
  const nodes = [...walkTree(topology.supervision)].filter(
    (node): node is KindNode => !isSupervisorNode(node),
  );
  const own = nodes.filter((node) => node.process === process);
  if (own.length === 0)
    throw new compositionErrors.NO_PROCESS({
      process,
      file: topology.fileName,
      known: processGroups(topology),
    });
  const { plugins, supervision } = topology;
  const { state } = plugins;
  return {
    topology: {
      ...topology,
      plugins: state === undefined ? plugins : { ...plugins, state: ownStore(state, process) },
      supervision: {
        ...supervision,
        name: `worker:${process}`,
        strategy: "ONE_FOR_ONE",
        restartCountMax: 0,
        children: own,
      },
    },
    others: nodes
      .filter((node) => node.process !== process)
      .map(({ name, kind }) => ({ name, takesKeys: kind === "keyed" })),
  };
}

/** A SQLite file belongs to one process: each worker has its own next to the supervisor's. */
function ownStore<Entry extends Pick<PluginEntry, "type" | "config">>(
  entry: Entry,
  process: string,
): Entry {
  const { config } = entry;
  if (entry.type === "sqlite") {
    const path = typeof config["db_path"] === "string" ? config["db_path"] : "agency_state.db";
    return { ...entry, config: { ...config, db_path: pathBeside(path, process) } };
  }
  const { store } = config as { readonly store?: { type: string; config: JsonObject } };
  if (store === undefined) return entry;
  return { ...entry, config: { ...config, store: ownStore(store, process) } };
}

function pathBeside(path: string, process: string): string {
  const suffix = `-${encodeURIComponent(process).replaceAll(".", "%2E")}`;
  return /\.\w+$/.test(path) ? path.replace(/(\.\w+)$/, `${suffix}$1`) : `${path}${suffix}`;
}
