import { membersOfWorker, openCountOf } from "../../bench/scaling/workload.ts";
import { benchOf, type Measured, type ScaleBench } from "./measured.ts";
import { type SimulatedRate, simulateJoin, simulateRate } from "./simulate.ts";
import type { Target, Work } from "./simulated-cluster.ts";

/** One way between two machines of one network, milliseconds. */
const hopMs = 0.1;
/** Members of the pool at most: a thousand workers with eight each take 8 GB to simulate, and answer no more calls. */
const memberCountMax = 2000;
/** Who works for more of the time than that has none left. */
const busyMin = 0.95;
/** Keys that are called in turn. */
const keyCount = 1000;

/** What is compared with what was measured. */
interface ComparedCalls {
  readonly work: Work;
  readonly words: string;
  readonly isForwarded: boolean;
}

const compared: readonly ComparedCalls[] = [
  { work: "nothing", words: "do nothing", isForwarded: false },
  { work: "wait", words: "wait 20 ms", isForwarded: false },
  { work: "compute", words: "compute", isForwarded: false },
  { work: "nothing", words: "do nothing, called from another worker", isForwarded: true },
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

/** How far simulated rates are off the measured ones, and whether all are measured. */
export interface Comparison {
  readonly lines: readonly string[];
  /** Most of calls from the supervisor's process, of the measured rate: 0.2 for one fifth. */
  readonly worst: number;
  /** Most of calls from another worker. */
  readonly worstForwarded: number;
  readonly isWhole: boolean;
}

/** Compares what was measured with 1, 2 and 4 workers with what is simulated for them. */
export async function measuredRates(measured: Measured, coreCount: number): Promise<Comparison> {
  const lines = ["| handlers | of | 1 worker | 2 | 4 |", "|---|---|---|---|---|"];
  const offs: { readonly isForwarded: boolean; readonly off: number }[] = [];
  for (const { words, ...calls } of compared)
    for (const target of ["pool", "keys"] as const) {
      const cells: string[] = [];
      for (const workerCount of [1, 2, 4]) {
        const simulated = await rateHere(measured, { ...calls, target, workerCount, coreCount });
        const real = measured.of(benchOfCalls(calls), `${target}-${workerCount}`);
        const off = simulated / real - 1;
        offs.push({ isForwarded: calls.isForwarded, off: Math.abs(off) });
        cells.push(
          Number.isNaN(real)
            ? `not measured yet (${shown(simulated)})`
            : `${shown(real)} (${shown(simulated)}, ${off < 0 ? "" : "+"}${(off * 100).toFixed(0)} %)`,
        );
      }
      lines.push(`| ${words} | ${target} | ${cells.join(" | ")} |`);
    }
  const known = offs.filter(({ off }) => !Number.isNaN(off));
  const worstOf = (isForwarded: boolean): number =>
    Math.max(0, ...known.filter((each) => each.isForwarded === isForwarded).map(({ off }) => off));
  const isWhole = known.length === offs.length;
  return { lines, worst: worstOf(false), worstForwarded: worstOf(true), isWhole };
}

function benchOfCalls({
  work,
  isForwarded,
}: Pick<ComparedCalls, "work" | "isForwarded">): ScaleBench {
  return isForwarded ? "agentrt-scale-forward" : benchOf(work);
}

/** Calls that are simulated for processes that share this machine. */
interface CallsHere extends Pick<ComparedCalls, "work" | "isForwarded"> {
  readonly target: Target;
  readonly workerCount: number;
  readonly coreCount: number;
}

/** @returns How many are answered in a second. */
async function rateHere(measured: Measured, calls: CallsHere): Promise<number> {
  const { work, target, workerCount, coreCount } = calls;
  const contender = `${target}-${workerCount}`;
  const others = measured.of(benchOfCalls(calls), contender, "cores that other programs used");
  const { callsPerSecond } = await simulateRate({
    ...calls,
    costs: measured.costs(calls),
    memberCount: membersOfWorker * workerCount,
    openCount: openCountOf(work, workerCount),
    keyCount,
    windowMs: work === "nothing" ? 200 : 1000,
    sharedCoreCount: coreCount,
    slowness: coreCount / Math.max(0.1, coreCount - Math.max(0, others || 0)),
    hopMs: 0,
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
  const limit =
    supervisorBusy > busyMin ? ", supervisor" : workerBusyMax > busyMin ? ", a worker" : "";
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
