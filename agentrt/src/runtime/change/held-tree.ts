import { type HeldChildren, type Supervisor, supervisionErrors } from "../../core/index.ts";

/** The supervisors of a tree that are held for a change, in the order in which they were. */
export class HeldTree {
  readonly #find: (name: string) => Supervisor | undefined;
  readonly #held = new Map<string, HeldChildren>();

  /** @param find Finds a supervisor of declared children. */
  constructor(find: (name: string) => Supervisor | undefined) {
    this.#find = find;
  }

  /** The names of those that are held. */
  get names(): string[] {
    return [...this.#held.keys()];
  }

  /** True when a stop has taken one of them. */
  get isLost(): boolean {
    return [...this.#held.values()].some((held) => held.isLost);
  }

  /**
   * Holds supervisors, one after the other.
   *
   * @param names Each before those below it.
   */
  async hold(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const supervisor = this.#find(name);
      if (supervisor === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
      this.#held.set(name, await supervisor.hold());
    }
  }

  /** @returns One that is held. */
  of(name: string): HeldChildren {
    const held = this.#held.get(name);
    if (held === undefined) throw new TypeError(`"${name}" is not held`);
    return held;
  }

  /** @throws AGENTRT_SUPERVISION_HOLD_LOST. */
  refuseLost(): void {
    for (const held of this.#held.values())
      if (held.isLost) throw new supervisionErrors.HOLD_LOST({ supervisor: held.name });
  }

  /** Lets one go; one that is not held is left alone. */
  letGo(name: string): void {
    this.#held.get(name)?.release();
    this.#held.delete(name);
  }

  /** Lets all go. */
  release(): void {
    for (const name of this.names.reverse()) this.letGo(name);
  }
}
