import {
  type Message,
  type MessageSpan,
  type OpenSpan,
  reasonOf,
  type SpanAttributes,
  type System,
  type TracePoint,
  type Tracer,
} from "../core/index.ts";
import type { SpanRecord } from "./span-record.ts";

/** Turns what the runtime tells into records. */
export class SpanTracer implements Tracer {
  readonly #system: System;
  readonly #add: (record: SpanRecord) => void;

  /**
   * @param system Clock and ids.
   * @param add Takes each finished span.
   */
  constructor(system: System, add: (record: SpanRecord) => void) {
    this.#system = system;
    this.#add = add;
  }

  startSpan(
    name: string,
    options: { readonly parent: TracePoint | undefined; readonly attributes: SpanAttributes },
  ): OpenSpan {
    const { ids } = this.#system;
    const { parent } = options;
    const traceId =
      parent === undefined
        ? this.#system.nextTraceId()
        : typeof parent.trace === "string"
          ? parent.trace
          : ids.traceId(parent.trace);
    const parentSpanId =
      parent?.span === undefined
        ? null
        : typeof parent.span === "string"
          ? parent.span
          : ids.spanId(parent.span);
    const startMs = this.#nowMs();
    let attributes = options.attributes;
    let isOpen = true;
    return {
      set: (more) => {
        attributes = { ...attributes, ...more };
      },
      end: (error) => {
        if (!isOpen) return;
        isOpen = false;
        const spanId = this.#system.nextSpanId();
        const place = { name, traceId, spanId, parentSpanId, startMs, endMs: this.#nowMs() };
        this.#add({ ...place, ...outcome(attributes, error) });
      },
    };
  }

  addMessageSpan(message: Message, span: MessageSpan): void {
    const { name, startMs, endMs, attributes, error } = span;
    const { traceId } = message;
    const [spanId, parentSpanId] = span.isOwn
      ? [message.spanId, message.parentSpanId]
      : [this.#system.nextSpanId(), message.spanId];
    const place = { name, traceId, spanId, parentSpanId, startMs, endMs };
    this.#add({ ...place, ...outcome(attributes, error) });
  }

  /** Adds a span that took no time and belongs to no message. */
  addMoment(
    name: string,
    at: { readonly atMs: number; readonly attributes: SpanAttributes; readonly error?: unknown },
  ): void {
    const traceId = this.#system.nextTraceId();
    const spanId = this.#system.nextSpanId();
    const place = { name, traceId, spanId, parentSpanId: null, startMs: at.atMs, endMs: at.atMs };
    this.#add({ ...place, ...outcome(at.attributes, at.error) });
  }

  #nowMs(): number {
    const nowMs = this.#system.monotonicMs();
    return this.#system.wallTimeMs(nowMs) + (nowMs % 1);
  }
}

function outcome(
  attributes: SpanAttributes,
  error: unknown,
): Pick<SpanRecord, "attributes" | "status" | "errorMessage"> {
  if (error === undefined) return { attributes, status: "ok", errorMessage: null };
  const code: unknown = Reflect.get(Object(error), "code");
  const type = typeof code === "string" ? code : error instanceof Error ? error.name : typeof error;
  const errorMessage = reasonOf(error);
  const failed = { ...attributes, error: true, "error.type": type, "error.message": errorMessage };
  return { attributes: failed, status: "error", errorMessage };
}
