import {
  type CallSlot,
  CancelSignal,
  type JsonObject,
  type MessageReceipt,
  type SlotWatcher,
} from "../core/index.ts";

/** Takes what becomes of a kept message that this process passes on: an answer means that it was handled. */
export class ReceiptSlot implements CallSlot {
  readonly isStream = false;
  readonly caller: object = this;
  readonly deadlineMs = Number.POSITIVE_INFINITY;
  readonly isImpatient = false;
  readonly callerGone = undefined;
  readonly cancellation: CancelSignal = new CancelSignal();
  isOpen = true;
  watcher: SlotWatcher | undefined = undefined;
  readonly #receipt: MessageReceipt;

  constructor(receipt: MessageReceipt) {
    this.#receipt = receipt;
  }

  resolve(_payload: JsonObject): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#receipt.handled();
  }

  /** It is not known that it was handled: it comes again. */
  reject(_error: Error): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#receipt.dropped("stopped");
  }

  onSuspended(): void {
    // A kept message waits.
  }
}
