import {
  errorCodeOf,
  type IdSequence,
  type OpenSpan,
  reasonOf,
  type SpanAttributes,
  type SpanStart,
  type System,
  type TracePoint,
  traceparentOf,
} from "../core/index.ts";
import type { BlockBuilder, SpanFailure } from "./block-builder.ts";

/** A span of a trace that is not recorded: it says only where those below it are. */
export class SkippedSpan implements OpenSpan {
  readonly point: TracePoint;
  readonly #ids: IdSequence;

  /**
   * @param point Its place.
   * @param ids Of this process.
   */
  constructor(point: TracePoint, ids: IdSequence) {
    this.point = point;
    this.#ids = ids;
  }

  get traceparent(): string {
    return traceparentOf(this.point, this.#ids);
  }

  rename(): void {
    // Nobody will see it.
  }

  set(): void {
    // Nobody will see it.
  }

  end(): void {
    // Nobody will see it.
  }
}

/** A span that is packed when it ends. */
export class RecordedSpan implements OpenSpan {
  readonly point: TracePoint;
  readonly #system: System;
  readonly #builder: BlockBuilder;
  readonly #start: SpanStart;
  readonly #beginMs: number;
  readonly #startMs: number;
  #name: string;
  #attributes: SpanAttributes;
  #isOpen = true;

  /**
   * @param start How it begins, which is now.
   * @param init.name Its name, until it is renamed.
   * @param init.point Its place.
   * @param init.system Clock and ids.
   * @param init.builder Takes it at its end.
   */
  constructor(
    start: SpanStart,
    init: {
      readonly name: string;
      readonly point: TracePoint;
      readonly system: System;
      readonly builder: BlockBuilder;
    },
  ) {
    const { system } = init;
    this.point = init.point;
    this.#system = system;
    this.#builder = init.builder;
    this.#start = start;
    this.#name = init.name;
    this.#attributes = start.attributes;
    this.#beginMs = system.monotonicMs();
    this.#startMs = system.wallTimeMs(this.#beginMs);
  }

  get traceparent(): string {
    return traceparentOf(this.point, this.#system.ids);
  }

  rename(name: string): void {
    this.#name = name;
  }

  set(attributes: SpanAttributes): void {
    if (this.#isOpen) this.#attributes = { ...this.#attributes, ...attributes };
  }

  end(error?: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { kind = "internal", parent } = this.#start;
    const startMs = this.#startMs;
    const place = {
      name: this.#name,
      kind,
      trace: this.point.trace,
      span: this.point.span ?? this.#system.ids.next(),
      parent: parent?.span,
      startMs,
      // By the clock that never goes back: no span ends before it begins.
      endMs: startMs + (this.#system.monotonicMs() - this.#beginMs),
    };
    this.#builder.add(place, this.#attributes, failureOf(error));
  }
}

/** @returns What a span keeps of an error: errors may hold anything, so none is kept while its span waits. */
export function failureOf(error: unknown): SpanFailure | undefined {
  return error === undefined ? undefined : { type: errorCodeOf(error), message: reasonOf(error) };
}
