import {
  agentErrors,
  busErrors,
  type CallerGone,
  type CallSlot,
  CancelSignal,
  type JsonObject,
  type SlotWatcher,
  WheelEntry,
} from "../core/index.ts";

/** What a reply to a caller in another process is made of. */
export interface RemoteReplyInit {
  /** Whom it was asked. */
  readonly agent: string;
  /** Monotonic time at which the caller waits no longer. */
  readonly deadlineMs: number;
  /** {@inheritDoc CallSlot.isImpatient} */
  readonly isImpatient: boolean;
  /** Sends the answer. */
  readonly send: (answer: { readonly payload: JsonObject } | { readonly error: Error }) => void;
  /** Called once, when nothing is to be answered any more. */
  readonly onClosed: () => void;
}

/** The reply slot of a call that came from another process: its answer is sent, and its caller's end comes as a message. */
export class RemoteReply extends WheelEntry implements CallSlot {
  readonly isStream = false;
  isOpen = true;
  readonly caller: object = this;
  readonly deadlineMs: number;
  readonly isImpatient: boolean;
  callerGone: CallerGone | undefined = undefined;
  readonly cancellation: CancelSignal = new CancelSignal();
  watcher: SlotWatcher | undefined = undefined;
  readonly #init: RemoteReplyInit;

  constructor(init: RemoteReplyInit) {
    super();
    this.#init = init;
    this.deadlineMs = init.deadlineMs;
    this.isImpatient = init.isImpatient;
  }

  resolve(payload: JsonObject): void {
    if (!this.isOpen) return;
    this.#close();
    try {
      this.#init.send({ payload });
    } catch (error) {
      // What cannot be written for the other process is told instead, so that the caller need not wait.
      this.#init.send({ error: error as Error });
    }
  }

  reject(error: Error): void {
    if (!this.isOpen) return;
    this.#end(error);
    this.#init.send({ error });
  }

  onSuspended(): void {
    if (this.isImpatient) this.reject(new agentErrors.SUSPENDED({ agent: this.#init.agent }));
  }

  /** The caller has left. */
  abandon(): void {
    this.#leave("abandoned");
  }

  override onDue(): void {
    this.#leave("expired");
  }

  #leave(gone: CallerGone): void {
    if (!this.isOpen) return;
    this.callerGone = gone;
    this.#end(new busErrors.CANCELLED({ address: this.#init.agent }));
  }

  #end(error: Error): void {
    this.#close();
    this.watcher?.onUnwanted(error);
    this.cancellation.cancel(error);
  }

  #close(): void {
    this.isOpen = false;
    this.#init.onClosed();
  }
}
