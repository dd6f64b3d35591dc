import type { DropReason } from "./drop-reason.ts";
import type { Message } from "./message.ts";
import { RingBuffer } from "../values/index.ts";

/** A message that nobody handled, without its payload. */
export interface DeadLetter {
  /** Why: see `DropReason`. */
  readonly reason: DropReason;
  /** When it was given up: wall-clock milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly type: string;
  /** Empty when it came from outside the tree. */
  readonly sender: string;
  readonly recipient: string;
  /** The message's id; null when it never became one, because nobody has the name. */
  readonly id: string | null;
  /** Its trace; null when it never became a message. */
  readonly traceId: string | null;
  /** When it was sent; the same as `atMs` when it never became a message. */
  readonly timestampMs: number;
}

/** Most dead letters that are kept; beyond it the oldest goes. */
export const deadLetterCountMax = 1000;

/** Messages that nobody handled, by reason. */
export type DropCounts = { readonly [Reason in DropReason]: number };

/** Counts the messages that nobody handled and keeps the latest of them for those who look for a lost one. */
export class DeadLetters {
  readonly #letters = new RingBuffer<DeadLetter>();
  readonly #counts: { [Reason in DropReason]: number } = {
    noRoute: 0,
    refused: 0,
    expired: 0,
    abandoned: 0,
    stopped: 0,
    crashed: 0,
    skipped: 0,
    removed: 0,
    exhausted: 0,
  };
  readonly #onLetter: (letter: DeadLetter, message: Message | undefined) => void;

  /** @param onLetter Called for each dead letter, with the message if one was made. */
  constructor(onLetter: (letter: DeadLetter, message: Message | undefined) => void) {
    this.#onLetter = onLetter;
  }

  /** Messages that nobody handled since the start, by reason. */
  get counts(): DropCounts {
    return { ...this.#counts };
  }

  /** @returns The latest 1000, oldest first. */
  list(): DeadLetter[] {
    return this.#letters.toArray();
  }

  /** Takes a message that was given up. */
  add(message: Message, given: { readonly reason: DropReason; readonly atMs: number }): void {
    const { type, sender, recipient, id, traceId, timestampMs } = message;
    this.#keep({ ...given, type, sender, recipient, id, traceId, timestampMs }, message);
  }

  /** Takes note of a message that was not made, because nobody has the name it was for. */
  addUnroutable(outgoing: {
    readonly type: string;
    readonly sender: string;
    readonly recipient: string;
    readonly atMs: number;
  }): void {
    const { atMs } = outgoing;
    const unmade = { id: null, traceId: null, timestampMs: atMs };
    this.#keep({ reason: "noRoute", ...outgoing, ...unmade }, undefined);
  }

  #keep(letter: DeadLetter, message: Message | undefined): void {
    this.#counts[letter.reason] += 1;
    if (this.#letters.length >= deadLetterCountMax) this.#letters.shift();
    this.#letters.push(letter);
    this.#onLetter(letter, message);
  }
}
