/** Machines of a soak: network namespaces on one bridge. Packets from one to another can be dropped, each way apart. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { SoakUnfit } from "../soak-unfit.ts";

/** A machine. */
export interface Machine {
  readonly name: string;
  /** Its network namespace. */
  readonly space: string;
  /** IPv4 address; the machine that runs the soak reaches it, too. */
  readonly address: string;
}

/** Nobody has it: what goes there is dropped without a word, as with a cable that is cut. */
const nowhere = "02:00:00:00:00:01";

/** The machines, and which of their packets arrive. */
export class Network implements Disposable {
  readonly machines: readonly Machine[];
  readonly #bridge: string;
  readonly #cuts = new Map<string, { readonly from: Machine; readonly to: Machine }>();

  /**
   * @param names Of the machines.
   * @throws SoakUnfit where this process may not make namespaces.
   */
  constructor(names: readonly string[]) {
    const id = process.pid % 60_000;
    const [second, third] = [64 + (((id >> 8) >> 2) % 64), id & 255];
    this.#bridge = `agc${id}`;
    this.machines = names.map((name, index) => ({
      name,
      space: `agc${id}-${name}`,
      address: `10.${second}.${third}.${index + 11}`,
    }));
    const bridge = this.#bridge;
    if (process.getuid?.() !== 0) throw new SoakUnfit("network namespaces need root");
    try {
      ip(`link add ${bridge} type bridge`);
      ip(`addr add 10.${second}.${third}.1/24 dev ${bridge}`);
      ip(`link set ${bridge} up`);
      for (const [index, { space, address }] of this.machines.entries()) {
        const outside = `${bridge}v${index}`;
        ip(`netns add ${space}`);
        ip(`link add ${outside} type veth peer name eth0 netns ${space}`);
        ip(`link set ${outside} master ${bridge} up`);
        ip(`-n ${space} addr add ${address}/24 dev eth0`);
        ip(`-n ${space} link set eth0 up`);
        ip(`-n ${space} link set lo up`);
      }
    } catch (cause) {
      this[Symbol.dispose]();
      throw new SoakUnfit(`network namespaces cannot be made here: ${(cause as Error).message}`);
    }
  }

  /** Drops what one machine sends to others. */
  cut(from: Machine, others: readonly Machine[]): void {
    for (const to of others) {
      if (to === from) continue;
      this.#cuts.set(`${from.name} ${to.name}`, { from, to });
      ip(`-n ${from.space} neigh replace ${to.address} lladdr ${nowhere} dev eth0 nud permanent`);
    }
  }

  /** Drops all between two groups. */
  part(some: readonly Machine[], others: readonly Machine[]): void {
    for (const each of some) this.cut(each, others);
    for (const each of others) this.cut(each, some);
  }

  /** All packets arrive from now on. */
  heal(): void {
    for (const { from, to } of this.#cuts.values())
      ip(`-n ${from.space} neigh del ${to.address} dev eth0`);
    this.#cuts.clear();
  }

  [Symbol.dispose](): void {
    for (const { space } of this.machines) spawnSync("ip", ["netns", "del", space]);
    spawnSync("ip", ["link", "del", this.#bridge]);
  }
}

function ip(words: string): void {
  const { status, stderr, error } = spawnSync("ip", words.split(" "), { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`ip ${words}: ${stderr.trim()}`);
}
