import type { Log } from "../core/index.ts";

interface Left {
  count: number;
  readonly types: Set<string>;
}

/** Message types that are named of one agent at most. */
const typeCountMax = 5;

/** Counts the messages that nobody handles because the runtime stops, for one line an agent. */
export class LeftMessages {
  readonly #left = new Map<string, Left>();

  /** Counts one. */
  add(recipient: string, type: string): void {
    let left = this.#left.get(recipient);
    if (left === undefined) {
      left = { count: 0, types: new Set() };
      this.#left.set(recipient, left);
    }
    left.count += 1;
    if (left.types.size < typeCountMax) left.types.add(type);
  }

  /** Writes a line for each agent. */
  tell(log: Log): void {
    for (const [agent, { count, types }] of this.#left) {
      const fields = { agent, count, types: [...types].join(", ") };
      log.warn("messages were left unhandled by the stop", fields);
    }
    this.#left.clear();
  }
}
