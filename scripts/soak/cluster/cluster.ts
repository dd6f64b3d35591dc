import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { NatsKvStateStore } from "agentrt/state";
import { commandPath } from "testkit";
import { makeRandom } from "../random.ts";
import { SoakUnfit } from "../soak-unfit.ts";
import { faultKinds, FaultPlan, plantedBugFault } from "./faults.ts";
import { checkHistory } from "./history.ts";
import { CounterLoad } from "./load.ts";
import { addressesOf, startMachines } from "./machines.ts";
import type { SoakNode } from "./node.ts";
import { reportOf } from "./report.ts";
import { serverVersion } from "./servers.ts";

const laneCount = 16;
/** Keys that are asked after each fault: they are in different partitions. */
const probeCount = 32;
/** How long after a fault each of them may be away, milliseconds: a machine with other work is slow. */
const awayMsMax = 180_000;

/** How the soak is run. */
export interface ClusterSoakOptions {
  readonly minutes: number;
  /** Of the schedule of faults. */
  readonly seed: number;
  /** Path of the NATS server; default what is installed. */
  readonly natsServer: string | undefined;
  /** True for the planted bug, states under no fence, which must be found. */
  readonly isBuggy: boolean;
  /** Names of faults with commas between; undefined for all, and for the one that shows the planted bug. */
  readonly faults: string | undefined;
}

/**
 * A thousand counters on four workers under two supervisors over three NATS servers, each on a machine of the network, under load
 * and faults: every acknowledged increment is there in the end, at the place that its answer says, and nothing is done twice.
 *
 * @returns What was done.
 * @throws SoakUnfit where it cannot run; Error with the history of a key that is wrong.
 */
export async function soakCluster(options: ClusterSoakOptions): Promise<string> {
  const { minutes, seed, isBuggy } = options;
  const natsServer = options.natsServer ?? commandPath("nats-server");
  if (natsServer === undefined) throw new SoakUnfit("nats-server is not installed");
  if (commandPath("ip") === undefined) throw new SoakUnfit("ip of iproute2 is not installed");
  const bug = isBuggy ? ", states under no fence" : "";
  const version = serverVersion(natsServer);
  const head = `cluster: nats-server ${version}, seed ${seed}, ${minutes} minutes${bug}`;
  const kinds = faultKinds(options.faults ?? (isBuggy ? plantedBugFault : undefined));
  const machines = await startMachines(natsServer, isBuggy);
  await using stack = machines.stack;
  // Who ends the soak leaves no network and no program behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void stack.disposeAsync().finally(() => process.exit(1)));
  process.stderr.write(`  ${head}\n`);
  const addresses = addressesOf(machines.supervisors.map(({ machine }) => machine));
  const load = new CounterLoad(addresses, makeRandom(seed + 1));
  stack.defer(async () => await load.end());
  const plan = new FaultPlan({ ...machines, load, random: makeRandom(seed) }, kinds);
  const { operations, keys, faultCounts: failures } = load;
  const awayMs = await underFaults({ load, plan, minutes, nodes: machines.all });
  const servers = addressesOf(machines.servers.map(({ machine }) => machine));
  const finals = await readFinals(servers, keys);
  const verdict = checkHistory(operations, finals);
  const { counts: faults } = plan;
  return reportOf({
    head,
    operations,
    finals,
    verdict,
    failures,
    faults,
    awayMs,
    nodes: machines.all,
  });
}

/** What a run under faults needs. */
interface FaultyRun {
  readonly load: CounterLoad;
  readonly plan: FaultPlan;
  readonly minutes: number;
  readonly nodes: readonly SoakNode[];
}

/** @returns How long after each fault the slowest key was away, milliseconds. */
async function underFaults({ load, plan, minutes, nodes }: FaultyRun): Promise<number[]> {
  const startedMs = await untilServed({ load, nodes }, "the start");
  process.stderr.write(`  serves after ${Math.round(startedMs)} ms\n`);
  const untilMs = performance.now() + minutes * 60_000;
  load.start(laneCount);
  const awayMs: number[] = [];
  while (performance.now() < untilMs) {
    await sleep(2000);
    const what = await plan.next();
    const tookMs = await untilServed({ load, nodes }, what);
    awayMs.push(tookMs);
    const leftS = Math.max(0, Math.round((untilMs - performance.now()) / 1000));
    process.stderr.write(
      `  ${what}; served again after ${Math.round(tookMs)} ms; ${load.operations.length} increments, ${leftS} s left\n`,
    );
  }
  await load.end();
  return awayMs;
}

/** @returns How long it took until each of the probed keys was served, milliseconds. */
async function untilServed(
  { load, nodes }: Pick<FaultyRun, "load" | "nodes">,
  what: string,
): Promise<number> {
  const healedMs = performance.now();
  const probes = load.keys.slice(-probeCount);
  const times = await Promise.all(
    probes.map(async (key) => {
      if (await load.untilServed(key, awayMsMax)) return performance.now() - healedMs;
      const outputs = nodes.map(
        ({ machine, output }) => `${machine.name}:\n${output.slice(-1500)}`,
      );
      throw new Error(
        [`${key} was not served within ${awayMsMax} ms after ${what}`, ...outputs].join("\n"),
      );
    }),
  );
  return Math.max(...times);
}

/** Reads what each key holds, where nothing runs that could change it. */
async function readFinals(
  addresses: readonly string[],
  keys: readonly string[],
): Promise<Map<string, string[]>> {
  const servers = addresses.map((address) => `nats://${address}:4222`);
  const store = new NatsKvStateStore({ servers, timeoutMs: 60_000 });
  const finals = new Map<string, string[]>();
  try {
    for (const key of keys) {
      const ids = (await store.get(`counter/${key}`))?.["ids"];
      if (Array.isArray(ids)) finals.set(key, ids.map(String));
    }
  } finally {
    await store.close();
  }
  return finals;
}
