import type { JsonObject } from "../core/index.ts";

/** A message without its payload. */
export interface MessageBody {
  readonly id: string;
  readonly type: string;
  /** Empty when it came from outside the tree. */
  readonly sender: string;
  readonly priority: number;
  /** When it was sent: seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly trace_id: string;
}

/** An error, or one of its causes. */
export interface CauseBody {
  /** Name of its class; `string` and the like for what is not an error. */
  readonly name: string;
  readonly code: string | null;
  readonly message: string;
  /** Where it was thrown, in your own code first: `/app/agents.ts:12:9`; null when the stack does not say. */
  readonly at: string | null;
}

/** An error with its causes and its stack. */
export interface ErrorBody extends CauseBody {
  /** Nearest first, at most 8. */
  readonly causes: readonly CauseBody[];
  /** Innermost first, at most 50 lines. */
  readonly stack: readonly string[];
}

/** A crash in `GET /crashes`, and the last one in `GET /agents/{name}`. */
export interface CrashSummaryBody {
  readonly id: string;
  readonly agent: string;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  /** Code of the error, else the name of its class. */
  readonly reason: string;
  readonly message: string;
  /** Of an earlier run it counts from the folder of the project: `agents.ts:12:9`. */
  readonly at: string | null;
}

/** Body of `GET /crashes`. */
export interface CrashesBody {
  /** The latest 200, oldest first: those of earlier runs that are recorded, too. */
  readonly crashes: readonly CrashSummaryBody[];
}

/** Body of `GET /crashes/{id}`. */
export interface CrashBody {
  readonly id: string;
  readonly agent: string;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly error: ErrorBody;
  /** The message it was thrown for; null for none, or where that is not known. */
  readonly message_at_hand: MessageBody | null;
  readonly trace_id: string | null;
  /** What the agent was doing, as `agentrt crash show --json` prints it; null where it was not recorded. */
  readonly record: JsonObject | null;
}

/** Body of `GET /agents/{name}/history`. */
export interface HistoryBody {
  readonly agent: string;
  /** The latest 100, oldest first: `event` says what happened, the other keys depend on it. */
  readonly history: readonly JsonObject[];
}

/** An agent, a pool or a keyed agent in `GET /overview`. */
export interface OverviewRowBody {
  readonly name: string;
  /** `agent`, `pool` or `keyed`. */
  readonly kind: "agent" | "pool" | "keyed";
  /** Name of the class of its object; null when it has none. */
  readonly class: string | null;
  readonly status: string;
  readonly restart_count: number;
  readonly uptime_seconds: number;
  /** Seconds since the Unix epoch; null when it is not suspended. */
  readonly suspended_since: number | null;
  readonly suspend_category: string | null;
  /** Why and by whom; absent when it is not suspended. */
  readonly suspend_reason?: string;
  /** Null where nobody knows. */
  readonly suspended_by?: string | null;
  readonly mailbox_depth: number;
  /** When the oldest message that waits was sent; null when none waits. */
  readonly oldest_timestamp: number | null;
  /** Messages that are being handled, at most 100. */
  readonly at_hand_count: number;
  /** The one that is being handled longest; null for none. */
  readonly at_hand: { readonly type: string; readonly since: number } | null;
  /** True while the state store has not answered it; else absent. */
  readonly waits_for_state?: true;
  /** The answer of a model or a tool that is waited for longest; absent for none. */
  readonly waits_for?: AwaitedBody;
  /** These counters of a pool are the sum of those of its members that are there now. */
  readonly messages_handled: number;
  /** Of its life; the mean of a time is `latency_sum_ms` by `latency_count` of that time. */
  readonly avg_latency_ms: number;
  /** What that is the mean of: the sum of the measured times, and how many they are. */
  readonly latency_sum_ms: number;
  readonly latency_count: number;
  readonly errors: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
  /** The model it used last; null when it used none. */
  readonly last_model: string | null;
}

/** Body of `GET /overview`. */
export interface OverviewBody {
  /** The clock of the process: seconds since the Unix epoch. */
  readonly timestamp: number;
  readonly agents: readonly OverviewRowBody[];
  /** Budgets of model calls with nothing left: calls below them are refused. Absent without any, at most 100. */
  readonly budgets_used_up?: readonly UsedUpBudgetBody[];
  /** Model providers that do not answer. Absent without any. */
  readonly models_silent?: readonly SilentModelBody[];
}

/** An answer from outside that an agent waits for. */
export interface AwaitedBody {
  /** `model` or `tool`. */
  readonly kind: "model" | "tool";
  /** Of the model provider that is asked, or the full name of the tool. */
  readonly name: string;
  /** Since when it is waited for, or for its next part: seconds since the Unix epoch. */
  readonly since: number;
}

/** A model provider that agents wait for, and that has answered nobody for half a minute or more. */
export interface SilentModelBody {
  readonly name: string;
  /** Since when: seconds since the Unix epoch. */
  readonly since: number;
  /** Agents, pools and keyed agents that wait for it. */
  readonly agents: number;
}

/** A budget of model calls with nothing left. */
export interface UsedUpBudgetBody {
  /** The agent or supervisor that has it, or the key (`ticket/4711`). */
  readonly name: string;
  /** `run`, `hour` or `key`. */
  readonly per: string;
  /** When it begins again: seconds since the Unix epoch; null when only a reset helps. */
  readonly frees_at: number | null;
}

/** Body of `GET /agents/{name}/state`. */
export interface StateBody {
  readonly agent: string;
  /** Without secrets; null while there is no object of it. */
  readonly state: JsonObject | null;
}

/** Body of `GET /logs` and `GET /agents/{name}/logs`. */
export interface LogsBody {
  /** Oldest first: `agent`, `time`, `level`, `message`, then the fields. */
  readonly lines: readonly JsonObject[];
}

/** Answer to `POST /dead-letters/{id}/replay`. */
export interface ReplayedBody {
  /** `replayed`. */
  readonly status: string;
  readonly agent: string;
  /** Id of the message that was sent again. */
  readonly id: string;
  /** Id of the one that nobody handled. */
  readonly replay_of: string;
  readonly initiated_by: string;
}
