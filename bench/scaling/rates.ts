import { loadavg } from "node:os";
import { commandPath } from "testkit";
import type { Contender, Sample } from "../bench.ts";
import { Cluster, type Used } from "./cluster.ts";
import { keyCount, openCountOf, type Work } from "./workload.ts";

/** What is called: members of a pool, or keys. */
type Target = "pool" | "keys";

/** One measured rate. */
interface RateOptions {
  readonly work: Work;
  readonly target: Target;
  readonly workerCount: number;
  /** Calls that are open at a time. */
  readonly openCount: number;
  /** True when the callers are on a worker: the supervisor's process only forwards. */
  readonly isForwarded: boolean;
  readonly isQuick: boolean;
}

const names = { pool: "team", keys: "ticket" } as const;

async function callAll(
  { runtime }: Cluster,
  options: RateOptions,
  seconds: number,
): Promise<number> {
  const { work, target, openCount, isForwarded } = options;
  const name = names[target];
  const untilMs = Date.now() + seconds * 1000;
  const lane = async (number: number): Promise<number> => {
    if (isForwarded) {
      const payload = { target: name, work, keyCount, untilMs, lane: number };
      const { count } = await runtime.call("caller", payload, { timeoutMs: 60_000 });
      return Number(count);
    }
    let count = 0;
    while (Date.now() < untilMs) {
      const id = `key-${(number * 131 + count * 7) % keyCount}`;
      const { sequence } = await runtime.call(name, { sequence: count, work, id });
      if (sequence !== count)
        throw new Error(`the answer to ${count} was of ${JSON.stringify(sequence)}`);
      count += 1;
    }
    return count;
  };
  const counts = await Promise.all(Array.from({ length: openCount }, (_, number) => lane(number)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function measure(options: RateOptions): Promise<Sample> {
  const { workerCount, isForwarded, isQuick } = options;
  const [load = 0] = loadavg();
  await using cluster = await Cluster.start(workerCount);
  for (let count = 0; count < workerCount; count += 1) await cluster.startWorker();
  if (isForwarded) await cluster.startFront();
  await callAll(cluster, options, isQuick ? 1 : 2);
  const before = cluster.usedUs();
  const startedMs = performance.now();
  const operationCount = await callAll(cluster, options, isQuick ? 2 : 5);
  const seconds = (performance.now() - startedMs) / 1000;
  const used = cluster.usedUs();
  const othersUs = othersOf(used) - othersOf(before);
  const perCall = (of: keyof typeof used): number => (used[of] - before[of]) / operationCount;
  return {
    operationCount,
    seconds,
    figures: {
      "supervisor, us a call": perCall("supervisor"),
      "workers, us a call": perCall("workers"),
      "broker, us a call": perCall("broker"),
      ...(isForwarded ? { "callers' process, us a call": perCall("front") } : {}),
      "cores that other programs used": othersUs / 1_000_000 / seconds,
      "load of the machine before": load,
    },
  };
}

function othersOf({ machine, supervisor, workers, front, broker }: Used): number {
  return machine - supervisor - workers - front - broker;
}

/** Makes the contenders of a bench: so many workers of one group, for a pool and for keys. */
export function scaleRates(
  work: Work,
  options: { readonly isForwarded?: boolean } = {},
): readonly [Contender, ...Contender[]] {
  const { isForwarded = false } = options;
  const make = (target: Target, workerCount: number, isOne = false): Contender => ({
    name: `${target}-${workerCount}${isOne ? "-one" : ""}`,
    prepare: () =>
      commandPath("nats-server") === undefined ? "nats-server is not installed" : undefined,
    run: async ({ isQuick }) => {
      const openCount = isOne ? 1 : openCountOf(work, workerCount);
      return await measure({ work, target, workerCount, openCount, isForwarded, isQuick });
    },
  });
  // What a call takes when no other one is on its way.
  const one = work === "nothing" && !isForwarded ? [make("pool", 1, true)] : [];
  return [
    make("pool", 1),
    make("pool", 2),
    make("pool", 4),
    make("keys", 1),
    make("keys", 2),
    make("keys", 4),
    ...one,
  ];
}
