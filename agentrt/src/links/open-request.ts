import { type JsonObject, type SlotWatcher, type ReplySlot } from "../core/index.ts";
import { linkErrors } from "./errors.ts";
import type { Envelope } from "../wire/index.ts";
import { decodeFault } from "./fault-codec.ts";
import { decodeReplyHead } from "./reply-head-codec.ts";

/** What a request to another process needs of who sent it. */
export interface OpenRequestInit {
  readonly slot: ReplySlot;
  /** Name that was asked. */
  readonly address: string;
  /** Where it was sent. */
  readonly topic: string;
  /** Trace of what it was sent for. */
  readonly traceId: string;
  /** The process that the name was in when it was asked; undefined where nobody knows. */
  readonly process: string | undefined;
  /** Says to the other end that there is room for more chunks, or that nobody waits any more. */
  readonly sendBack: (kind: "credit" | "cancel", payload: JsonObject, to?: string) => void;
  /** Called once, when nothing more is to come. */
  readonly onClosed: () => void;
}

/** A request to another process, at the side that asked: it hands what comes back to the slot of its message. */
export class RemoteRequest implements SlotWatcher {
  readonly process: string | undefined;
  /** Where it was sent. */
  readonly topic: string;
  /** Trace of what it was sent for. */
  readonly traceId: string;
  /** True from the first look on that found it open. */
  wasOpen = false;
  readonly #init: OpenRequestInit;
  #isOpen = true;
  #nextSeq = 0;
  /** Topic of the process that answers; undefined before the first answer. */
  #answering: string | undefined;

  constructor(init: OpenRequestInit) {
    this.#init = init;
    this.process = init.process;
    this.topic = init.topic;
    this.traceId = init.traceId;
    init.slot.watcher = this;
  }

  /** Takes what came back. */
  take(answer: Envelope): void {
    const { slot } = this.#init;
    if (!this.#isOpen) return;
    this.#answering ??= answer.sender === "" ? undefined : answer.sender;
    decodeReplyHead(answer.head, answer.payload);
    if (answer.kind === "chunk" && slot.isStream) this.#takeChunk(answer, slot);
    else if (answer.kind === "end" && slot.isStream) this.#takeEnd(answer, slot);
    else if (answer.kind === "reply" && !slot.isStream) {
      this.#close();
      slot.resolve(answer.payload);
    } else if (answer.kind === "error") this.fail(decodeFault(answer.payload));
  }

  /** Ends it: no answer comes. */
  fail(error: Error): void {
    if (!this.#isOpen) return;
    this.#close();
    this.#init.slot.reject(error);
  }

  /** Ends it: it was lost, or its answer. */
  cut(): void {
    this.fail(new linkErrors.CUT({ address: this.#init.address }));
  }

  /** @returns The error of a request whose process is gone. */
  lost(): Error {
    const { address, process = "" } = this.#init;
    return new linkErrors.LOST({ address, process });
  }

  /** {@inheritDoc SlotWatcher.onUnwanted} */
  onUnwanted(): void {
    if (!this.#isOpen) return;
    const isLate = this.#init.slot.callerGone === "expired";
    this.#close();
    this.#say("cancel", { reason: isLate ? "expired" : "abandoned" });
  }

  #takeChunk({ seq, payload }: Envelope, slot: Extract<ReplySlot, { isStream: true }>): void {
    if (seq !== this.#nextSeq) {
      this.#lose();
      return;
    }
    this.#nextSeq += 1;
    // The room that a chunk had is free when the consumer has taken it, or has room for it.
    const room = slot.push(payload);
    if (room === undefined) this.#say("credit", { chunks: 1 });
    else
      room.then(
        () => this.#isOpen && this.#say("credit", { chunks: 1 }),
        () => undefined,
      );
  }

  #takeEnd({ seq }: Envelope, slot: Extract<ReplySlot, { isStream: true }>): void {
    if (seq !== this.#nextSeq) {
      this.#lose();
      return;
    }
    this.#close();
    void slot.end();
  }

  /** A chunk did not arrive: what comes behind it must not be taken for the whole. */
  #lose(): void {
    this.#say("cancel", { reason: "out_of_order" });
    this.fail(this.lost());
  }

  #say(kind: "credit" | "cancel", payload: JsonObject): void {
    this.#init.sendBack(kind, payload, this.#answering);
  }

  #close(): void {
    this.#isOpen = false;
    this.#init.onClosed();
  }
}
