import { AsyncLocalStorage, createHook, type AsyncHook } from "node:async_hooks";
import type { Life } from "./fact.ts";
import { realTurns } from "./turns/index.ts";

/** Something of the real world that an agent waits for, so that a run cannot be repeated. */
export interface OutsideUse {
  readonly agent: string;
  /** In words: the real world, and what of it; or a promise that nobody settles. */
  readonly what: string;
  /** File, line and column of the agent's code, or the hook when no line is known. */
  readonly where: string | undefined;
}

/** What Node calls things of the real world, by the beginning of the name, and what they are. */
const outsideThings: readonly (readonly [prefix: string, what: string])[] = [
  ["Timeout", "a timer of the real clock (setTimeout, setInterval)"],
  ["FSREQ", "a file"],
  ["FILEHANDLE", "a file"],
  ["STATWATCHER", "a watch on a file"],
  ["FSEVENT", "a watch on a file"],
  ["TCP", "a network connection"],
  ["TLS", "a network connection"],
  ["UDP", "a network connection"],
  ["HTTP", "a network connection"],
  ["GETADDRINFO", "a name look-up"],
  ["QUERYWRAP", "a name look-up"],
  ["PROCESSWRAP", "another process"],
  ["WORKER", "a separate thread"],
  ["ZLIB", "compression on another thread"],
];

const stackLengthMax = 60;

/**
 * Sees when the code of an agent begins something of the real world: timers, files, connections, processes. Such a
 * thing goes on when it likes, so a run that waits for it cannot be repeated.
 */
export class OutsideWatch {
  readonly #lives = new AsyncLocalStorage<Life>();
  readonly #hook: AsyncHook;
  #found: OutsideUse | undefined;
  #endTurns: (() => void) | undefined;

  constructor() {
    this.#hook = createHook({
      // Promises are what a simulation is made of: to hear of each would cost more than the run.
      trackPromises: false,
      init: (_id: number, type: string) => this.#onBegin(type),
    });
  }

  /** The first thing that was found. */
  get found(): OutsideUse | undefined {
    return this.#found;
  }

  /** Begins to watch; `close` ends it. */
  open(): void {
    this.#hook.enable();
    this.#endTurns ??= realTurns.watched();
  }

  close(): void {
    this.#hook.disable();
    this.#endTurns?.();
    this.#endTurns = undefined;
  }

  /** Runs code of an agent, and whatever it leaves behind, as that agent's. */
  run<Result>(life: Life, code: () => Result): Result {
    return this.#lives.run(life, code);
  }

  #onBegin(type: string): void {
    if (type === "TickObject") return;
    if (type === "Immediate") {
      realTurns.otherWaits();
      return;
    }
    if (this.#found !== undefined) return;
    const life = this.#lives.getStore();
    if (life === undefined) return;
    const what = whatIs(type);
    if (what === undefined) return;
    const stack = stackNow();
    // A module that is imported for the first time, the streams of console.log and what ends before it returns change
    // nothing in a run.
    if (
      /node:internal\/(?:modules|bootstrap|vm)|(?<![aA])[sS]ync(?:BufferWrapper)? \(node:/.test(
        stack,
      )
    )
      return;
    const where = whereIn(stack) ?? life.pendingHook;
    this.#found = { agent: life.name, what: `the real world: ${what}`, where };
  }
}

function whatIs(type: string): string | undefined {
  const known = outsideThings.find(([prefix]) => type.startsWith(prefix));
  if (known !== undefined) return known[1];
  return type.endsWith("REQUEST") ? "cryptography on another thread" : undefined;
}

function stackNow(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = stackLengthMax;
  const { stack = "" } = new Error("where");
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

const ownFolder = new URL("..", import.meta.url).href;

/** The first line of a stack that is the user's. */
function whereIn(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    const place = /(file:\/\/[^\s)]+:\d+:\d+)\)?$/.exec(line)?.[1];
    const isOurs = place?.startsWith(ownFolder) === true && !place.includes(".test.");
    if (place !== undefined && !isOurs) {
      return decodeURIComponent(place.replace("file://", ""));
    }
  }
  return undefined;
}
