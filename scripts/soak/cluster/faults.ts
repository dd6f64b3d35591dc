/** What goes wrong in the soak: which faults, in which order, to whom. All of it comes from the seed. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SoakUnfit } from "../soak-unfit.ts";
import type { CounterLoad } from "./load.ts";
import type { Machine, Network } from "./network.ts";
import type { SoakNode } from "./node.ts";

/** Whom faults may meet. */
export interface Targets {
  readonly network: Network;
  readonly servers: readonly SoakNode[];
  readonly supervisors: readonly SoakNode[];
  readonly workers: readonly SoakNode[];
  /** The store of the last server: a disk that can be full. */
  readonly smallDisk: string;
  /** The file that says how far the clocks of a machine are off. */
  readonly clockFile: (machine: Machine) => string;
  readonly random: () => number;
  readonly load: Pick<CounterLoad, "ask" | "untilServed" | "keys">;
}

/** Keys that are held in work while their worker is paused: the last of all except those that are probed after each fault. */
const [heldKeysFrom, heldKeysTo] = [96, 32];
/** How long they are held in work; how long others may take to have them; how long it takes until they are back, milliseconds. */
const [heldMs, elsewhereMsMax, backMs] = [2000, 60_000, 15_000];

/** Who saves over what others have saved does so after this one: about every second time that shows. */
export const plantedBugFault = "pause at work";

/** One fault: it has begun and is over when this settles. @returns What it was. */
type Fault = (targets: Targets) => Promise<string>;

const faults: { readonly [kind: string]: Fault } = {
  halves: async ({ network, random }) => {
    const [one, other] = halvesOf(network.machines, random);
    network.part(one, other);
    await sleep(8000 + 12_000 * random());
    network.heal();
    return `${namesOf(one)} | ${namesOf(other)}`;
  },
  "one-way": async ({ network, random }) => {
    const [from, ...others] = shuffled(network.machines, random);
    if (from === undefined) return "";
    const deaf = others.slice(0, 3 + Math.floor(random() * (others.length - 3)));
    network.cut(from, deaf);
    await sleep(8000 + 12_000 * random());
    network.heal();
    return `nothing of ${from.name} reached ${namesOf(deaf)}`;
  },
  flapping: async ({ network, random }) => {
    const [one, other] = halvesOf(network.machines, random);
    const times = 6 + Math.floor(random() * 5);
    for (let turn = 0; turn < times; turn += 1) {
      network.part(one, other);
      await sleep(300 + 1700 * random());
      network.heal();
      await sleep(300 + 1000 * random());
    }
    return `${times} times ${namesOf(one)} | ${namesOf(other)}`;
  },
  "kill worker": async ({ workers, random }) =>
    await killSome(shuffled(workers, random).slice(0, 1 + Math.floor(random() * 2)), random),
  "kill supervisor": async ({ supervisors, random }) =>
    await killSome(shuffled(supervisors, random).slice(0, 1), random),
  "kill server": async ({ servers, random }) =>
    await killSome(shuffled(servers, random).slice(0, 1), random),
  "pause worker": async ({ workers, random }) =>
    await pauseSome(shuffled(workers, random).slice(0, 2), random),
  // What they were at they save when they go on, though others have their keys, and have incremented them, by then.
  "pause at work": async ({ workers, load, random }) => {
    const keys = shuffled(load.keys.slice(-heldKeysFrom, -heldKeysTo), random);
    const held = keys.map(async (key) => await load.ask(key, heldMs));
    await sleep(heldMs / 4);
    const paused = shuffled(workers, random).slice(0, 2);
    for (const node of paused) node.signal("SIGSTOP");
    await Promise.all(held);
    await Promise.all(keys.map(async (key) => await load.untilServed(key, elsewhereMsMax)));
    for (const node of paused) node.signal("SIGCONT");
    // Until the keys are back where they were, nobody asks for them.
    await sleep(backMs);
    return namesOf(paused.map(({ machine }) => machine));
  },
  "pause supervisor": async ({ supervisors, random }) =>
    await pauseSome(shuffled(supervisors, random).slice(0, 1), random),
  clocks: async ({ workers, supervisors, clockFile, random }) => {
    const told: string[] = [];
    for (const { machine } of shuffled([...workers, ...supervisors], random).slice(0, 3)) {
      const wallMs = Math.round((random() - 0.5) * 7_200_000);
      const monotonicMs = Math.round((random() - 0.5) * 40_000);
      writeFileSync(clockFile(machine), `${wallMs} ${monotonicMs}`);
      told.push(`${machine.name} by ${wallMs} ms and ${monotonicMs} ms`);
    }
    await sleep(8000 + 8000 * random());
    return told.join(", ");
  },
  "disk full": async ({ servers, smallDisk, random }) => {
    const server = servers.at(-1);
    const filler = join(smallDisk, "filler");
    fill(filler);
    await sleep(8000 + 8000 * random());
    rmSync(filler, { force: true });
    // A server that met a full disk serves no streams before it is started again.
    await server?.kill();
    server?.start();
    return server?.machine.name ?? "";
  },
};

/** @throws SoakUnfit for a kind that is none. @returns The kinds of faults that a list names; all where none is given. */
export function faultKinds(list: string | undefined): readonly string[] {
  const all = Object.keys(faults);
  const named = list?.split(",").map((each) => each.trim()) ?? all;
  const unknown = named.find((each) => !all.includes(each));
  if (unknown === undefined) return named;
  throw new SoakUnfit(`"${unknown}" names no fault; there are ${all.join(", ")}`);
}

/** The faults of a soak: each kind once before one comes again, in an order of the seed. */
export class FaultPlan {
  readonly #targets: Targets;
  readonly #kinds: readonly string[];
  #deck: string[] = [];
  readonly counts = new Map<string, number>();

  constructor(targets: Targets, kinds: readonly string[]) {
    this.#targets = targets;
    this.#kinds = kinds;
  }

  /** Has the next fault happen. @returns What it was, when it is over. */
  async next(): Promise<string> {
    if (this.#deck.length === 0) this.#deck = shuffled(this.#kinds, this.#targets.random);
    const kind = this.#deck.pop() ?? "halves";
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return `${kind}: ${await faults[kind]?.(this.#targets)}`;
  }
}

async function killSome(nodes: readonly SoakNode[], random: () => number): Promise<string> {
  for (const node of nodes) await node.kill();
  await sleep(1000 + 12_000 * random());
  for (const node of nodes) node.start();
  return namesOf(nodes.map(({ machine }) => machine));
}

/** They are held up, as a machine is that swaps: what they had at hand goes on later. */
async function pauseSome(nodes: readonly SoakNode[], random: () => number): Promise<string> {
  for (const node of nodes) node.signal("SIGSTOP");
  const pauseMs = 5000 + 30_000 * random();
  await sleep(pauseMs);
  for (const node of nodes) node.signal("SIGCONT");
  return `${namesOf(nodes.map(({ machine }) => machine))} for ${Math.round(pauseMs)} ms`;
}

function fill(path: string): void {
  const piece = Buffer.alloc(1024 * 1024);
  try {
    for (;;) writeFileSync(path, piece, { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

function halvesOf(
  machines: readonly Machine[],
  random: () => number,
): [readonly Machine[], readonly Machine[]] {
  const mixed = shuffled(machines, random);
  const cut = 3 + Math.floor(random() * (mixed.length - 5));
  return [mixed.slice(0, cut), mixed.slice(cut)];
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

function namesOf(machines: readonly Machine[]): string {
  return machines.map(({ name }) => name).join(" ");
}
