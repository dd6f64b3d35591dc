import { type Address, keyErrors, type System } from "../../core/index.ts";
import type { FencedStateStore } from "./fenced-state-store.ts";
import type { PartApprovals } from "./part-approvals.ts";

/** How long a worker looks whether partitions have nothing to do before it answers with those that have, and how often, milliseconds. */
const [releaseMs, lookMs] = [1000, 20];

/** What a part of a node is made from. */
export interface PartInit {
  readonly system: Pick<System, "monotonicMs" | "setTimer">;
  /** Keeps its states; without one they are not fenced. */
  readonly store: FencedStateStore | undefined;
  readonly approvals: PartApprovals;
  /** True while messages may be handled. */
  readonly isLeased: () => boolean;
}

/** What became of partitions that were to be given up. */
export interface Released {
  /** Those that are. The others go on; they are asked for again. */
  readonly released: readonly number[];
  /** Those of them of which something did not end in time: nobody knows whether it runs on. */
  readonly late: readonly number[];
}

/** What this worker has of a node: partitions, which it takes and gives up. */
export abstract class Part {
  /** Takes the messages for it. */
  abstract readonly door: Address;
  /** Of the node. */
  protected abstract readonly name: string;
  protected readonly init: PartInit;
  readonly #owned = new Set<number>();
  readonly #closing = new Set<number>();
  /** One taking over, or giving up, at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Grows when all is given up at once: what was about to be taken is not taken then. */
  #endCount = 0;

  constructor(init: PartInit) {
    this.init = init;
  }

  /**
   * What has been taken begins.
   *
   * @param isNew False where all of it was here already.
   * @param beginning The same where it is only said again that it is to begin; empty where that is not known.
   */
  protected abstract begin(isNew: boolean, beginning: string): Promise<void>;
  /** Asks what is there of partitions to go. @returns Those that have something to do, and go on. */
  protected abstract letGo(partitions: readonly number[]): readonly number[];
  /** Partitions without anything to do end. @returns Those of which something did not end in time. */
  protected abstract end(partitions: readonly number[]): Promise<readonly number[]>;

  /** Partitions that it has. */
  get partitions(): readonly number[] {
    return [...this.#owned];
  }

  /** Those of them that it gives up: nothing comes in for them. */
  get closing(): readonly number[] {
    return [...this.#closing];
  }

  /** True for a partition whose messages are taken. */
  protected isOpen(partition: number): boolean {
    const isOpen = this.#owned.has(partition) && !this.#closing.has(partition);
    return isOpen && this.init.isLeased();
  }

  /**
   * Takes partitions over.
   *
   * @param partitions Which.
   * @param beginning As the supervisor names it. Default none.
   * @throws What the store throws; AGENTRT_KEY_ELSEWHERE when all was given up meanwhile, or the lease is over.
   */
  async take(partitions: readonly number[], beginning = ""): Promise<void> {
    const { store, approvals, isLeased } = this.init;
    const endCount = this.#endCount;
    await this.#inTurn(async () => {
      const others = partitions.filter((each) => !this.#owned.has(each));
      if (others.length > 0) {
        await store?.take(this.name, others);
        await approvals.adopt(this.name, others);
      }
      if (endCount !== this.#endCount || !isLeased()) {
        await approvals.abandon(this.name, others);
        store?.drop(this.name, others);
        throw new keyErrors.ELSEWHERE({ agent: this.name });
      }
      for (const partition of partitions) {
        this.#owned.add(partition);
        this.#closing.delete(partition);
      }
      await this.begin(others.length > 0, beginning);
    });
  }

  /** Gives partitions up: what has come for them is handled before. It answers within a second or so. */
  async release(partitions: readonly number[]): Promise<Released> {
    const { system } = this.init;
    for (const each of partitions) if (this.#owned.has(each)) this.#closing.add(each);
    const untilMs = system.monotonicMs() + releaseMs;
    while (this.#busyOf(partitions).size > 0 && system.monotonicMs() < untilMs)
      await new Promise<void>((resolve) => void system.setTimer(lookMs, resolve));
    return await this.#inTurn(async () => await this.#drop(partitions));
  }

  /** One that is taken again, or to be kept, by now stays as it is. */
  #busyOf(partitions: readonly number[]): ReadonlySet<number> {
    return new Set(this.letGo(partitions.filter((each) => this.#closing.has(each))));
  }

  async #drop(partitions: readonly number[]): Promise<Released> {
    const { store, approvals } = this.init;
    const busy = this.#busyOf(partitions);
    const going = partitions.filter((each) => this.#closing.has(each) && !busy.has(each));
    const late = going.length === 0 ? [] : await this.end(going);
    await approvals.abandon(this.name, going);
    for (const each of going) {
      this.#owned.delete(each);
      this.#closing.delete(each);
    }
    store?.drop(this.name, going);
    return { released: partitions.filter((each) => !this.#owned.has(each)), late };
  }

  /** Keeps partitions that could not be given up. */
  async keep(partitions: readonly number[]): Promise<void> {
    await this.#inTurn(async () => {
      for (const each of partitions) this.#closing.delete(each);
    });
  }

  /** Nothing comes in any more, and what is about to be taken is not. */
  close(): void {
    this.#endCount += 1;
    for (const each of this.#owned) this.#closing.add(each);
  }

  /** It has nothing any more. */
  forget(): void {
    const { store, approvals } = this.init;
    this.#endCount += 1;
    void approvals.abandon(this.name, this.#owned);
    store?.drop(this.name, this.#owned);
    this.#owned.clear();
    this.#closing.clear();
  }

  async #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return await done;
  }
}
