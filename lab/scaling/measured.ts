import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Costs, Work } from "./simulated-cluster.ts";

/** One row of a bench, as `bench/run.ts` writes it. */
interface Row {
  readonly contender: string;
  readonly rate: number;
  readonly figures: { readonly [name: string]: number };
}

/** What the benches of scaling measured, by bench; medians of their rounds. */
export class Measured {
  readonly folder: string;
  readonly #rows = new Map<string, readonly Row[]>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Reads the newest folder of results that has all benches. @throws Error when there is none. */
  static newest(results: string): Measured {
    const folders = globSync("*/", { cwd: results }).sort().reverse();
    const found = folders.find((folder) =>
      benches.every((bench) => existsSync(join(results, folder, `${bench}.jsonl`))),
    );
    if (found === undefined)
      throw new Error(`nothing is measured in ${results}: run with --measure first`);
    return new Measured(join(results, found));
  }

  /** @returns The median of a figure of a contender; of its rate without one. */
  of(bench: ScaleBench, contender: string, figure?: string): number {
    const rows = this.#rowsOf(bench).filter((row) => row.contender === contender);
    const values = rows.map((row) => (figure === undefined ? row.rate : row.figures[figure]));
    return median(values.filter((value) => value !== undefined));
  }

  /** What a message and a handler cost: with one worker, so that nothing of two or four is in it. */
  costs(): Costs {
    const { of } = { of: this.of.bind(this) };
    const ofCall = (name: string): number =>
      of("agentrt-scale-nothing", "pool-1", `${name}, us a call`);
    const workerUs = ofCall("workers");
    const computing = of("agentrt-scale-compute", "pool-1", "workers, us a call");
    return {
      // A call is two messages for each of the three.
      supervisorMessageUs: ofCall("supervisor") / 2,
      workerMessageUs: workerUs / 2,
      brokerMessageUs: ofCall("broker") / 2,
      computeUs: computing - workerUs,
      waitMs: 20,
      keyMoveUs: this.#keyMoveUs(),
    };
  }

  /** What a forwarded message costs the supervisor: of a call it has four. */
  forwardMessageUs(): number {
    return this.of("agentrt-scale-forward", "pool-1", "supervisor, us a call") / 4;
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
      const text = readFileSync(join(this.folder, `${bench}.jsonl`), "utf8");
      rows = text
        .trim()
        .split("\n")
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
