import type { System } from "../../core/index.ts";

/** Says that messages were handled, those of one turn of the event loop together: they go to the server with one write. */
export class Acknowledgements {
  readonly #system: Pick<System, "yieldTurn">;
  readonly #say: (reply: string) => void;
  #replies: string[] = [];

  /** @param say Says it of one message, by where the server hears of it. */
  constructor(system: Pick<System, "yieldTurn">, say: (reply: string) => void) {
    this.#system = system;
    this.#say = say;
  }

  /** Says it of one more. */
  add(reply: string): void {
    this.#replies.push(reply);
    if (this.#replies.length === 1) this.#system.yieldTurn(() => this.flush());
  }

  /** Says it now. */
  flush(): void {
    const replies = this.#replies;
    this.#replies = [];
    for (const reply of replies) this.#say(reply);
  }
}
