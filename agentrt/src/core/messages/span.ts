import type { IdSequence } from "../values/index.ts";
import type { Message, TracePoint } from "./message.ts";

/** Values that a span may carry. */
export type SpanAttributes = {
  readonly [name: string]: string | number | boolean | readonly string[];
};

/** What a span is to the one above it, in the words of OpenTelemetry. */
export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

/** A span that was begun. */
export interface OpenSpan {
  /** Where spans below it are. */
  readonly point: TracePoint;
  /** The same as a W3C `traceparent`, for what is asked over HTTP. */
  readonly traceparent: string;
  /** Gives it another name, once more is known. */
  rename(name: string): void;
  /** Adds attributes; a name that is there already gets the new value. */
  set(attributes: SpanAttributes): void;
  /**
   * Ends the span; twice is harmless.
   *
   * @param error What failed, if something did.
   */
  end(error?: unknown): void;
}

/** How a span begins. */
export interface SpanStart {
  /** Where in a trace it is; without it a new trace begins. */
  readonly parent: TracePoint | undefined;
  /** What is known from the start. */
  readonly attributes: SpanAttributes;
  /** Default `internal`. */
  readonly kind?: SpanKind | undefined;
}

/** A span of a message, over already. It holds nothing of the payload. */
export interface MessageSpan {
  readonly name: string;
  /** `sent`: the span whose id is the message's own, above its others. `waited`, `served`, `handled`: below it. */
  readonly step: "sent" | "waited" | "served" | "handled";
  /** Who handled it; undefined for `sent` and `waited`. */
  readonly agent?: string | undefined;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** What failed, if something did. */
  readonly error?: unknown;
}

/** Begins and records spans. Implemented by telemetry; without a tracer no span is made. */
export interface Tracer {
  /**
   * Says whether the spans of a message are recorded; asked for each message.
   *
   * @param message Any message.
   */
  isSampled(message: Message): boolean;
  /**
   * Begins a span now. One whose trace is not sampled is never recorded.
   *
   * @param name For example `agentrt.llm.chat`.
   * @param start Its place, and what is known of it.
   */
  startSpan(name: string, start: SpanStart): OpenSpan;
  /** Adds a span of a message that is sampled. */
  addMessageSpan(message: Message, span: MessageSpan): void;
}

/** A place in a trace of this process, as `SendOptions.trace` takes it: its ids are texts only when somebody reads them. */
export class OwnTrace {
  readonly point: TracePoint;
  readonly #ids: IdSequence;

  /**
   * @param point The place.
   * @param ids Of this process.
   */
  constructor(point: TracePoint, ids: IdSequence) {
    this.point = point;
    this.#ids = ids;
  }

  /** 32 lower-case hexadecimal digits. */
  get traceId(): string {
    const { trace } = this.point;
    return typeof trace === "string" ? trace : this.#ids.traceId(trace);
  }

  /** 16 lower-case hexadecimal digits; undefined where the place is a trace without a span. */
  get parentSpanId(): string | undefined {
    const { span } = this.point;
    return typeof span === "number" ? this.#ids.spanId(span) : span;
  }

  /** Whether its spans are recorded. */
  get isSampled(): boolean | undefined {
    return this.point.isSampled;
  }
}

/**
 * Writes a place in a trace as W3C Trace Context does.
 *
 * @param point The place; one without a span stands for a new one below it.
 * @param ids Of this process.
 * @returns The value of a `traceparent` header, version 00.
 */
export function traceparentOf({ trace, span, isSampled }: TracePoint, ids: IdSequence): string {
  const traceId = typeof trace === "string" ? trace : ids.traceId(trace);
  const own = span ?? ids.next();
  const spanId = typeof own === "string" ? own : ids.spanId(own);
  return `00-${traceId}-${spanId}-${isSampled === true ? "01" : "00"}`;
}
