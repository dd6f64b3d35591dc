import type { AgentCounters, DropCounts, SupervisorNode, TreeNode } from "../../core/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";
import type { FigureBook } from "./figure-book.ts";
import {
  type AgentPresent,
  type CountedRuntime,
  type ProcessFigures,
  restingActivity,
} from "./process-figures.ts";
import { wholeCircuits } from "./conditions.ts";
import { noCounters, sumByName, sumCounters, sumUses } from "./sum-counters.ts";

/** A worker as it is in the whole. */
export interface WorkerFigures {
  /** Name of its process group. */
  readonly group: string;
  /** True where its figures are of this moment, false where they are the last that it has said. */
  readonly isFresh: boolean;
  /** Undefined where it has said none, or is away. */
  readonly latest: ProcessFigures | undefined;
}

/** The figures of all processes of a topology. */
export interface CountedWhole extends Omit<CountedRuntime, "observer"> {
  readonly workers: readonly WorkerFigures[];
}

/**
 * Puts the figures of all processes together.
 *
 * @param own The process that has the tree.
 * @param book What the workers have said.
 * @param workers Which there are, by the name of their group, and whether they have answered now.
 */
export function wholeOf(
  own: CountedRuntime,
  book: FigureBook,
  workers: readonly WorkerFigures[],
): CountedWhole {
  if (workers.length === 0) return onlyOwn(own);
  const present = new Map(
    workers.flatMap(({ latest }) => (latest === undefined ? [] : [...latest.agents])),
  );
  const root = own.tree();
  const others = new Map([...agentsElsewhere(root)].map((node) => [node.name, node]));
  const awaitedThere = [...present.values()].flatMap(({ activity: { awaits } }) =>
    awaits?.kind === "model" ? awaits : [],
  );
  return {
    workers,
    snapshot: (names) => wholeSnapshot(own.snapshot(names), { root, book, workers }),
    tree: () => withPresent(root, present),
    findNode: (name) => {
      const found = own.findNode(name);
      return found === undefined ? found : { ...found, node: withPresent(found.node, present) };
    },
    awaitedModels: () => [...own.awaitedModels(), ...awaitedThere],
    activity: (name) => {
      const node = others.get(name);
      if (node === undefined) return own.activity(name);
      const activity = present.get(name)?.activity ?? restingActivity;
      // What several workers have of it its supervisor adds up.
      return node.kind === "agent" ? activity : { ...activity, mailboxDepth: depthOf(node) };
    },
    modelAnsweredMs: (name) => latestOf([own.modelAnsweredMs(name), ...answersOf(workers, name)]),
    processUsage: () => own.processUsage(),
  };
}

/** Of a topology that is in one process nothing is put together. */
function onlyOwn(own: CountedRuntime): CountedWhole {
  return {
    workers: [],
    snapshot: (names) => own.snapshot(names),
    tree: () => own.tree(),
    findNode: (name) => own.findNode(name),
    activity: (name) => own.activity(name),
    awaitedModels: () => own.awaitedModels(),
    modelAnsweredMs: (name) => own.modelAnsweredMs(name),
    processUsage: () => own.processUsage(),
  };
}

function wholeSnapshot(
  own: RuntimeSnapshot,
  of: {
    readonly root: TreeNode;
    readonly book: FigureBook;
    readonly workers: readonly WorkerFigures[];
  },
): RuntimeSnapshot {
  const { root, book, workers } = of;
  const grown = workers.map(({ group }) => book.grown(group));
  const counted = new Map<string, AgentCounters>();
  for (const [name, counters] of grown.flatMap(({ agents }) => [...agents])) {
    const others = counted.get(name);
    counted.set(name, others === undefined ? counters : sumCounters(others, counters));
  }
  const elsewhere = [...agentsElsewhere(root)].map(({ name, restartCount }) => {
    // Its supervisor counts them, over all processes of its group.
    return [name, { ...(counted.get(name) ?? noCounters), restarts: restartCount }] as const;
  });
  const sum = (numberOf: (each: (typeof grown)[number]) => number): number =>
    grown.reduce((total, each) => total + numberOf(each), 0);
  return {
    ...own,
    circuits: wholeCircuits(
      own.circuits,
      workers.map(({ group, latest }) => ({ group, circuits: latest?.circuits ?? [] })),
    ),
    agents: { ...own.agents, ...Object.fromEntries(elsewhere) },
    budgets: [...own.budgets, ...workers.flatMap(({ latest }) => latest?.budgets ?? [])],
    totalMessages: own.totalMessages + sum(({ totalMessages }) => totalMessages),
    totalCostUsd: own.totalCostUsd + sum(({ totalCostUsd }) => totalCostUsd),
    models: grown.reduce((models, each) => sumUses(models, each.models), own.models),
    dropped: grown.reduce(
      (dropped, each) => sumByName({ ...dropped }, { ...each.dropped }) as DropCounts,
      own.dropped,
    ),
  };
}

/** Agents of workers, and pools and keyed agents that are on several. */
function* agentsElsewhere(node: TreeNode): Generator<TreeNode> {
  if (node.kind === "agent") {
    if (node.isElsewhere === true) yield node;
    return;
  }
  if (node.parts !== undefined) yield node;
  for (const child of node.children) yield* agentsElsewhere(child);
}

function depthOf({ pool, keyed }: SupervisorNode): number {
  return (pool ?? keyed)?.mailboxDepth ?? 0;
}

/** Whether it runs is known to its supervisor; what it does then, to its process. */
function withPresent(node: TreeNode, present: ReadonlyMap<string, AgentPresent>): TreeNode {
  if (node.kind === "supervisor")
    return { ...node, children: node.children.map((child) => withPresent(child, present)) };
  const found = node.isElsewhere === true ? present.get(node.name) : undefined;
  if (found === undefined) return node;
  const { suspension, uptimeMs, busyCount, mailboxDepth, waitingSenderCount } = found;
  const { sessionTurnCount, sessionDurationMs } = found;
  const isUp = node.status === "RUNNING" || node.status === "SUSPENDED";
  return {
    ...node,
    suspension,
    uptimeMs,
    busyCount,
    mailboxDepth,
    waitingSenderCount,
    sessionTurnCount,
    sessionDurationMs,
    status: isUp ? found.status : node.status,
  };
}

function answersOf(workers: readonly WorkerFigures[], name: string): (number | undefined)[] {
  return workers.map(({ latest }) => latest?.answeredMs[name]);
}

function latestOf(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
