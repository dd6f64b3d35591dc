import type { FaultOwner, Log, RuntimeEvent } from "../core/index.ts";
import type { AsyncLocalStorage } from "node:async_hooks";

/** One crash that led to a restart. */
export interface RestartRecord {
  readonly agent: string;
  readonly atMs: number;
  /** The error's code, or the name of its class. */
  readonly reason: string;
}

/** Called for each crash of a child, with its name and its error. */
export type CrashCallback = (name: string, error: unknown) => void;

const restartHistoryLengthMax = 1000;

/** The watchers of a tree, and its latest crashes. */
export class TreeWatch {
  readonly #faultOwner: AsyncLocalStorage<FaultOwner>;
  readonly #log: Log;
  readonly #crashCallbacks = new Set<CrashCallback>();
  readonly #watchers = new Set<(event: RuntimeEvent) => void>();
  #restartHistory: RestartRecord[] = [];

  /**
   * @param faultOwner Runs watchers outside of any agent, so that a watcher's fault does not crash the watched agent.
   * @param log Where failures of watchers go.
   */
  constructor(faultOwner: AsyncLocalStorage<FaultOwner>, log: Log) {
    this.#faultOwner = faultOwner;
    this.#log = log;
  }

  /** The latest 1000 crashes that led to a restart, oldest first. */
  get restartHistory(): readonly RestartRecord[] {
    return [...this.#restartHistory];
  }

  /** @returns Ends the watch. */
  onCrash(callback: CrashCallback): () => void {
    this.#crashCallbacks.add(callback);
    return () => void this.#crashCallbacks.delete(callback);
  }

  /** @returns Ends the watch. */
  onEvent(callback: (event: RuntimeEvent) => void): () => void {
    this.#watchers.add(callback);
    return () => void this.#watchers.delete(callback);
  }

  /** Takes an event of the tree. */
  accept(event: RuntimeEvent): void {
    if (event.type === "supervisor.crash" || event.type === "supervisor.exhausted") {
      this.#recordCrash(event.child, event.error, event.atMs);
    }
    if (this.#watchers.size > 0) this.#asNobody(() => this.#tellWatchers(event));
  }

  #recordCrash(name: string, error: unknown, atMs: number): void {
    const code: unknown = (error as { code?: unknown } | null)?.code;
    const reason =
      typeof code === "string" ? code : error instanceof Error ? error.name : typeof error;
    this.#restartHistory.push({ agent: name, atMs, reason });
    if (this.#restartHistory.length > restartHistoryLengthMax) this.#restartHistory.shift();
    for (const callback of this.#crashCallbacks) this.tell(() => callback(name, error));
  }

  #tellWatchers(event: RuntimeEvent): void {
    for (const watcher of this.#watchers) this.#run(() => watcher(event));
  }

  /** Runs a watcher. What it throws, or rejects with, is logged and crashes no agent. */
  tell(callback: () => unknown): void {
    this.#asNobody(() => this.#run(callback));
  }

  /** Runs code that belongs to no agent. */
  #asNobody(code: () => void): void {
    if (this.#faultOwner.getStore() === undefined) code();
    else this.#faultOwner.exit(code);
  }

  #run(callback: () => unknown): void {
    const report = (error: unknown): void =>
      this.#log.error("a watcher of the runtime failed", { error });
    try {
      const result = callback();
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  }
}
