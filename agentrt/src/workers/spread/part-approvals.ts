import type { Approvals, StateStore } from "../../core/index.ts";
import { placeOf } from "./partitions.ts";

/** The approvals of partitions: who has a partition lists them, takes decisions about them and gives these to the agents. */
export class PartApprovals {
  readonly #approvals: Approvals;
  readonly #store: StateStore;

  /**
   * @param approvals Of this process.
   * @param store Keeps them, and the states of the agents, each under the fence of its partition.
   */
  constructor(approvals: Approvals, store: StateStore) {
    this.#approvals = approvals;
    this.#store = store;
  }

  /** This process has taken partitions over. @throws What the store throws. */
  async adopt(agent: string, partitions: readonly number[]): Promise<void> {
    const store = this.#store;
    await this.#approvals.adopt(
      partitions.map((partition) => ({ name: placeOf(agent, partition), store })),
    );
  }

  /** This process gives partitions up. @returns Settles when nothing is under way with their approvals. */
  async abandon(agent: string, partitions: Iterable<number>): Promise<void> {
    await this.#approvals.abandon([...partitions].map((partition) => placeOf(agent, partition)));
  }
}
