import type { AgentCell } from "../../incarnations/index.ts";

/** The pending writes of agents that are gone and whose names are free again. */
export class LastWrites {
  readonly #byName = new Map<string, Promise<void>>();

  /** @returns What the next agent of that name has to wait for before it reads its state. */
  get(name: string): Promise<void> | undefined {
    return this.#byName.get(name);
  }

  /** Keeps what an agent that is gone still writes. */
  keep({ name, checkpoints }: AgentCell): void {
    const { lastWrite } = checkpoints;
    if (lastWrite === undefined) return;
    this.#byName.set(name, lastWrite);
    void lastWrite.then(() => {
      if (this.#byName.get(name) === lastWrite) this.#byName.delete(name);
    });
  }
}
