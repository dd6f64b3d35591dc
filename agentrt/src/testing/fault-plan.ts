import { SeededRandom } from "./seeded-random.ts";

/** How often a simulation lets something go wrong: shares, 0 to 1. */
export interface FaultRates {
  /** A `handle` that throws before or after the agent's own code. */
  readonly handlerThrows: number;
  /** A rejection that nobody handles, in the middle of a `handle`. */
  readonly handlerRejectsLate: number;
  /** A `handle` that takes its time, sometimes longer than any caller waits. */
  readonly handlerIsSlow: number;
  readonly startThrows: number;
  readonly startIsSlow: number;
  readonly stopThrows: number;
  readonly stopIsSlow: number;
  /** A store that fails to read, to write, or to say that it has written. */
  readonly storeFails: number;
  readonly storeIsSlow: number;
  /** An `onPassivate` that throws. */
  readonly passivateThrows: number;
  readonly passivateIsSlow: number;
  /** Requests from outside to restart an agent or to stop it for a while, for each thing the workload does. */
  readonly requests: number;
  /** A model that is overloaded, a tool server that cannot be reached. */
  readonly modelFails: number;
  /** A model or a tool that takes its time. */
  readonly modelIsSlow: number;
}

/** Everything that may go wrong. */
export type FaultKind = keyof FaultRates;

const kinds: readonly FaultKind[] = [
  "handlerThrows",
  "handlerRejectsLate",
  "handlerIsSlow",
  "startThrows",
  "startIsSlow",
  "stopThrows",
  "stopIsSlow",
  "storeFails",
  "storeIsSlow",
  "requests",
  "passivateThrows",
  "passivateIsSlow",
];

const highest: FaultRates = {
  handlerThrows: 0.2,
  handlerRejectsLate: 0.1,
  handlerIsSlow: 0.3,
  startThrows: 0.3,
  startIsSlow: 0.3,
  stopThrows: 0.2,
  stopIsSlow: 0.2,
  storeFails: 0.2,
  storeIsSlow: 0.5,
  requests: 0.15,
  passivateThrows: 0.2,
  passivateIsSlow: 0.3,
  modelFails: 0.3,
  modelIsSlow: 0.3,
};

/** Names of everything that may go wrong. */
export const faultKinds: readonly FaultKind[] = [...kinds, "modelFails", "modelIsSlow"];

/** Decided apart from the others: trees without models have the runs that they had before. */
const modelKinds: readonly FaultKind[] = ["modelFails", "modelIsSlow"];

/** Decides what goes wrong in one run: each run has a few kinds of faults, at its own rates. */
export class FaultPlan {
  /** Faults that were made, by kind. */
  readonly counts = new Map<FaultKind, number>();
  readonly #random: SeededRandom;
  readonly #modelRandom: SeededRandom;
  readonly #rates: FaultRates;
  readonly #only: ReadonlySet<FaultKind> | undefined;
  #isOn = true;

  /**
   * @param seed The run's.
   * @param rates Given rates; default half of the kinds, each at a rate that the seed chooses.
   * @param only The kinds that happen, of those that the rates let happen; default all.
   */
  constructor(seed: number, rates?: Partial<FaultRates>, only?: readonly FaultKind[]) {
    this.#only = only === undefined ? undefined : new Set(only);
    this.#random = new SeededRandom(seed, 5);
    this.#modelRandom = new SeededRandom(seed, 10);
    const chosen = Object.fromEntries(
      [...kinds, ...modelKinds].map((kind) => {
        const random = this.#randomOf(kind);
        const isChosen = random.next() < 0.5;
        const rate = random.next() * highest[kind];
        return [kind, rates === undefined ? (isChosen ? rate : 0) : (rates[kind] ?? 0)];
      }),
    );
    this.#rates = chosen as unknown as FaultRates;
  }

  /** From now on nothing goes wrong any more. */
  end(): void {
    this.#isOn = false;
  }

  /** Says whether a fault of this kind happens now. */
  happens(kind: FaultKind): boolean {
    const rate = this.#rates[kind];
    if (!this.#isOn || rate === 0 || this.#randomOf(kind).next() >= rate) return false;
    // Left out after the draw, so that the others happen as they did.
    if (this.#only?.has(kind) === false) return false;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return true;
  }

  #randomOf(kind: FaultKind): SeededRandom {
    return modelKinds.includes(kind) ? this.#modelRandom : this.#random;
  }

  /** @returns A wait in milliseconds, mostly short and sometimes longer than a caller waits. */
  slowMs(): number {
    const draw = this.#random.next();
    const longest = draw < 0.5 ? 20 : draw < 0.8 ? 500 : draw < 0.95 ? 5000 : 40_000;
    return Math.ceil(this.#random.next() * longest);
  }

  /** @returns True as often as false. */
  coin(): boolean {
    return this.#random.next() < 0.5;
  }
}

/** What a simulation throws. Its message says so, for the logs. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
}
