import {
  type IdSequence,
  type Message,
  type MessageSpan,
  messageInternals,
  type SpanAttributes,
  type SpanKind,
  type TracePoint,
} from "../core/index.ts";
import { type PendingSpan, recordOf, type SpanFailure } from "./pending-span.ts";
import type { SpanRecord } from "./span-record.ts";

const kinds: { readonly [Step in MessageSpan["step"]]: SpanKind } = {
  sent: "producer",
  waited: "internal",
  served: "internal",
  handled: "consumer",
};

/** A span of a message. It keeps what its record tells of the message, and not the message with its payload. */
export class PendingMessageSpan implements PendingSpan {
  readonly #span: MessageSpan;
  readonly #failure: SpanFailure | undefined;
  readonly #sequence: number;
  readonly #from: TracePoint | undefined;
  /** Number of the span's own id; that of a message that was sent has the message's. */
  readonly #ownSequence: number;
  readonly #type: string;
  readonly #sender: string;
  readonly #recipient: string;
  readonly #timestampMs: number;
  readonly #attempt: number;

  /**
   * @param message Whose span it is.
   * @param span What it tells.
   * @param failure What failed.
   * @param ids Of this process.
   */
  // oxlint-disable-next-line max-params -- made for each message: no object for its parameters
  constructor(
    message: Message,
    span: MessageSpan,
    failure: SpanFailure | undefined,
    ids: IdSequence,
  ) {
    this.#span = span;
    this.#failure = failure;
    this.#sequence = messageInternals.sequenceOf(message);
    this.#from = messageInternals.sentFrom(message);
    this.#ownSequence = span.step === "sent" ? this.#sequence : ids.next();
    this.#type = message.type;
    this.#sender = message.sender;
    this.#recipient = message.recipient;
    this.#timestampMs = message.timestampMs;
    this.#attempt = message.attempt;
  }

  /** {@inheritDoc PendingSpan.toRecord} */
  toRecord(ids: IdSequence): SpanRecord {
    const { name, step, startMs, endMs } = this.#span;
    const place = {
      name,
      kind: kinds[step],
      trace: this.#from === undefined ? this.#sequence : this.#from.trace,
      span: this.#ownSequence,
      parent: step === "sent" ? this.#from?.span : this.#sequence,
      startMs,
      endMs,
    };
    return recordOf(place, this.#attributes(ids), this.#failure, ids);
  }

  #attributes(ids: IdSequence): SpanAttributes {
    const { step, agent = "" } = this.#span;
    if (step === "served") return { "agentrt.agent.name": agent };
    if (step === "handled") {
      return {
        "agentrt.agent.name": agent,
        "agentrt.message.type": this.#type,
        "agentrt.handle.attempt": this.#attempt,
        "agentrt.handle.result": this.#failure === undefined ? "success" : "error",
        ...(this.#failure?.type === "AGENTRT_AGENT_HANDLE_TIMEOUT"
          ? { "agentrt.handle.timeout": true }
          : {}),
      };
    }
    return {
      "agentrt.sender": this.#sender,
      "agentrt.recipient": this.#recipient,
      "agentrt.message_type": this.#type,
      "agentrt.message_id": ids.messageId(this.#sequence, this.#timestampMs),
    };
  }
}
