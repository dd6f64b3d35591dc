import { busErrors } from "../errors.ts";
import { messageInternals, type Message } from "./message.ts";
import { RingBuffer } from "../values/index.ts";
import { WheelEntry, type TimerWheel } from "../ports/index.ts";

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

  /** Skips this sender, because nobody waits for the message any more. */
  pass(): void {
    if (!this.isOpen) return;
    this.#lane.owner.onRefused(this.message);
    this.accept();
  }

  refuse(error: Error): void {
    this.isOpen = false;
    this.wheel?.disarm(this);
    this.#lane.owner.onRefused(this.message);
    this.#refuse(error);
  }
}

/** The owner of a mailbox. */
export interface MailboxOwner {
  /** For errors. */
  readonly name: string;
  /** Called for each message whose sender found no room. */
  onRefused(message: Message): void;
}

/** One lane: a bounded queue and, behind it, the senders that wait for room in it, in order. */
class Lane extends RingBuffer<Message> {
  readonly owner: MailboxOwner;
  lengthMax: number;
  /** Made when somebody has to wait. */
  senders: RingBuffer<WaitingSender> | undefined = undefined;

  constructor(owner: MailboxOwner, lengthMax: number) {
    super();
    this.owner = owner;
    this.lengthMax = lengthMax;
  }

  /** Makes the error of a sender that finds no room. */
  full(): Error {
    const details = { address: this.owner.name, mailboxLengthMax: this.lengthMax };
    return new busErrors.MAILBOX_FULL(details);
  }

  /**
   * Says whether waiting senders are let in: when half of the lane is free, because waking them one by one for each
   * message taken would cost more than the messages themselves.
   */
  get hasRoomForSenders(): boolean {
    return this.length <= this.lengthMax >> 1;
  }
}

/**
 * The messages that wait for one agent: a lane for those with a priority above 0 and one for the rest, each first in
 * first out and bounded. When a lane is full, its senders wait in order until half of it is served; nothing is dropped.
 * The mailbox belongs to the name, not to the incarnation, so it outlives restarts.
 */
export class Mailbox {
  readonly #normal: Lane;
  /** Made with the first message of a priority above 0. */
  #priority: Lane | undefined;

  /**
   * @param owner The agent that the mailbox belongs to.
   * @param lengthMax Most messages that wait in the normal lane, 1 or more.
   */
  constructor(owner: MailboxOwner, lengthMax: number) {
    this.#normal = new Lane(owner, lengthMax);
  }

  /** Most messages that wait in the normal lane. What waits already stays when it is lowered. */
  get lengthMax(): number {
    return this.#normal.lengthMax;
  }

  set lengthMax(lengthMax: number) {
    this.#normal.lengthMax = lengthMax;
  }

  /** Messages that wait, both lanes, without those whose senders wait. */
  get depth(): number {
    return this.#normal.length + (this.#priority?.length ?? 0);
  }

  /**
   * Lists messages that wait and that somebody wants.
   *
   * @param countMax Of each lane the oldest ones, at most so many.
   * @returns The messages of both lanes.
   */
  wanted(countMax: number): Message[] {
    const found: Message[] = [];
    for (const lane of [this.#priority, this.#normal]) {
      let count = 0;
      for (const message of lane ?? []) {
        if (count >= countMax) break;
        if (!messageInternals.isWanted(message)) continue;
        found.push(message);
        count += 1;
      }
    }
    return found;
  }

  /** Senders that wait for room. Counted one by one, so it is for snapshots and too slow for each message. */
  get senderCount(): number {
    const waiting = (lane: Lane | undefined): number =>
      lane?.senders?.toArray().filter((sender) => sender.isWaiting).length ?? 0;
    return waiting(this.#normal) + waiting(this.#priority);
  }

  /** True when a message or a waiting sender is there to be served. */
  get hasMessages(): boolean {
    return this.depth > 0;
  }

  /** True when `take` gives a message. */
  get hasNext(): boolean {
    return this.hasMessages;
  }

  /** True when a message with a priority above 0 waits. */
  get hasPriority(): boolean {
    return this.#priority !== undefined && this.#priority.length > 0;
  }

  /**
   * Puts a message at the end of its lane.
   *
   * @param message The message.
   * @returns False when the lane is full: then `wait` is the way in.
   */
  push(message: Message): boolean {
    const lane = message.priority > 0 ? this.#priorityLane() : this.#normal;
    if (lane.length >= lane.lengthMax) return false;
    if (lane.senders !== undefined && lane.senders.length > 0) return false;
    lane.push(message);
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
    const lane = message.priority > 0 ? this.#priorityLane() : this.#normal;
    const senders = (lane.senders ??= new RingBuffer());
    // The oldest are the first to give up; they hold no place in the line.
    while (senders.peek()?.isWaiting === false) senders.shift()?.pass();
    if (senders.length >= senderCountMax) {
      lane.owner.onRefused(message);
      return Promise.reject(lane.full());
    }
    return new Promise((accept, refuse) => {
      const sender = new WaitingSender({ message, lane, accept, refuse });
      senders.push(sender);
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
    const priority = this.#priority;
    const lane = priority !== undefined && priority.length > 0 ? priority : this.#normal;
    const message = lane.shift();
    admitSenders(lane);
    return message;
  }

  /**
   * Takes one message, wherever it waits.
   *
   * @param id Its id.
   * @returns The message, or undefined when none of that id waits.
   */
  remove(id: string): Message | undefined {
    for (const lane of [this.#priority, this.#normal]) {
      const message = lane?.remove((each) => each.id === id);
      if (lane === undefined || message === undefined) continue;
      admitSenders(lane);
      return message;
    }
    return undefined;
  }

  /**
   * Takes the next message if nobody waits for it any more: its caller is gone, or it is older than its `ttlMs`.
   *
   * @param nowMs Monotonic time.
   */
  takeUnwanted(nowMs: number): Message | undefined {
    const message = this.#priority?.peek() ?? this.#normal.peek();
    if (message === undefined) return undefined;
    const ageMs = nowMs - messageInternals.sentAtMsOf(message);
    const isTooOld = ageMs > (message.ttlMs ?? Number.POSITIVE_INFINITY);
    return isTooOld || !messageInternals.isWanted(message) ? this.take() : undefined;
  }

  /** @returns The oldest message with a priority above 0, or undefined: all that a suspended agent serves. */
  takePriority(): Message | undefined {
    return this.hasPriority ? this.take() : undefined;
  }

  /**
   * Lists what waits without taking it, in the order in which it will be served.
   *
   * @returns The messages of both lanes.
   */
  peek(): Message[] {
    return [...(this.#priority?.toArray() ?? []), ...this.#normal.toArray()];
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
      lane?.clear();
      const senders = lane?.senders?.toArray() ?? [];
      for (const sender of senders) if (sender.isOpen) sender.refuse(error());
      lane?.senders?.clear();
    }
    return messages;
  }

  #priorityLane(): Lane {
    return (this.#priority ??= new Lane(this.#normal.owner, priorityLengthMax));
  }
}

function admitSenders(lane: Lane): void {
  const { senders } = lane;
  if (senders !== undefined && senders.length > 0 && lane.hasRoomForSenders) admit(lane, senders);
}

/** Lets waiting senders in while there is room. */
function admit(lane: Lane, senders: RingBuffer<WaitingSender>): void {
  while (lane.length < lane.lengthMax) {
    const sender = senders.shift();
    if (sender === undefined) return;
    if (sender.isWaiting) {
      lane.push(sender.message);
      sender.accept();
    } else sender.pass();
  }
}
