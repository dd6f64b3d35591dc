import { existsSync, globSync, readFileSync } from "node:fs";
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

  /** What a message, a turn and a handler cost: with one worker, so that nothing of two or four is in it. */
  costs(target: Target = "pool"): Costs {
    const computing = this.of("agentrt-scale-compute", `${target}-1`, "workers, us a call");
    const worker = this.#processCosts("workers", target, 1);
    return {
      supervisor: this.#processCosts("supervisor", target, 1),
      worker,
      broker: this.#processCosts("broker", target, 2),
      computeUs: computing - worker.messageUs,
      waitMs: 20,
      keyMoveUs: this.#keyMoveUs(),
    };
  }

  /** @param messageCount Messages of one call that such a process gets. */
  #processCosts(name: string, target: Target, messageCount: number): ProcessCosts {
    const of = (contender: string): number =>
      this.of("agentrt-scale-nothing", contender, `${name}, us a call`) / messageCount;
    // Of one open call each message has a turn. Of many one turn has all: they go to and fro together.
    const openCount = openCountOf("nothing", 1);
    const [firstUs, manyUs] = [of("pool-1-one"), of("pool-1")];
    const turnUs = Math.max(0, ((firstUs - manyUs) * openCount) / (openCount - 1));
    return { messageUs: of(`${target}-1`) - turnUs / openCount, turnUs };
  }

  /** What the supervisor's process takes for a message that it forwards: of a call it gets two. */
  forwardMessageUs(): number {
    const { turnUs } = this.costs().supervisor;
    const ofCall = this.of("agentrt-scale-forward", "keys-1", "supervisor, us a call");
    return ofCall / 2 - turnUs / openCountOf("nothing", 1);
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
