import { Agent, type AgentOptions, type DeferredReply, type Message } from "agentrt";

/** One ticket: keeps a count, asks the desk, and answers some messages later, some never. */
export class Ticket extends Agent {
  constructor(name: string, options: AgentOptions) {
    super(name, { ...options, hookTimeoutMs: 2000, shutdownTimeoutMs: 3000 });
  }

  #handledCount = 0;
  readonly #promised: DeferredReply[] = [];

  override async handle(message: Message) {
    if (message.type === "promised") {
      this.#promised.shift()?.send({ count: this.state["count"] ?? 0 });
      return undefined;
    }
    this.#handledCount += 1;
    const turn = this.#handledCount;
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    if (turn % 3 === 0) await this.checkpoint();
    if (turn % 4 === 1) await this.call("desk", {}, { timeoutMs: 5000 });
    if (turn % 11 === 5) this.state = {};
    if (turn % 5 === 2) {
      this.#promised.push(message.defer());
      this.sendAfter(700, {}, { type: "promised", signal: null });
      return undefined;
    }
    // Nobody ever gives this one: its caller's deadline ends it.
    if (turn % 7 === 3) message.defer();
    return { count: this.state["count"] ?? 0 };
  }
}

/** Asks the archive for several callers at once, with more patience than they have, and a second time when that fails. */
export class Desk extends Agent {
  override async handle(message: Message) {
    if (message.isStream)
      for (let part = 1; part < 4; part += 1) await this.emit(message, { part });
    try {
      return await this.call("archive", {}, { timeoutMs: 60_000 });
    } catch {
      return await this.call("archive", {}, { timeoutMs: 60_000 });
    }
  }
}

/** Answers the second of two questions together with the first. */
export class Archive extends Agent {
  #first: DeferredReply | undefined;

  override async handle(message: Message) {
    const reply = message.defer();
    const first = this.#first;
    this.#first = reply;
    if (first === undefined || first.signal.aborted) return undefined;
    this.#first = undefined;
    first.send({ found: true });
    reply.send({ found: true });
    return undefined;
  }
}
