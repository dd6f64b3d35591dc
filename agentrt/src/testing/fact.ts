import type {
  Agent,
  Approval,
  DropReason,
  JsonObject,
  Message,
  RuntimeEvent,
} from "../core/index.ts";

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
  /** Most messages that it handles at once. */
  readonly concurrency: number;
  /** Ending begins with `onStop`; over means that its code has no effect any more. */
  phase: "starting" | "running" | "ending" | "over";
  /** Virtual time of its crash; undefined while it has not crashed. */
  crashedAtMs: number | undefined;
  /** True when somebody asked for its end: it comes with the message at hand. */
  isToStop: boolean;
  /** True when `onError` of its own asked for its end. */
  hasStoppedItself: boolean;
  /** The messages at hand: each from `handle` until its outcome is decided. */
  readonly handling: Set<Sent>;
  /** Messages whose reply was put off and not given. */
  readonly deferred: Set<Sent>;
  /** A hook of the agent's life that has not ended. */
  pendingHook: "onStart" | "onPassivate" | "onStop" | undefined;
  /** `onPassivate` was called and nothing was handled since: whether it goes is up to the store. */
  hasPassivated: boolean;
  /** True once it has asked to be paused: then its state is saved at message boundaries, without a hook that says so. */
  hasAskedToPause: boolean;
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
  /** The name of the agent that it is for: with its key, where the agent has one object for each key. */
  readonly agent: string;
  /** Monotonic virtual time at which it came to its receiver; undefined while it is on its way. */
  arrivedAtMs: number | undefined;
  /** The open call behind it, when the caller is watched. */
  readonly call: OpenCall | undefined;
  /** Who has begun to handle it last. */
  life: Life | undefined;
  outcome: "none" | "handled" | "failed";
  /** A hook that works on it and has not ended. */
  pendingHook: "handle" | "onError" | undefined;
  /** Whether its reply was put off. */
  deferral: "none" | "open" | "given";
  /** How often it was counted as dropped. */
  dropCount: number;
  /** What its handler returned or its reply was given, as JSON; undefined for no object. */
  result: string | undefined;
}

/** A call or a stream whose caller waits. */
export interface OpenCall {
  /** The name of an agent, or what one of several can do. */
  readonly to: string | { readonly capability: string };
  /** Undefined for a caller outside the tree. */
  readonly caller: Life | undefined;
  readonly isStream: boolean;
  /** The message that it is made for: it ends with that one. */
  readonly upstream: Sent | undefined;
  /** Monotonic virtual time: its own, or that of the call it is made for, whichever is less. */
  readonly deadlineMs: number;
  /** Its policy may make several messages of it: then it is not said which of them it is. */
  readonly isRepeated: boolean;
  sent: Sent | undefined;
  /** Monotonic virtual time at which its caller left: its signal aborted, or the rest of the stream was given up. */
  leftAtMs: number | undefined;
  /** How often there was nothing to do but wait for timers, before that. */
  leftAtQuiet: number;
  isSettled: boolean;
  /** The error it has ended with. */
  error: unknown;
}

/** Tokens, and what they cost. */
export interface ModelAmount {
  readonly tokens: number;
  readonly usd: number;
}

/** A request that has reached a model. */
export interface ModelAsk {
  /** Whose code asked; empty outside of the tree. */
  readonly agent: string;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
  /** No less than a budget holds back for it. */
  readonly most: ModelAmount;
  /** The longest answer that it allows: no more than a budget holds back for it. */
  readonly answerMost: ModelAmount;
}

/** What somebody outside the tree decides about an approval. */
export interface DecisionTried {
  readonly id: string;
  readonly principal: string;
  /** What is approved, as JSON; undefined for a denial. */
  readonly payload: string | undefined;
  /** Done once it was acknowledged. */
  outcome: "open" | "done" | "refused";
}

/** Something that somebody outside the tree asked for. */
export interface Request {
  readonly kind: "restart" | "stopAgent" | "stop" | "suspend" | "resume";
  readonly name: string;
}

/** What a simulation sees, in order. */
export type Fact =
  | { readonly type: "sent"; readonly sent: Sent }
  | { readonly type: "dropped"; readonly sent: Sent; readonly reason: DropReason }
  | { readonly type: "created"; readonly life: Life }
  | { readonly type: "starting"; readonly life: Life }
  | { readonly type: "handling"; readonly life: Life; readonly sent: Sent | undefined }
  | { readonly type: "handled"; readonly life: Life; readonly sent: Sent | undefined }
  | { readonly type: "deferred"; readonly life: Life; readonly sent: Sent }
  | { readonly type: "replied"; readonly life: Life; readonly sent: Sent }
  | { readonly type: "passivating"; readonly life: Life }
  | { readonly type: "stopping"; readonly life: Life }
  | { readonly type: "checkpointing"; readonly life: Life; readonly text: string }
  | { readonly type: "checkpointed"; readonly life: Life; readonly text: string }
  | { readonly type: "answered"; readonly call: OpenCall; readonly payload: JsonObject }
  | { readonly type: "chunk"; readonly call: OpenCall }
  | { readonly type: "left"; readonly call: OpenCall }
  | { readonly type: "refused"; readonly call: OpenCall; readonly error: unknown }
  | { readonly type: "asked"; readonly request: Request }
  | { readonly type: "modelAsked"; readonly ask: ModelAsk }
  | {
      readonly type: "modelAnswered";
      readonly ask: ModelAsk;
      /** What the answer took, as the model counts it; undefined for a failure without a count. */
      readonly used: ModelAmount | undefined;
      /** Wall clock. */
      readonly atMs: number;
    }
  | {
      readonly type: "approvalAsked";
      readonly life: Life;
      readonly id: string;
      /** As JSON. */
      readonly payload: string;
    }
  | { readonly type: "approvalTried" | "approvalSettled"; readonly decision: DecisionTried }
  | { readonly type: "approvalGiven"; readonly life: Life; readonly approval: Approval }
  | { readonly type: "event"; readonly event: RuntimeEvent };
