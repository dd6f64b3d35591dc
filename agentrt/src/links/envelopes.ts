import {
  type JsonObject,
  type Message,
  messageInternals,
  type MessageInit,
  type MessageReceipt,
  Message as MadeMessage,
  type ReplySlot,
  type System,
} from "../core/index.ts";
import { type Envelope, type EnvelopeKind, schemaVersion } from "../wire/index.ts";
import { encodeReplyHead } from "./reply-head-codec.ts";

/** What an envelope is made of besides its message. */
export interface EnvelopeOptions {
  /** Address of the process that answers go to. */
  readonly replyTo: string;
  /** Now, by the clock that deadlines are kept in. */
  readonly nowMs: number;
  /** Chunks that there is room for, for a stream. */
  readonly credit: number | null;
}

/** Writes a message as an envelope. */
export function envelopeOf(message: Message, options: EnvelopeOptions): Envelope {
  const slot = messageInternals.replyOf(message);
  const waitMs = slot === undefined ? Number.POSITIVE_INFINITY : slot.deadlineMs - options.nowMs;
  const { ttlMs } = message;
  // Whoever has it from a broker that keeps it wants to know when it is handled.
  const receipt = messageInternals.receiptOf(message);
  const isAnswered = slot !== undefined || receipt !== undefined;
  return {
    schema_version: schemaVersion,
    id: message.id,
    type: message.type,
    sender: message.sender,
    recipient: message.recipient,
    correlation_id: message.correlationId,
    reply_to: isAnswered ? options.replyTo : null,
    payload: message.payload,
    timestamp: message.timestampMs / 1000,
    trace_id: message.traceId,
    span_id: message.spanId,
    parent_span_id: message.parentSpanId,
    attempt: receipt?.beginCount === undefined ? 0 : receipt.beginCount + 1,
    priority: message.priority,
    ttl: ttlMs === null ? null : ttlMs / 1000,
    seq: null,
    kind: kindOf(message, slot),
    wait: Number.isFinite(waitMs) ? Math.max(0, waitMs) / 1000 : null,
    credit: options.credit,
    fail_if_suspended: slot?.isStream === false && slot.isImpatient === true,
    sampled: messageInternals.sentFrom(message)?.isSampled ?? null,
    session: message.session,
    head: null,
  };
}

function kindOf(message: Message, slot: ReplySlot | undefined): EnvelopeKind {
  if (slot !== undefined) return slot.isStream ? "stream" : "call";
  return messageInternals.isCast(message) ? "cast" : "send";
}

/** An envelope between the two ends of a request. */
export interface AnswerParts {
  readonly kind: EnvelopeKind;
  /** Id of the request. */
  readonly about: string;
  /** Address of the process that it is for. */
  readonly to: string;
  readonly payload: JsonObject;
  readonly seq?: number;
  /** Address that what is said back goes to; left out where nothing is. */
  readonly from?: string;
}

/** Writes what one end of a request says to the other. */
export function answerEnvelope(
  { kind, about, payload, seq, from = "" }: Omit<AnswerParts, "to">,
  system: System,
): Envelope {
  return {
    schema_version: schemaVersion,
    id: system.nextId(),
    type: "message",
    sender: from,
    recipient: "",
    correlation_id: about,
    reply_to: null,
    payload,
    timestamp: system.nowMs() / 1000,
    trace_id: "",
    span_id: "",
    parent_span_id: null,
    attempt: 0,
    priority: 0,
    ttl: null,
    seq: seq ?? null,
    kind,
    wait: null,
    credit: null,
    fail_if_suspended: false,
    sampled: null,
    session: null,
    head: encodeReplyHead(payload),
  };
}

/**
 * Makes the message of an envelope. It keeps its id; its own spans are below the span that it was sent in.
 *
 * @param envelope Nobody else holds its payload.
 * @param reply Where its answer goes.
 * @param receipt Who keeps it until it is handled: then it may have waited, and its time to live counts from when it was sent.
 */
// oxlint-disable-next-line max-params -- called for each message
export function messageOf(
  envelope: Envelope,
  reply: ReplySlot | undefined,
  system: System,
  receipt?: MessageReceipt,
): Message {
  const { ids } = system;
  const waitedMs =
    receipt === undefined ? 0 : Math.max(0, system.nowMs() - envelope.timestamp * 1000);
  const trace =
    envelope.trace_id === ""
      ? undefined
      : {
          trace: envelope.trace_id,
          span: envelope.parent_span_id ?? undefined,
          isSampled: envelope.sampled ?? undefined,
        };
  const init: MessageInit = {
    ids: {
      messageId: () => envelope.id,
      traceId: (sequence) => ids.traceId(sequence),
      spanId: (sequence) => ids.spanId(sequence),
    },
    sequence: ids.next(),
    type: envelope.type,
    sender: envelope.sender,
    recipient: envelope.recipient,
    payload: envelope.payload,
    timestampMs: envelope.timestamp * 1000,
    trace,
    ...(envelope.span_id === "" ? {} : { span: envelope.span_id }),
    reply,
    isCast: envelope.kind === "cast",
    correlationId: envelope.correlation_id ?? undefined,
    session: envelope.session ?? undefined,
    priority: envelope.priority,
    ttlMs: envelope.ttl === null ? undefined : envelope.ttl * 1000,
    sentAtMs: system.monotonicMs() - waitedMs,
    receipt,
  };
  return new MadeMessage(init);
}
