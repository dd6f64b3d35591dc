import type { ChildProcess } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import process from "node:process";
import { createRealSystem, type System, type TimerHandle } from "../../core/index.ts";
import type { CommandIo } from "../command.ts";
import { endOf, startAgentrt } from "./start-agentrt.ts";
import { waitForStopSignal } from "./stop-signals.ts";

/** Editors write a file in several steps: changes within this time count as one. */
const settleMs = 100;
const modulePattern = /\.[cm]?[jt]s$/;

/** What is watched, and how the tree is run and checked. */
export interface WatchedRun {
  /** Files that count wherever they are: the topology's, those of variables. */
  readonly files: readonly string[];
  /** The folder whose modules count. */
  readonly folder: string;
  /** Words after `agentrt` that run the tree. */
  readonly runWords: readonly string[];
  /** Words after `agentrt` that check the topology and its code. */
  readonly checkWords: readonly string[];
}

/**
 * Runs a tree in a separate process, and again when a file of it has changed. A change that the check refuses leaves the
 * old tree running.
 *
 * @param watched What is watched.
 * @param io Says in one line what changed.
 * @returns The exit code of the tree that ran when a signal came.
 */
export async function watchTree(watched: WatchedRun, io: CommandIo): Promise<number> {
  const stopSignal = waitForStopSignal(io.environment, () => trees.hangUp());
  const system = createRealSystem();
  const changes = new Changes(watched, system);
  const trees = new Trees(watched, io);
  const kill = (): void => trees.kill();
  process.once("exit", kill);
  try {
    trees.start();
    for (;;) {
      const next = await Promise.race([changes.next(), stopSignal.promise]);
      if (typeof next === "string") return await trees.stop(next);
      const names = next.map((path) => relative(io.directory, path)).join(", ");
      await trees.replace(names);
    }
  } finally {
    changes.end();
    stopSignal.release();
    process.off("exit", kill);
  }
}

/** The process that runs the tree. */
class Trees {
  readonly #watched: WatchedRun;
  readonly #io: CommandIo;
  #running: { readonly child: ChildProcess; readonly exited: Promise<number> } | undefined;

  constructor(watched: WatchedRun, io: CommandIo) {
    this.#watched = watched;
    this.#io = io;
  }

  start(): void {
    const child = startRun(this.#watched.runWords, "inherit");
    const exited = exitOf(child);
    const running = { child, exited };
    this.#running = running;
    void exited.then((code) => {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#io.tell(`the run ended with exit code ${code}: waiting for a change`);
    });
  }

  /** Ends the tree and starts it again, when the check lets the change pass. */
  async replace(names: string): Promise<void> {
    const check = startRun(this.#watched.checkWords, "pipe");
    const printed: string[] = [];
    for (const stream of [check.stdout, check.stderr])
      stream?.on("data", (chunk: Buffer) => printed.push(chunk.toString("utf8")));
    if ((await exitOf(check)) !== 0) {
      const state = this.#running === undefined ? "nothing is started" : "the tree runs on";
      this.#io.tell(`${names} changed and cannot be used: ${state}`);
      for (const line of printed.join("").split("\n")) {
        const isFault = /^(?: {6}|agentrt: )\S/.test(line);
        if (isFault) this.#io.tell(`  ${line.trim()}`);
      }
      return;
    }
    this.#io.tell(`${names} changed: the tree starts again`);
    await this.stop("SIGTERM");
    this.start();
  }

  async stop(signal: NodeJS.Signals): Promise<number> {
    const running = this.#running;
    if (running === undefined) return 0;
    this.#running = undefined;
    running.child.kill(signal);
    return await running.exited;
  }

  /** Passes SIGHUP on. */
  hangUp(): void {
    this.#running?.child.kill("SIGHUP");
  }

  kill(): void {
    this.#running?.child.kill("SIGKILL");
  }
}

/** Files that changed, gathered until nothing more changes. */
class Changes {
  readonly #system: System;
  readonly #watchers: FSWatcher[] = [];
  readonly #paths = new Set<string>();
  #timer: TimerHandle | undefined;
  #isSettled = false;
  #resolve: (() => void) | undefined;

  constructor({ files, folder }: WatchedRun, system: System) {
    this.#system = system;
    const root = resolve(folder);
    const known = new Set(files.map((file) => resolve(file)));
    this.#watchers.push(
      watch(root, { recursive: true }, (_, name) => {
        const path = resolve(root, name ?? "");
        if (known.has(path) || isModule(relative(root, path))) this.#add(path);
      }),
    );
    // A file may be replaced by another one: its folder tells, the file itself falls silent.
    const outside = [...known].filter((path) => !path.startsWith(`${root}${sep}`));
    for (const parent of new Set(outside.map((path) => dirname(path)))) {
      this.#watchers.push(
        watch(parent, (_, name) => {
          const path = resolve(parent, basename(name ?? ""));
          if (known.has(path)) this.#add(path);
        }),
      );
    }
  }

  /** @returns The files of the next change. */
  async next(): Promise<string[]> {
    if (!this.#isSettled)
      await new Promise<void>((settle) => {
        this.#resolve = settle;
      });
    this.#isSettled = false;
    const paths = [...this.#paths].sort();
    this.#paths.clear();
    return paths;
  }

  end(): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }

  #add(path: string): void {
    this.#paths.add(path);
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = this.#system.setTimer(settleMs, () => {
      this.#isSettled = true;
      this.#resolve?.();
    });
  }
}

function isModule(path: string): boolean {
  const isHidden = path.split(sep).some((part) => part.startsWith(".") || part === "node_modules");
  return modulePattern.test(path) && !isHidden;
}

function startRun(words: readonly string[], output: "inherit" | "pipe"): ChildProcess {
  // A signal of the terminal comes to both: the second one, from here, is the same.
  const environment = { AGENTRT_LAUNCHED: String(process.pid) };
  return startAgentrt(words, { stdio: ["ignore", output, output], environment });
}

async function exitOf(child: ChildProcess): Promise<number> {
  return (await endOf(child)).code;
}
