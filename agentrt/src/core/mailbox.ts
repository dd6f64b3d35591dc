import { busErrors } from "./errors.ts";
import { messageInternals, type Message } from "./message.ts";
import { RingBuffer } from "./ring-buffer.ts";
import { WheelEntry, type TimerWheel } from "./timer-wheel.ts";

/** Most messages with a priority above 0 that wait in one mailbox. */
export const priorityLengthMax = 100;
/** Most senders that wait for room in one mailbox; the next one is refused. */
export const senderCountMax = 10_000;

/** How long a sender waits for room. */
export interface RoomDeadline {
  readonly wheel: TimerWheel;
  /** Monotonic time after which the sender is refused. */
  readonly deadlineMs: number;
}

/** A sender that waits for room. */
class WaitingSender extends WheelEntry {
  readonly message: Message;
  isOpen = true;
  wheel: TimerWheel | undefined = undefined;
  readonly #lane: Lane;
  readonly #accept: () => void;
  readonly #refuse: (error: Error) => void;

  constructor(init: {
    readonly message: Message;
    readonly lane: Lane;
    readonly accept: () => void;
    readonly refuse: (error: Error) => void;
  }) {
    super();
    this.message = init.message;
    this.#lane = init.lane;
    this.#accept = init.accept;
    this.#refuse = init.refuse;
  }

  /** True while somebody waits: a call may have ended and a cast may have been cancelled meanwhile. */
  get isWaiting(): boolean {
    return this.isOpen && messageInternals.isWanted(this.message);
  }

  override onDue(): void {
    this.refuse(this.#lane.full());
  }

  accept(): void {
    this.isOpen = false;
    this.wheel?.disarm(this);
    this.#accept();
  }

  /** Passes it over because nobody waits any more. */
  pass(): void {
    if (!this.isOpen) return;
    this.#lane.onRefused(this.message);
    this.accept();
  }

  refuse(error: Error): void {
    this.isOpen = false;
    this.wheel?.disarm(this);
    this.#lane.onRefused(this.message);
    this.#refuse(error);
  }
}

/** One lane: a bounded queue and, behind it, the senders that wait for room in it, in order. */
interface Lane {
  readonly queue: RingBuffer<Message>;
  lengthMax: number;
  /**
   * Waiting senders are let in when no more than this many messages are left: waking them one by one for each
   * message taken would cost more than the messages themselves.
   */
  roomAt: number;
  readonly senders: RingBuffer<WaitingSender>;
  /** Makes the error of a sender that finds no room. */
  readonly full: () => Error;
  /** Told of each message whose sender found no room. */
  readonly onRefused: (message: Message) => void;
}

function makeLane(init: {
  readonly owner: string;
  readonly lengthMax: number;
  readonly onRefused: (message: Message) => void;
}): Lane {
  const { owner, lengthMax, onRefused } = init;
  const lane: Lane = {
    queue: new RingBuffer(),
    lengthMax,
    roomAt: lengthMax >> 1,
    senders: new RingBuffer(),
    full: () => new busErrors.MAILBOX_FULL({ address: owner, mailboxLengthMax: lane.lengthMax }),
    onRefused,
  };
  return lane;
}

/**
 * The messages that wait for one agent: a lane for those with a priority above 0 and one for the rest, each first in
 * first out and bounded. When a lane is full its senders wait in order until half of it is served; nothing is dropped. The mailbox belongs to
 * the name, not to the incarnation, so it outlives restarts.
 */
export class Mailbox {
  readonly #normal: Lane;
  readonly #priority: Lane;

  /**
   * @param owner Name of the agent, for errors.
   * @param lengthMax Most messages that wait in the normal lane, 1 or more.
   * @param onRefused Told of each message whose sender found no room; default nobody.
   */
  constructor(
    owner: string,
    lengthMax: number,
    onRefused: (message: Message) => void = () => undefined,
  ) {
    this.#normal = makeLane({ owner, lengthMax, onRefused });
    this.#priority = makeLane({ owner, lengthMax: priorityLengthMax, onRefused });
  }

  /** Most messages that wait in the normal lane. What waits already stays when it is lowered. */
  get lengthMax(): number {
    return this.#normal.lengthMax;
  }

  set lengthMax(lengthMax: number) {
    this.#normal.lengthMax = lengthMax;
    this.#normal.roomAt = lengthMax >> 1;
  }

  /** Messages that wait, both lanes, without those whose senders wait. */
  get depth(): number {
    return this.#normal.queue.length + this.#priority.queue.length;
  }

  /** Senders that wait for room. Counted one by one: for pictures, not for each message. */
  get senderCount(): number {
    const waiting = (lane: Lane): number =>
      lane.senders.toArray().filter((sender) => sender.isWaiting).length;
    return waiting(this.#normal) + waiting(this.#priority);
  }

  /** True when a message or a waiting sender is there to be served. */
  get hasMessages(): boolean {
    return this.#normal.queue.length > 0 || this.#priority.queue.length > 0;
  }

  /**
   * Puts a message at the end of its lane.
   *
   * @param message The message.
   * @returns False when the lane is full: then `wait` is the way in.
   */
  push(message: Message): boolean {
    const lane = message.priority > 0 ? this.#priority : this.#normal;
    if (lane.queue.length >= lane.lengthMax || lane.senders.length > 0) return false;
    lane.queue.push(message);
    return true;
  }

  /**
   * Waits in line for room.
   *
   * @param message The message.
   * @param until How long; undefined when the message is a call, which ends by its own deadline.
   * @returns Settles when the message is in its lane.
   * @throws AGENTRT_BUS_MAILBOX_FULL when too many senders wait already, or there was no room in time.
   */
  wait(message: Message, until: RoomDeadline | undefined): Promise<void> {
    const lane = message.priority > 0 ? this.#priority : this.#normal;
    // The oldest are the first to give up; they hold no place in the line.
    while (lane.senders.peek()?.isWaiting === false) lane.senders.shift()?.pass();
    if (lane.senders.length >= senderCountMax) {
      lane.onRefused(message);
      return Promise.reject(lane.full());
    }
    return new Promise((accept, refuse) => {
      const sender = new WaitingSender({ message, lane, accept, refuse });
      lane.senders.push(sender);
      until?.wheel.arm(sender, until.deadlineMs);
      sender.wheel = until?.wheel;
    });
  }

  /**
   * Takes the next message: the oldest with a priority above 0, else the oldest.
   *
   * @returns The message, or undefined when none waits.
   */
  take(): Message | undefined {
    const lane = this.#priority.queue.length > 0 ? this.#priority : this.#normal;
    const message = lane.queue.shift();
    if (lane.senders.length > 0 && lane.queue.length <= lane.roomAt) admit(lane);
    return message;
  }

  /**
   * Lists what waits without taking it, in the order in which it will be served.
   *
   * @returns The messages of both lanes.
   */
  peek(): Message[] {
    return [...this.#priority.queue.toArray(), ...this.#normal.queue.toArray()];
  }

  /**
   * Empties the mailbox for good: the queued messages are returned, the waiting senders refused.
   *
   * @param error What the waiting senders get.
   * @returns The messages that were queued.
   */
  drain(error: () => Error): Message[] {
    const messages = this.peek();
    for (const lane of [this.#priority, this.#normal]) {
      lane.queue.clear();
      for (const sender of lane.senders.toArray()) if (sender.isOpen) sender.refuse(error());
      lane.senders.clear();
    }
    return messages;
  }
}

/** Lets waiting senders in while there is room. */
function admit(lane: Lane): void {
  while (lane.queue.length < lane.lengthMax) {
    const sender = lane.senders.shift();
    if (sender === undefined) return;
    if (sender.isWaiting) {
      lane.queue.push(sender.message);
      sender.accept();
    } else sender.pass();
  }
}
