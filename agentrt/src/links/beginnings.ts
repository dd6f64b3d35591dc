import type { System, TimerHandle } from "../core/index.ts";
import type { Link } from "./link.ts";

/** How long a message waits for the end of another one, milliseconds: that may wait for this one, or take hours. */
const turnMs = 60_000;

/** What they are made from. */
export interface BeginningsInit {
  readonly link: Pick<Link, "stored">;
  readonly system: Pick<System, "setTimer" | "clearTimer">;
}

/** The handling of a message that comes again. */
export interface Beginning {
  /** {@inheritDoc MessageReceipt.begins} */
  readonly begin: () => Promise<boolean>;
  /** It is handled, or dropped. */
  readonly end: () => void;
}

/** One that waits for its turn, or has it. */
interface Turn {
  readonly take: () => void;
  timer: TimerHandle | undefined;
}

/**
 * Messages that come again, as a process begins to handle them. That is counted at the broker before, since it may end the process.
 * Those that were counted before are handled one after another: so what ends the process is known by its count, and what is only
 * handled at the same time has no part in it.
 */
export class Beginnings {
  readonly #init: BeginningsInit;
  /** The first has its turn. */
  readonly #turns: Turn[] = [];

  constructor(init: BeginningsInit) {
    this.#init = init;
  }

  /** @param beginCount How often it was counted. */
  add(id: string, beginCount: number): Beginning {
    const { stored } = this.#init.link;
    let turn: Turn | undefined;
    let isOver = false;
    return {
      begin: async () => {
        if (beginCount > 0) await new Promise<void>((take) => (turn = this.#queue(take)));
        if (isOver) return false;
        await stored?.noteBegin(id, beginCount + 1);
        return !isOver;
      },
      end: () => {
        isOver = true;
        if (turn !== undefined) this.#leave(turn);
      },
    };
  }

  #queue(take: () => void): Turn {
    const turn: Turn = { take, timer: undefined };
    this.#turns.push(turn);
    if (this.#turns.length === 1) take();
    else turn.timer = this.#init.system.setTimer(turnMs, () => this.#leave(turn));
    return turn;
  }

  /** It needs no turn any more. What waits for one without it goes on. */
  #leave(turn: Turn): void {
    const at = this.#turns.indexOf(turn);
    if (at === -1) return;
    this.#turns.splice(at, 1);
    this.#begin(turn);
    const [first] = this.#turns;
    if (at === 0 && first !== undefined) this.#begin(first);
  }

  #begin(turn: Turn): void {
    if (turn.timer !== undefined) this.#init.system.clearTimer(turn.timer);
    turn.timer = undefined;
    turn.take();
  }
}
