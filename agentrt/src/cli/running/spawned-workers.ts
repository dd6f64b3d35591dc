import type { ChildProcess } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { createRealSystem, type System, type TimerHandle } from "../../core/index.ts";
import type { RunLines } from "./run-lines.ts";
import type { SpawnedName } from "./spawn-counts.ts";
import { endOf, type ProcessEnd, startAgentrt } from "./start-agentrt.ts";

/** The wait before a worker that ended is started again: doubled each time, from the first to the second. */
const [delayMinMs, delayMaxMs] = [100, 10_000] as const;
/** A worker that ran for so long starts with the shortest wait again. */
const steadyMs = 10_000;
/** How long a worker may take to stop, beyond which it is killed. */
const stopTimeoutMs = 30_000;

/** This variable has the id of the process that a worker ends with. */
const ownerVariable = "AGENTRT_WORKER_OF";

/** The workers of a supervisor that starts them itself. */
export interface SpawnedWorkersInit {
  /** Which. */
  readonly workers: readonly SpawnedName[];
  /** Words after `agentrt` that run the worker of a group. */
  readonly wordsOf: (group: string) => readonly string[];
  readonly lines: RunLines;
  /** Whether a line of theirs is a JSON object. */
  readonly isJson: boolean;
}

/** Worker processes on this machine: started, started again when they end, and stopped together. */
export class SpawnedWorkers {
  readonly #workers: readonly SpawnedWorker[];
  readonly #kill = (): void => {
    for (const worker of this.#workers) worker.signal("SIGKILL");
  };

  constructor(init: SpawnedWorkersInit) {
    const system = createRealSystem();
    this.#workers = init.workers.map((each) => new SpawnedWorker(each, init, system));
  }

  /** Starts them all. */
  start(): void {
    process.once("exit", this.#kill);
    for (const worker of this.#workers) worker.start();
  }

  /** Has them open certificates, keys and logs again. */
  hangUp(): void {
    for (const worker of this.#workers) worker.signal("SIGHUP");
  }

  /** Stops them all, and waits until they are gone. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map(async (worker) => await worker.stop()));
    process.off("exit", this.#kill);
  }
}

class SpawnedWorker {
  readonly #group: string;
  readonly #label: string;
  readonly #init: SpawnedWorkersInit;
  readonly #system: System;
  #running: { readonly child: ChildProcess; readonly ended: Promise<ProcessEnd> } | undefined;
  #timer: TimerHandle | undefined;
  #delayMs: number = delayMinMs;
  #isStopping = false;

  constructor({ group, label }: SpawnedName, init: SpawnedWorkersInit, system: System) {
    this.#group = group;
    this.#label = label;
    this.#init = init;
    this.#system = system;
  }

  start(): void {
    this.#timer = undefined;
    const startedAtMs = this.#system.monotonicMs();
    // Its stdin ends with this process, whatever ends it: then the worker stops, too.
    const child = startAgentrt(this.#init.wordsOf(this.#group), {
      stdio: ["pipe", "pipe", "pipe"],
      isApart: true,
      environment: { [ownerVariable]: String(process.pid) },
    });
    this.#pass(child.stdout, process.stdout);
    this.#pass(child.stderr, process.stderr);
    const ended = endOf(child);
    this.#running = { child, ended };
    void ended.then((end) => this.#onEnd(end, startedAtMs));
  }

  signal(signal: NodeJS.Signals): void {
    this.#running?.child.kill(signal);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    const running = this.#running;
    if (running === undefined) return;
    const late = this.#system.setTimer(stopTimeoutMs, () => {
      this.#init.lines.warn(`worker "${this.#label}" does not stop: killed`, {
        process: this.#group,
      });
      running.child.kill("SIGKILL");
    });
    running.child.kill("SIGTERM");
    await running.ended;
    this.#system.clearTimer(late);
  }

  #onEnd({ code, signal }: ProcessEnd, startedAtMs: number): void {
    this.#running = undefined;
    if (this.#isStopping) return;
    if (this.#system.monotonicMs() - startedAtMs >= steadyMs) this.#delayMs = delayMinMs;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMaxMs, delayMs * 2);
    const how = signal === null ? `exit code ${code}` : signal;
    this.#init.lines.warn(
      `worker "${this.#label}" ended with ${how}: started again in ${delayMs / 1000} s`,
      { process: this.#group, code, signal },
    );
    this.#timer = this.#system.setTimer(delayMs, () => this.start());
  }

  /** Prints its lines, each with its name. */
  #pass(from: NodeJS.ReadableStream | null, to: NodeJS.WritableStream): void {
    if (from === null) return;
    createInterface({ input: from }).on("line", (line) => void to.write(`${this.#named(line)}\n`));
  }

  #named(line: string): string {
    const name = this.#label;
    if (this.#init.isJson && line.startsWith("{"))
      return `{"worker":${JSON.stringify(name)},${line.slice(1)}`;
    return line === "" ? line : `[${name}] ${line}`;
  }
}

/**
 * Settles when the process is gone that started this one as its worker; never for one that nobody started so.
 *
 * @param environment Of this process.
 */
export function endOfOwner(environment: {
  readonly [name: string]: string | undefined;
}): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (environment[ownerVariable] !== String(process.ppid)) return promise;
  process.stdin.once("end", resolve);
  process.stdin.once("error", () => resolve());
  process.stdin.resume();
  return promise;
}
