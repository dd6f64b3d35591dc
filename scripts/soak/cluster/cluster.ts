import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { NatsKvStateStore } from "agentrt/state";
import { agentrtLauncher, commandPath } from "testkit";
import { makeRandom } from "../random.ts";
import { SoakUnfit } from "../soak-unfit.ts";
import { FaultPlan } from "./faults.ts";
import { checkHistory, historyText } from "./history.ts";
import { CounterLoad } from "./load.ts";
import { type Machine, Network } from "./network.ts";
import { SoakNode } from "./node.ts";
import { clusterFolder } from "./project.ts";
import { serverConfiguration, serverVersion, SmallDisk } from "./servers.ts";

const serverNames = ["nats1", "nats2", "nats3"];
const supervisorNames = ["lead1", "lead2"];
const workerNames = ["worker1", "worker2", "worker3", "worker4"];
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
}

/**
 * A thousand counters on four workers under two supervisors over three NATS servers, each on a machine of the network, under load
 * and faults: every acknowledged increment is there in the end, at the place that its answer says, and nothing is done twice.
 *
 * @returns What was done.
 * @throws SoakUnfit where it cannot run; Error with the history of a key that is wrong.
 */
export async function soakCluster(options: ClusterSoakOptions): Promise<string> {
  const natsServer = options.natsServer ?? commandPath("nats-server");
  if (natsServer === undefined) throw new SoakUnfit("nats-server is not installed");
  if (commandPath("ip") === undefined) throw new SoakUnfit("ip of iproute2 is not installed");
  const version = serverVersion(natsServer);
  using network = new Network([...serverNames, ...supervisorNames, ...workerNames]);
  const named = (names: readonly string[]): Machine[] =>
    network.machines.filter(({ name }) => names.includes(name));
  const serverMachines = named(serverNames);
  const addresses = serverMachines.map(({ address }) => address);
  using folder = clusterFolder(addresses, options.isBuggy);
  const storeOf = ({ name }: Machine): string => join(folder.path, `store-${name}`);
  for (const machine of serverMachines) mkdirSync(storeOf(machine));
  using smallDisk = new SmallDisk(storeOf(serverMachines[2] as Machine));
  const clockFile = ({ name }: Machine): string => join(folder.path, `clock-${name}`);
  await using nodes = new AsyncDisposableStack();
  const environment = { NODE_OPTIONS: `--import=${join(folder.path, "clock.mjs")}` };
  const place = (machine: Machine, file: string, args: readonly string[]): SoakNode => {
    const own = { ...environment, SOAK_CLOCK: clockFile(machine) };
    const init = { machine, file, args, directory: folder.path, environment: own };
    const node = nodes.use(new SoakNode(init));
    node.start();
    return node;
  };
  const servers = serverMachines.map((machine) => {
    const file = join(folder.path, `${machine.name}.conf`);
    writeFileSync(
      file,
      serverConfiguration(machine, { addresses, store: storeOf(machine), version }),
    );
    return place(machine, natsServer, ["-c", file]);
  });
  const run = [agentrtLauncher(), "run"];
  const supervisors = named(supervisorNames).map((machine) =>
    place(machine, process.execPath, run),
  );
  const workers = named(workerNames).map((machine) =>
    place(machine, process.execPath, [...run, "--process", "heavy"]),
  );
  const random = makeRandom(options.seed);
  const load = new CounterLoad(
    named(supervisorNames).map(({ address }) => address),
    makeRandom(options.seed + 1),
  );
  const targets = {
    network,
    servers,
    supervisors,
    workers,
    smallDisk: smallDisk.path,
    clockFile,
    random,
  };
  const plan = new FaultPlan(targets);
  const all = [...servers, ...supervisors, ...workers];
  process.stderr.write(
    `  cluster: nats-server ${version}, seed ${options.seed}, ${options.minutes} minutes${options.isBuggy ? ", states under no fence" : ""}\n`,
  );
  const awayMs = await underFaults({ load, plan, minutes: options.minutes, all });
  const finals = await readFinals(addresses, load.keys);
  const { violations, acknowledgedCount, doneUnansweredCount } = checkHistory(
    load.operations,
    finals,
  );
  const summary = [
    `cluster: nats-server ${version}, seed ${options.seed}, ${options.minutes} minutes: ${load.operations.length} increments sent of ${load.keys.length} keys`,
    `${acknowledgedCount} acknowledged, ${doneUnansweredCount} done without an answer`,
    `not answered: ${countsText(load.faultCounts)}`,
    `faults: ${countsText(plan.counts)}`,
    `served again after a fault within ${Math.round(Math.max(...awayMs))} ms (median ${Math.round(median(awayMs))})`,
    `ends by themselves: ${
      all
        .map(({ machine, exits }) =>
          exits.size === 0 ? "" : `${machine.name} ${countsText(exits)}`,
        )
        .filter(Boolean)
        .join("; ") || "none"
    }`,
  ].join("; ");
  const broken = all.find((node) => node.broken !== "");
  if (broken !== undefined)
    throw new Error(`${summary}\n${broken.machine.name} broke:\n${broken.broken}`);
  if (violations.length > 0) {
    const [first] = violations;
    const list = violations.slice(0, 20).map(({ key, reason }) => `  ${key}: ${reason}`);
    throw new Error(
      `${summary}\n${violations.length} violations\n${list.join("\n")}\n${historyText(first?.key ?? "", load.operations, finals)}`,
    );
  }
  return `${summary}; every key is linear`;
}

/** @returns How long after each fault the slowest key was away, milliseconds. */
async function underFaults({
  load,
  plan,
  minutes,
  all,
}: {
  readonly load: CounterLoad;
  readonly plan: FaultPlan;
  readonly minutes: number;
  readonly all: readonly SoakNode[];
}): Promise<number[]> {
  const probes = load.keys.slice(-probeCount);
  const served = async (what: string): Promise<number> => {
    const healedMs = performance.now();
    const times = await Promise.all(
      probes.map(async (key) => {
        if (await load.untilServed(key, awayMsMax)) return performance.now() - healedMs;
        const outputs = all.map(
          ({ machine, output }) => `${machine.name}:\n${output.slice(-1500)}`,
        );
        throw new Error(
          `${key} was not served within ${awayMsMax} ms after ${what}\n${outputs.join("\n")}`,
        );
      }),
    );
    return Math.max(...times);
  };
  process.stderr.write(`  serves after ${Math.round(await served("the start"))} ms\n`);
  const untilMs = performance.now() + minutes * 60_000;
  load.start(laneCount);
  const awayMs: number[] = [];
  try {
    while (performance.now() < untilMs) {
      await sleep(2000);
      const what = await plan.next();
      const tookMs = await served(what);
      awayMs.push(tookMs);
      const leftS = Math.max(0, Math.round((untilMs - performance.now()) / 1000));
      process.stderr.write(
        `  ${what}; served again after ${Math.round(tookMs)} ms; ${load.operations.length} increments, ${leftS} s left\n`,
      );
    }
  } finally {
    await load.end();
  }
  return awayMs;
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

function countsText(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
