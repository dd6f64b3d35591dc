import { type ModelSessionCounters, ModelTally, noModelCounters } from "../llm/index.ts";
import type { AgentCounters } from "../tree/index.ts";
import { errorCodeOf, Histogram } from "../values/index.ts";

/** Most codes of errors that are told apart for one agent. */
const codeCountMax = 20;
/** The code under which all further ones are counted. */
const otherCodes = "other";

/** The counters of one agent while they are counted. They outlive incarnations. */
export class TallyCounters {
  messagesHandled = 0;
  messagesSent = 0;
  chunksSent = 0;
  messagesCancelled = 0;
  repliesUnwanted = 0;
  errors = 0;
  restarts = 0;
  #latencySumMs = 0;
  #latencyCount = 0;
  #models: ModelTally | undefined;
  /** Made with the first one, as all below: most agents of a large tree never do anything. */
  #errorsByCode: Map<string, number> | undefined;
  #handleTimes: Histogram | undefined;
  #firstChunkTimes: Histogram | undefined;

  /** What the agent uses of models. */
  get models(): ModelTally {
    return (this.#models ??= new ModelTally());
  }

  /** What the agent's calls of models cost, as far as their price is known. */
  get costUsd(): number {
    return this.#models?.costUsd ?? 0;
  }

  /** Adds one measured `handle`. */
  addLatency(latencyMs: number): void {
    this.#latencySumMs += latencyMs;
    this.#latencyCount += 1;
    (this.#handleTimes ??= new Histogram()).observe(latencyMs);
  }

  /** Adds the time to the first chunk of a streamed reply. */
  addFirstChunk(latencyMs: number): void {
    this.#latencySumMs += latencyMs;
    this.#latencyCount += 1;
    (this.#firstChunkTimes ??= new Histogram()).observe(latencyMs);
  }

  /** Counts a failure of the agent. */
  addError(error: unknown): void {
    this.errors += 1;
    const codes = (this.#errorsByCode ??= new Map());
    const found = errorCodeOf(error);
    const code = codes.has(found) || codes.size < codeCountMax ? found : otherCodes;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }

  /** @returns The counters as a plain value. */
  toValue(): Omit<AgentCounters, keyof ModelSessionCounters> {
    return {
      messagesHandled: this.messagesHandled,
      messagesSent: this.messagesSent,
      chunksSent: this.chunksSent,
      messagesCancelled: this.messagesCancelled,
      repliesUnwanted: this.repliesUnwanted,
      errors: this.errors,
      restarts: this.restarts,
      avgLatencyMs: this.#latencyCount === 0 ? 0 : this.#latencySumMs / this.#latencyCount,
      latencySumMs: this.#latencySumMs,
      latencyCount: this.#latencyCount,
      errorsByCode: Object.fromEntries(this.#errorsByCode ?? []),
      handleTimes: this.#handleTimes?.toValue() ?? null,
      firstChunkTimes: this.#firstChunkTimes?.toValue() ?? null,
      ...(this.#models?.toValue() ?? noModelCounters),
    };
  }
}
