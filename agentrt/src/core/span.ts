import type { TracePoint } from "./message.ts";

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

/** Where spans go, for those who make them. Implemented by telemetry; without one no span is made. */
export interface Tracer {
  /**
   * Begins a span now.
   *
   * @param name For example `agentrt.llm.chat`.
   * @param options.parent Where in a trace it stands; without it a new trace begins.
   * @param options.attributes What is known from the start.
   */
  startSpan(
    name: string,
    options: { readonly parent: TracePoint | undefined; readonly attributes: SpanAttributes },
  ): OpenSpan;
}
