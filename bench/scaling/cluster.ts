import { readFileSync } from "node:fs";
import process from "node:process";
import { Runtime } from "agentrt";
import { createTemporaryFolder, type NatsServer, startNats } from "testkit";
import { startProcess } from "../rivals/transport-folder.ts";
import { agentsText, topologyText } from "./workload.ts";

const program = new URL("../../agentrt/bin/agentrt.cjs", import.meta.url);
/** How long workers may take to start and to get their share, milliseconds: on a busy machine a start takes a minute. */
const untilSharedMs = 300_000;
/** Of Linux, for each process: a tick of its clock. */
const ticksPerSecond = 100;

/** Processor time by its users, microseconds. */
export interface Used {
  readonly machine: number;
  readonly supervisor: number;
  readonly workers: number;
  readonly front: number;
  readonly broker: number;
}

type Started = Awaited<ReturnType<typeof startProcess>>;

/** A broker, a supervisor in this process, and workers in processes of their own kind. */
export class Cluster implements AsyncDisposable {
  readonly runtime: Runtime;
  readonly broker: NatsServer;
  readonly workers: Started[] = [];
  /** When it was seen last that all members and keys are at workers, by `performance.now()`. */
  sharedMs = 0;
  readonly #folder: ReturnType<typeof createTemporaryFolder>;
  #front: Started | undefined;

  private constructor(
    runtime: Runtime,
    broker: NatsServer,
    folder: ReturnType<typeof createTemporaryFolder>,
  ) {
    this.runtime = runtime;
    this.broker = broker;
    this.#folder = folder;
  }

  /** @param workerCount Workers that there will be; none is started yet. */
  static async start(workerCount: number): Promise<Cluster> {
    const broker = await startNats();
    const folder = createTemporaryFolder({
      "package.json": '{"type":"module"}',
      "agents.ts": agentsText,
      "topology.yaml": topologyText(broker.url, workerCount),
    });
    const runtime = await Runtime.fromTopology(`${folder.path}/topology.yaml`);
    await runtime.start();
    return new Cluster(runtime, broker, folder);
  }

  /** Starts a worker, and waits until it has its share. */
  async startWorker(): Promise<Started> {
    const shared = this.untilShared(this.workers.length + 1);
    const worker = await this.#start("back");
    this.workers.push(worker);
    await shared;
    return worker;
  }

  /** Starts the worker that calls from its own process. */
  async startFront(): Promise<void> {
    this.#front = await this.#start("front");
  }

  /** Waits until so many workers have all members and all partitions, in even shares where that is asked of members. */
  async untilShared(workerCount: number): Promise<void> {
    const end = performance.now() + untilSharedMs;
    for (;;) {
      if (this.isShared(workerCount)) {
        this.sharedMs = performance.now();
        return;
      }
      if (performance.now() > end) throw new Error(`the nodes are not with ${workerCount} workers`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** True when so many workers have all keys and members. */
  isShared(workerCount: number): boolean {
    return this.runtime.tree().children.every((node) => {
      if (node.kind !== "supervisor") return true;
      const { pool, parts = [] } = node;
      const wanted = pool?.memberCountMax ?? 256;
      const sum = parts.reduce((total, { count }) => total + count, 0);
      return (
        parts.length === workerCount && parts.every(({ count }) => count > 0) && sum === wanted
      );
    });
  }

  /** Processor time that the supervisor, the workers together, those who call, the broker, and all programs of the machine have used, microseconds. */
  usedUs(): Used {
    const own = process.cpuUsage();
    return {
      machine: usedByAll(),
      supervisor: own.user + own.system,
      workers: this.workers.reduce((sum, { child }) => sum + usedBy(child.pid), 0),
      front: usedBy(this.#front?.child.pid),
      broker: usedBy(this.broker.processId),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runtime.stop();
    for (const worker of this.workers) await worker[Symbol.asyncDispose]();
    await this.#front?.[Symbol.asyncDispose]();
    await this.broker[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  async #start(group: string): Promise<Started> {
    return await startProcess(program, ["run", "--process", group], {
      directory: this.#folder.path,
      until: /taken this worker/,
    });
  }
}

function usedBy(processId: number | undefined): number {
  if (processId === undefined) return 0;
  const text = readFileSync(`/proc/${processId}/stat`, "utf8");
  // Behind the name in parentheses: state is the first, utime and stime are the 12th and the 13th.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond;
}

/** Of the machine, by all programs. */
function usedByAll(): number {
  // user, nice, system, idle, iowait, irq, softirq
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const ticks = line.trim().split(/\s+/).slice(1, 8).map(Number);
  const used = ticks.filter((_, index) => index !== 3 && index !== 4);
  return (used.reduce((sum, count) => sum + count, 0) * 1_000_000) / ticksPerSecond;
}
