import type { Agent } from "../agents/index.ts";
import { RingBuffer } from "../values/index.ts";

/** A notice for an agent: it calls one of the agent's hooks between two messages. */
export type Notice = (agent: Agent) => void | PromiseLike<void>;

/** Most notices that wait for one agent; beyond it the oldest goes. */
export const noticeCountMax = 10_000;

/** The notices that an agent gets before the next message. The queue is created with the first notice. */
export class Notices {
  readonly #waiting = new RingBuffer<Notice>();

  /** Notices that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Adds one at the end.
   *
   * @returns False when that pushed the oldest out.
   */
  add(notice: Notice): boolean {
    const isFull = this.#waiting.length >= noticeCountMax;
    if (isFull) this.#waiting.shift();
    this.#waiting.push(notice);
    return !isFull;
  }

  /** @returns The oldest, removed. */
  take(): Notice | undefined {
    return this.#waiting.shift();
  }
}
