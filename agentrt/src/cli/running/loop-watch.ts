import process from "node:process";
import inspector from "node:inspector";
import { Worker } from "node:worker_threads";
import type { Log, System, TimerHandle } from "../../core/index.ts";
import { type LoopWatchData, reportName } from "./loop-watch-data.ts";

const beatMs = 400;
/** Upper bounds: the thread takes a third of it. */
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 };

/** What a watch asks of the runtime. */
export interface LoopWatchOptions {
  readonly system: System;
  readonly log: Log;
  /** True where the log is JSON: the thread writes a line itself when this one cannot. */
  readonly isJson: boolean;
  /** Which agent's code runs, and on what type of message; undefined for none. Asked in the middle of that code. */
  readonly atWork: () => { readonly agent: string; readonly type: string | undefined } | undefined;
  /** Process id of the launcher that this process must not outlive, if there is one. */
  readonly launcherPid: number | undefined;
}

/**
 * Watches from a thread of its own whether the event loop turns. While some code blocks it, the log names the agent, the
 * type of the message, and the place. The thread ends the process when its launcher is gone.
 *
 * Agents pay nothing for it: the thread interrupts the code that blocks and asks in its async context who it is.
 */
export class LoopWatch {
  readonly #options: LoopWatchOptions;
  readonly #beats = new Int32Array(new SharedArrayBuffer(4));
  readonly #worker: Worker;
  #timer: TimerHandle | undefined;
  /** Since when code blocks the loop, as far as the thread has seen. */
  #blockedSinceMs: number | undefined;
  #beatAtMs: number;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
    this.#beatAtMs = options.system.monotonicMs();
    const data: LoopWatchData = {
      beats: this.#beats,
      isJson: options.isJson,
      launcherPid: options.launcherPid,
    };
    Reflect.set(globalThis, Symbol.for(reportName), () => this.#report());
    this.#worker = new Worker(moduleBeside(), { workerData: data, execArgv: [], resourceLimits });
    this.#worker.on("error", (error) =>
      options.log.warn("the event loop is not watched", { error }),
    );
    this.#worker.unref();
    this.#beat();
  }

  /** Ends the watch. */
  async end(): Promise<void> {
    if (this.#timer !== undefined) this.#options.system.clearTimer(this.#timer);
    Reflect.deleteProperty(globalThis, Symbol.for(reportName));
    await this.#worker.terminate();
  }

  #beat(): void {
    const { system, log } = this.#options;
    if (this.#blockedSinceMs !== undefined) {
      const forMs = Math.round(system.monotonicMs() - this.#blockedSinceMs);
      log.info("the event loop turns again", { blockedMs: forMs });
      this.#blockedSinceMs = undefined;
    }
    this.#beatAtMs = system.monotonicMs();
    Atomics.add(this.#beats, 0, 1);
    Atomics.notify(this.#beats, 0);
    this.#timer = system.setTimer(beatMs, () => this.#beat());
  }

  /** Called by the thread in the middle of the code that blocks. */
  #report(): void {
    const { system, log, atWork } = this.#options;
    this.#blockedSinceMs = this.#beatAtMs;
    const who = atWork();
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 30;
    const place = new Error("it runs here");
    Error.stackTraceLimit = limit;
    // The question itself stands on top of what was interrupted.
    place.stack = (place.stack ?? "").replaceAll(/^ +at <anonymous>.*\n/gm, "");
    log.warn("the event loop is blocked: agents, signals and sockets wait", {
      agent: who?.agent,
      type: who?.type,
      blockedMs: Math.round(system.monotonicMs() - this.#beatAtMs),
      error: place,
    });
  }
}

/** True where somebody may stop the process in a debugger, which is not the fault of an agent. */
export function isDebugged(): boolean {
  return inspector.url() !== undefined;
}

/** The process id of the launcher, where there is one. */
export function launcherPidOf(environment: {
  readonly [name: string]: string | undefined;
}): number | undefined {
  const pid = Number(environment["AGENTRT_LAUNCHED"]);
  return pid === process.ppid ? pid : undefined;
}

/** The entry file of the thread: next to this source file; in a built package two folders away. */
function moduleBeside(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(
    isSource ? "./loop-watch-main.ts" : "../cli/running/loop-watch-main.js",
    import.meta.url,
  );
}
