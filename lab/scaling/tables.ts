import { membersOfWorker, openCountOf } from "../../bench/scaling/workload.ts";
import { benchOf, type Measured } from "./measured.ts";
import { type SimulatedRate, simulateJoin, simulateRate } from "./simulate.ts";
import type { Target, Work } from "./simulated-cluster.ts";

/** One way between two machines of one network, milliseconds. */
const hopMs = 0.1;
/** Members of the pool at most: a thousand workers with eight each take 8 GB to simulate, and answer no more calls. */
const memberCountMax = 2000;
/** Keys that are called in turn. */
const keyCount = 1000;

const works: readonly (readonly [Work, string])[] = [
  ["nothing", "do nothing"],
  ["wait", "wait 20 ms"],
  ["compute", "compute"],
];

/** @returns Rows of what one message, one turn and one handler take. */
export function costLines(measured: Measured): readonly string[] {
  const ways = [
    { target: "pool", isForwarded: false },
    { target: "keys", isForwarded: false },
    { target: "keys", isForwarded: true },
  ] as const;
  const all = ways.map((way) => measured.costs(way));
  const processes = ["supervisor", "worker", "broker", "caller"] as const;
  const lines = processes.map((name) => {
    const cells = all.map((costs, index) =>
      name === "caller" && ways[index]?.isForwarded === false
        ? ""
        : costs[name].messageUs.toFixed(1),
    );
    const words = name === "caller" ? "worker that calls" : name;
    return `| ${words} | ${cells.join(" | ")} | ${all[0]?.[name].turnUs.toFixed(0)} |`;
  });
  const { computeUs = Number.NaN, keyMoveUs = Number.NaN } = all[0] ?? {};
  return [
    "| process | µs a message: to a pool | to keys | to keys, from another worker | µs a turn of its event loop |",
    "|---|---|---|---|---|",
    ...lines,
    "",
    `A handler that computes takes ${(computeUs / 1000).toFixed(1)} ms; a key that moves ${keyMoveUs.toFixed(0)} µs.`,
  ];
}

/** What is compared: how far a simulated rate is off the measured one at most, and whether all are measured. */
export interface Comparison {
  readonly lines: readonly string[];
  /** Of the measured rate: 0.2 for one fifth. */
  readonly worst: number;
  readonly isWhole: boolean;
}

/** Compares what was measured with 1, 2 and 4 workers with what is simulated for them. */
export async function measuredRates(measured: Measured, coreCount: number): Promise<Comparison> {
  const lines = ["| handlers | of | 1 worker | 2 | 4 |", "|---|---|---|---|---|"];
  let worst = 0;
  let isWhole = true;
  for (const [work, words] of works)
    for (const target of ["pool", "keys"] as const) {
      const cells: string[] = [];
      for (const workerCount of [1, 2, 4]) {
        const simulated = await rateHere(measured, { work, target, workerCount, coreCount });
        const real = measured.of(benchOf(work), `${target}-${workerCount}`);
        const off = simulated / real - 1;
        const isMeasured = !Number.isNaN(real);
        isWhole &&= isMeasured;
        if (isMeasured) worst = Math.max(worst, Math.abs(off));
        cells.push(
          isMeasured
            ? `${shown(real)} (${shown(simulated)}, ${off < 0 ? "" : "+"}${(off * 100).toFixed(0)} %)`
            : `not measured yet (${shown(simulated)})`,
        );
      }
      lines.push(`| ${words} | ${target} | ${cells.join(" | ")} |`);
    }
  return { lines, worst, isWhole };
}

/** @returns Calls a second that are simulated for all processes on this machine. */
async function rateHere(
  measured: Measured,
  run: {
    readonly work: Work;
    readonly target: Target;
    readonly workerCount: number;
    readonly coreCount: number;
  },
): Promise<number> {
  const { work, target, workerCount, coreCount } = run;
  const contender = `${target}-${workerCount}`;
  const others = measured.of(benchOf(work), contender, "cores that other programs used");
  const { callsPerSecond } = await simulateRate({
    costs: measured.costs({ target, isForwarded: false }),
    memberCount: membersOfWorker * workerCount,
    openCount: openCountOf(work, workerCount),
    keyCount,
    windowMs: work === "nothing" ? 200 : 1000,
    workerCount,
    target,
    work,
    sharedCoreCount: coreCount,
    slowness: coreCount / Math.max(0.1, coreCount - Math.max(0, others || 0)),
    hopMs: 0,
    isForwarded: false,
  });
  return callsPerSecond;
}

/** What is asked of the workers grows with them, each on a separate machine. */
export async function growingRates(
  measured: Measured,
  workerCountMax: number,
): Promise<readonly string[]> {
  const lines = [
    "| workers | pool, handlers wait | keys, handlers wait | keys, handlers compute | keys, from another worker |",
    "|---|---|---|---|---|",
  ];
  const runs = [
    { work: "wait", target: "pool", isForwarded: false },
    { work: "wait", target: "keys", isForwarded: false },
    { work: "compute", target: "keys", isForwarded: false },
    { work: "nothing", target: "keys", isForwarded: true },
  ] as const;
  for (const workerCount of countsTo(workerCountMax)) {
    const shape = {
      hopMs,
      workerCount,
      // What keeps all members at work, and no more than it takes to find the limit.
      openCount: Math.min(4000, 2 * membersOfWorker * workerCount),
      keyCount: 10_000,
      windowMs: 100,
    };
    const cells: string[] = [];
    for (const run of runs) {
      const costs = measured.costs(run);
      // A pool that nobody calls is only one more thing that each worker keeps.
      const memberCount =
        run.target === "pool"
          ? Math.min(memberCountMax, membersOfWorker * workerCount)
          : workerCount;
      cells.push(busyCell(await simulateRate({ ...shape, ...run, costs, memberCount })));
    }
    lines.push(`| ${workerCount} | ${cells.join(" | ")} |`);
  }
  return lines;
}

function busyCell({ callsPerSecond, supervisorBusy, workerBusyMax }: SimulatedRate): string {
  const limit = supervisorBusy > 0.95 ? ", supervisor" : workerBusyMax > 0.95 ? ", a worker" : "";
  return `${shown(callsPerSecond)}${limit}`;
}

/** A worker comes to more and more others. */
export async function growingJoins(
  measured: Measured,
  workerCountMax: number,
  coreCount: number,
): Promise<readonly string[]> {
  const lines = [
    "| workers before | ms | messages | partitions of the fullest worker, by the mean | measured here |",
    "|---|---|---|---|---|",
  ];
  const counts = [1, 3, ...countsTo(workerCountMax).filter((count) => count > 4)];
  for (const workerCount of counts) {
    const isHere = workerCount < 4;
    // Of many workers, what one more gets is chance.
    const joinCount = isHere ? 1 : 5;
    const { durationMs, messageCount, partitionSkew } = await simulateJoin({
      costs: measured.costs({ target: "keys", isForwarded: false }),
      memberCount: workerCount + joinCount,
      joinCount,
      sharedCoreCount: isHere ? coreCount : undefined,
      hopMs: isHere ? 0 : hopMs,
      workerCount,
      keyCount,
    });
    const of = (figure: string): string =>
      shown(measured.of("agentrt-scale-join", `to-${workerCount + 1}-keys-${keyCount}`, figure));
    const real = isHere
      ? `${of("join: until all is shared, ms")} ms, ${of("join: messages of processes")} messages`
      : "";
    lines.push(
      `| ${workerCount} | ${durationMs.toFixed(0)} | ${messageCount.toFixed(0)} | ${partitionSkew.toFixed(1)} | ${real} |`,
    );
  }
  return lines;
}

function shown(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

function countsTo(count: number): number[] {
  return [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000].filter((each) => each <= count);
}
