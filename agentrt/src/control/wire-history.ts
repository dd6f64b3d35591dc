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
  readonly at: string | null;
}

/** Body of `GET /crashes`. */
export interface CrashesBody {
  /** The latest 200, oldest first. */
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
}

/** Body of `GET /agents/{name}/history`. */
export interface HistoryBody {
  readonly agent: string;
  /** The latest 100, oldest first: `event` says what happened, the other keys depend on it. */
  readonly history: readonly JsonObject[];
}
