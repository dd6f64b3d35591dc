import type { Agent } from "../agents/index.ts";
import { RingBuffer } from "../values/index.ts";

/** Something that an agent is told between two messages. */
export type Notice = (agent: Agent) => void | PromiseLike<void>;

/** Most notices that wait for one agent; beyond it the oldest goes. */
export const noticeCountMax = 10_000;

/** What an agent is to be told at its next message boundary, before the messages that wait. Made with the first. */
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
