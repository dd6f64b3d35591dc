import type { DynamicLimits } from "./dynamic-policy.ts";
import type { PoolLimits } from "./pool-policy.ts";
import type { HistogramValue, JsonObject } from "../values/index.ts";
import type { ModelSessionCounters, ModelCounters } from "../llm/index.ts";
import type { SuspensionNode } from "../suspension/index.ts";
import type { RestartLimits } from "./supervisor-spec.ts";

/** Where an agent or a supervisor is in its life. */
export type AgentStatus =
  | "INITIALIZING"
  | "RUNNING"
  | "SUSPENDED"
  | "STOPPING"
  | "STOPPED"
  | "CRASHED";

/** One agent as a plain value: a picture of one moment. */
export interface AgentNode extends ModelSessionCounters {
  readonly kind: "agent";
  readonly name: string;
  readonly status: AgentStatus;
  /** New incarnations after the first one. */
  readonly restartCount: number;
  readonly capabilities: readonly string[];
  readonly capabilityMetadata: JsonObject;
  /** Process group; `"main"` for the runtime's own process. */
  readonly processName: string;
  /** True where that is another process than this one. */
  readonly isElsewhere?: true;
  /** Since the running incarnation's start; 0 when none runs. */
  readonly uptimeMs: number;
  /** Why it is suspended; null when it is not. */
  readonly suspension: SuspensionNode | null;
  /** Messages that are handled at once at most. */
  readonly concurrency: number;
  /** Messages that are handled now. */
  readonly busyCount: number;
  /** Messages that wait. */
  readonly mailboxDepth: number;
  /** Senders that wait for room in the mailbox. */
  readonly waitingSenderCount: number;
}

/** One supervisor as a plain value: a picture of one moment. */
export interface SupervisorNode extends RestartLimits {
  readonly kind: "supervisor";
  readonly name: string;
  readonly status: AgentStatus;
  /** New incarnations after the first one. */
  readonly restartCount: number;
  readonly crashesInWindow: number;
  readonly processName: string;
  readonly uptimeMs: number;
  readonly children: readonly TreeNode[];
  /** Limits and counts of a dynamic supervisor; absent for one whose children are declared. */
  readonly dynamic?: DynamicCounts;
  /** Limits and counts of keyed agents; absent for other supervisors. Its keys are not among the children: they are listed in pages. */
  readonly keyed?: KeyedCounts;
  /** Limits and counts of a pool; absent for any other supervisor. */
  readonly pool?: PoolCounts;
  /** Which workers have it, where it is a pool or a keyed agent of a process group. */
  readonly parts?: readonly NodePart[];
}

/** What one worker has of a pool or of a keyed agent. */
export interface NodePart {
  /** Name of the process group, and the worker's number in it: `heavy/1`. */
  readonly process: string;
  /** Members of the pool, or partitions of keys: 256 are all. */
  readonly count: number;
}

/** The limits and counts of keyed agents, at one moment. */
export interface KeyedCounts {
  /** Field of the payload that holds the key; null when senders name it. */
  readonly keyField: string | null;
  readonly idleMs: number;
  readonly residentCountMax: number;
  readonly failedCountMax: number;
  /** Keys that are there. */
  readonly residentCount: number;
  /** Keys that wait for a place. */
  readonly waitingCount: number;
  /** Keys that are out of their budget and refuse their messages for a time. */
  readonly failedCount: number;
  /** Why the whole is suspended; null when it is not. */
  readonly suspension: SuspensionNode | null;
  /** Messages that wait, of all keys. */
  readonly mailboxDepth: number;
}

/** The limits and counts of a dynamic supervisor, at one moment. */
export interface DynamicCounts extends DynamicLimits {
  readonly liveCount: number;
  /** Children that were admitted since the runtime was built. */
  readonly spawnCount: number;
}

/** The limits and counts of a pool, at one moment. */
export interface PoolCounts extends PoolLimits {
  readonly capabilities: readonly string[];
  readonly capabilityMetadata: JsonObject;
  /** Why it is suspended; null when it is not. */
  readonly suspension: SuspensionNode | null;
  /** Members that handle a message. */
  readonly busyCount: number;
  /** Messages that wait in the mailbox that all members share. */
  readonly mailboxDepth: number;
  /** Senders that wait for room in it. */
  readonly waitingSenderCount: number;
}

/** A node of a running tree. */
export type TreeNode = AgentNode | SupervisorNode;

/** Counters of one agent, summed over its incarnations; those of the session are of the running one. */
export interface AgentCounters extends ModelCounters, ModelSessionCounters {
  readonly messagesHandled: number;
  readonly messagesSent: number;
  /** Chunks of streamed replies: a stream counts as one message handled. */
  readonly chunksSent: number;
  /** Messages whose handling ended with an error after nobody waited for the answer any more: no crash. */
  readonly messagesCancelled: number;
  /** Replies that were given when nobody waited for them any more. */
  readonly repliesUnwanted: number;
  readonly errors: number;
  /** The same by the error's code, else by the name of its class: at most 20, the rest under `other`. */
  readonly errorsByCode: { readonly [code: string]: number };
  readonly restarts: number;
  /**
   * Mean time in `handle`: of all of the first 16 messages, then of every sixteenth. Of a stream the time to its first
   * chunk.
   */
  readonly avgLatencyMs: number;
  /** What that is the mean of: the sum of the measured times, and how many they are. */
  readonly latencySumMs: number;
  readonly latencyCount: number;
  /** Those of them that are not first chunks, by how long they took; null when none was measured. */
  readonly handleTimes: HistogramValue | null;
  /** Times to the first chunk of streamed replies; null when there was none. */
  readonly firstChunkTimes: HistogramValue | null;
}
