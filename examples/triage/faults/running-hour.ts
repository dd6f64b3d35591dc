import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Fault, faults, type Scene } from "./fault-table.ts";
import { startModelServer } from "./model-server.ts";
import { Service } from "./service.ts";
import { Traffic } from "./traffic.ts";
import { makeWorkingFolder } from "./working-folder.ts";

/** A fault that was switched on. */
interface Entry {
  readonly fault: Fault;
  readonly number: number;
  readonly since: number;
  /** Seconds that it took to mend it. */
  mendedAfter: number | undefined;
  wrong: string | undefined;
}

/** Name of the file that says where the hour listens. */
export const addressFile = "hour.url";

/** The service under traffic, and the faults in it. It listens for commands on this machine. */
export class RunningHour {
  readonly #scene: Scene;
  readonly #entries: Entry[] = [];
  readonly #pid: number | undefined;
  readonly #server: Server;

  private constructor(scene: Scene) {
    this.#scene = scene;
    this.#pid = scene.service.pid;
    this.#server = createServer((request, response) => {
      const [act = "", name = ""] = (request.url ?? "").slice(1).split("/");
      this.#answer(act, name).then(
        (text) => response.end(`${text}\n`),
        (error: unknown) => response.writeHead(400).end(`${String(error)}\n`),
      );
    });
  }

  /**
   * Starts all of it, and says where it listens.
   *
   * @param folder Where the service is to live; must not exist.
   * @param launcher The program `agentrt`; without one that of the folder's packages.
   */
  static async start(folder: string, launcher?: string): Promise<RunningHour> {
    const model = await startModelServer();
    const ports = await makeWorkingFolder(folder, model.port);
    const own = join(folder, "node_modules", "agentrt", "bin", "agentrt.cjs");
    const service = new Service(folder, ports, launcher ?? own);
    await service.started();
    const hour = new RunningHour({ service, model, traffic: new Traffic(service), holders: [] });
    await new Promise<void>((resolve) => hour.#server.listen(0, "127.0.0.1", resolve));
    const { port } = hour.#server.address() as AddressInfo;
    writeFileSync(join(folder, addressFile), `http://127.0.0.1:${port}`, { mode: 0o600 });
    return hour;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  /** Ends the service and whatever belongs to it. */
  async stop(): Promise<string> {
    const { service, traffic, model, holders } = this.#scene;
    traffic.end();
    for (const holder of holders) holder.kill();
    await service.stop();
    model.close();
    this.#server.close();
    setImmediate(() => this.#server.closeAllConnections());
    return "stopped";
  }

  async #answer(act: string, name: string): Promise<string> {
    if (act === "on") return await this.#turnOn(name);
    if (act === "stop") return await this.stop();
    return await this.#status({ isHint: act === "hint" });
  }

  async #turnOn(name: string): Promise<string> {
    const fault = this.#find(name);
    await this.#lookAtAll();
    const open = this.#entries.find(({ mendedAfter }) => mendedAfter === undefined);
    if (open !== undefined)
      throw new Error(`fault ${open.number} is not mended yet: one at a time`);
    const number = this.#entries.length + 1;
    const entry = { fault, number, since: performance.now(), mendedAfter: undefined };
    // It counts from now on: it may take a while until it is felt.
    this.#entries.push({ ...entry, wrong: undefined });
    try {
      await fault.turnOn(this.#scene);
    } catch (error) {
      this.#entries.pop();
      throw error;
    }
    return `something is wrong since now (${number} of ${faults.length})`;
  }

  #find(name: string): Fault {
    const number = /^\d+$/.test(name)
      ? Number(name) - 1
      : faults.findIndex((each) => each.name === name);
    const untouched = faults.filter((each) => this.#entries.every(({ fault }) => fault !== each));
    const fault = name === "random" ? untouched[randomInt(untouched.length || 1)] : faults[number];
    if (fault === undefined)
      throw new Error(
        name === "random"
          ? "all faults were on"
          : `no fault "${name}": 1 to ${faults.length}, random, ${faults.map((each) => each.name).join(", ")}`,
      );
    return fault;
  }

  /** Whether what was switched on is mended, and how long that took; names only what is mended. A hint says what customers say. */
  async #status({ isHint }: { readonly isHint: boolean }): Promise<string> {
    await this.#lookAtAll();
    const { service } = this.#scene;
    const isSame = service.isAlive() && service.pid === this.#pid;
    const lines = this.#entries.map(({ number, fault, since, mendedAfter, wrong }) =>
      mendedAfter === undefined
        ? `${number}: not mended for ${seconds(since)} s${isHint ? `: ${wrong}` : ""}`
        : `${number}: mended after ${mendedAfter} s: ${fault.name}`,
    );
    const process = isSame
      ? `the process ${this.#pid} runs on`
      : `the process ${this.#pid} is gone`;
    return [...lines, process].join("\n");
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all(this.#entries.map(async (entry) => await this.#look(entry)));
  }

  async #look(entry: Entry): Promise<void> {
    if (entry.mendedAfter !== undefined) return;
    const after = seconds(entry.since);
    entry.wrong = await entry.fault
      .look(this.#scene)
      .catch((error: unknown) => `it cannot be looked at: ${String(error)}`);
    if (entry.wrong === undefined) entry.mendedAfter = after;
  }
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000);
}
