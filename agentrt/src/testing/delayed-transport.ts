import type { Transport } from "../bus/index.ts";
import { busErrors, messageInternals, type Message, type Registration } from "../core/index.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** How long messages take. */
export interface MessageDelays {
  /** Share of messages that arrive at once when none is on its way before them, 0 to 1. */
  readonly instantShare: number;
  /** Most messages take up to this long, in milliseconds. */
  readonly usualMs: number;
  /** Share of messages that take up to a hundred times as long, 0 to 1. */
  readonly slowShare: number;
}

/** Most messages that are sent in no time at all; those beyond take a millisecond. */
const instantCountMax = 500;

/** Told of messages by their transport. */
export interface TransportWatch {
  /** A message is on its way; asked before anybody has it. */
  onSent(message: Message): void;
  /** A message comes to its receiver. */
  onArrived(message: Message): void;
  /** A message was not wanted any more when it could have been taken in. */
  onUnwanted(message: Message): void;
}

interface Way {
  /** When the latest message of this way arrives. */
  arrivalMs: number;
  /** What each message on the way does when it arrives, in their order. */
  readonly arrivals: (() => void)[];
}

/**
 * A transport with seeded delays: messages of one sender to one receiver keep their order, those of different senders
 * overtake each other.
 */
export class DelayedTransport implements Transport {
  readonly name = "simulated";
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;
  readonly #delays: MessageDelays;
  readonly #watch: TransportWatch;
  readonly #ways = new Map<string, Way>();
  #inTransitCount = 0;
  #instantMs = 0;
  #instantCount = 0;

  constructor(init: {
    readonly clock: VirtualClock;
    readonly random: SeededRandom;
    readonly delays: MessageDelays;
    readonly watch: TransportWatch;
  }) {
    this.#clock = init.clock;
    this.#random = init.random;
    this.#delays = init.delays;
    this.#watch = init.watch;
  }

  /** Messages on their way. */
  get inTransitCount(): number {
    return this.#inTransitCount;
  }

  deliver(
    message: Message,
    route: Registration,
    deadlineMs: number | undefined,
  ): Promise<void> | undefined {
    this.#watch.onSent(message);
    const way = this.#wayOf(message);
    const nowMs = this.#clock.monotonicMs();
    const delayMs = this.#delayMs(nowMs);
    if (delayMs === 0 && way.arrivals.length === 0) return this.#accept(message, route, deadlineMs);
    way.arrivalMs = Math.max(way.arrivalMs, nowMs + delayMs);
    this.#inTransitCount += 1;
    const arrived = new Promise<void>((resolve, reject) => {
      // Whichever timer is first, the message that was sent first arrives.
      this.#clock.setTimer(way.arrivalMs - nowMs, () => way.arrivals.shift()?.());
      way.arrivals.push(() => {
        this.#inTransitCount -= 1;
        const reply = messageInternals.replyOf(message);
        // A cast that its sender took back meanwhile is not delivered, as it would leave a line of senders.
        if (reply === undefined && !messageInternals.isWanted(message)) {
          this.#watch.onUnwanted(message);
          resolve();
          return;
        }
        try {
          (this.#accept(message, route, deadlineMs) ?? Promise.resolve()).then(resolve, reject);
        } catch (error) {
          reject(error);
        }
      });
    });
    // A call waits for its reply alone: on its way it is not short of room.
    if (deadlineMs !== undefined) return arrived;
    arrived.catch((error: unknown) => messageInternals.replyOf(message)?.reject(error as Error));
    return undefined;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  #accept(
    message: Message,
    route: Registration,
    deadlineMs: number | undefined,
  ): Promise<void> | undefined {
    const { address } = route;
    if (address === undefined) throw new busErrors.NO_ROUTE({ address: route.name });
    this.#watch.onArrived(message);
    return address.accept(message, deadlineMs);
  }

  #wayOf(message: Message): Way {
    const name = `${message.sender}\n${message.recipient}`;
    const known = this.#ways.get(name);
    if (known !== undefined) return known;
    const way: Way = { arrivalMs: 0, arrivals: [] };
    this.#ways.set(name, way);
    return way;
  }

  #delayMs(nowMs: number): number {
    const { instantShare, usualMs, slowShare } = this.#delays;
    const draw = this.#random.next();
    if (nowMs > this.#instantMs) {
      this.#instantMs = nowMs;
      this.#instantCount = 0;
    }
    this.#instantCount += 1;
    // Work takes time: agents that feed each other must not keep the clock from going on.
    if (draw < instantShare) return this.#instantCount > instantCountMax ? 1 : 0;
    const delayMs = this.#random.next() * usualMs;
    return draw > 1 - slowShare ? delayMs * 100 : delayMs;
  }
}
