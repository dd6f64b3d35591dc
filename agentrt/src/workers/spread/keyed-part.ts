import {
  type Address,
  type AgentCell,
  keyErrors,
  type KeyedSupervisor,
  keyOfMessage,
  type Message,
  type System,
} from "../../core/index.ts";
import type { Part } from "./agent-part.ts";
import type { FencedStateStore } from "./fenced-state-store.ts";
import type { PartApprovals } from "./part-approvals.ts";
import { partitionOf } from "./partitions.ts";

/** How long a worker looks whether keys have gone before it answers with those that have, and how often, milliseconds. */
const [releaseMs, lookMs] = [1000, 20];

/** What a part of a keyed agent is made from. */
export interface KeyedPartInit {
  readonly system: System;
  readonly keyed: KeyedSupervisor;
  /** Keeps its states; without one they are not fenced. */
  readonly store: FencedStateStore | undefined;
  readonly approvals: PartApprovals;
  /** True while keys may be handled. */
  readonly isLeased: () => boolean;
}

/** The keys of a keyed agent that this worker has: by partitions, which it takes and gives up. */
export class KeyedPart implements Part {
  readonly door: Address;
  readonly #init: KeyedPartInit;
  readonly #owned = new Set<number>();
  /** Keys that are asked to go. */
  readonly #ending = new Set<AgentCell>();
  /** Partitions that are being given up. */
  readonly #closing = new Set<number>();
  /** One taking over at a time. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(init: KeyedPartInit) {
    this.#init = init;
    this.door = this.#makeDoor();
  }

  get partitions(): number[] {
    return [...this.#owned];
  }

  get closing(): number[] {
    return [...this.#closing];
  }

  /** Takes partitions over; those that it has stay as they are. @throws What the store throws. */
  async take(partitions: readonly number[]): Promise<void> {
    const taken = this.#taking.then(async () => await this.#take(partitions));
    this.#taking = taken.catch(() => undefined);
    await taken;
  }

  async #take(partitions: readonly number[]): Promise<void> {
    const { store, approvals, keyed } = this.#init;
    const others = partitions.filter((each) => !this.#owned.has(each));
    if (others.length > 0) {
      await store?.take(keyed.name, others);
      await approvals.adopt(keyed.name, others);
    }
    for (const partition of partitions) {
      this.#owned.add(partition);
      this.#closing.delete(partition);
    }
  }

  /**
   * Gives partitions up: what has come for them is handled, and their keys are passivated.
   *
   * @returns Those that are given up within a second. The others go on; they are asked for again.
   */
  async release(partitions: readonly number[]): Promise<number[]> {
    const { system, store, approvals, keyed } = this.#init;
    for (const each of partitions) if (this.#owned.has(each)) this.#closing.add(each);
    const untilMs = system.monotonicMs() + releaseMs;
    let left = this.#cellsOf(partitions);
    while (left.length > 0 && system.monotonicMs() < untilMs) {
      for (const cell of left) this.#letGo(cell);
      await new Promise<void>((resolve) => system.setTimer(lookMs, resolve));
      left = this.#cellsOf(partitions);
    }
    const busy = new Set(left.map((cell) => this.#partitionOf(cell)));
    const released = partitions.filter((each) => !busy.has(each));
    await approvals.abandon(keyed.name, released);
    for (const each of released) {
      this.#owned.delete(each);
      this.#closing.delete(each);
    }
    store?.drop(keyed.name, released);
    return released;
  }

  /** Keeps partitions that could not be given up. */
  keep(partitions: readonly number[]): void {
    for (const each of partitions) this.#closing.delete(each);
  }

  /** Nothing comes in any more. */
  close(): void {
    for (const each of this.#owned) this.#closing.add(each);
  }

  /** It has no key any more. */
  forget(): void {
    const { keyed, store, approvals } = this.#init;
    void approvals.abandon(keyed.name, this.#owned);
    store?.drop(keyed.name, this.#owned);
    this.#owned.clear();
    this.#closing.clear();
  }

  /** One that was out of its budget is forgotten, one that waits for its restart or for somebody is looked at again. */
  #letGo(cell: AgentCell): void {
    const { keyed } = this.#init;
    const key = cell.name.slice(keyed.name.length + 1);
    void keyed.reviveChild(cell.name);
    // What waits is handled before: a key goes when it has nothing to do.
    if (cell.mailboxDepth > 0 || cell.busyCount > 0 || this.#ending.has(cell)) return;
    this.#ending.add(cell);
    keyed
      .endKey(key)
      .catch(() => undefined)
      .finally(() => this.#ending.delete(cell));
  }

  #cellsOf(partitions: readonly number[]): AgentCell[] {
    const wanted = new Set(partitions);
    return [...this.#init.keyed.cells()].filter((cell) => wanted.has(this.#partitionOf(cell)));
  }

  #partitionOf(cell: AgentCell): number {
    return partitionOf(cell.name.slice(this.#init.keyed.name.length + 1));
  }

  #makeDoor(): Address {
    const { keyed, isLeased } = this.#init;
    const { name } = keyed;
    const isOpen = (message: Message): boolean => {
      const partition = partitionOf(keyOfMessage(keyed, message));
      return isLeased() && this.#owned.has(partition) && !this.#closing.has(partition);
    };
    return {
      concurrency: keyed.concurrency,
      isSuspended: false,
      get isAccepting() {
        return keyed.isAccepting;
      },
      get mailboxDepth() {
        return keyed.mailboxDepth;
      },
      get mailboxLengthMax() {
        return keyed.mailboxLengthMax;
      },
      accept: (message, deadlineMs) => {
        if (!isOpen(message)) throw new keyErrors.ELSEWHERE({ agent: name });
        return keyed.accept(message, deadlineMs);
      },
      control: (message) => isOpen(message) && keyed.control(message),
    };
  }
}
