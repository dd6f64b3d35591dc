import {
  agentErrors,
  busErrors,
  WheelEntry,
  type JsonObject,
  type Origin,
  type CallSlot,
  type TimerWheel,
} from "../core/index.ts";

let lastResolve: (payload: JsonObject) => void;
let lastReject: (error: Error) => void;

// One executor for all promises: what it captures is read before anything else can run.
function capture(resolve: (payload: JsonObject) => void, reject: (error: Error) => void): void {
  lastResolve = resolve;
  lastReject = reject;
}

/**
 * Makes the error of a request whose sender's signal was aborted.
 *
 * @param address Whom it was for.
 * @param signal Its reason becomes the cause.
 * @returns The error.
 */
export function cancelled(address: string, signal: AbortSignal): Error {
  return new busErrors.CANCELLED({ address }, { cause: signal.reason });
}

/** A call that waits for its reply: the promise, its deadline on the wheel, and the reply slot of the message. */
export class PendingCall extends WheelEntry implements CallSlot {
  isOpen = true;
  /** While the request waits for room in the receiver's mailbox: how many messages that holds. */
  fullLengthMax: number | undefined = undefined;
  readonly promise: Promise<JsonObject>;
  readonly #wheel: TimerWheel;
  readonly #caller: Origin;
  readonly #to: string;
  readonly #timeoutMs: number;
  readonly #resolve: (payload: JsonObject) => void;
  readonly #reject: (error: Error) => void;
  #release: (() => void) | undefined = undefined;

  /**
   * @param wheel Where the deadline is kept.
   * @param caller Who waits.
   * @param to Name of the agent that is called, for errors.
   * @param timeoutMs The wait the caller allows, for errors.
   */
  // oxlint-disable-next-line max-params -- one is made for each call: no object for its parameters
  constructor(wheel: TimerWheel, caller: Origin, to: string, timeoutMs: number) {
    super();
    this.#wheel = wheel;
    this.#caller = caller;
    this.#to = to;
    this.#timeoutMs = timeoutMs;
    this.promise = new Promise<JsonObject>(capture);
    this.#resolve = lastResolve;
    this.#reject = lastReject;
  }

  /** A getter: calls have no field for it. */
  get isStream(): false {
    return false;
  }

  resolve(payload: JsonObject): void {
    if (!this.isOpen) return;
    this.#close();
    const caller = this.#caller;
    if (caller.isSealed === true) this.#reject(new agentErrors.STOPPED({ agent: caller.name }));
    else this.#resolve(payload);
  }

  reject(error: Error): void {
    if (!this.isOpen) return;
    this.#close();
    this.#reject(error);
  }

  /** The same as `reject`, by the name that streams have for it. */
  fail(error: Error): void {
    this.reject(error);
  }

  override onDue(): void {
    const address = this.#to;
    this.reject(
      this.fullLengthMax === undefined
        ? new busErrors.TIMEOUT({ address, timeoutMs: this.#timeoutMs })
        : new busErrors.MAILBOX_FULL({ address, mailboxLengthMax: this.fullLengthMax }),
    );
  }

  /** Ends the call when the caller's signal is aborted. */
  follow(signal: AbortSignal): void {
    const cancel = (): void => this.reject(cancelled(this.#to, signal));
    if (signal.aborted) {
      cancel();
      return;
    }
    signal.addEventListener("abort", cancel, { once: true });
    this.#release = () => signal.removeEventListener("abort", cancel);
  }

  #close(): void {
    this.isOpen = false;
    this.#wheel.disarm(this);
    this.#release?.();
  }
}
