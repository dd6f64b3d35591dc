import type { Message } from "../messages/index.ts";
import type { JsonObject } from "../values/index.ts";

/** An answer that an agent got from a model or a tool. */
export interface TrailAnswer {
  readonly kind: "model" | "tool";
  /** The model provider that was asked, or the full name of the tool. */
  readonly name: string;
  /** What was asked. */
  readonly request: object;
  /** The answer; undefined where it failed. */
  readonly reply?: object | undefined;
  /** What it failed with. */
  readonly error?: unknown;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
}

/** What an agent crashed with, and where it was. */
export interface TrailCrash {
  readonly error: unknown;
  /** The message it was thrown for; null for none, or where that is not known. */
  readonly message: Message | null;
  readonly atMs: number;
  /** Messages that were at hand besides. */
  readonly otherCount: number;
  /** The state of the object at that moment; undefined where there is no object. */
  readonly state: object | undefined;
  /** Takes out of a state what must not be seen from outside, as the class says; it may throw. */
  readonly redact: (state: JsonObject) => object;
  /** Name of the class of the object; undefined where there is none. */
  readonly className: string | undefined;
}

/** Remembers what one life of an agent did lately. All of it is bounded, and nothing of it must throw. */
export interface CrashTrail {
  /** A message is handled now. It is on the way of every message. */
  handle(message: Message): void;
  /** An answer of a model or a tool has come. */
  answered(answer: TrailAnswer): void;
  /** Another agent has answered a call. It is on the way of every call. */
  replied(name: string, value: JsonObject | Error): void;
  /** Something came or went that a simulation cannot repeat. */
  missed(what: string): void;
  /** It begins with a saved state, which the agent may change from now on. */
  restored(state: JsonObject): void;
  /** @returns Where it is among its messages, for `saved`. */
  mark(): number;
  /**
   * A checkpoint is in the store.
   *
   * @param state Nobody changes it.
   * @param mark Where the agent was when it asked for it.
   */
  saved(state: JsonObject, mark: number): void;
  /** @returns What is left of the crash. */
  crashed(crash: TrailCrash): NotedCrash;
  /** The life is over: what it remembers goes. */
  end(): void;
}

/** The texts of a crash without the secrets that its agent had at hand. */
export interface ShownCrash {
  readonly message: string;
  /** Messages of its causes, nearest first, at most 8. */
  readonly causes: readonly string[];
}

/** What is left of a crash. */
export interface NotedCrash {
  readonly shown: ShownCrash;
  /** As it is recorded; undefined where it is not. */
  readonly record: RecordedCrash | undefined;
}

/** Makes what remembers the lives of agents. */
export interface CrashTrails {
  /** False where lives remember nothing of what they handle: they get no message. Default true. */
  readonly isRemembering?: boolean;
  /** @param agent Name of the agent whose life begins. */
  begin(agent: string): CrashTrail;
  /** @returns The record of a crash, also of an earlier run, without secrets; undefined where there is none of that id. */
  recordOf(id: string): CrashRecord | undefined;
  /** @returns The crashes that are recorded, those of earlier runs too, oldest first. */
  list(): Promise<readonly RecordedCrash[]>;
}

/** A recorded crash in short, without secrets. */
export interface RecordedCrash {
  readonly id: string;
  readonly agent: string;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  /** Code of the error, else the name of its class. */
  readonly reason: string;
  readonly message: string;
  /** Where it was thrown: counts from the folder of the project; null where the stack does not say. */
  readonly at: string | null;
}

/** The record of a crash, as far as others look into it than those who replay it. */
export interface CrashRecord {
  readonly id: string;
  readonly agent: string;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly error: RecordedError & {
    readonly at: string | null;
    readonly causes: readonly RecordedError[];
    readonly stack: readonly string[];
  };
  readonly message: RecordedMessage | null;
  readonly messages: readonly RecordedMessage[];
  readonly answers: readonly {
    readonly request: JsonObject | null;
    readonly reply?: JsonObject;
    readonly error?: RecordedError & { readonly details: JsonObject };
  }[];
  readonly tools: readonly JsonObject[];
  readonly spans: readonly JsonObject[];
  readonly checkpoint: {
    readonly before: { readonly state: JsonObject | null };
    readonly after: { readonly state: JsonObject | null };
  };
  readonly state: JsonObject | null;
}

interface RecordedError {
  readonly name: string;
  readonly code: string | null;
  readonly message: string;
}

interface RecordedMessage {
  readonly id: string;
  readonly type: string;
  readonly sender: string;
  readonly priority: number;
  /** Seconds since the Unix epoch, with fractions. */
  readonly timestamp: number;
  readonly trace_id: string;
  readonly payload: JsonObject;
}
