import type { IdSequence, SpanAttributes, SpanKind } from "../core/index.ts";
import {
  detailLength,
  field,
  form,
  messageName,
  rowLength,
  type SpanBlock,
  spanKinds,
  valueTag,
} from "./span-block.ts";
import type { SpanRecord } from "./span-record.ts";

const kindOfForm: readonly SpanKind[] = [
  "internal",
  "producer",
  "internal",
  "internal",
  "consumer",
];
const timeoutCode = "AGENTRT_AGENT_HANDLE_TIMEOUT";

/** One span of a block. */
class PackedSpan {
  readonly #block: SpanBlock;
  readonly #at: number;
  readonly #ids: IdSequence;

  constructor(block: SpanBlock, index: number, ids: IdSequence) {
    this.#block = block;
    this.#at = index * rowLength;
    this.#ids = ids;
  }

  record(): SpanRecord {
    const failure = this.#number(field.failure);
    const reason = this.#number(field.reason);
    const parent = this.#number(field.parent);
    const formOf = this.#number(field.form);
    const attributes = formOf === form.other ? this.#details() : this.#attributes(formOf);
    return {
      name: this.#name(formOf),
      kind:
        (formOf === form.other ? spanKinds[this.#number(field.kind)] : kindOfForm[formOf]) ??
        "internal",
      traceId: this.#traceId(),
      spanId: this.#spanId(this.#number(field.span)),
      parentSpanId: parent === 0 ? null : this.#spanId(parent),
      startMs: this.#number(field.startMs),
      endMs: this.#number(field.endMs),
      attributes: failure > 0 ? { ...attributes, ...this.#error() } : attributes,
      status: failure === 0 ? "ok" : "error",
      errorMessage: reason === 0 ? null : this.#text(field.reason),
    };
  }

  #number(place: number): number {
    return this.#block.rows[this.#at + place] as number;
  }

  #text(place: number): string {
    return this.#block.texts[this.#number(place) - 1] ?? "";
  }

  #traceId(): string {
    const id = this.#number(field.trace);
    return id < 0 ? (this.#block.texts[-id - 1] ?? "") : this.#ids.traceId(id);
  }

  #spanId(id: number): string {
    return id < 0 ? (this.#block.texts[-id - 1] ?? "") : this.#ids.spanId(id);
  }

  #name(formOf: number): string {
    return messageName(formOf, this.#text(field.name), this.#text(field.type));
  }

  #error(): SpanAttributes {
    return {
      error: true,
      "error.type": this.#text(field.failure),
      "error.message": this.#text(field.reason),
    };
  }

  #attributes(formOf: number): SpanAttributes {
    if (formOf === form.served) return { "agentrt.agent.name": this.#text(field.agent) };
    if (formOf === form.handled) {
      const isTimeout = this.#text(field.failure) === timeoutCode;
      return {
        "agentrt.agent.name": this.#text(field.agent),
        "agentrt.message.type": this.#text(field.type),
        "agentrt.handle.attempt": this.#number(field.attempt),
        "agentrt.handle.result": this.#number(field.failure) === 0 ? "success" : "error",
        ...(isTimeout ? { "agentrt.handle.timeout": true } : {}),
      };
    }
    const sequence = formOf === form.sent ? this.#number(field.span) : this.#number(field.parent);
    return {
      "agentrt.sender": this.#text(field.sender),
      "agentrt.recipient": this.#text(field.recipient),
      "agentrt.message_type": this.#text(field.type),
      "agentrt.message_id": this.#ids.messageId(sequence, this.#number(field.sentAtMs)),
    };
  }

  #details(): SpanAttributes {
    const { details, texts } = this.#block;
    const found: { [name: string]: SpanAttributes[string] } = {};
    const begin = this.#number(field.detailsAt);
    const end = begin + this.#number(field.detailCount) * detailLength;
    for (let at = begin; at < end; at += detailLength) {
      const value = details[at + 2] as number;
      const text = texts[value - 1] ?? "";
      const name = texts[(details[at] as number) - 1] ?? "";
      const tag = details[at + 1];
      if (tag === valueTag.number) found[name] = value;
      else if (tag === valueTag.text) found[name] = text;
      else if (tag === valueTag.boolean) found[name] = value === 1;
      else found[name] = JSON.parse(text) as string[];
    }
    return found;
  }
}

/**
 * Unpacks a span.
 *
 * @param block Where it is.
 * @param index From 0.
 * @param ids Of the process that packed it.
 * @returns Its record.
 */
export function recordAt(block: SpanBlock, index: number, ids: IdSequence): SpanRecord {
  return new PackedSpan(block, index, ids).record();
}

/** @returns The trace of a span of a block: 32 digits. */
export function traceIdAt(block: SpanBlock, index: number, ids: IdSequence): string {
  const id = block.rows[index * rowLength + field.trace] as number;
  return id < 0 ? (block.texts[-id - 1] ?? "") : ids.traceId(id);
}
