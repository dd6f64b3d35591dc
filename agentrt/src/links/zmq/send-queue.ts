import type { System } from "../../core/index.ts";
import { piecesOf, prefixOf, writeHead } from "./frames.ts";

/** Most messages that wait to be sent, and most bytes of them. */
export const queueMax = { messageCount: 10_000, byteCount: 64 * 1024 * 1024 } as const;
/** Most messages and bytes that are sent as one. */
const batchMax = { messageCount: 256, byteCount: 256 * 1024 } as const;
/** How long a socket that is full is left alone, milliseconds: nothing tells when it has room. */
const fullPauseMs = 2;
/** Topics whose numbers are known; the one that is known longest is forgotten first. */
const topicCountMax = 10_000;

/** Messages to one topic that are sent as one. */
interface Batch {
  readonly topic: string;
  readonly prefix: Buffer;
  readonly sequence: number;
  readonly parts: Uint8Array[];
  byteCount: number;
}

/** What a queue sends with. */
export interface SendQueueInit {
  /** Name of this process, among those that send. */
  readonly sender: string;
  /** Sends one message of several parts, or rejects: with EAGAIN where it has no room. Not called again before it has settled. */
  readonly send: (parts: Uint8Array[]) => Promise<void>;
  readonly system: Pick<System, "setTimer" | "yieldTurn">;
  /** Called for messages that the socket does not take, with the reason. */
  readonly onFailed: (error: unknown, messageCount: number) => void;
}

/**
 * What waits to be sent through one socket. Messages of one turn of the event loop that follow each other to one topic are sent as
 * one, except the first, which does not wait. The order stays as it was.
 */
export class SendQueue {
  readonly #init: SendQueueInit;
  readonly #counters: TopicCounters;
  #batches: Batch[] = [];
  #messageCount = 0;
  #byteCount = 0;
  #isSending = false;
  #isEnded = false;

  constructor(init: SendQueueInit, counters: TopicCounters) {
    this.#init = init;
    this.#counters = counters;
  }

  /** @returns Whether another message has room. */
  get hasRoom(): boolean {
    return this.#messageCount < queueMax.messageCount && this.#byteCount < queueMax.byteCount;
  }

  /** Takes a message. */
  push(topic: string, bytes: Uint8Array): void {
    this.#messageCount += 1;
    this.#byteCount += bytes.length;
    const { prefix, sequence } = this.#counters.next(topic);
    const last = this.#batches.at(-1);
    if (last?.topic === topic && hasRoomFor(last, bytes)) {
      last.parts.push(bytes);
      last.byteCount += bytes.length;
    } else {
      const byteCount = bytes.length;
      this.#batches.push({ topic, prefix, sequence, parts: [bytes], byteCount });
    }
    this.#wake();
  }

  /** Sends a head and nothing behind it, after all that waits. */
  pushHead(head: Buffer): void {
    const parts: Uint8Array[] = [];
    this.#batches.push({
      topic: "",
      prefix: head,
      sequence: 0,
      parts,
      byteCount: batchMax.byteCount,
    });
    this.#wake();
  }

  /**
   * Sends nothing more.
   *
   * @returns How many messages were still to be sent.
   */
  end(): number {
    this.#isEnded = true;
    this.#batches = [];
    return this.#messageCount;
  }

  #wake(): void {
    if (this.#isSending || this.#isEnded) return;
    this.#isSending = true;
    void this.#sendAll();
  }

  /** The first message of a turn goes at once, and what follows in that turn together. */
  async #sendAll(): Promise<void> {
    const { system } = this.#init;
    while (!this.#isEnded && this.#batches.length > 0) {
      const batches = this.#batches;
      this.#batches = [];
      for (const batch of batches) {
        // oxlint-disable-next-line no-await-in-loop -- a socket takes one message at a time
        await this.#send(batch);
        if (this.#isEnded) return;
      }
      // oxlint-disable-next-line no-await-in-loop -- what is published meanwhile goes with the next round
      await new Promise<void>((resolve) => system.yieldTurn(resolve));
    }
    this.#isSending = false;
  }

  async #send({ prefix, sequence, parts, byteCount }: Batch): Promise<void> {
    const { sender } = this.#init;
    const isHeadOnly = parts.length === 0;
    const [first] = parts;
    const pieces = first === undefined || parts.length > 1 ? undefined : piecesOf(first);
    const kind = pieces === undefined ? "messages" : "pieces";
    const head = isHeadOnly ? prefix : writeHead(prefix, { kind, sequence, sender });
    await this.#sendOnce([head, ...(pieces ?? parts)], parts.length);
    if (isHeadOnly || this.#isEnded) return;
    this.#messageCount -= parts.length;
    this.#byteCount -= byteCount;
  }

  /** Sends it as soon as the socket has room. */
  async #sendOnce(parts: Uint8Array[], messageCount: number): Promise<void> {
    const { send, system, onFailed } = this.#init;
    while (!this.#isEnded)
      try {
        // oxlint-disable-next-line no-await-in-loop -- it is tried until there is room
        await send(parts);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") {
          // A socket that was closed meanwhile has its messages counted by who closed it.
          if (!this.#isEnded) onFailed(error, messageCount);
          return;
        }
        // oxlint-disable-next-line no-await-in-loop -- as above
        await new Promise<void>((resolve) => system.setTimer(fullPauseMs, resolve));
      }
  }
}

/** The numbers of a sender's messages, for each topic: they go on when a socket is replaced. */
export class TopicCounters {
  readonly #topics = new Map<string, { readonly prefix: Buffer; count: number }>();

  /** @returns The number of the next message to a topic, from 1. */
  next(topic: string): { readonly prefix: Buffer; readonly sequence: number } {
    let found = this.#topics.get(topic);
    if (found === undefined) {
      const [oldest] = this.#topics.keys();
      if (this.#topics.size >= topicCountMax && oldest !== undefined) this.#topics.delete(oldest);
      found = { prefix: prefixOf(topic), count: 0 };
      this.#topics.set(topic, found);
    }
    found.count += 1;
    return { prefix: found.prefix, sequence: found.count };
  }
}

function hasRoomFor({ parts, byteCount }: Batch, bytes: Uint8Array): boolean {
  return parts.length < batchMax.messageCount && byteCount + bytes.length <= batchMax.byteCount;
}
