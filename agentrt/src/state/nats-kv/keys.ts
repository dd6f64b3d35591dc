import { stateErrors } from "../errors.ts";

/** A longer name would make a subject that servers do not take: it has up to three characters for each byte. */
const nameBytesMax = 1024;

/** @throws AGENTRT_STATE_TOO_LARGE for a name that no bucket has room for. */
export function checkKey(agent: string): void {
  if (new TextEncoder().encode(agent).length <= nameBytesMax) return;
  const shown = `${agent.slice(0, 40)}…`;
  throw new stateErrors.TOO_LARGE({ agent: shown, limit: `${nameBytesMax} bytes in its name` });
}

/** Lets work on the same agent wait for what came before. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Works on an agent when nobody else does. */
  async take<Result>(agent: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(agent);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(agent, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(agent) === mine) this.#last.delete(agent);
    }
  }
}
