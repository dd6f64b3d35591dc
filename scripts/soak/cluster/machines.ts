/** All programs of the soak, each on its machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { agentrtLauncher } from "testkit";
import type { Targets } from "./faults.ts";
import { type Machine, Network } from "./network.ts";
import { SoakNode } from "./node.ts";
import { clusterFolder } from "./project.ts";
import { serverConfiguration, serverVersion, SmallDisk } from "./servers.ts";

const serverNames = ["nats1", "nats2", "nats3"];
const supervisorNames = ["lead1", "lead2"];
const workerNames = ["worker1", "worker2", "worker3", "worker4"];

/** What runs. */
export interface Machines extends Omit<Targets, "random" | "load"> {
  readonly all: readonly SoakNode[];
  /** Ends all, and removes the network. */
  readonly stack: AsyncDisposableStack;
}

/**
 * Starts three NATS servers, two supervisors and four workers.
 *
 * @param natsServer Path of the NATS server.
 * @param isBuggy True for states under no fence.
 * @throws SoakUnfit where the network or the small disk cannot be made.
 */
export async function startMachines(natsServer: string, isBuggy: boolean): Promise<Machines> {
  await using stack = new AsyncDisposableStack();
  const version = serverVersion(natsServer);
  const network = stack.use(new Network([...serverNames, ...supervisorNames, ...workerNames]));
  const named = (names: readonly string[]): Machine[] =>
    network.machines.filter(({ name }) => names.includes(name));
  const addresses = addressesOf(named(serverNames));
  const folder = stack.use(clusterFolder(addresses, isBuggy));
  const storeOf = ({ name }: Machine): string => join(folder.path, `store-${name}`);
  const clockFile = ({ name }: Machine): string => join(folder.path, `clock-${name}`);
  for (const machine of named(serverNames)) mkdirSync(storeOf(machine));
  const smallDisk = stack.use(new SmallDisk(join(folder.path, "store-nats3"))).path;
  const start = (machine: Machine, file: string, args: readonly string[]): SoakNode => {
    const environment = {
      NODE_OPTIONS: `--import=${join(folder.path, "clock.mjs")}`,
      SOAK_CLOCK: clockFile(machine),
    };
    const node = new SoakNode({ machine, file, args, directory: folder.path, environment });
    node.start();
    return stack.use(node);
  };
  const servers = named(serverNames).map((machine) => {
    const file = join(folder.path, `${machine.name}.conf`);
    const settings = { addresses, store: storeOf(machine), version };
    writeFileSync(file, serverConfiguration(machine, settings));
    return start(machine, natsServer, ["-c", file]);
  });
  const run = [agentrtLauncher(), "run"];
  const supervisors = named(supervisorNames).map((each) => start(each, process.execPath, run));
  const workers = named(workerNames).map((each) =>
    start(each, process.execPath, [...run, "--process", "heavy"]),
  );
  const all = [...servers, ...supervisors, ...workers];
  const owned = stack.move();
  return { network, servers, supervisors, workers, smallDisk, clockFile, all, stack: owned };
}

/** @returns Where the machines are. */
export function addressesOf(machines: readonly Machine[]): string[] {
  return machines.map(({ address }) => address);
}
