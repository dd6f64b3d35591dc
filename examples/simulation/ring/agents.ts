import { GenServer, type Message, type SendTimer } from "agentrt";

/** A member of the ring: passes tokens on until they are worn out, and makes a new one now and then. */
export class Member extends GenServer {
  #timer: SendTimer | undefined;
  #passedCount = 0;

  constructor(name: string, options: object = {}) {
    super(name, { ...options, mailboxLengthMax: 2 });
  }

  override onStart(): void {
    this.#arm();
  }

  override handleCall() {
    return { passed: this.#passedCount };
  }

  override async handleCast(message: Message): Promise<void> {
    const left = Number(message.payload["left"] ?? 3);
    if (left > 0) await this.#pass(left - 1);
  }

  override async handleInfo(message: Message): Promise<void> {
    if (message.payload["tick"] === true) this.#arm();
    await this.#pass(3);
  }

  /** Waits for room no longer than its own mailbox can bear: a ring of full mailboxes must not stop. */
  async #pass(left: number): Promise<void> {
    const next = this.config["next"];
    if (typeof next !== "string") return;
    this.#passedCount += 1;
    try {
      await this.cast(next, { left }, { timeoutMs: 300 });
    } catch (error) {
      this.log.info("a token is lost", { error });
    }
  }

  #arm(): void {
    const periodMs = this.config["period_ms"];
    this.#timer?.cancel();
    if (typeof periodMs === "number") this.#timer = this.sendAfter(periodMs, { tick: true });
  }
}
