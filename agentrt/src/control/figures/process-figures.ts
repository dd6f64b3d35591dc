import type {
  AgentActivity,
  AgentCounters,
  AgentNode,
  AwaitedModel,
  DropCounts,
  JsonObject,
  JsonValue,
  TreeNode,
  UsesByModel,
} from "../../core/index.ts";
import type { PlacedNode, RuntimeSnapshot } from "../../runtime/index.ts";
import type { ProcessUsage } from "../telemetry-view.ts";
import { noCounters } from "./sum-counters.ts";

/** The question for them: no client can ask it. */
export const figuresQuestion = "GET /_figures";

/** What an agent is like at one moment, where only its process knows. */
export type AgentPresent = Pick<
  AgentNode,
  "status" | "uptimeMs" | "suspension" | "busyCount" | "mailboxDepth" | "waitingSenderCount"
> &
  Pick<AgentNode, "sessionTurnCount" | "sessionDurationMs"> & { readonly activity: AgentActivity };

/** What a process of a topology has counted, and what its agents are like. */
export interface ProcessFigures {
  /** Tells that run from others. */
  readonly epoch: string;
  readonly uptimeMs: number;
  readonly usage: ProcessUsage;
  readonly agents: ReadonlyMap<string, { readonly counters: AgentCounters } & AgentPresent>;
  readonly totalMessages: number;
  readonly totalCostUsd: number;
  readonly models: UsesByModel;
  readonly dropped: DropCounts;
  readonly budgets: RuntimeSnapshot["budgets"];
  readonly exporters: RuntimeSnapshot["exporters"];
  readonly linkLosses: RuntimeSnapshot["linkLosses"] | null;
  readonly linkRefused: RuntimeSnapshot["linkRefused"] | null;
  readonly linkDuplicateCount: number | null;
  readonly circuits: RuntimeSnapshot["circuits"];
  /** When model providers have answered last, by their names. */
  readonly answeredMs: { readonly [model: string]: number };
}

/** What is asked for figures: a runtime is one. */
export interface CountedRuntime {
  snapshot(names?: readonly string[]): RuntimeSnapshot;
  tree(): TreeNode;
  findNode(name: string): PlacedNode | undefined;
  activity(name: string): AgentActivity;
  awaitedModels(): readonly AwaitedModel[];
  modelAnsweredMs(name: string): number | undefined;
  processUsage(): ProcessUsage;
  readonly observer: { readonly epoch: string };
}

/** What an agent does of which nobody knows that it does anything. */
export const restingActivity: AgentActivity = {
  className: null,
  atHand: [],
  mailboxDepth: 0,
  oldestMs: null,
  awaitsStore: false,
  awaits: null,
};

const resting: Omit<AgentPresent, "activity"> = {
  status: "RUNNING",
  uptimeMs: 0,
  suspension: null,
  busyCount: 0,
  mailboxDepth: 0,
  waitingSenderCount: 0,
  sessionTurnCount: 0,
  sessionDurationMs: 0,
};

/** Makes the body of the answer. What is as it is of an agent that has done nothing is left out of it. */
export function figuresBody(runtime: CountedRuntime): JsonObject {
  const snapshot = runtime.snapshot();
  const agents: { [name: string]: JsonValue } = {};
  const answered: { [model: string]: number } = {};
  for (const node of agentsBelow(runtime.tree())) {
    const { name } = node;
    const activity = runtime.activity(name);
    const { awaits } = activity;
    const answeredMs = awaits?.kind === "model" ? runtime.modelAnsweredMs(awaits.name) : undefined;
    if (awaits !== null && answeredMs !== undefined) answered[awaits.name] = answeredMs;
    agents[name] = {
      counters: without(snapshot.agents[name] ?? noCounters, noCounters),
      node: without(pick(node, Object.keys(resting)), resting),
      activity: without(pick(activity, Object.keys(restingActivity)), restingActivity),
    };
  }
  // Of a keyed agent all keys together are counted.
  for (const name of keyedBelow(runtime.tree()))
    agents[name] = { counters: without(snapshot.agents[name] ?? noCounters, noCounters) };
  return {
    epoch: runtime.observer.epoch,
    uptime_ms: snapshot.uptimeMs,
    usage: asJson(runtime.processUsage()),
    agents,
    total_messages: snapshot.totalMessages,
    total_cost_usd: snapshot.totalCostUsd,
    models: asJson(snapshot.models),
    dropped: snapshot.dropped,
    budgets: snapshot.budgets.map(asJson),
    exporters: snapshot.exporters.map(asJson),
    link_losses: snapshot.linkLosses === undefined ? null : { ...snapshot.linkLosses },
    link_refused: snapshot.linkRefused ?? null,
    link_duplicates: snapshot.linkDuplicateCount ?? null,
    circuits: snapshot.circuits.map(asJson),
    answered_ms: answered,
  };
}

/** Reads it: the other side has the same topology, and so the same release. */
export function readFigures(body: JsonValue | undefined): ProcessFigures | undefined {
  const read = (body ?? {}) as JsonObject;
  const { agents: listed, epoch, usage } = read;
  if (typeof epoch !== "string" || typeof listed !== "object" || listed === null) return undefined;
  const agents = new Map<string, { readonly counters: AgentCounters } & AgentPresent>();
  for (const [name, each] of Object.entries(listed as JsonObject)) {
    const { counters, node, activity } = each as { readonly [part: string]: object };
    agents.set(name, {
      ...resting,
      ...node,
      counters: { ...noCounters, ...counters },
      activity: { ...restingActivity, ...activity },
    });
  }
  const rest = read as unknown as {
    readonly uptime_ms: number;
    readonly total_messages: number;
    readonly total_cost_usd: number;
    readonly link_losses: RuntimeSnapshot["linkLosses"] | null;
    readonly link_refused: RuntimeSnapshot["linkRefused"] | null;
    readonly link_duplicates: number | null;
    readonly answered_ms: ProcessFigures["answeredMs"];
  } & Pick<ProcessFigures, "models" | "dropped" | "budgets" | "exporters" | "circuits">;
  return {
    epoch,
    agents,
    usage: usage as unknown as ProcessUsage,
    uptimeMs: rest.uptime_ms,
    totalMessages: rest.total_messages,
    totalCostUsd: rest.total_cost_usd,
    models: rest.models,
    dropped: rest.dropped,
    budgets: rest.budgets,
    exporters: rest.exporters,
    linkLosses: rest.link_losses,
    linkRefused: rest.link_refused,
    linkDuplicateCount: rest.link_duplicates,
    answeredMs: rest.answered_ms,
    circuits: rest.circuits,
  };
}

function* agentsBelow(node: TreeNode): Generator<AgentNode> {
  if (node.kind === "agent") yield node;
  else for (const child of node.children) yield* agentsBelow(child);
}

function* keyedBelow(node: TreeNode): Generator<string> {
  if (node.kind === "agent") return;
  if (node.keyed !== undefined) yield node.name;
  for (const child of node.children) yield* keyedBelow(child);
}

function pick(from: object, names: readonly string[]): object {
  const all = from as { readonly [name: string]: unknown };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** What is another value than in the template; an empty object there is one here. */
function without(from: object, template: object): JsonObject {
  const usual = template as { readonly [name: string]: unknown };
  const said = Object.entries(from).filter(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? Object.keys(value).length > 0
      : value !== undefined && value !== usual[name],
  );
  return Object.fromEntries(said);
}

function asJson(value: object): JsonObject {
  return value as JsonObject;
}
