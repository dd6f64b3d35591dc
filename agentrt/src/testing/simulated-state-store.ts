import { approvalIndexKey, type JsonObject, type StateStore } from "../core/index.ts";
import { InjectedFault, type FaultPlan } from "./fault-plan.ts";

/** States in memory, for one run: operations may take virtual time and may fail, before or after their work. */
export class SimulatedStateStore implements StateStore {
  readonly #states = new Map<string, string>();
  readonly #faults: FaultPlan;
  readonly #sleep: (delayMs: number) => Promise<void>;

  /**
   * @param faults Decides what fails.
   * @param sleep Waits in virtual time.
   */
  constructor(faults: FaultPlan, sleep: (delayMs: number) => Promise<void>) {
    this.#faults = faults;
    this.#sleep = sleep;
  }

  async get(agent: string): Promise<JsonObject | undefined> {
    // Every start asks for the list of approvals. Where nobody asked for any, that is no step at which something may go wrong.
    if (agent === approvalIndexKey && !this.#states.has(agent)) return undefined;
    await this.#disturb("read");
    const text = this.#states.get(agent);
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    const text = JSON.stringify(state);
    // A write that fails may have happened all the same.
    const isLostAfter = this.#faults.coin();
    if (!isLostAfter) await this.#disturb("write");
    this.#states.set(agent, text);
    if (isLostAfter) await this.#disturb("say that it has written");
  }

  async delete(agent: string): Promise<void> {
    await this.#disturb("delete");
    this.#states.delete(agent);
  }

  async listAgents(): Promise<string[]> {
    return [...this.#states.keys()].toSorted();
  }

  async close(): Promise<void> {}

  async #disturb(operation: string): Promise<void> {
    if (this.#faults.happens("storeIsSlow")) await this.#sleep(this.#faults.slowMs());
    if (this.#faults.happens("storeFails"))
      throw new InjectedFault(`injected: the store does not ${operation}`);
  }
}
