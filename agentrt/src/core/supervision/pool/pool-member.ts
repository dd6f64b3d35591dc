import { AgentCell, type RestartRequest } from "../../incarnations/index.ts";
import { Mailbox, type Message } from "../../messages/index.ts";
import type { AgentLimits, AgentSpec, Kernel, StopOptions } from "../../tree/index.ts";
import { agentErrors } from "../../errors.ts";
import type { SuspensionRequest } from "../../suspension/index.ts";
import type { Assignment, PoolQueue, QueueMember } from "./pool-queue.ts";

/**
 * The mailbox of a member: a message of the pool that it was called for, what was sent to the member itself, and behind
 * them the mailbox that all members share. Only a member that is free asks for more, so it is asked for the next message
 * exactly when the member is free.
 */
class MemberMailbox extends Mailbox {
  readonly #member: PoolMember;
  #assigned: Assignment | undefined;

  constructor(member: PoolMember) {
    super(member, member.spec.limits.mailboxLengthMax);
    this.#member = member;
  }

  override get depth(): number {
    return super.depth + (this.#assigned === undefined ? 0 : 1);
  }

  /** True when messages wait that were sent to the member itself. */
  get hasOwn(): boolean {
    return super.depth > 0;
  }

  /** True when the member was called for a message and has not begun. */
  get isCalled(): boolean {
    return this.#assigned !== undefined;
  }

  override take(): Message | undefined {
    const assigned = this.takeBack();
    if (assigned !== undefined) return assigned.message;
    const own = super.take();
    if (own === undefined) return this.#member.pool.takeFor(this.#member);
    this.#member.pool.leave(this.#member);
    return own;
  }

  /** Asked by a suspended member: it takes nothing of the pool. */
  override takePriority(): Message | undefined {
    this.#member.giveBack();
    return super.takePriority();
  }

  assign(assignment: Assignment): void {
    this.#assigned = assignment;
  }

  /** @returns What the member was called for and has not begun. */
  takeBack(): Assignment | undefined {
    const assigned = this.#assigned;
    this.#assigned = undefined;
    return assigned;
  }
}

/**
 * A member of a pool: an agent whose messages come from the mailbox that all members share. Whatever it is asked between
 * two messages, it gives back first what it has not begun.
 */
export class PoolMember extends AgentCell implements QueueMember {
  /** {@inheritDoc Address.pool} */
  readonly pool: PoolQueue<PoolMember>;
  /** Made by the class above, before this one has fields. */
  declare readonly mailbox: MemberMailbox;

  /**
   * @param kernel What all actors share.
   * @param spec Its name, class and limits.
   * @param pool What it takes messages from.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when the name is taken.
   */
  constructor(kernel: Kernel, spec: AgentSpec, pool: PoolQueue<PoolMember>) {
    super(kernel, spec);
    this.pool = pool;
    this.checkpoints.isStateless = true;
  }

  override get isGroupHeld(): boolean {
    return this.pool.isHeld;
  }

  protected override makeMailbox(): Mailbox {
    return new MemberMailbox(this);
  }

  /** {@inheritDoc IncarnationHome.checkLimits} */
  override checkLimits({ concurrency, mailboxLengthMax }: AgentLimits): void {
    if (concurrency > 1) {
      const details = { option: "concurrency", found: String(concurrency), wanted: "1 in a pool" };
      throw new agentErrors.OPTION_INVALID({ agent: this.name, ...details });
    }
    this.pool.mailboxLengthMax = mailboxLengthMax;
  }

  /** True when it handles nothing and was called for nothing. */
  get isQuiet(): boolean {
    return this.busyCount === 0 && !this.mailbox.isCalled;
  }

  /** {@inheritDoc Drainable.isWorking} Messages of the pool do not count: another member takes them. */
  override get isWorking(): boolean {
    return this.deferredCount > 0 || (this.mailbox.hasOwn && !this.awaitsResume);
  }

  /** Calls it for a message, while it waits. */
  assign(assignment: Assignment): void {
    this.mailbox.assign(assignment);
    this.wake();
  }

  /** Gives back what it was called for and has not begun, and is no longer free. */
  giveBack(): void {
    this.pool.leave(this, this.mailbox.takeBack());
  }

  override onEnd(...end: Parameters<AgentCell["onEnd"]>): void {
    this.giveBack();
    super.onEnd(...end);
  }

  override stop(options: StopOptions): Promise<readonly string[]> {
    this.giveBack();
    return super.stop(options);
  }

  override kill(error: Error): void {
    this.giveBack();
    super.kill(error);
  }

  override retire(): void {
    this.giveBack();
    super.retire();
  }

  override requestRestart(request: RestartRequest): void {
    this.giveBack();
    super.requestRestart(request);
  }

  override control(message: Message): boolean {
    this.giveBack();
    return super.control(message);
  }

  override notify(...notice: Parameters<AgentCell["notify"]>): void {
    this.giveBack();
    super.notify(...notice);
  }

  override askSuspension(request: SuspensionRequest): void {
    this.giveBack();
    super.askSuspension(request);
  }
}
