import type { Message, TracePoint } from "./message.ts";

/** Values that a span may carry. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean };

/** A span that was begun. */
export interface OpenSpan {
  /** Adds attributes; a name that is there already gets the new value. */
  set(attributes: SpanAttributes): void;
  /**
   * Ends the span; twice is harmless.
   *
   * @param error What failed, if something did.
   */
  end(error?: unknown): void;
}

/** A span of a message, over already. */
export interface MessageSpan {
  readonly name: string;
  /** True for the span whose id is the message's own; the others of a message are its children. */
  readonly isOwn: boolean;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** What failed, if something did. */
  readonly error?: unknown;
}

/** Begins and records spans. Implemented by telemetry; without a tracer no span is made. */
export interface Tracer {
  /**
   * Begins a span now.
   *
   * @param name For example `agentrt.llm.chat`.
   * @param options.parent Where in a trace it is; without it a new trace begins.
   * @param options.attributes What is known from the start.
   */
  startSpan(
    name: string,
    options: { readonly parent: TracePoint | undefined; readonly attributes: SpanAttributes },
  ): OpenSpan;
  /** Adds a span of a message. */
  addMessageSpan(message: Message, span: MessageSpan): void;
}
