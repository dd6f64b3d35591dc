import {
  agentErrors,
  busErrors,
  CancelSignal,
  follow,
  SignalFollower,
  unfollow,
  WheelEntry,
  type Address,
  type CallerGone,
  type CallSlot,
  type JsonObject,
  type OpenRequest,
  type Origin,
  type SlotWatcher,
  type TimerWheel,
} from "../core/index.ts";

let lastResolve: (payload: JsonObject) => void;
let lastReject: (error: Error) => void;

const settled: Promise<JsonObject> = Promise.resolve({});
const ignore = (): void => undefined;

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

class CallFollower extends SignalFollower {
  readonly #call: PendingCall;

  constructor(call: PendingCall) {
    super();
    this.#call = call;
  }

  override onAbort(signal: AbortSignal): void {
    this.#call.onAbort(signal);
  }
}

/** What others have to do with a call; most calls have none of it. */
interface Links {
  /** Follows the caller's signal. */
  follower?: SignalFollower;
  /** Made when somebody asks for it. */
  cancellation?: CancelSignal;
  /** What ended the call without an answer. */
  error?: Error;
  /** It does not wait for a suspended agent. */
  isImpatient?: boolean;
  /** Says which of the objects behind a name is meant. */
  payload?: JsonObject;
  callerGone?: CallerGone;
  fullLengthMax?: number | undefined;
}

/** A call that waits for its reply: the promise, its deadline on the wheel, and the reply slot of the message. */
export class PendingCall extends WheelEntry implements CallSlot, OpenRequest {
  isOpen = true;
  /** {@inheritDoc CallSlot.watcher} */
  watcher: SlotWatcher | undefined = undefined;
  /** {@inheritDoc OpenRequest.previousRequest} */
  previousRequest: OpenRequest | undefined = undefined;
  /** Whom it is for, to say why no reply came. */
  receiver: Address | undefined = undefined;
  nextRequest: OpenRequest | undefined = undefined;
  promise: Promise<JsonObject>;
  readonly caller: Origin;
  readonly deadlineMs: number;
  readonly #wheel: TimerWheel;
  readonly #to: string;
  readonly #timeoutMs: number;
  #resolve: (payload: JsonObject) => void;
  #reject: (error: Error) => void;
  #links: Links | undefined = undefined;

  /**
   * @param wheel Where the deadline is kept.
   * @param caller Who waits.
   * @param to Name of the agent that is called, for errors.
   * @param time The wait the caller allows, for errors, and its end on the monotonic clock.
   */
  // oxlint-disable-next-line max-params -- one is made for each call: no object for its parameters
  constructor(
    wheel: TimerWheel,
    caller: Origin,
    to: string,
    timeoutMs: number,
    deadlineMs: number,
  ) {
    super();
    this.#wheel = wheel;
    this.caller = caller;
    this.deadlineMs = deadlineMs;
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

  /** {@inheritDoc OpenRequest.origin} */
  get origin(): Origin {
    return this.caller;
  }

  /** {@inheritDoc CallSlot.cancellation} */
  get cancellation(): CancelSignal {
    const links = (this.#links ??= {});
    if (links.cancellation === undefined) {
      links.cancellation = new CancelSignal();
      if (links.error !== undefined) links.cancellation.cancel(links.error);
    }
    return links.cancellation;
  }

  /** {@inheritDoc CallSlot.callerGone} */
  get callerGone(): CallerGone | undefined {
    return this.#links?.callerGone;
  }

  /** While the request waits for room in the receiver's mailbox: how many messages that holds. */
  get fullLengthMax(): number | undefined {
    return this.#links?.fullLengthMax;
  }

  set fullLengthMax(lengthMax: number | undefined) {
    (this.#links ??= {}).fullLengthMax = lengthMax;
  }

  /** {@inheritDoc CallSlot.isImpatient} */
  get isImpatient(): boolean {
    return this.#links?.isImpatient === true;
  }

  set isImpatient(isImpatient: boolean) {
    (this.#links ??= {}).isImpatient = isImpatient;
  }

  /** {@inheritDoc CallSlot.onSuspended} */
  onSuspended(): void {
    if (!this.isImpatient) return;
    this.reject(new agentErrors.SUSPENDED({ agent: this.#to }));
  }

  /** Begins to wait: the deadline runs, and the call ends with what it was made for. */
  begin(): void {
    if (this.deadlineMs !== Number.POSITIVE_INFINITY) this.#wheel.arm(this, this.deadlineMs);
    this.caller.requests?.add(this);
  }

  resolve(payload: JsonObject): void {
    if (!this.isOpen) return;
    this.#close();
    const { caller } = this;
    if (caller.isSealed === true) {
      this.#reject(new agentErrors.STOPPED({ agent: caller.name }));
      return;
    }
    caller.noteAnswer?.(this.#to, payload);
    const resolve = this.#resolve;
    // A crash record keeps messages for long: their calls are not to keep the replies.
    this.promise = settled;
    this.#resolve = ignore;
    this.#reject = ignore;
    resolve(payload);
  }

  reject(error: Error): void {
    if (!this.isOpen) return;
    this.#close();
    // The agent that was to answer has failed: what else works on the answer need not go on.
    const links = (this.#links ??= {});
    links.error = error;
    this.watcher?.onUnwanted(error);
    links.cancellation?.cancel(error);
    this.caller.noteAnswer?.(this.#to, error);
    this.#reject(error);
  }

  /** The same as `reject`, by the name that streams have for it. */
  fail(error: Error): void {
    this.reject(error);
  }

  /** {@inheritDoc OpenRequest.cancel} */
  cancel(error: Error): void {
    this.#leave("abandoned", error);
  }

  override onDue(): void {
    const address = this.#to;
    const error =
      this.fullLengthMax === undefined
        ? new busErrors.TIMEOUT({ address, timeoutMs: this.#timeoutMs, ...this.#suspended() })
        : new busErrors.MAILBOX_FULL({ address, mailboxLengthMax: this.fullLengthMax });
    this.#leave("expired", error);
  }

  #suspended(): { readonly isSuspended?: true } {
    const { receiver } = this;
    if (receiver === undefined) return {};
    const asked = { recipient: this.#to, payload: this.#links?.payload ?? {} };
    const isSuspended = receiver.isSuspended || receiver.targetOf?.(asked)?.isSuspended === true;
    return isSuspended ? { isSuspended } : {};
  }

  /** Takes note of whom it is for; the payload says which of several objects. */
  isFor(receiver: Address, payload: JsonObject): void {
    this.receiver = receiver;
    if (receiver.targetOf !== undefined) (this.#links ??= {}).payload = payload;
  }

  /** Ends the call when the caller's signal is aborted. */
  follow(signal: AbortSignal): void {
    if (signal.aborted) {
      this.onAbort(signal);
      return;
    }
    const follower = new CallFollower(this);
    follow(signal, follower);
    (this.#links ??= {}).follower = follower;
  }

  /** Ends the call: what it follows was aborted. */
  onAbort(signal: AbortSignal): void {
    this.cancel(cancelled(this.#to, signal));
  }

  #leave(gone: CallerGone, error: Error): void {
    if (!this.isOpen) return;
    (this.#links ??= {}).callerGone = gone;
    this.reject(error);
  }

  #close(): void {
    this.isOpen = false;
    this.#wheel.disarm(this);
    const follower = this.#links?.follower;
    if (follower !== undefined) unfollow(follower);
    this.caller.requests?.delete(this);
  }
}
