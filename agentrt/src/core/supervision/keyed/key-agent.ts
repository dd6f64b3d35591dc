import { AgentCell, type AgentCellOptions } from "../../incarnations/index.ts";
import { Mailbox, type Message } from "../../messages/index.ts";
import type { AgentSpec, Kernel } from "../../tree/index.ts";

/** What the keys of a keyed agent have together. */
export interface KeyGroup {
  /** Messages that wait, of all keys. */
  waitingCount: number;
}

/** The mailbox of a key: what waits there is counted with what waits for the others. */
class KeyMailbox extends Mailbox {
  readonly #agent: KeyAgent;

  constructor(agent: KeyAgent) {
    super(agent, agent.spec.limits.mailboxLengthMax);
    this.#agent = agent;
  }

  override push(message: Message): boolean {
    const isIn = super.push(message);
    if (isIn) this.#agent.group.waitingCount += 1;
    return isIn;
  }

  override take(): Message | undefined {
    const depth = this.depth;
    const message = super.take();
    // Senders that waited for room may have come in.
    this.#agent.group.waitingCount += this.depth - depth;
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
  readonly group: KeyGroup;

  /**
   * @param init.kernel What all actors share.
   * @param init.spec Its name, class and limits.
   * @param init.group What it has together with the other keys.
   * @param options What it shares with them.
   */
  constructor(
    init: { readonly kernel: Kernel; readonly spec: AgentSpec; readonly group: KeyGroup },
    options: Pick<AgentCellOptions, "earlierWrites" | "tally">,
  ) {
    super(init.kernel, init.spec, { ...options, isListed: false });
    this.group = init.group;
  }

  protected override makeMailbox(): Mailbox {
    return new KeyMailbox(this);
  }
}
