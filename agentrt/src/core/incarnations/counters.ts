import { type ModelSessionCounters, ModelTally, noModelCounters } from "../llm/index.ts";
import type { AgentCounters } from "../tree/index.ts";

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
      ...(this.#models?.toValue() ?? noModelCounters),
    };
  }
}
