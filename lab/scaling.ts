/**
 * `npm run scaling [-- --measure] [--most=COUNT]`: says how calls a second and the time of a join grow with the workers of a
 * process group. With `--measure` the benches `agentrt-scale-*` run first, which takes some 15 minutes on a machine that has
 * nothing else to do; without, the newest results are read. Then the supervisor and the workers are simulated: their real code
 * under a virtual clock, with the processor time that messages and handlers were measured to take with one worker. It prints
 * measured and simulated rates of 1, 2 and 4 workers on the cores of this machine, and what is simulated up to `--most`
 * workers (default 1000), each on a separate machine. Exit 1: a simulated rate is more than 20 % off a measured one.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { membersOfWorker, openCountOf } from "../bench/scaling/workload.ts";
import { benches, benchOf, Measured } from "./scaling/measured.ts";
import { simulateJoin, simulateRate } from "./scaling/simulate.ts";
import type { Work } from "./scaling/simulated-cluster.ts";

const { values } = parseArgs({
  options: { measure: { type: "boolean" }, most: { type: "string" } },
});
const most = Number(values.most ?? 1000);
const repository = fileURLToPath(new URL("..", import.meta.url));
/** Most that a simulated rate may be off a measured one, of that. */
const errorMax = 0.2;
/** One way between two machines of one network, milliseconds. */
const hopMs = 0.1;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (values.measure === true) {
  const { status } = spawnSync(process.execPath, ["scripts/bench.mjs", ...benches], {
    cwd: repository,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 2);
}
// Each simulated process listens for the faults of this one.
process.setMaxListeners(0);
const measured = Measured.newest(`${repository}/bench/results`);
const costs = measured.costs();
const works: readonly Work[] = ["nothing", "wait", "compute"];
const shown = (value: number): string => value.toFixed(0).padStart(9);

async function compareRates(): Promise<number> {
  say(`measured in ${measured.folder.slice(repository.length)}, ${availableParallelism()} cores`);
  for (const name of ["supervisor", "worker", "broker"] as const) {
    const { messageUs, turnUs } = costs[name];
    say(
      `${name}: ${messageUs.toFixed(1)} us of processor time a message, ${turnUs.toFixed(1)} a turn`,
    );
  }
  say(`supervisor: ${measured.forwardMessageUs().toFixed(1)} us a message that it forwards`);
  say(
    `handler that computes: ${costs.computeUs.toFixed(0)} us; key that moves: ${costs.keyMoveUs.toFixed(0)} us\n`,
  );
  say("calls a second            measured simulated      off");
  let worst = 0;
  for (const work of works)
    for (const target of ["pool", "keys"] as const)
      for (const workerCount of [1, 2, 4]) {
        const bench = benchOf(work);
        const contender = `${target}-${workerCount}`;
        const real = measured.of(bench, contender);
        const others = measured.of(bench, contender, "cores that other programs used");
        const cores = availableParallelism();
        const { callsPerSecond } = await simulateRate({
          ...sizesOf(work, workerCount),
          costs,
          workerCount,
          target,
          work,
          sharedCoreCount: cores,
          slowness: cores / Math.max(0.1, cores - Math.max(0, others)),
          hopMs: 0,
          isForwarded: false,
        });
        const off = callsPerSecond / real - 1;
        worst = Math.max(worst, Math.abs(off));
        say(
          `${`${work}, ${contender}`.padEnd(24)}${shown(real)} ${shown(callsPerSecond)} ${percent(off)}`,
        );
      }
  return worst;
}

function sizesOf(work: Work, workerCount: number) {
  return {
    memberCount: membersOfWorker * workerCount,
    openCount: openCountOf(work, workerCount),
    keyCount: 1000,
    windowMs: work === "nothing" ? 200 : 1000,
  };
}

function percent(share: number): string {
  return `${share < 0 ? "" : "+"}${(share * 100).toFixed(0)} %`.padStart(8);
}

/** So many workers, each on its own machine: what is asked of them grows with them. */
async function growRates(): Promise<void> {
  say(
    "\ncalls a second, each process on a separate machine (share of the time in which the supervisor works)",
  );
  say("workers   wait, pool     wait, keys     compute, keys  forwarded, nothing");
  for (const workerCount of countsTo(most)) {
    const memberCount = Math.min(10_000, membersOfWorker * workerCount);
    // Enough to keep what can be kept at work, and no more.
    const openCount = Math.min(4000, 2 * membersOfWorker * workerCount);
    const shape = {
      costs,
      memberCount,
      hopMs,
      workerCount,
      openCount,
      keyCount: 10_000,
      windowMs: 100,
    };
    const runs = [
      await simulateRate({ ...shape, work: "wait", target: "pool", isForwarded: false }),
      await simulateRate({ ...shape, work: "wait", target: "keys", isForwarded: false }),
      await simulateRate({ ...shape, work: "compute", target: "keys", isForwarded: false }),
      await simulateRate({
        ...shape,
        costs: {
          ...costs,
          supervisor: { ...costs.supervisor, messageUs: measured.forwardMessageUs() },
        },
        work: "nothing",
        target: "keys",
        isForwarded: true,
      }),
    ];
    const cells = runs.map(({ callsPerSecond, supervisorBusy }) =>
      `${callsPerSecond.toFixed(0)} (${(100 * supervisorBusy).toFixed(0)} %)`.padEnd(15),
    );
    say(`${String(workerCount).padEnd(10)}${cells.join("")}`);
  }
}

async function growJoins(): Promise<void> {
  say("\none worker comes, with 1000 keys that have an object      measured        simulated");
  say("workers before   ms   messages   partitions of the fullest over the mean");
  for (const workerCount of [1, 3, ...countsTo(most).filter((count) => count > 4)]) {
    const { durationMs, messageCount, partitionSkew } = await simulateJoin({
      costs,
      memberCount: Math.min(10_000, workerCount + 1),
      sharedCoreCount: workerCount < 4 ? availableParallelism() : undefined,
      hopMs,
      workerCount,
      keyCount: 1000,
    });
    const name = `to-${workerCount + 1}-keys-1000`;
    const real =
      workerCount < 4
        ? `   measured ${measured.of("agentrt-scale-join", name, "join: until all is shared, ms").toFixed(0)} ms, \
${measured.of("agentrt-scale-join", name, "join: messages of processes").toFixed(0)} messages`
        : "";
    say(
      `${String(workerCount).padEnd(15)}${durationMs.toFixed(1).padStart(6)} ${String(messageCount).padStart(8)} ${partitionSkew.toFixed(1).padStart(8)}${real}`,
    );
  }
}

function countsTo(count: number): number[] {
  return [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000].filter((each) => each <= count);
}

const worst = await compareRates();
say(`farthest off: ${percent(worst).trim()}, at most ${errorMax * 100} % are asked`);
await growRates();
await growJoins();
process.exit(worst <= errorMax ? 0 : 1);
