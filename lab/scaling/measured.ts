import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openCountOf } from "../../bench/scaling/workload.ts";
import type { Costs, ProcessCosts, Target, Work } from "./simulated-cluster.ts";

/** One row of a bench, as `bench/run.ts` writes it. */
interface Row {
  readonly contender: string;
  readonly rate: number;
  readonly figures: { readonly [name: string]: number };
}

/** What the benches of scaling measured, by bench; medians of their rounds. */
export class Measured {
  readonly #results: string;
  readonly #rows = new Map<string, readonly Row[]>();

  /** @param results The folder with a folder for each day of measuring: of each bench the newest counts. */
  constructor(results: string) {
    this.#results = results;
  }

  /** True when a bench has been run. */
  has(bench: ScaleBench): boolean {
    return this.#rowsOf(bench).length > 0;
  }

  /** @returns The median of a figure of a contender; of its rate without one. NaN for what is not measured. */
  of(bench: ScaleBench, contender: string, figure?: string): number {
    const rows = this.#rowsOf(bench).filter((row) => row.contender === contender);
    const values = rows.map((row) => (figure === undefined ? row.rate : row.figures[figure]));
    return median(values.filter((value) => value !== undefined));
  }

  /**
   * What messages, turns and handlers cost: with one worker, so that nothing of two or four is in it.
   *
   * @param of.isForwarded True where those who call are in a separate process, and the supervisor only forwards.
   */
  costs({
    target,
    isForwarded,
  }: {
    readonly target: Target;
    readonly isForwarded: boolean;
  }): Costs {
    const bench = isForwarded ? "agentrt-scale-forward" : "agentrt-scale-nothing";
    const costsOf = (name: string, messageCount: number, turnUs: number): ProcessCosts => {
      const ofCallUs = this.of(bench, `${target}-1`, `${name}, us a call`);
      return { messageUs: ofCallUs / messageCount - turnUs / openCountOf("nothing", 1), turnUs };
    };
    const workerTurnUs = this.#turnUs("workers", 1);
    const worker = costsOf("workers", 1, workerTurnUs);
    return {
      supervisor: costsOf("supervisor", isForwarded ? 2 : 1, this.#turnUs("supervisor", 1)),
      worker,
      caller: isForwarded ? costsOf("callers' process", 1, workerTurnUs) : worker,
      broker: costsOf("broker", isForwarded ? 4 : 2, this.#turnUs("broker", 2)),
      computeUs: this.of("agentrt-scale-handler", "processes-1", "processor time of a handler, us"),
      waitMs: 20,
      keyMoveUs: this.#keyMoveUs(),
    };
  }

  /** What a turn costs without its messages. @param messageCount Of one call that such a process gets. */
  #turnUs(name: string, messageCount: number): number {
    const of = (contender: string): number =>
      this.of("agentrt-scale-nothing", contender, `${name}, us a call`) / messageCount;
    // Of one open call each message has a turn. Of many one turn has all: they go to and fro together.
    const openCount = openCountOf("nothing", 1);
    return Math.max(0, ((of("pool-1-one") - of("pool-1")) * openCount) / (openCount - 1));
  }

  /** What is added by keys, when the second of two workers gets half of them. */
  #keyMoveUs(): number {
    const joinMs = (keyCount: number): number =>
      this.of("agentrt-scale-join", `to-2-keys-${keyCount}`, "join: until all is shared, ms");
    const [many, few] = [1000, 100];
    return Math.max(0, ((joinMs(many) - joinMs(few)) * 1000) / ((many - few) / 2));
  }

  #rowsOf(bench: ScaleBench): readonly Row[] {
    let rows = this.#rows.get(bench);
    if (rows === undefined) {
      const newest = globSync(`*/${bench}.jsonl`, { cwd: this.#results }).sort().at(-1);
      const text = newest === undefined ? "" : readFileSync(join(this.#results, newest), "utf8");
      rows = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Row);
      this.#rows.set(bench, rows);
    }
    return rows;
  }
}

/** The benches that the simulation reads. */
export const benches = [
  "agentrt-scale-nothing",
  "agentrt-scale-wait",
  "agentrt-scale-compute",
  "agentrt-scale-handler",
  "agentrt-scale-forward",
  "agentrt-scale-join",
] as const;

/** One of them. */
export type ScaleBench = (typeof benches)[number];

/** @returns The bench of a kind of handlers. */
export function benchOf(work: Work): ScaleBench {
  return `agentrt-scale-${work}`;
}

/** @returns The one in the middle; of an even number the mean of both. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
