/** That an agent went down. */
export interface AgentDown {
  /** Name of the agent. */
  readonly name: string;
  /** The error it crashed with, or `"stopped"`. */
  readonly reason: string;
  /** What its supervisor has decided: true when it is started again. */
  readonly willRestart: boolean;
}

/** Who wants to know when an agent goes down. */
export interface DownWatcher {
  /** Called once each time, and at once where it is down already. */
  onDown(down: AgentDown): void;
  /** Called when the agent is gone for good: nothing follows. */
  onGone(): void;
}

/** The watchers of one agent or supervisor, in the order in which they came, and whether it is down. */
export class Downs {
  readonly #name: string;
  readonly #onUnwatched: (() => void) | undefined;
  /** Made with the first one: most agents have none. */
  #watchers: Set<DownWatcher> | undefined;
  /** Why it is down; undefined while it is not. */
  #reason: string | undefined;
  /** What its supervisor has decided; undefined until then. */
  #willRestart: boolean | undefined;

  /**
   * @param name Of the agent or supervisor.
   * @param onUnwatched Called when the last watcher has left.
   */
  constructor(name: string, onUnwatched?: () => void) {
    this.#name = name;
    this.#onUnwatched = onUnwatched;
  }

  /** True when somebody watches. */
  get isWatched(): boolean {
    return this.#watchers !== undefined && this.#watchers.size > 0;
  }

  /** True from its end to its next start. */
  get isDown(): boolean {
    return this.#reason !== undefined;
  }

  /** What its supervisor has decided; undefined while it has not, and while it is not down. */
  get willRestart(): boolean | undefined {
    return this.#willRestart;
  }

  /** Adds a watcher. It hears at once of an agent that is down, and of nothing that was over before. */
  add(watcher: DownWatcher): void {
    this.#watchers ??= new Set();
    this.#watchers.add(watcher);
    const down = this.#told;
    if (down !== undefined) watcher.onDown(down);
  }

  /** Takes a watcher away; one that is not there is ignored. */
  delete(watcher: DownWatcher): void {
    this.#watchers?.delete(watcher);
    if (!this.isWatched) this.#onUnwatched?.();
  }

  /** It starts. */
  begin(): void {
    this.#reason = undefined;
    this.#willRestart = undefined;
  }

  /** It has ended; the watchers hear of it when its supervisor has decided. */
  end(reason: string): void {
    this.#reason = reason;
    this.#willRestart = undefined;
  }

  /** Its supervisor has decided: the watchers hear of it, once. */
  settle(willRestart: boolean): void {
    if (this.#reason === undefined) return;
    const isNews = this.#willRestart === undefined;
    this.#willRestart = willRestart && this.#willRestart !== false;
    const down = this.#told;
    if (!isNews || down === undefined) return;
    for (const watcher of this.#watchers ?? []) watcher.onDown(down);
  }

  /** It is gone for good. */
  close(): void {
    this.settle(false);
    for (const watcher of this.#watchers ?? []) watcher.onGone();
    this.#watchers = undefined;
  }

  get #told(): AgentDown | undefined {
    if (this.#reason === undefined || this.#willRestart === undefined) return undefined;
    return { name: this.#name, reason: this.#reason, willRestart: this.#willRestart };
  }
}
