/** What ends with a signal. The followers of one signal form a ring: to join and to leave are a few pointer writes. */
export abstract class SignalFollower {
  previousFollower: SignalFollower | undefined = undefined;
  nextFollower: SignalFollower | undefined = undefined;

  /** Called once when the signal is aborted. */
  abstract onAbort(signal: AbortSignal): void;
}

class Ring extends SignalFollower {
  constructor() {
    super();
    this.previousFollower = this;
    this.nextFollower = this;
  }

  override onAbort(signal: AbortSignal): void {
    for (;;) {
      const next = this.nextFollower as SignalFollower;
      if (next === this) return;
      unfollow(next);
      next.onAbort(signal);
    }
  }
}

const ringKey = Symbol("agentrt.followers");

type FollowedSignal = AbortSignal & { [ringKey]?: Ring };

/**
 * An `AbortController` that tells its followers itself. Its signal is an ordinary one for everybody else. To follow it costs
 * no listener and no look-up in a table, which is most of what a signal for each request would cost.
 */
export class FollowedController {
  readonly #controller = new AbortController();
  readonly #ring = new Ring();

  constructor() {
    const signal: FollowedSignal = this.#controller.signal;
    signal[ringKey] = this.#ring;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the signal, its listeners first, then its followers. A second time does nothing. */
  abort(reason?: unknown): void {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#controller.abort(reason);
    this.#ring.onAbort(signal);
  }
}

/** Of the signals that others have made. */
const rings = new WeakMap<AbortSignal, Ring>();

/**
 * Makes something end with a signal. All that follow one signal share one listener: the signal of a connection is
 * followed by each of its requests, and to add and remove a listener costs many times as much.
 *
 * @param signal Not aborted.
 * @param follower Follows nothing yet.
 */
export function follow(signal: AbortSignal, follower: SignalFollower): void {
  const ring = (signal as FollowedSignal)[ringKey] ?? rings.get(signal) ?? listeningRing(signal);
  const last = ring.previousFollower as SignalFollower;
  follower.previousFollower = last;
  follower.nextFollower = ring;
  last.nextFollower = follower;
  ring.previousFollower = follower;
}

function listeningRing(signal: AbortSignal): Ring {
  const ring = new Ring();
  rings.set(signal, ring);
  signal.addEventListener("abort", () => ring.onAbort(signal), { once: true });
  return ring;
}

/**
 * Ends the following; what follows nothing is ignored.
 *
 * @param follower May follow again.
 */
export function unfollow(follower: SignalFollower): void {
  const { previousFollower: previous, nextFollower: next } = follower;
  if (previous === undefined || next === undefined) return;
  previous.nextFollower = next;
  next.previousFollower = previous;
  follower.previousFollower = undefined;
  follower.nextFollower = undefined;
}
