import { endRemoved, failUnwanted, refuseIfDrained } from "../../incarnations/index.ts";
import { agentErrors } from "../../errors.ts";
import {
  type Address,
  Mailbox,
  type MailboxOwner,
  type Message,
  messageInternals,
} from "../../messages/index.ts";
import type { Kernel } from "../../tree/index.ts";

/** A message that a member was called for. */
export interface Assignment {
  readonly message: Message;
  /** Grows with each message that leaves the mailbox: what comes back goes where it was. */
  readonly order: number;
}

/** A member, as the queue sees it. */
export interface QueueMember {
  /** True while it runs and waits for work. */
  readonly isAwaiting: boolean;
  /** True when it handles nothing and was called for nothing. */
  readonly isQuiet: boolean;
  /** Calls it for a message, while it waits. */
  assign(assignment: Assignment): void;
  /** Takes a control message, as `Address.control`. */
  control(message: Message): boolean;
}

/** The supervisor of the members, as their queue sees it. */
export interface PoolQueueOwner<Member> {
  /** Most messages that the members handle at once. */
  readonly concurrency: number;
  readonly isSuspended: boolean;
  /** True while no member can take a message before somebody resumes one, or decides about its approval. */
  readonly awaitsResume: boolean;
  /** True while only messages with a priority above 0 are handed out. */
  readonly isHeld: boolean;
  /** True while it is drained. */
  readonly isRefusing: boolean;
  readonly members: readonly Member[];
  /** @returns The error for who asks something of the pool when it takes nothing. */
  stoppedError(): Error;
  /** As `Pool.place`. */
  place(names: ReadonlySet<string>, memberCountMin: number): Promise<void>;
  /** As `Pool.reread`. */
  reread(names: ReadonlySet<string>): Promise<void>;
  /** Messages wait, because no member is free. */
  onWaiting(): void;
  /** A member is free, and nothing waits; or one serves again, while others are free. */
  onFree(): void;
}

/**
 * The name and the mailbox of a pool. A message goes to the member that is free longest: it is called for that message,
 * and nobody else takes it, unless the member ends, is suspended or is asked for something else before it begins.
 */
export class PoolQueue<Member extends QueueMember = QueueMember> implements Address, MailboxOwner {
  readonly name: string;
  readonly #kernel: Kernel;
  readonly #mailbox: Mailbox;
  /** Free members and since when, as monotonic time; the one that is free longest comes first. */
  readonly #free = new Map<Member, number>();
  /** What members were called for and did not begin, in the order of the mailbox. */
  readonly #returned: Assignment[] = [];
  #order = 0;
  #isClosed = false;
  /** Called once no member handles a message. */
  #waiters: (() => void)[] = [];
  #owner: PoolQueueOwner<Member> | undefined;

  /**
   * @param kernel What all actors share.
   * @param name Of the pool.
   * @param mailboxLengthMax Most messages that wait.
   */
  constructor(kernel: Kernel, name: string, mailboxLengthMax: number) {
    this.#kernel = kernel;
    this.name = name;
    this.#mailbox = new Mailbox(this, mailboxLengthMax);
  }

  /** Its supervisor, which is made after it. */
  set owner(owner: PoolQueueOwner<Member>) {
    this.#owner = owner;
  }

  /** As `Pool.place`. */
  async place(names: ReadonlySet<string>, memberCountMin: number): Promise<void> {
    await this.#owner?.place(names, memberCountMin);
  }

  /** As `Pool.reread`. */
  async reread(names: ReadonlySet<string>): Promise<void> {
    await this.#owner?.reread(names);
  }

  // The address.

  get concurrency(): number {
    return this.#owner?.concurrency ?? 1;
  }

  get isSuspended(): boolean {
    return this.#owner?.isSuspended === true;
  }

  /** {@inheritDoc PoolQueueOwner.awaitsResume} */
  get awaitsResume(): boolean {
    return this.#owner?.awaitsResume === true;
  }

  /** True while only messages with a priority above 0 are handed out. */
  get isHeld(): boolean {
    return this.#owner?.isHeld === true;
  }

  get isAccepting(): boolean {
    return !this.#isClosed;
  }

  /** {@inheritDoc Address.isRefusing} */
  get isRefusing(): boolean {
    return this.#owner?.isRefusing === true;
  }

  get mailboxLengthMax(): number {
    return this.#mailbox.lengthMax;
  }

  set mailboxLengthMax(lengthMax: number) {
    this.#mailbox.lengthMax = lengthMax;
  }

  get mailboxDepth(): number {
    return this.#mailbox.depth + this.#returned.length;
  }

  /** @returns What was called for and came back, then what waits in the mailbox. */
  waitingMessages(): Message[] {
    return [...this.#returned.map(({ message }) => message), ...this.#mailbox.peek()];
  }

  /** {@inheritDoc Pool.removeWaiting} */
  removeWaiting(id: string, initiatedBy: string): boolean {
    const at = this.#returned.findIndex(({ message }) => message.id === id);
    const message = at === -1 ? this.#mailbox.remove(id) : this.#returned.splice(at, 1)[0]?.message;
    if (message === undefined) return false;
    endRemoved(this.#kernel.bus, message, { agent: this.name, initiatedBy });
    return true;
  }

  /** Senders that wait for room; as slow as that of the mailbox. */
  get waitingSenderCount(): number {
    return this.#mailbox.senderCount;
  }

  /** {@inheritDoc MailboxOwner.onRefused} */
  onRefused(message: Message): void {
    this.#kernel.bus.drop(message, "refused");
  }

  /** {@inheritDoc Address.control} */
  control(message: Message): boolean {
    if (this.#isClosed) return false;
    const taken = (this.#owner?.members ?? []).filter((member) => member.control(message));
    return taken.length > 0;
  }

  /** {@inheritDoc Address.accept} */
  accept(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    if (this.#isClosed) {
      this.#kernel.bus.drop(message, "refused");
      throw this.#stoppedError();
    }
    refuseIfDrained(this, message, this.#kernel.bus);
    if (!this.#mailbox.push(message)) {
      const { wheel } = this.#kernel;
      const until = deadlineMs === undefined ? undefined : { wheel, deadlineMs };
      return this.#mailbox.wait(message, until);
    }
    this.handOut();
    return undefined;
  }

  // Members.

  /** Calls the members that are free for what waits: called when one of the two may be new. */
  handOut(): void {
    for (const member of this.#free.keys()) {
      if (!member.isAwaiting) {
        // It comes back when it is done with what it was asked.
        this.#free.delete(member);
        continue;
      }
      const assignment = this.#next();
      if (assignment === undefined) break;
      this.#free.delete(member);
      member.assign(assignment);
    }
    if (this.mailboxDepth > 0) this.#owner?.onWaiting();
  }

  /** Takes note of a member that has started: its loop begins with its first message. */
  join(member: Member): void {
    if (!member.isAwaiting || this.#free.has(member)) return;
    this.#becomeFree(member);
    this.handOut();
  }

  /**
   * Gives the next message to a member that has nothing to do.
   *
   * @returns Undefined when none waits: then the member is free, after those that are so already.
   */
  takeFor(member: Member): Message | undefined {
    this.#free.delete(member);
    const assignment = this.#next();
    if (assignment !== undefined) return assignment.message;
    this.#becomeFree(member);
    this.#tellRested();
    return undefined;
  }

  /** Takes note that a member is not free; what it was called for goes to another one. */
  leave(member: Member, unbegun?: Assignment): void {
    this.#free.delete(member);
    if (unbegun !== undefined) {
      this.#putBack(unbegun);
      this.handOut();
    }
    // It may have been resumed, and go on with a message of its own.
    if (this.#free.size > 0) this.#owner?.onFree();
    this.#tellRested();
  }

  #putBack(unbegun: Assignment): void {
    const at = this.#returned.findIndex(({ order }) => order > unbegun.order);
    this.#returned.splice(at < 0 ? this.#returned.length : at, 0, unbegun);
  }

  /** The member that is free longest, and since when. */
  get freeLongest(): { readonly member: Member; readonly sinceMs: number } | undefined {
    for (const [member, sinceMs] of this.#free) if (member.isAwaiting) return { member, sinceMs };
    return undefined;
  }

  /** Drops what would be next and nobody waits for any more. */
  dropUnwanted(): void {
    const next = this.#next();
    if (next !== undefined) this.#putBack(next);
  }

  /**
   * Says since when messages wait that somebody wants.
   *
   * @param countMax At most so many, those that wait longest.
   * @returns Monotonic times, the earliest first.
   */
  waitingSinceMs(countMax: number): number[] {
    const returned = this.#returned.map(({ message }) => message);
    const wanted = returned.filter((message) => messageInternals.isWanted(message));
    return [...wanted, ...this.#mailbox.wanted(countMax)]
      .map((message) => messageInternals.sentAtMsOf(message))
      .sort((one, other) => one - other)
      .slice(0, countMax);
  }

  #becomeFree(member: Member): void {
    this.#free.set(member, this.#kernel.system.monotonicMs());
    this.#owner?.onFree();
  }

  #next(): Assignment | undefined {
    for (;;) {
      const assignment = this.#owner?.isHeld === false ? this.#oldest() : this.#urgent();
      if (assignment === undefined) return undefined;
      const reply = messageInternals.replyOf(assignment.message);
      if (reply === undefined || reply.isOpen) return assignment;
      failUnwanted(this.#kernel, assignment.message);
    }
  }

  #oldest(): Assignment | undefined {
    return this.#urgent() ?? this.#returned.shift() ?? this.#ordered(this.#mailbox.take());
  }

  #urgent(): Assignment | undefined {
    const at = this.#returned.findIndex(({ message }) => message.priority > 0);
    if (at >= 0) return this.#returned.splice(at, 1)[0];
    return this.#ordered(this.#mailbox.takePriority());
  }

  #ordered(message: Message | undefined): Assignment | undefined {
    if (message === undefined) return undefined;
    this.#order += 1;
    return { message, order: this.#order };
  }

  // The end.

  /** Takes messages again. */
  open(): void {
    this.#isClosed = false;
  }

  /** Refuses what waits and what comes later. */
  retire(): void {
    this.#isClosed = true;
    this.#giveUpWaiting(() => this.#stoppedError(), "stopped");
    this.#tellRested();
  }

  /** Refuses what waits, because the pool is drained. */
  refuseWaiting(): void {
    this.#giveUpWaiting(() => new agentErrors.DRAINED({ agent: this.name }), "refused");
  }

  #giveUpWaiting(error: () => Error, reason: "refused" | "stopped"): void {
    const returned = this.#returned.splice(0).map(({ message }) => message);
    for (const message of [...returned, ...this.#mailbox.drain(error)]) {
      messageInternals.replyOf(message)?.reject(error());
      this.#kernel.bus.drop(message, reason);
    }
  }

  #stoppedError(): Error {
    return this.#owner?.stoppedError() ?? new agentErrors.STOPPED({ agent: this.name });
  }

  /** Calls back once no member handles a message: at once when that is so already. */
  whenRested(onRest: () => void): void {
    this.#waiters.push(onRest);
    this.#tellRested();
  }

  #tellRested(): void {
    if (this.#waiters.length === 0) return;
    if (this.#owner?.members.some((member) => !member.isQuiet) === true) return;
    for (const onRest of this.#waiters.splice(0)) onRest();
  }
}
