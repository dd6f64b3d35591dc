import {
  Agent,
  type AgentOptions,
  type DeferredReply,
  isAgentrtError,
  type Message,
} from "agentrt";

/** Writes line by line, asks a reader before each, and now and then hands a page on to another writer. */
export class Writer extends Agent {
  constructor(name: string, options: AgentOptions) {
    super(name, {
      ...options,
      handleTimeoutMs: 20_000,
      hookTimeoutMs: 2000,
      shutdownTimeoutMs: 3000,
    });
  }

  #writtenCount = 0;

  override async handle(message: Message) {
    this.#writtenCount += 1;
    const turn = this.#writtenCount;
    if (message.type === "later") return undefined;
    if (turn % 4 === 1) await this.call("reader", { page: turn }, { timeoutMs: 3000 });
    // Another writer takes it, or the call is refused because all are occupied by it.
    if (turn % 6 === 2) await this.#handOn();
    if (turn % 5 === 3) this.sendAfter(400, {}, { type: "later", signal: null });
    for (let line = 1; message.isStream && line < 4; line += 1) {
      await this.call("reader", { line }, { timeoutMs: 3000 });
      await this.emit(message, { line, by: this.name });
    }
    return { by: this.name };
  }

  async #handOn(): Promise<void> {
    try {
      await this.call("writer", {}, { timeoutMs: 2000 });
    } catch (error) {
      if (!isAgentrtError(error) || error.code !== "AGENTRT_BUS_CALL_CYCLE") throw error;
    }
  }
}

/** Answers some questions later, together with the next one that comes to the same reader. */
export class Reader extends Agent {
  #promised: DeferredReply | undefined;

  override async handle(message: Message) {
    this.#promised?.send({ read: "late" });
    this.#promised = undefined;
    if (message.payload["page"] !== 3) return { read: "now" };
    this.#promised = message.defer();
    return undefined;
  }
}

/** Asks for several pages at once, and reads one line by line. */
export class Editor extends Agent {
  override async handle() {
    const pages = [1, 2, 3, 4].map(
      async (page) => await this.call("writer", { page }, { timeoutMs: 8000 }),
    );
    const written = (await Promise.allSettled(pages)).filter(
      ({ status }) => status === "fulfilled",
    );
    let lines = 0;
    for await (const _ of this.stream("writer", {}, { timeoutMs: 8000 })) lines += 1;
    return { pages: written.length, lines };
  }
}
