import type { Agent, JsonObject, Message, RuntimeEvent } from "../core/index.ts";

/** One incarnation as a simulation sees it: from outside, by what its hooks are called with. */
export interface Life {
  readonly name: string;
  /** 1 for the first of its name. */
  readonly number: number;
  readonly agent: Agent;
  /** Its state before anything saved was restored, as JSON. */
  readonly initialState: string;
  readonly shutdownTimeoutMs: number;
  readonly hasHandleTimeout: boolean;
  /** Ending begins with `onStop`; over means that its code has no effect any more. */
  phase: "starting" | "running" | "ending" | "over";
  /** Virtual time of its crash; undefined while it has not crashed. */
  crashedAtMs: number | undefined;
  /** True when somebody asked for its end: it comes with the message at hand. */
  isToStop: boolean;
  /** True when `onError` of its own asked for its end. */
  hasStoppedItself: boolean;
  /** The message at hand: from `handle` until its outcome is decided. */
  handling: Sent | undefined;
  /** A hook that has not ended: where it waits if it does. */
  pendingHook: "onStart" | "handle" | "onError" | "onStop" | undefined;
  /** What it waits for inside of the tree: calls, sends, checkpoints, virtual timers. */
  openCount: number;
}

/** A message that was handed to the transport. */
export interface Sent {
  readonly message: Message;
  /** Sender, receiver and lane: messages of one way are never reordered. */
  readonly way: string;
  /** Position on its way, 1 or more. */
  readonly position: number;
  /** The open call behind it, when the caller is watched. */
  readonly call: OpenCall | undefined;
  /** Who has begun to handle it last. */
  life: Life | undefined;
  outcome: "none" | "handled" | "failed";
  /** What its handler returned, as JSON; undefined for no object. */
  result: string | undefined;
}

/** A call whose caller waits. */
export interface OpenCall {
  readonly to: string;
  /** Undefined for a caller outside the tree. */
  readonly caller: Life | undefined;
  /** Monotonic virtual time. */
  readonly deadlineMs: number;
  sent: Sent | undefined;
  isSettled: boolean;
}

/** Something that somebody outside the tree asked for. */
export interface Request {
  readonly kind: "restart" | "stopAgent" | "stop";
  readonly name: string;
}

/** What a simulation sees, in order. */
export type Fact =
  | { readonly type: "sent"; readonly sent: Sent }
  | { readonly type: "created"; readonly life: Life }
  | { readonly type: "starting"; readonly life: Life }
  | { readonly type: "handling"; readonly life: Life; readonly sent: Sent | undefined }
  | { readonly type: "handled"; readonly life: Life; readonly sent: Sent | undefined }
  | { readonly type: "stopping"; readonly life: Life }
  | { readonly type: "checkpointing"; readonly life: Life; readonly text: string }
  | { readonly type: "checkpointed"; readonly life: Life; readonly text: string }
  | { readonly type: "answered"; readonly call: OpenCall; readonly payload: JsonObject }
  | { readonly type: "refused"; readonly call: OpenCall; readonly error: unknown }
  | { readonly type: "asked"; readonly request: Request }
  | { readonly type: "event"; readonly event: RuntimeEvent };
