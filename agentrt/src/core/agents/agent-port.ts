import type { ApprovalOptions } from "../approvals/index.ts";
import type {
  EvalSignal,
  Message,
  OutgoingPayload,
  SendVerbs,
  SpanAttributes,
} from "../messages/index.ts";
import type { Llm } from "../llm/index.ts";
import type { Log } from "../ports/index.ts";
import type { ChunkStream, StreamOptions } from "../streams/index.ts";
import type { Tools } from "../tools/index.ts";
import type { JsonObject } from "../values/index.ts";
import type { ChildStopReport, EndRequest, SpawnReport, SpawnRequest } from "./spawn-options.ts";

/** What an agent needs from the process that runs it. */
export interface AgentPort extends SendVerbs {
  readonly log: Log;
  watch(name: string): () => void;
  mailboxDepthOf(name: string): number | undefined;
  stream(
    to: string | { readonly capability: string },
    payload: OutgoingPayload,
    options?: StreamOptions,
  ): ChunkStream;
  emit(message: Message, chunk: OutgoingPayload): Promise<void>;
  checkpoint(state: JsonObject, options?: DetachOptions): Promise<void>;
  spawn(request: SpawnRequest): Promise<SpawnReport>;
  endChild(request: EndRequest): Promise<ChildStopReport>;
  /** @returns The way to the model provider of that name; without a name to the first one. */
  llm(name?: string): Llm;
  suspendForApproval(reason: string): Promise<void>;
  /** @returns The id of the approval, once it is saved. */
  askApproval(options: ApprovalOptions): Promise<string>;
  emitEval(
    eventType: string,
    payload: OutgoingPayload,
    evalAgent: string | undefined,
  ): Promise<void>;
  /** Corrects or halts an agent; only for eval agents. False when no agent of that name takes it. */
  correct(target: string, signal: EvalSignal): boolean;
  /** Runs a piece of work as its own span. */
  span<Result>(
    name: string,
    work: (span: AgentSpan) => Result | PromiseLike<Result>,
    attributes: SpanAttributes | undefined,
  ): Promise<Result>;
  monotonicMs(): number;
  readonly tools: Tools;
  /** Delivers a message to the agent itself after a delay; the timer dies with the incarnation. */
  sendAfter(delayMs: number, payload: OutgoingPayload, options: SendAfterOptions): SendTimer;
}

/** A span that an agent's own code is in. */
export interface AgentSpan {
  /** Its place as a W3C `traceparent`, for what is asked over HTTP; undefined where no spans are made. */
  readonly traceparent: string | undefined;
  /** Adds attributes; a name that is there already gets the new value. */
  set(attributes: SpanAttributes): void;
}

/** Whether something that is done for a message depends on that message. */
export interface DetachOptions {
  /** Null: it is done even when nobody waits for the answer to the message at hand any more. */
  readonly signal?: null | undefined;
}

/** How an agent sends a message to itself later. */
export interface SendAfterOptions extends DetachOptions {
  /** Message type; default `"message"`, for a GenServer `"genserver.info"`. */
  readonly type?: string | undefined;
}

/** A pending `sendAfter`. */
export interface SendTimer {
  /** Gives it up; one that was delivered is ignored. */
  cancel(): void;
}
