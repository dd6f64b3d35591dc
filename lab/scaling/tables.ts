import { membersOfWorker, openCountOf } from "../../bench/scaling/workload.ts";
import { benchOf, type Measured } from "./measured.ts";
import { type SimulatedRate, simulateJoin, simulateRate } from "./simulate.ts";
import type { Work } from "./simulated-cluster.ts";

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
  const costs = measured.costs();
  const line = (name: string, { messageUs, turnUs }: typeof costs.supervisor): string =>
    `| ${name} | ${messageUs.toFixed(1)} | ${turnUs.toFixed(0)} |`;
  const forwarding = { ...costs.supervisor, messageUs: measured.forwardMessageUs() };
  return [
    "| process | µs a message | µs a turn of its event loop |",
    "|---|---|---|",
    line("supervisor, which calls", costs.supervisor),
    line("supervisor, which forwards", forwarding),
    line("worker", costs.worker),
    line("broker", costs.broker),
    "",
    `A handler that computes takes ${(costs.computeUs / 1000).toFixed(1)} ms; a key that moves ${costs.keyMoveUs.toFixed(0)} µs.`,
  ];
}

/** Compares what was measured with 1, 2 and 4 workers with what is simulated for them. */
export async function measuredRates(
  measured: Measured,
  coreCount: number,
): Promise<{ readonly lines: readonly string[]; readonly worst: number }> {
  const lines = ["| handlers | of | 1 worker | 2 | 4 |", "|---|---|---|---|---|"];
  let worst = 0;
  for (const [work, words] of works)
    for (const target of ["pool", "keys"] as const) {
      const cells: string[] = [];
      for (const workerCount of [1, 2, 4]) {
        const contender = `${target}-${workerCount}`;
        const real = measured.of(benchOf(work), contender);
        const others = measured.of(benchOf(work), contender, "cores that other programs used");
        const { callsPerSecond } = await simulateRate({
          costs: measured.costs(target),
          memberCount: membersOfWorker * workerCount,
          openCount: openCountOf(work, workerCount),
          keyCount,
          windowMs: work === "nothing" ? 200 : 1000,
          workerCount,
          target,
          work,
          sharedCoreCount: coreCount,
          slowness: coreCount / Math.max(0.1, coreCount - Math.max(0, others)),
          hopMs: 0,
          isForwarded: false,
        });
        const off = callsPerSecond / real - 1;
        worst = Math.max(worst, Math.abs(off));
        cells.push(
          `${shown(real)} (${shown(callsPerSecond)}, ${off < 0 ? "" : "+"}${(off * 100).toFixed(0)} %)`,
        );
      }
      lines.push(`| ${words} | ${target} | ${cells.join(" | ")} |`);
    }
  return { lines, worst };
}

/** What is asked of the workers grows with them, each on a separate machine. */
export async function growingRates(
  measured: Measured,
  workerCountMax: number,
): Promise<readonly string[]> {
  const costs = measured.costs();
  const forwarding = {
    ...costs,
    supervisor: { ...costs.supervisor, messageUs: measured.forwardMessageUs() },
  };
  const lines = [
    "| workers | pool, handlers wait | keys, handlers wait | keys, handlers compute | keys, from other workers |",
    "|---|---|---|---|---|",
  ];
  for (const workerCount of countsTo(workerCountMax)) {
    const shape = {
      costs,
      memberCount: Math.min(memberCountMax, membersOfWorker * workerCount),
      hopMs,
      workerCount,
      // What keeps all members at work, and no more than it takes to find the limit.
      openCount: Math.min(4000, 2 * membersOfWorker * workerCount),
      keyCount: 10_000,
      windowMs: 100,
    };
    const runs = [
      await simulateRate({ ...shape, work: "wait", target: "pool", isForwarded: false }),
      await simulateRate({ ...shape, work: "wait", target: "keys", isForwarded: false }),
      await simulateRate({ ...shape, work: "compute", target: "keys", isForwarded: false }),
      await simulateRate({
        ...shape,
        costs: forwarding,
        work: "nothing",
        target: "keys",
        isForwarded: true,
      }),
    ];
    lines.push(`| ${workerCount} | ${runs.map(busyCell).join(" | ")} |`);
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
    const { durationMs, messageCount, partitionSkew } = await simulateJoin({
      costs: measured.costs(),
      memberCount: Math.min(memberCountMax, workerCount + 1),
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
      `| ${workerCount} | ${durationMs.toFixed(0)} | ${messageCount} | ${partitionSkew.toFixed(1)} | ${real} |`,
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
