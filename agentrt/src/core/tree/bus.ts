import type { JsonObject } from "../values/index.ts";
import type {
  Address,
  Message,
  OpenRequests,
  TracePoint,
  DropReason,
  OutgoingPayload,
  SendVerbs,
} from "../messages/index.ts";
import type { ChunkStream, StreamOptions } from "../streams/index.ts";

/** The sender of a message: its name and, while it handles another message, the trace that goes on. */
export interface Origin {
  /** Agent name; empty for callers outside the tree. */
  readonly name: string;
  /** True once the sender's code can have no effect any more. A later reply then fails the call as stopped. */
  readonly isSealed?: boolean;
  /** Monotonic time at which what it is sent for ends; none outside of a message at hand. */
  readonly deadlineMs?: number | undefined;
  /** Its requests that wait for an answer; undefined outside the tree. */
  readonly requests?: OpenRequests | undefined;
  /** Who waits for the message at hand; undefined when nobody does. */
  readonly upstream?: Origin | undefined;
  /** What cannot handle another message until the one at hand is done; undefined outside of a message at hand. */
  readonly blocked?: Address | undefined;
  /** @returns Where the trace is, or undefined to begin a new one. */
  tracePoint(): TracePoint | undefined;
  /** Takes note of an answer to a call: the reply, or the error. Where it is missing nobody does. */
  noteAnswer?(to: string, value: JsonObject | Error): void;
}

/** The verbs of sending, with the sender first. */
type FromOrigin<Verbs extends { [Verb in keyof Verbs]: (...rest: never[]) => unknown }> = {
  [Verb in keyof Verbs]: (
    origin: Origin,
    ...rest: Parameters<Verbs[Verb]>
  ) => ReturnType<Verbs[Verb]>;
};

/** What agents and the runtime need from message delivery. Implemented in `bus/`. */
export interface Bus extends FromOrigin<SendVerbs> {
  /** Asks for a streamed reply. What fails, fails at the first read. */
  stream(request: StreamRequest): ChunkStream;
  /** Answers a call with what its handler returned. Throws when that is not a plain JSON object. */
  reply(message: Message, result: unknown): void;
  /** Copies a plain JSON object, as a payload is copied. Throws when it is none. */
  isolate(value: object): JsonObject;
  /** Records a message that nobody handled. */
  drop(message: Message, reason: DropReason): void;
  /** Sends a message of one of the runtime's own types into a mailbox. */
  sendReserved(origin: Origin, to: string, message: ReservedMessage): Promise<void>;
  /** Hands a control message to an agent, past its mailbox. False when nobody of that name takes it. */
  control(origin: Origin, to: string, message: ReservedMessage): boolean;
}

/** A request for a streamed reply. */
export interface StreamRequest {
  readonly origin: Origin;
  /** Name of the agent, or a capability of one. */
  readonly to: string | { readonly capability: string };
  readonly payload: OutgoingPayload;
  readonly options: StreamOptions | undefined;
}

/** A message of a type that belongs to the runtime. */
export interface ReservedMessage {
  readonly type: string;
  readonly payload: OutgoingPayload;
}
