import {
  errorCodeOf,
  type IdSequence,
  type Message,
  messageInternals,
  type MessageSpan,
  type OpenSpan,
  reasonOf,
  type SpanAttributes,
  type SpanStart,
  type System,
  type TracePoint,
  traceparentOf,
  type Tracer,
} from "../core/index.ts";
import { PendingMessageSpan } from "./message-span.ts";
import { type PendingSpan, recordOf, type SpanFailure, type SpanPlace } from "./pending-span.ts";
import type { Sampler } from "./sampler.ts";
import type { SpanRecord } from "./span-record.ts";

/** Turns what the runtime tells into finished spans. */
export class SpanTracer implements Tracer {
  readonly #system: System;
  readonly #sampler: Sampler;
  readonly #add: (span: PendingSpan) => void;

  /**
   * @param system Clock and ids.
   * @param sampler Which traces are recorded.
   * @param add Takes each finished span.
   */
  constructor(system: System, sampler: Sampler, add: (span: PendingSpan) => void) {
    this.#system = system;
    this.#sampler = sampler;
    this.#add = add;
  }

  isSampled(message: Message): boolean {
    const from = messageInternals.sentFrom(message);
    const trace = from === undefined ? messageInternals.sequenceOf(message) : from.trace;
    return this.#sampler.isSampled(trace, from?.isSampled, this.#system.ids);
  }

  startSpan(name: string, { parent, attributes, kind = "internal" }: SpanStart): OpenSpan {
    const { ids } = this.#system;
    const trace = parent === undefined ? ids.next() : parent.trace;
    const isSampled = this.#sampler.isSampled(trace, parent?.isSampled, ids);
    const point: TracePoint = { trace, span: ids.next(), isSampled };
    const beginMs = isSampled ? this.#system.monotonicMs() : 0;
    const startMs = isSampled ? this.#system.wallTimeMs(beginMs) : 0;
    let all = attributes;
    let given = name;
    let isOpen = isSampled;
    return {
      point,
      get traceparent() {
        return traceparentOf(point, ids);
      },
      rename: (better) => {
        given = better;
      },
      set: (more) => {
        if (isOpen) all = { ...all, ...more };
      },
      end: (error) => {
        if (!isOpen) return;
        isOpen = false;
        // By the clock that never goes back: no span ends before it begins.
        const endMs = startMs + (this.#system.monotonicMs() - beginMs);
        const span = point.span as number;
        const parentSpan = parent?.span;
        const place = { name: given, kind, trace, span, parent: parentSpan, startMs, endMs };
        this.#add(new PendingOpenSpan(place, all, failureOf(error)));
      },
    };
  }

  addMessageSpan(message: Message, span: MessageSpan): void {
    this.#add(new PendingMessageSpan(message, span, failureOf(span.error), this.#system.ids));
  }

  /** Adds a span that took no time and belongs to no message. */
  addMoment(
    name: string,
    at: { readonly atMs: number; readonly attributes: SpanAttributes; readonly error?: unknown },
  ): void {
    const { ids } = this.#system;
    const trace = ids.next();
    if (!this.#sampler.isSampled(trace, undefined, ids)) return;
    const time = { startMs: at.atMs, endMs: at.atMs };
    const place = { name, kind: "internal", trace, span: ids.next(), parent: undefined } as const;
    this.#add(new PendingOpenSpan({ ...place, ...time }, at.attributes, failureOf(at.error)));
  }
}

class PendingOpenSpan implements PendingSpan {
  readonly #place: SpanPlace;
  readonly #attributes: SpanAttributes;
  readonly #failure: SpanFailure | undefined;

  constructor(place: SpanPlace, attributes: SpanAttributes, failure: SpanFailure | undefined) {
    this.#place = place;
    this.#attributes = attributes;
    this.#failure = failure;
  }

  toRecord(ids: IdSequence): SpanRecord {
    return recordOf(this.#place, this.#attributes, this.#failure, ids);
  }
}

/** Errors may hold anything, so none is kept while its span waits. */
function failureOf(error: unknown): SpanFailure | undefined {
  return error === undefined ? undefined : { type: errorCodeOf(error), message: reasonOf(error) };
}
