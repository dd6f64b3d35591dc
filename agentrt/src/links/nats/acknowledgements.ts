import type { System } from "../../core/index.ts";
import type { JetStreamMessage } from "../../nats/index.ts";

/** Says that messages were handled, those of one turn of the event loop together: they go to the server with one write. */
export class Acknowledgements {
  readonly #system: Pick<System, "yieldTurn">;
  #messages: JetStreamMessage[] = [];

  constructor(system: Pick<System, "yieldTurn">) {
    this.#system = system;
  }

  /** Says it of one more. */
  add(message: JetStreamMessage): void {
    this.#messages.push(message);
    if (this.#messages.length === 1) this.#system.yieldTurn(() => this.flush());
  }

  /** Says it now. */
  flush(): void {
    const messages = this.#messages;
    this.#messages = [];
    for (const message of messages) message.ack();
  }
}
