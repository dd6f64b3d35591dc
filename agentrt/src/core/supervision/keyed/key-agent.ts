import { agentErrors } from "../../errors.ts";
import { AgentCell, type AgentCellOptions } from "../../incarnations/index.ts";
import { type Downs, Mailbox, type Message } from "../../messages/index.ts";
import type { AgentLimits, AgentSpec, AgentStatus, Kernel } from "../../tree/index.ts";

/** What the keys of a keyed agent have together. */
export interface KeyGroup {
  /** Messages that wait, of all keys. */
  waitingCount: number;
  /** True while the whole is suspended. */
  readonly isSuspended: boolean;
  /**
   * True while only messages with a priority above 0 are handled: the whole is suspended, or it is not known yet whether
   * it is.
   */
  readonly isHolding: boolean;
  /** @returns The watchers of a key. */
  downsOf(key: string): Downs;
  /** A key without an object may be suspended no more: what waits for it can be handled. */
  onKeyFree(key: string): void;
}

/**
 * The mailbox of a key. What waits there is counted with what waits for the others, and nothing is taken out while the
 * key or the whole is suspended.
 */
class KeyMailbox extends Mailbox {
  readonly #agent: KeyAgent;
  /** What is dropped is taken out of a suspended one, too. */
  #isDropping = false;

  constructor(agent: KeyAgent) {
    super(agent, agent.spec.limits.mailboxLengthMax);
    this.#agent = agent;
  }

  override push(message: Message): boolean {
    const isIn = super.push(message);
    if (isIn) this.#agent.group.waitingCount += 1;
    return isIn;
  }

  override get hasNext(): boolean {
    return this.#agent.isHeld ? this.hasPriority : this.hasMessages;
  }

  override take(): Message | undefined {
    if (!this.#isDropping && !this.hasNext) return undefined;
    const depth = this.depth;
    const message = super.take();
    // Senders that waited for room may have come in.
    this.#agent.group.waitingCount += this.depth - depth;
    return message;
  }

  override takeUnwanted(nowMs: number): Message | undefined {
    this.#isDropping = true;
    const message = super.takeUnwanted(nowMs);
    this.#isDropping = false;
    return message;
  }

  override drain(error: () => Error): Message[] {
    const messages = super.drain(error);
    this.#agent.group.waitingCount -= messages.length;
    return messages;
  }
}

/** The agent of one key. Messages come to it by the name of the whole. */
export class KeyAgent extends AgentCell {
  readonly key: string;
  readonly group: KeyGroup;

  /**
   * @param kernel What all actors share.
   * @param init The key, its agent's name, class and limits, and what it has together with the other keys.
   * @param options What it shares with them.
   */
  constructor(
    kernel: Kernel,
    init: { readonly key: string; readonly spec: AgentSpec; readonly group: KeyGroup },
    options: Pick<AgentCellOptions, "earlierWrites" | "tally">,
  ) {
    super(kernel, init.spec, { ...options, isListed: false });
    this.key = init.key;
    this.group = init.group;
  }

  protected override makeMailbox(): Mailbox {
    return new KeyMailbox(this);
  }

  protected override makeDowns(): Downs {
    return this.group.downsOf(this.key);
  }

  /** One that its supervisor stops is passivated: that is not down, unless the whole is. */
  protected override markDown(reason: string, isStopped: boolean): void {
    if (!isStopped) super.markDown(reason, isStopped);
  }

  /** {@inheritDoc IncarnationHome.checkLimits} */
  override checkLimits({ concurrency }: AgentLimits): void {
    if (concurrency === 1) return;
    const details = {
      option: "concurrency",
      found: String(concurrency),
      wanted: "1 in a keyed agent",
    };
    throw new agentErrors.OPTION_INVALID({ agent: this.name, ...details });
  }

  /** A suspended key may be without an object while its messages wait. */
  override get status(): AgentStatus {
    return super.status === "STOPPED" && this.isSuspended ? "SUSPENDED" : super.status;
  }

  /** Its place goes with its end; the next one finds the halt, and who lifts it. */
  protected override get isLiftedInPlace(): boolean {
    return false;
  }

  /** It starts with its first message, and for a request about its suspension. */
  protected override get isExpected(): boolean {
    return true;
  }

  /** True when messages, or requests about its suspension, wait. */
  get hasWork(): boolean {
    return this.mailbox.hasMessages || this.#isAsked;
  }

  /** True when some of that can be served now. */
  get hasNext(): boolean {
    return this.mailbox.hasNext || this.#isAsked;
  }

  get #isAsked(): boolean {
    return this.suspension !== undefined && this.suspension.requests.length > 0;
  }

  override get awaitsResume(): boolean {
    return super.awaitsResume || this.group.isSuspended;
  }

  override get isGroupHeld(): boolean {
    return this.group.isHolding;
  }

  /** True while only messages with a priority above 0 are handled. */
  get isHeld(): boolean {
    return this.isSuspended || this.group.isHolding;
  }

  /** {@inheritDoc IncarnationHome.onFree} */
  override onFree(): void {
    if (this.mailbox.hasMessages) this.group.onKeyFree(this.key);
  }

  /** The whole is suspended no more. */
  onReleased(): void {
    if (this.mailbox.hasMessages) this.wake();
  }
}
