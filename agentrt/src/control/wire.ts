import type { JsonObject } from "../core/index.ts";
import type { AwaitedBody, CrashSummaryBody, MessageBody } from "./wire-history.ts";

/** Body of `GET /health`. Always status 200: the process lives and answers. */
export type HealthBody = HealthStatusBody & {
  /** There while somebody has to decide about what agents asked for: how many. */
  readonly approvals?: { readonly pending: number };
  /** Agents that eval agents have halted, at most 100; absent for none. */
  readonly halted?: readonly string[];
  /** Of a supervisor that waits: who leads. */
  readonly leader?: string;
};

type HealthStatusBody =
  | { readonly status: "ok" }
  | {
      readonly status: "degraded";
      /** Agents and supervisors that are crashed for good: nothing restarts them. */
      readonly failed: readonly string[];
      /** There while no state can be saved: the store, and why. */
      readonly state?: {
        readonly store: string;
        readonly reason: string;
        readonly worker?: string;
      };
      /** Process groups that have no worker: their agents are not served; absent for none. */
      readonly workers_away?: readonly string[];
      /** Workers that are there and did not answer in half a second; absent for none. */
      readonly workers_silent?: readonly string[];
      /** There while the audit log cannot be written: its sink, and why. */
      readonly audit?: { readonly sink: string; readonly reason: string };
    };

/** One agent in `GET /agents`. */
export interface AgentBody {
  readonly name: string;
  /** `INITIALIZING`, `RUNNING`, `SUSPENDED`, `STOPPING`, `STOPPED` or `CRASHED`. */
  readonly status: string;
  /** Which process runs it. */
  readonly process_id: string;
  readonly capabilities: readonly string[];
  readonly capability_metadata: JsonObject;
  /** Of the running incarnation; 0 when none runs. */
  readonly uptime_seconds: number;
  /** Turns of the model session of this incarnation. */
  readonly session_turn_count: number;
  readonly session_duration_seconds: number;
  /** Why it is suspended; null when it is not. */
  readonly suspend_category: string | null;
  /** Ids of the approvals that it waits for; absent for none. */
  readonly approvals?: readonly string[];
  /** Who has halted it, why and since when; absent when nobody has. */
  readonly halted?: HaltBody;
  /** Only of a spawned agent: new incarnations after the first one. */
  readonly restart_count?: number;
}

/** Body of `GET /agents/{name}`: an agent, a pool, a keyed agent, or a key that has an object. */
export interface AgentDetailBody extends AgentBody {
  /** New incarnations after the first one. */
  readonly restart_count: number;
  /** Of a pool or a keyed agent on workers: how many of its members, or of its 256 partitions of keys, each has. */
  readonly placement?: { readonly [process: string]: number };
  /** `agent`, `pool`, `keyed` or `key`. */
  readonly kind: "agent" | "pool" | "keyed" | "key";
  /** Name of the class of its object; null when it has none. */
  readonly class: string | null;
  readonly mailbox: {
    /** Messages that wait. */
    readonly depth: number;
    /** When the oldest of them was sent: seconds since the Unix epoch; null when none waits. */
    readonly oldest_timestamp: number | null;
    /** Senders that wait for room. */
    readonly waiting_senders: number;
  };
  /** The messages that are being handled, without payloads; at most 100 of a pool or a keyed agent. */
  readonly at_hand: readonly AtHandBody[];
  /** True while the state store has not answered it; else absent. */
  readonly waits_for_state?: true;
  /** The answer of a model or a tool that is waited for longest; absent for none. */
  readonly waits_for?: AwaitedBody;
  /** There while it is drained and has not finished. */
  readonly draining?: DrainingBody;
  /** There for a gateway that listens. */
  readonly listeners?: readonly ListenerBody[];
  /** Null when it is not suspended. */
  readonly suspension: SuspensionBody | null;
  /** Null when none is known. */
  readonly last_crash: CrashSummaryBody | null;
  /** The supervisors above it, the root first; of a key and a member its keyed agent or pool, too. */
  readonly above: readonly string[];
}

/** A message that is being handled. */
export interface AtHandBody extends MessageBody {
  /** When its handling began: seconds since the Unix epoch. */
  readonly since: number;
  /** 0 at first, one more for each retry in place. */
  readonly attempt: number;
}

/** A drain that has begun: it takes nothing new, and is suspended when it has finished. */
export interface DrainingBody {
  readonly reason: string;
  readonly initiated_by: string;
  /** Seconds since the Unix epoch. */
  readonly since: number;
}

/** A port that a gateway listens on. */
export interface ListenerBody {
  /** `http` and `https` (HTTP/1.1, HTTP/2 and WebSocket), `http3` (UDP) or `grpc`. */
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

/** Why an agent waits. */
export interface SuspensionBody {
  readonly reason: string;
  /** `other`, `hitl_approval` or `governance_pause`. */
  readonly category: string;
  /** Seconds since the Unix epoch. */
  readonly since: number;
  /** Who asked; null where an earlier version saved it. */
  readonly initiated_by: string | null;
  /** False when it does not survive the process. */
  readonly durable: boolean;
  /** True when it takes no new messages until it is resumed. */
  readonly drained: boolean;
  /** True for one that `initiated_by`, an eval agent, has halted; else absent. */
  readonly halted?: boolean;
}

/** Who has halted an agent. */
export interface HaltBody {
  /** Name of the eval agent. */
  readonly initiated_by: string;
  readonly reason: string;
  /** Seconds since the Unix epoch. */
  readonly since: number;
}

/** An agent in `GET /topology`. */
export interface AgentNodeBody extends AgentBody {
  readonly type: "agent";
  readonly restart_count: number;
}

/** A supervisor in `GET /topology`; the body itself is the root's. */
export interface SupervisorNodeBody {
  readonly name: string;
  readonly type: "supervisor";
  readonly strategy: string;
  readonly restart_count: number;
  readonly crashes_in_window: number;
  readonly process_id: string;
  readonly children: readonly TreeNodeBody[];
}

/** The circuit of a model provider, an agent or a tool server, in `GET /topology` and `GET /snapshot`. */
export interface CircuitBody {
  /** `model`, `agent` or `tool`. */
  readonly kind: string;
  readonly name: string;
  /** `closed`: calls go through. `open`: they are refused. `half_open`: a few try. */
  readonly state: string;
  /** Calls within the window, and how many of them failed. */
  readonly call_count: number;
  readonly failure_count: number;
  /** Calls that were refused since the start, and how often it has opened. */
  readonly refused_count: number;
  readonly opened_count: number;
  /** Until some calls go through; 0 unless it is open. */
  readonly retry_after_seconds: number;
  /** The worker that it is in; absent for the process that has the tree. */
  readonly worker?: string;
}

/** Body of `GET /topology`: the root, and the circuits where there are any. */
export type TopologyBody = TreeNodeBody & {
  readonly circuits?: readonly CircuitBody[];
  /** As `since` of the next question: it is answered with 204 until an event has happened. Absent where there are workers. */
  readonly revision?: string;
};

/** A dynamic supervisor in `GET /topology`. */
export interface DynamicSupervisorNodeBody {
  readonly name: string;
  readonly type: "dynamic_supervisor";
  readonly status: string;
  readonly restart_count: number;
  readonly process_id: string;
  /** Null when there is no limit. */
  readonly max_children: number | null;
  /** Null when there is no limit. */
  readonly max_total_spawns: number | null;
  /** Children at this moment. */
  readonly live_count: number;
  readonly children: readonly TreeNodeBody[];
}

/** A keyed agent in `GET /topology`. Its keys are not listed there. */
export interface KeyedNodeBody {
  readonly name: string;
  readonly type: "keyed";
  readonly status: string;
  readonly restart_count: number;
  readonly crashes_in_window: number;
  readonly process_id: string;
  /** Field of the payload that holds the key; null when senders name it. */
  readonly key: string | null;
  readonly max_resident: number;
  /** Keys that have an object at this moment. */
  readonly resident_count: number;
  /** Keys that wait for a place. */
  readonly waiting_count: number;
  /** Keys that refuse their messages for a time, because they crashed too often. */
  readonly failed_count: number;
  /** Messages that wait, of all keys. */
  readonly mailbox_depth: number;
  /** Why the whole is suspended; null when it is not. */
  readonly suspend_category: string | null;
  /** How many of its 256 partitions of keys each worker has, by worker, where it is on workers. */
  readonly placement?: { readonly [process: string]: number };
  readonly children: readonly [];
}

/** A key that is there, in `GET /agents/{name}/keys`. */
export interface KeyBody {
  readonly key: string;
  /** As its agent is called: `ticket/4711`. */
  readonly name: string;
  readonly status: string;
  readonly restart_count: number;
  /** Of its object; 0 when it has none. */
  readonly uptime_seconds: number;
  /** Messages that wait for it. */
  readonly mailbox_depth: number;
  /** Why it is suspended; null when it is not. */
  readonly suspend_category: string | null;
}

/** Body of `GET /agents/{name}/keys`: in the order of the keys. */
export interface KeysBody {
  readonly agent: string;
  readonly keys: readonly KeyBody[];
  /** What to ask for as `after` to get the rest; null when there is none. */
  readonly next: string | null;
  /** Workers that did not answer, so that keys may be missing; absent for none. */
  readonly unread?: readonly UnreadBody[];
}

/** A pool in `GET /topology`. */
export interface PoolNodeBody {
  readonly name: string;
  readonly type: "pool";
  readonly status: string;
  readonly restart_count: number;
  readonly crashes_in_window: number;
  readonly process_id: string;
  /** Members that are always there, and at most. */
  readonly min: number;
  readonly max: number;
  /** Members that handle a message at this moment. */
  readonly busy_count: number;
  /** Messages that wait. */
  readonly mailbox_depth: number;
  /** Why it is suspended; null when it is not. */
  readonly suspend_category: string | null;
  /** How many of its members each worker has, by worker, where it is on workers. */
  readonly placement?: { readonly [process: string]: number };
  /** Its members. */
  readonly children: readonly TreeNodeBody[];
}

/** A node in `GET /topology`. */
export type TreeNodeBody =
  | AgentNodeBody
  | DynamicSupervisorNodeBody
  | KeyedNodeBody
  | PoolNodeBody
  | SupervisorNodeBody;

/** Counters of one agent in `GET /snapshot`. */
export interface AgentCountersBody {
  readonly messages_handled: number;
  readonly messages_sent: number;
  /** Chunks of streamed replies. */
  readonly chunks_sent: number;
  readonly avg_latency_ms: number;
  readonly restarts: number;
  readonly errors: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
  /** Calls of models that were begun, and those of them that failed. */
  readonly model_calls: number;
  readonly model_errors: number;
  /** Answers that came from a fallback. */
  readonly model_fallbacks: number;
  /** The model it used last; null when it used none. */
  readonly last_model: string | null;
  /** What it used of each model: the first 20 by their names, the rest under `_other`. */
  readonly models: ModelUsesBody;
}

/** What was used of one model, in `GET /snapshot`. */
export interface ModelUseBody {
  /** Calls that it answered. */
  readonly calls: number;
  /** Of these, calls whose price is not known; `cost_usd` is without them. */
  readonly unpriced_calls: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
}

/** Uses by the model, in the order of their first answers. */
export interface ModelUsesBody {
  readonly [model: string]: ModelUseBody;
}

/** A budget of model calls in `GET /snapshot`. */
export interface BudgetBody {
  /** The agent or supervisor that has it, or the key (`ticket/4711`). */
  readonly name: string;
  /** `run`, `hour` or `key`. */
  readonly per: string;
  /** Null where there is no limit. */
  readonly limit_usd: number | null;
  readonly limit_tokens: number | null;
  readonly spent_usd: number;
  readonly spent_tokens: number;
  /** Held back for calls that run. */
  readonly reserved_usd: number;
  readonly reserved_tokens: number;
  /** Calls whose cost is known, and others: these count as what was reserved for them. */
  readonly calls: number;
  readonly unsettled_calls: number;
  /** When it is free again: seconds since the Unix epoch; null when only a reset helps. */
  readonly frees_at: number | null;
}

/** Body of `GET /snapshot`. */
export interface SnapshotBody {
  /** In the order of the tree, then keys that were used lately; absent without any. */
  readonly budgets?: readonly BudgetBody[];
  readonly agents: { readonly [name: string]: AgentCountersBody };
  readonly total_messages: number;
  readonly total_cost_usd: number;
  /** By the model, of all agents, those that are gone included: the first 100 by their names, the rest under `_other`. */
  readonly models: ModelUsesBody;
  readonly uptime_seconds: number;
  /** Oldest first. */
  readonly restart_history: readonly RestartBody[];
  /** There where `resilience` asks for circuit breakers. */
  readonly circuits?: readonly CircuitBody[];
}

/** One message that nobody handled, in `GET /dead-letters`: without its payload. */
export interface DeadLetterBody {
  /** `noRoute`, `refused`, `expired`, `stopped`, `crashed`, `skipped`, `removed` or `exhausted`. */
  readonly reason: string;
  /** When it was given up: seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly type: string;
  /** Empty when it came from outside the tree. */
  readonly sender: string;
  readonly recipient: string;
  /** Null when nobody has the name it was for: then no message was made. */
  readonly id: string | null;
  readonly trace_id: string | null;
  /** When it was sent. */
  readonly sent_timestamp: number;
  /** There when its payload is kept, and it was not sent again yet. */
  readonly replayable?: true;
}

/** Body of `GET /dead-letters`. */
export interface DeadLettersBody {
  /** Since the start, by reason. */
  readonly counts: { readonly [reason: string]: number };
  /** The latest 1000, oldest first. */
  readonly dead_letters: readonly DeadLetterBody[];
}

/** One restart in `GET /snapshot`. */
export interface RestartBody {
  readonly agent_name: string;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  /** Code or class name of the error it crashed with. */
  readonly reason: string;
}

/** A message that waits, in `GET /agents/{name}/mailbox`. */
export interface WaitingMessageBody {
  readonly id: string;
  readonly type: string;
  /** Empty when it came from outside the tree. */
  readonly sender: string;
  readonly priority: number;
  /** When it was sent: seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
}

/** Body of `GET /agents/{name}/mailbox`: what waits, without payloads. */
export interface MailboxBody {
  readonly agent: string;
  /** All that wait. */
  readonly depth: number;
  /** The first of them, in the order in which they are served. */
  readonly messages: readonly WaitingMessageBody[];
}

/** One process in `GET /processes`. */
export interface ProcessBody {
  /** `runtime`. */
  readonly kind: string;
  /** As `process_id` of agents. */
  readonly id: string;
  readonly pid: number;
  /** 100 is one core; since the request before, or since the start. */
  readonly cpu_percent: number;
  readonly rss_bytes: number;
  readonly uptime_seconds: number;
  /** How late the event loop was, over the last minute or more; null where nobody measures it. */
  readonly event_loop_delay: {
    readonly p50_ms: number;
    readonly p99_ms: number;
    readonly max_ms: number;
    readonly window_seconds: number;
    /** How often somebody held it up for about a second or more in the last two minutes; absent for never. */
    readonly blocked?: LoopBlocksBody;
    /** How often the machine gave the process no processor for so long; absent for never. */
    readonly starved?: LoopBlocksBody;
  } | null;
  readonly container: {
    readonly containerized: boolean;
    /** `kubernetes`, `docker`, `containerd` or null. */
    readonly orchestrator: string | null;
  };
  /** Agents of it that eval agents have halted, at most 100; absent for none. */
  readonly halted?: readonly string[];
}

/** How often the event loop was held up, when the first and the last time ended, and how long the longest was. */
export interface LoopBlocksBody {
  readonly count: number;
  /** Seconds since the Unix epoch. */
  readonly first: number;
  readonly last: number;
  readonly max_ms: number;
}

/** Body of `GET /processes`. */
export interface ProcessesBody {
  readonly deployment: {
    /** `in_process`. */
    readonly transport: string;
    /** `single_process`, `multi_process` or `distributed`. */
    readonly mode: string;
  };
  readonly processes: readonly ProcessBody[];
}

/** A span in `GET /traces/{id}`. Times are seconds since the Unix epoch. */
export interface SpanBody {
  readonly name: string;
  /** `internal`, `server`, `client`, `producer` or `consumer`. */
  readonly kind: string;
  readonly span_id: string;
  /** Null at the root of the trace. */
  readonly parent_span_id: string | null;
  readonly start_time: number;
  readonly end_time: number;
  /** `ok` or `error`. */
  readonly status: string;
  readonly error_message: string | null;
  readonly attributes: {
    readonly [name: string]: string | number | boolean | readonly string[];
  };
}

/** Answer to `GET /traces/{id}`: what is known of a trace, by start. */
export interface TraceBody {
  readonly trace_id: string;
  readonly spans: readonly SpanBody[];
  /** What could not be read, so that spans may be missing; absent for nothing. */
  readonly unread?: readonly UnreadBody[];
}

/** What could not be read, so that something may be missing. */
export interface UnreadBody {
  /** Of spans the file, or the exporter that keeps them; a process that did not answer. */
  readonly source: string;
  readonly reason: string;
}

/** A trace in `GET /traces`. */
export interface TraceSummaryBody {
  readonly trace_id: string;
  /** Of the span that it begins with. */
  readonly name: string;
  /** Seconds since the Unix epoch, with fractions. */
  readonly start_time: number;
  readonly end_time: number;
  /** `error` where one of its spans has failed, else `ok`. */
  readonly status: string;
  readonly span_count: number;
  /** Agents that have spans in it, at most 20. */
  readonly agents: readonly string[];
}

/** Answer to `GET /traces`. */
export interface TracesBody {
  /** False where no spans are made: the topology names no exporter. */
  readonly recorded: boolean;
  /** Newest first. */
  readonly traces: readonly TraceSummaryBody[];
  /** What to ask for as `before` to get older ones; null where nothing older is known. */
  readonly next: string | null;
  /** What could not be read, so that traces may be missing; absent for nothing. */
  readonly unread?: readonly UnreadBody[];
}

/** Answer to `POST /agents/{name}/suspend`, `/drain` and `/restart`: asked for, not yet in effect. */
export interface RequestedBody {
  /** `suspend_requested`, `drain_requested` or `restart_requested`. */
  readonly status: string;
  readonly agent: string;
  /** Who asked, as authenticated; `unauthenticated` where nobody asks who it is. */
  readonly initiated_by: string;
}

/** Answer to `POST /agents/{name}/resume`. */
export interface ResumeRequestedBody {
  /** `resume_requested`. */
  readonly status: string;
  readonly agent: string;
  /** As `initiated_by`. */
  readonly approver: string;
}

/** Answer to `POST /agents/{name}/mailbox/{id}/drop`. */
export interface DroppedBody {
  /** `dropped`. */
  readonly status: string;
  readonly agent: string;
  /** Id of the message that is not handled. */
  readonly id: string;
  readonly initiated_by: string;
}

/** Answer to `POST /agents/{name}/mailbox`. */
export interface InjectedBody {
  /** `injected`. */
  readonly status: string;
  /** Id of the message. */
  readonly id: string;
}

/** An approval, in `GET /approvals` and as the answer to a decision. */
export interface ApprovalBody {
  readonly id: string;
  /** Who asked: `refunds`, `ticket/4711`. */
  readonly agent: string;
  /** The key, where the agent is the object of one; else null. */
  readonly key: string | null;
  readonly kind: string;
  readonly payload: JsonObject;
  /** What an edited payload has to fit: JSON Schema; null when it must not be edited. */
  readonly schema: JsonObject | null;
  /** Seconds since the Unix epoch, with fractions, as all times here. */
  readonly created_at: number;
  readonly expires_at: number;
  /** `pending`, `approved`, `denied` or `expired`. */
  readonly status: string;
  readonly decided_at: number | null;
  /** Who decided, as authenticated; null while it is pending, and when it expired. */
  readonly principal: string | null;
  readonly note: string | null;
  /** What was approved in place of the payload; null when that was left as it is. */
  readonly edited_payload: JsonObject | null;
  /** True once the agent has got the decision. */
  readonly delivered: boolean;
}

/** Body of `GET /approvals`: oldest first. */
export interface ApprovalsBody {
  readonly approvals: readonly ApprovalBody[];
  /** What to ask for as `after` to get the rest; null when there is none. */
  readonly next: string | null;
  /** Process groups of which some are missing, because they cannot be read for now; `main` is the process that has the tree. Absent for none. */
  readonly groups_unread?: readonly string[];
}
