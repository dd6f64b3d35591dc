import type { IdSequence } from "../core/index.ts";

/** Which traces are recorded. */
export interface SamplingOptions {
  /** Of the traces that begin here, the part that is recorded: 0 to 1. Default 1. */
  readonly ratio?: number | undefined;
  /**
   * True: what a caller has decided about its trace counts here too, as the flags of its `traceparent` say it. False:
   * the ratio decides about every trace. Default true.
   */
  readonly isParentBased?: boolean | undefined;
}

const wordCount = 2 ** 32;

/**
 * Decides only from the trace id, so that all spans of a trace share one fate, in every process that has the same ratio:
 * the last 32 bits of the id, read as a number, are below the ratio's part of all numbers.
 */
export class Sampler {
  readonly #wordMax: number;
  readonly #isParentBased: boolean;

  /** @param options See `SamplingOptions`. */
  constructor({ ratio = 1, isParentBased = true }: SamplingOptions = {}) {
    this.#wordMax = ratio * wordCount;
    this.#isParentBased = isParentBased;
  }

  /**
   * @param trace A number for an id of this process, text for one from outside.
   * @param given What the one that began the trace has decided; undefined for nothing.
   * @param ids Of this process.
   * @returns True when the trace is recorded.
   */
  // oxlint-disable-next-line max-params -- asked for each message: no object for its parameters
  isSampled(trace: number | string, given: boolean | undefined, ids: IdSequence): boolean {
    if (given !== undefined && this.#isParentBased) return given;
    if (this.#wordMax >= wordCount) return true;
    const word =
      typeof trace === "number" ? ids.traceWord(trace) : Number.parseInt(trace.slice(-8), 16);
    return word < this.#wordMax;
  }
}
