import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import type { System } from "../core/index.ts";
import { LoopBlocks } from "./loop-blocks.ts";
import { LoopDelayMeter } from "./loop-delay.ts";
import { processorWaitMs } from "./processor-wait.ts";
import type { ProcessPicture, ProcessUsage } from "../node-specs/index.ts";

/** What a process knows of the container around it. */
type Container = Pick<ProcessPicture, "isContainerized" | "orchestrator">;

/** What it takes of the world. */
type SampledSystem = Pick<
  System,
  "nowMs" | "monotonicMs" | "wallTimeMs" | "setTimer" | "clearTimer" | "watchLoopDelay"
>;

/** Takes pictures of this process. */
export class ProcessSampler {
  readonly #system: SampledSystem;
  #loop: LoopDelayMeter | undefined;
  readonly #environment: { readonly [name: string]: string | undefined };
  /** Looked for once. */
  #container: Container | undefined;
  #cpuMs = 0;
  #sampledAtMs: number | undefined;

  /**
   * @param system Whose clock counts.
   * @param environment Tells of Kubernetes.
   */
  constructor(system: SampledSystem, environment: { readonly [name: string]: string | undefined }) {
    this.#system = system;
    this.#environment = environment;
  }

  /** Begins to measure how late the event loop is. */
  watchLoop(): void {
    const watch = this.#system.watchLoopDelay?.();
    if (watch === undefined) return;
    this.#loop = new LoopDelayMeter(
      this.#system,
      watch,
      new LoopBlocks(this.#system, processorWaitMs),
    );
  }

  /** Ends that. */
  end(): void {
    this.#loop?.end();
    this.#loop = undefined;
  }

  /** @returns What the process uses; unlike `sample` it changes nothing for those who ask next. */
  usage(): ProcessUsage {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const nowMs = this.#system.nowMs();
    return {
      nowMs,
      cpuSeconds: (user + system) / 1e6,
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      startTimeSeconds: Math.round(nowMs - process.uptime() * 1000) / 1000,
      loopDelay: this.#loop?.read(),
    };
  }

  /** @returns The process now; its processor time since the picture before, of the first one since its start. */
  sample(): ProcessPicture {
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1000;
    const nowMs = this.#system.monotonicMs();
    const uptimeMs = process.uptime() * 1000;
    const spanMs = this.#sampledAtMs === undefined ? uptimeMs : nowMs - this.#sampledAtMs;
    const cpuPercent = spanMs > 0 ? ((cpuMs - this.#cpuMs) / spanMs) * 100 : 0;
    this.#cpuMs = cpuMs;
    this.#sampledAtMs = nowMs;
    this.#container ??= findContainer(this.#environment);
    return {
      pid: process.pid,
      cpuPercent,
      rssBytes: process.memoryUsage.rss(),
      uptimeMs,
      loopDelay: this.#loop?.read(),
      ...this.#container,
    };
  }
}

function findContainer(environment: { readonly [name: string]: string | undefined }): Container {
  if (environment["KUBERNETES_SERVICE_HOST"] !== undefined)
    return { isContainerized: true, orchestrator: "kubernetes" };
  if (existsSync("/.dockerenv")) return { isContainerized: true, orchestrator: "docker" };
  const groups = controlGroups();
  if (groups.includes("kubepods")) return { isContainerized: true, orchestrator: "kubernetes" };
  if (groups.includes("docker")) return { isContainerized: true, orchestrator: "docker" };
  if (groups.includes("containerd")) return { isContainerized: true, orchestrator: "containerd" };
  return { isContainerized: false, orchestrator: null };
}

function controlGroups(): string {
  try {
    return readFileSync("/proc/1/cgroup", "utf8");
  } catch {
    // Not Linux, or not to be read.
    return "";
  }
}
