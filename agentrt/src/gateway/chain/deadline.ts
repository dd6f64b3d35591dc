import {
  follow,
  FollowedController,
  SignalFollower,
  type System,
  type TimerHandle,
  unfollow,
} from "../../core/index.ts";
import { errorResponse, type GatewayResponse } from "../request.ts";

const late = errorResponse(504, "upstream timeout");

/** A request in work. It follows the signal that says that nobody waits for it any more. */
class Bounded extends SignalFollower {
  readonly ending = new FollowedController();
  readonly dueMs: number;
  /** Neighbours in the list of its deadline; `undefined` outside of it. */
  previous: Bounded | undefined = undefined;
  next: Bounded | undefined = undefined;
  /** Answers in place of what is in work. */
  expire: (answer: GatewayResponse) => void = () => undefined;

  constructor(dueMs: number) {
    super();
    this.dueMs = dueMs;
  }

  override onAbort(gone: AbortSignal): void {
    this.ending.abort(gone.reason);
  }
}

/**
 * How long requests may take. All of them may take the same time, so the first that began is the first that is late: they
 * are in a list that a request joins and leaves by a few pointer writes, and one timer waits for the first of it.
 */
export class Deadline {
  readonly #system: System;
  readonly #timeoutMs: number;
  #first: Bounded | undefined;
  #last: Bounded | undefined;
  #timer: TimerHandle | undefined;

  /**
   * @param system Its clock.
   * @param timeoutMs 1 or more.
   */
  constructor(system: System, timeoutMs: number) {
    this.#system = system;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs middleware and what it wraps. A middleware that hangs, because the identity provider that it asks hangs, then
   * costs its client the answer, and nobody else anything.
   *
   * @param gone Aborted when nobody waits for the answer any more.
   * @param run Makes the answer, and never throws at once; its signal aborts with `gone` and at the deadline.
   * @returns What `run` made, or 504 at the deadline.
   */
  bound(
    gone: AbortSignal,
    run: (signal: AbortSignal) => Promise<GatewayResponse>,
  ): Promise<GatewayResponse> {
    const bounded = new Bounded(this.#system.monotonicMs() + this.#timeoutMs);
    if (gone.aborted) bounded.onAbort(gone);
    else follow(gone, bounded);
    this.#join(bounded);
    return new Promise((resolve, reject) => {
      bounded.expire = resolve;
      run(bounded.ending.signal).then(
        (response) => {
          this.#end(bounded);
          resolve(response);
        },
        (error: unknown) => {
          this.#end(bounded);
          reject(error);
        },
      );
    });
  }

  #end(bounded: Bounded): void {
    unfollow(bounded);
    this.#leave(bounded);
  }

  #join(bounded: Bounded): void {
    const last = this.#last;
    bounded.previous = last;
    if (last === undefined) this.#first = bounded;
    else last.next = bounded;
    this.#last = bounded;
    if (this.#timer === undefined) this.#setTimer(this.#timeoutMs);
  }

  #leave(bounded: Bounded): void {
    const { previous, next } = bounded;
    if (previous === undefined && this.#first !== bounded) return;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    bounded.previous = undefined;
    bounded.next = undefined;
    // Without requests nothing is to keep the process alive.
    if (this.#first === undefined && this.#timer !== undefined) {
      this.#system.clearTimer(this.#timer);
      this.#timer = undefined;
    }
  }

  #setTimer(delayMs: number): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = this.#system.setTimer(delayMs, () => this.#serve());
  }

  /** Ends what is due. The timer was set for a request that is answered by now, most of the time. */
  #serve(): void {
    this.#timer = undefined;
    const nowMs = this.#system.monotonicMs();
    for (;;) {
      const first = this.#first;
      if (first === undefined) return;
      if (first.dueMs > nowMs) return this.#setTimer(Math.ceil(first.dueMs - nowMs));
      this.#end(first);
      first.expire(late);
      const reason = `took longer than ${this.#timeoutMs} ms`;
      first.ending.abort(new DOMException(reason, "TimeoutError"));
    }
  }
}
