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

const rings = new WeakMap<AbortSignal, Ring>();

/**
 * Makes something end with a signal. All that follow one signal share one listener: the signal of a connection is
 * followed by each of its requests, and to add and remove a listener costs many times as much.
 *
 * @param signal Not aborted.
 * @param follower Follows nothing yet.
 */
export function follow(signal: AbortSignal, follower: SignalFollower): void {
  let ring = rings.get(signal);
  if (ring === undefined) {
    const made = new Ring();
    rings.set(signal, made);
    signal.addEventListener("abort", () => made.onAbort(signal), { once: true });
    ring = made;
  }
  const last = ring.previousFollower as SignalFollower;
  follower.previousFollower = last;
  follower.nextFollower = ring;
  last.nextFollower = follower;
  ring.previousFollower = follower;
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
