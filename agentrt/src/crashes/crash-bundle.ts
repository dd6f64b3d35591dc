import type { JsonObject } from "../core/index.ts";

/** An error in a bundle. */
export interface BundleError {
  /** Name of its class; `string` and the like for what is not an error. */
  readonly name: string;
  /** Of the table of errors; null for any other error. */
  readonly code: string | null;
  readonly message: string;
}

/** What an agent crashed with. */
export interface BundleCrash extends BundleError {
  /** Where it was thrown, in the project's own code first: `agents.ts:12:9`; null where the stack does not say. */
  readonly at: string | null;
  /** Nearest first, at most 8. */
  readonly causes: readonly BundleError[];
  /** Innermost first, at most 50 lines; paths count from the folder of the project. */
  readonly stack: readonly string[];
}

/** A message that an agent handled. Its payload is as the handler left it. */
export interface BundleMessage {
  /** Of the life of the agent: the first is 1. */
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  /** Empty where it came from outside the tree; the agent itself for a timer. */
  readonly sender: string;
  /** How it was sent; a `send` is not told from what a timer sends. */
  readonly verb: "cast" | "send" | "call" | "stream";
  readonly payload: JsonObject;
  /** The payload was too large to be kept: it is empty here. */
  readonly too_large?: true;
  readonly priority: number;
  readonly correlation_id: string | null;
  /** When it was sent: seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly trace_id: string;
  readonly span_id: string;
}

/** An answer that an agent got: exactly one of `reply` and `error`. */
export interface BundleAnswer {
  readonly kind: "model" | "tool" | "agent";
  readonly name: string;
  /** Of the latest message at that moment; 0 before the first. */
  readonly sequence: number;
  /** What was asked; null where that is not kept. */
  readonly request: JsonObject | null;
  readonly reply?: JsonObject;
  /** With what makes the same error again. */
  readonly error?: BundleError & {
    readonly details: JsonObject;
    readonly stack: readonly string[];
  };
  readonly took_ms: number;
}

/** A place of a stack, with the lines around it. */
export interface BundleSource {
  /** Counts from the folder of the project. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** A state that was saved. */
export interface BundleState {
  /** Null where none was saved, or where it was too large to be kept. */
  readonly state: JsonObject | null;
  readonly too_large?: true;
}

/** What an agent was doing when it crashed. Secrets are placeholders: the same secret is the same one. */
export interface CrashBundle {
  readonly v: 1;
  readonly id: string;
  readonly agent: string;
  /** Name of its class; null where there was no object. */
  readonly class: string | null;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly versions: {
    readonly agentrt: string;
    readonly node: string;
    readonly platform: string;
  };
  /** The same for all processes and runs of a topology; absent in records of earlier versions. */
  readonly topology_id?: string;
  /** The words that read the topology again; paths count from the folder of the project. Null for a tree of a program. */
  readonly topology: readonly string[] | null;
  /** The words after `agentrt` that replay the crash, in the folder of the project; null for a tree of a program. */
  readonly repeat: readonly string[] | null;
  readonly error: BundleCrash;
  readonly source: readonly BundleSource[];
  /** The message at hand; null for none, or where that is not known. */
  readonly message: BundleMessage | null;
  /** The state that was saved before that message, and the one that is saved now. */
  readonly checkpoint: { readonly before: BundleState; readonly after: BundleState };
  /** `this.state` at the crash; null where there was no object, or it was too large. */
  readonly state: JsonObject | null;
  /** Since the checkpoint before, oldest first; the last is the one at hand where there is one. */
  readonly messages: readonly BundleMessage[];
  /** Answers of models, tools and other agents since then, in the order in which they came. */
  readonly answers: readonly BundleAnswer[];
  /** The model providers of the run. */
  readonly models: readonly { readonly name: string; readonly default_model: string | null }[];
  /** The tools that were offered. */
  readonly tools: readonly JsonObject[];
  /** Of the trace of the message at hand. */
  readonly spans: readonly JsonObject[];
  /** Whether all that the agent did since then is in here; why not. */
  readonly replay: {
    readonly holds: boolean;
    readonly reasons: readonly string[];
    /** With what a replay begins: the checkpoint before, or the state at the crash where messages since then are lost. */
    readonly from: "checkpoint" | "crash";
  };
}
