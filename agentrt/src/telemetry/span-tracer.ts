import {
  type Message,
  messageInternals,
  type MessageSpan,
  type OpenSpan,
  type SpanAttributes,
  type SpanStart,
  type System,
  type TracePoint,
  type Tracer,
} from "../core/index.ts";
import type { BlockBuilder } from "./block-builder.ts";
import { failureOf, RecordedSpan, SkippedSpan } from "./open-span.ts";
import type { Sampler } from "./sampler.ts";

/** Turns what the runtime tells into finished spans. */
export class SpanTracer implements Tracer {
  readonly #system: System;
  readonly #sampler: Sampler;
  readonly #builder: BlockBuilder;

  /**
   * @param system Clock and ids.
   * @param sampler Which traces are recorded.
   * @param builder Takes each finished span.
   */
  constructor(system: System, sampler: Sampler, builder: BlockBuilder) {
    this.#system = system;
    this.#sampler = sampler;
    this.#builder = builder;
  }

  isSampled(message: Message): boolean {
    const from = messageInternals.sentFrom(message);
    const trace = from === undefined ? messageInternals.sequenceOf(message) : from.trace;
    return this.#sampler.isSampled(trace, from?.isSampled, this.#system.ids);
  }

  startSpan(name: string, start: SpanStart): OpenSpan {
    const { ids } = this.#system;
    const { parent } = start;
    const trace = parent === undefined ? ids.next() : parent.trace;
    const isSampled = this.#sampler.isSampled(trace, parent?.isSampled, ids);
    const point: TracePoint = { trace, span: ids.next(), isSampled };
    if (!isSampled) return new SkippedSpan(point, ids);
    return new RecordedSpan(start, { name, point, system: this.#system, builder: this.#builder });
  }

  addMessageSpan(message: Message, span: MessageSpan): void {
    this.#builder.addMessage(message, span, failureOf(span.error), this.#system.ids);
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
    this.#builder.add({ ...place, ...time }, at.attributes, failureOf(at.error));
  }
}
