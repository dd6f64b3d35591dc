import type { JsonObject, System, TimerHandle } from "../../core/index.ts";

/** What an event stream is made from. */
export interface EventStreamInit {
  readonly system: System;
  /** The chunks of the agent; left when nobody comes back for the rest. */
  readonly chunks: AsyncIterator<JsonObject, unknown>;
  /** Turns what ended the chunks early into one line for the client. */
  readonly describe: (error: unknown) => string;
  /** Events that are kept for a client that comes back. */
  readonly replayCountMax: number;
  /** Characters of all of them together; the oldest go first. */
  readonly replayLengthMax: number;
  /** How long a stream waits for its client to come back, milliseconds; 0 for not at all. */
  readonly resumeTimeoutMs: number;
  /** Called once when nobody can come back any more. */
  readonly onOver: () => void;
}

/** How long a response may wait for its first reader at least, whatever the resume time. */
const unreadTimeoutMsMin = 1_000;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The chunks of an agent as server-sent events, numbered from 1. Chunks are asked for as fast as the client takes
 * events, so a client that reads slowly, or has gone, slows the agent down. A client that comes back with the number of
 * its last event gets those it missed, as far as they are kept.
 */
export class EventStream {
  readonly #init: EventStreamInit;
  /** The latest events, the last of them `#lastId`. */
  readonly #events: string[] = [];
  #eventsLength = 0;
  #lastId = 0;
  /** Nothing comes behind `#lastId`. */
  #isEnded = false;
  #isOver = false;
  #isPulling = false;
  /** Wakes the reader that waits: there is something to read, or it is dismissed. */
  #wake: (() => void) | undefined;
  /** Ends the reader that is there. */
  #dismiss: (() => void) | undefined;
  #timer: TimerHandle | undefined;

  constructor(init: EventStreamInit) {
    this.#init = init;
  }

  /** True when no client reads it. */
  get isDetached(): boolean {
    return this.#dismiss === undefined;
  }

  /** True when the client that saw event `lastId` has seen all there will be. */
  isSeen(lastId: number): boolean {
    return this.#isEnded && lastId >= this.#lastId;
  }

  /** True when the events behind `lastId` are all there. */
  isKept(lastId: number): boolean {
    return lastId <= this.#lastId && lastId >= this.#lastId - this.#events.length;
  }

  /**
   * Hands the stream to a reader, and takes it from the one before.
   *
   * @param lastId The last event that the client has seen, 0 for none.
   * @returns The events behind it, each ready to be sent.
   */
  read(lastId: number): AsyncIterable<string> {
    this.#dismiss?.();
    // A response that is dropped before anybody reads it, by a middleware perhaps, must not be held for ever.
    this.#wait(Math.max(this.#init.resumeTimeoutMs, unreadTimeoutMsMin));
    let isBegun = false;
    let cursor = lastId;
    let isLeft = false;
    const dismiss = (): void => {
      isLeft = true;
      this.#wake?.();
    };
    this.#dismiss = dismiss;
    const leave = (): void => {
      const isReader = this.#dismiss === dismiss;
      dismiss();
      if (isReader) this.#detach();
    };
    const iterator: AsyncIterator<string, undefined> = {
      next: async () => {
        if (!isBegun && !isLeft) this.#endWait();
        isBegun = true;
        for (;;) {
          if (isLeft) return done;
          if (cursor < this.#lastId) {
            cursor += 1;
            const event = this.#events[cursor - 1 - (this.#lastId - this.#events.length)];
            return event === undefined ? done : { done: false, value: event };
          }
          if (this.#isEnded) {
            leave();
            return done;
          }
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
            if (!this.#isPulling) void this.#fill();
          });
        }
      },
      return: async () => {
        leave();
        return done;
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  /** Ends the stream with an error event; one that nobody reads is given up. */
  finish(error: string): void {
    if (this.#isEnded || this.#isOver) return;
    if (this.isDetached) {
      this.close();
      return;
    }
    this.#fail(error);
    void this.#init.chunks.return?.();
    this.#wake?.();
  }

  /** Gives the stream up at once. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#dismiss?.();
    this.#dismiss = undefined;
    this.#endWait();
    this.#events.length = 0;
    void this.#init.chunks.return?.();
    this.#init.onOver();
  }

  #detach(): void {
    this.#dismiss = undefined;
    const { resumeTimeoutMs } = this.#init;
    if (this.#isOver) return;
    if (resumeTimeoutMs === 0) this.close();
    else this.#wait(resumeTimeoutMs);
  }

  #wait(timeoutMs: number): void {
    this.#endWait();
    this.#timer = this.#init.system.setTimer(timeoutMs, () => this.close());
  }

  #endWait(): void {
    if (this.#timer !== undefined) this.#init.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  async #fill(): Promise<void> {
    this.#isPulling = true;
    try {
      const chunk = await this.#init.chunks.next();
      if (this.#isEnded) return;
      if (chunk.done === true) this.#isEnded = true;
      else this.#add(`data: ${JSON.stringify(chunk.value)}`);
    } catch (error) {
      if (!this.#isEnded) this.#fail(this.#init.describe(error));
    } finally {
      this.#isPulling = false;
      this.#wake?.();
    }
  }

  #fail(error: string): void {
    this.#isEnded = true;
    this.#add(`event: error\ndata: ${JSON.stringify({ error })}`);
  }

  #add(lines: string): void {
    this.#lastId += 1;
    const event = `id: ${this.#lastId}\n${lines}\n\n`;
    this.#events.push(event);
    this.#eventsLength += event.length;
    const { replayCountMax, replayLengthMax } = this.#init;
    // The newest stays whatever its length: the reader has not had it yet.
    while (
      this.#events.length > 1 &&
      (this.#events.length > replayCountMax || this.#eventsLength > replayLengthMax)
    ) {
      this.#eventsLength -= this.#events.shift()?.length ?? 0;
    }
  }
}
