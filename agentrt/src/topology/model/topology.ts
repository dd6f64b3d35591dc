import type { Budget, JsonObject } from "../../core/index.ts";
import type { SourcePosition } from "../source/index.ts";

/** Which siblings of a crashed child restart. */
export type RestartStrategy = "ONE_FOR_ONE" | "ONE_FOR_ALL" | "REST_FOR_ONE";

/** How the delay before a restart grows. */
export type BackoffPolicy = "CONSTANT" | "LINEAR" | "EXPONENTIAL";

/** How agents of several processes reach each other. */
export interface TransportSettings {
  readonly type: "in_process" | "zmq" | "nats";
  readonly pubAddr: string;
  readonly subAddr: string;
  readonly isProxyStarted: boolean;
  readonly servers: readonly string[];
  readonly isJetstream: boolean;
  readonly streamName: string;
  /** On how many servers of a cluster each stream and bucket is kept that is made. */
  readonly replicaCount: number;
}

/** One plugin: a built-in name, a short name, or the path of a class; and what its constructor takes. */
export interface PluginEntry extends SourcePosition {
  readonly type: string;
  /** Name by which an agent picks this model; by default the type. */
  readonly name?: string;
  readonly config: JsonObject;
}

/** A tool server of `mcp:`, under the keys of the file; `timeout` in seconds. */
export interface ToolServerSettings {
  readonly name: string;
  readonly transport?: "stdio" | "http" | "sse" | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: { readonly [name: string]: string } | undefined;
  readonly env_from?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly headers_from?: { readonly [header: string]: string } | undefined;
  readonly timeout?: number | undefined;
}

/** A policy of `resilience:`, under the keys of the file; times in seconds. */
export interface TargetSettings {
  readonly retry?:
    | {
        readonly max_retries?: number | undefined;
        readonly backoff_base?: number | undefined;
        readonly backoff_max?: number | undefined;
      }
    | undefined;
  readonly timeout?: number | undefined;
  readonly circuit_breaker?:
    | {
        readonly failure_rate?: number | undefined;
        readonly min_calls?: number | undefined;
        readonly window?: number | undefined;
        readonly open_for?: number | undefined;
        readonly probes?: number | undefined;
        readonly slow_call?: number | undefined;
      }
    | undefined;
  /** Only of models. */
  readonly fallback?: string | readonly string[] | undefined;
}

/** The policies of `resilience:`, by the name of what they are for. */
export interface ResilienceSettings {
  readonly models?: { readonly [name: string]: TargetSettings } | undefined;
  readonly agents?: { readonly [name: string]: TargetSettings } | undefined;
  readonly tools?: { readonly [name: string]: TargetSettings } | undefined;
}

/** The plugins of a runtime. */
export interface PluginSettings {
  readonly models: readonly PluginEntry[];
  readonly exporters: readonly PluginEntry[];
  /** The state store; without one the in-memory store is used. */
  readonly state?: PluginEntry;
}

/** What every node of the tree has. */
interface NodePlace {
  /** Unique among all agents and supervisors. */
  readonly name: string;
  /** Where the node begins in the file. */
  readonly at: SourcePosition;
  /** The node's place in the document, for example `supervision.children[1].agent`. */
  readonly path: string;
}

/** A supervisor with its children, in the order they start. */
export interface SupervisorNode extends NodePlace {
  readonly kind: "supervisor";
  readonly strategy: RestartStrategy;
  /** Crashes allowed within `restartWindowMs`; 0 or more. */
  readonly restartCountMax: number;
  readonly restartWindowMs: number;
  readonly backoff: BackoffPolicy;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** What the model calls of all agents below it may cost. */
  readonly budget?: Budget;
  readonly children: readonly TopologyNode[];
}

/** A node of one of the kinds in the table that the parser was given. */
export interface KindNode<Settings extends object = object> extends NodePlace {
  /** The kind's name: `agent`, `gen_server`, `http_gateway`, … */
  readonly kind: string;
  /** The class to load, for kinds that name one: any form of a `type:` string, `module` and `class` already joined. */
  readonly type?: string;
  /** The worker process this node belongs to; without one the supervisor's own process. */
  readonly process?: string;
  /** The output of the kind's schema, frozen; `isOfKind` and `settingsOf` tell its type. */
  readonly settings: Settings;
  /** The same settings under the file's keys and in its units, defaults filled in: for comparing and printing. */
  readonly declared: JsonObject;
}

/** A node of the supervision tree. */
export type TopologyNode = SupervisorNode | KindNode;

/** A key that is known but that this build does not serve yet, where the file uses it. */
export interface UnservedUse extends SourcePosition {
  /** The document path, for example `supervision.children[0].config.middleware`. */
  readonly path: string;
  /** Only the key, for example `auth.middleware` or `transport.type: zmq`. */
  readonly key: string;
}

/** A validated topology. Everything in it is frozen. */
export interface Topology {
  readonly fileName: string;
  readonly transport: TransportSettings;
  readonly plugins: PluginSettings;
  readonly supervision: SupervisorNode;
  /** The `audit`, `security`, `mcp`, `shutdown` and `tracing` sections as they are in the file. */
  readonly audit?: JsonObject;
  readonly security?: JsonObject;
  readonly mcp?: JsonObject;
  readonly shutdown?: JsonObject;
  readonly tracing?: JsonObject;
  /** The section `resilience` as it is in the file, and the same by its schema, under the keys of the file. */
  readonly resilience?: JsonObject;
  readonly targets: ResilienceSettings;
  /** The servers of `mcp:`, in the file's order. */
  readonly toolServers: readonly ToolServerSettings[];
  /** What this build does not serve, in file order; see `findUnservedKeys`. */
  readonly unserved: readonly UnservedUse[];
}

/** True for a supervisor, which has children. */
export function isSupervisorNode(node: TopologyNode): node is SupervisorNode {
  return node.kind === "supervisor";
}

/**
 * Visits every node of a tree, parents before children, in file order.
 *
 * @param root Where to begin.
 * @returns The nodes, the root first.
 */
export function* walkTree(root: TopologyNode): Generator<TopologyNode> {
  yield root;
  if (isSupervisorNode(root)) for (const child of root.children) yield* walkTree(child);
}

/**
 * Lists the keys of a topology that this build does not serve yet. A runtime refuses to start when there is one.
 *
 * @param topology A validated topology.
 * @returns Each use with its position, in file order.
 */
export function findUnservedKeys(topology: Topology): readonly UnservedUse[] {
  return topology.unserved;
}

/**
 * Freezes a value and all it holds.
 *
 * @param value Plain data without cycles.
 * @returns The same value.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
