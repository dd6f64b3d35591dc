import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Sample } from "./bench.ts";

/** What is sampled: a contender of a bench. */
export interface Sampled {
  readonly bench: string;
  readonly contender: string;
  readonly isQuick: boolean;
}

/** How two states of this repository compare in one bench. */
export interface Comparison {
  /** The other state's time over this one's, round by round: above 1 this state is faster. */
  readonly ratios: readonly number[];
  readonly median: number;
  /** A confidence interval of the median, at least 95 % by the binomial distribution of its order statistics. */
  readonly interval: readonly [low: number, high: number];
}

const here = fileURLToPath(new URL("..", import.meta.url));

/**
 * Says why another checkout cannot be measured, if so.
 *
 * @param checkout Root folder of the other checkout, set up, its executable built.
 */
export function obstacleIn(checkout: string): string | undefined {
  if (!existsSync(join(checkout, "bench", "run.ts"))) return `"${checkout}" is not a checkout`;
  if (pinnedNode(checkout) === undefined)
    return `"${checkout}" is not set up: run \`npm run bench\` there once`;
  return undefined;
}

/** Runs one sample in a separate process, in this checkout or another. */
export function sampleInChild(sampled: Sampled, checkout: string = here): Sample {
  const { bench, contender, isQuick } = sampled;
  const args = [
    ...process.execArgv,
    join(checkout, "bench", "run.ts"),
    `--sample=${bench}`,
    `--contender=${contender}`,
  ];
  if (isQuick) args.push("--quick");
  const program = (checkout === here ? undefined : pinnedNode(checkout)) ?? process.execPath;
  const options = {
    encoding: "utf8",
    maxBuffer: 64 << 20,
    timeout: 600_000,
    cwd: checkout,
  } as const;
  const result = spawnSync(program, args, options);
  const line = result.stdout.split("\n").find((text) => text.startsWith("sample "));
  if (result.status !== 0 || line === undefined) {
    throw new Error(
      `${bench}: ${contender} gave no sample: ${result.stderr.trim().slice(-2000) || `exit ${result.status}`}`,
    );
  }
  const sample = JSON.parse(line.slice("sample ".length)) as Sample;
  if (sample.operationCount > 0 && sample.seconds > 0) return sample;
  throw new Error(`${bench}: ${contender} gave no usable sample: ${line}`);
}

/**
 * Measures this state and another in turn, the first of each round being the second of the next.
 *
 * @param checkout Root folder of the other checkout.
 * @param roundCount At least 6, below which there is no interval of 95 %.
 */
export function compareWith(checkout: string, sampled: Sampled, roundCount: number): Comparison {
  const ratios: number[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    const order = round % 2 === 0 ? [here, checkout] : [checkout, here];
    const rates = new Map(
      order.map((state) => {
        const { operationCount, seconds } = sampleInChild(sampled, state);
        return [state, operationCount / seconds];
      }),
    );
    ratios.push((rates.get(here) ?? Number.NaN) / (rates.get(checkout) ?? Number.NaN));
    process.stderr.write(`  round ${round + 1} of ${roundCount} done\n`);
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  const rank = medianRank(roundCount);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (at((roundCount - 1) >> 1) + at(roundCount >> 1)) / 2;
  return { ratios, median: middle, interval: [at(rank), at(roundCount - 1 - rank)] };
}

/**
 * The largest rank (from 0) so that the values at it from both ends enclose the median with at least 95 %: the chance
 * that at most `rank` of n values lie below the median is the sum of the binomial distribution with p = 1/2.
 */
function medianRank(count: number): number {
  let term = 0.5 ** count;
  let below = term;
  let rank = 0;
  while (below + (term * (count - rank)) / (rank + 1) <= 0.025) {
    term = (term * (count - rank)) / (rank + 1);
    below += term;
    rank += 1;
  }
  return rank;
}

/** The Node that a checkout pins, where it is installed. */
function pinnedNode(checkout: string): string | undefined {
  const [found] = globSync("node_modules/node-{bin-,}*/bin/node{,.exe}", { cwd: checkout });
  return found === undefined ? undefined : join(checkout, found);
}
