import {
  Agent,
  type AgentClass,
  agentErrors,
  child,
  type JsonObject,
  type StopOptions,
  Supervisor,
} from "../core/index.ts";
import type { TreeIndex } from "./tree-index.ts";

/** A child that the process that has the tree has run in this one. */
export interface Guest {
  readonly name: string;
  /** Its class, as in `type:`. */
  readonly type: string;
  /** What `child` takes. */
  readonly options: JsonObject;
}

/** Children that no description of this process has: another process has spawned them, and decides about their restarts. */
export interface Guests {
  /** Those that are here, running or not. */
  readonly names: ReadonlySet<string>;
  /**
   * Starts one, a new object if it runs.
   *
   * @returns Settles when the start was tried; a start that fails is reported as a crash.
   * @throws What is wrong with its class or its options; AGENTRT_AGENT_STOPPED where it is to leave meanwhile.
   */
  start(guest: Guest): Promise<void>;
  /** Stops one; `start` brings it back. @returns The names of the agents that did not stop in time. */
  stop(name: string, options: StopOptions): Promise<readonly string[]>;
  /** Takes one out, at once, and its name is free. With `isForgotten` what it has saved goes, too. */
  leave(name: string, options: { readonly isForgotten: boolean }): Promise<void>;
  /** Calls back when one has ended by itself, without a fault. */
  onEnded(callback: (name: string) => void): void;
}

/** What they are made from. */
interface GuestChildrenInit {
  /** Read when something is asked: the tree is built later. */
  readonly tree: () => TreeIndex;
  /** Undefined where no class is loaded by its name. */
  readonly loadClass: ((type: string) => Promise<unknown>) | undefined;
  /** As `Runtime.restart`. */
  readonly restart: (name: string) => Promise<void>;
}

const now: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: true, after: "now" };

/** {@inheritDoc Guests} They are children of the root of this process. */
export class GuestChildren implements Guests {
  readonly #init: GuestChildrenInit;
  /** By name: what it was started with, as text. */
  readonly #guests = new Map<string, string>();
  /** The latest start of each name that is not to leave. */
  readonly #starts = new Map<string, object>();
  readonly #leaving = new Map<string, Promise<void>>();
  #onEnded: (name: string) => void = () => undefined;

  constructor(init: GuestChildrenInit) {
    this.#init = init;
  }

  /** {@inheritDoc Guests.names} */
  get names(): ReadonlySet<string> {
    return new Set(this.#guests.keys());
  }

  /** {@inheritDoc Guests.onEnded} */
  onEnded(callback: (name: string) => void): void {
    this.#onEnded = callback;
  }

  /** {@inheritDoc Guests.start} */
  async start(guest: Guest): Promise<void> {
    const { name } = guest;
    const start = {};
    this.#starts.set(name, start);
    await this.#leaving.get(name);
    const text = JSON.stringify(guest);
    if ((this.#guests.get(name) ?? text) !== text) await this.#leave(name, { isForgotten: false });
    if (!this.#guests.has(name)) {
      const agentClass = await this.#load(guest);
      if (this.#starts.get(name) !== start) throw new agentErrors.STOPPED({ agent: name });
      const cell = this.#init.tree().addGuest(child(agentClass, name, guest.options));
      this.#guests.set(name, text);
      await this.#root.addGuest(cell, () => {
        if (!cell.isHalted) this.#onEnded(name);
      });
    }
    if (this.#starts.get(name) !== start) throw new agentErrors.STOPPED({ agent: name });
    await this.#init.restart(name);
  }

  /** {@inheritDoc Guests.stop} */
  async stop(name: string, stopOptions: StopOptions): Promise<readonly string[]> {
    this.#starts.delete(name);
    return await this.#root.endGuest(name, { stopOptions, isRemoved: false });
  }

  /** {@inheritDoc Guests.leave} */
  async leave(name: string, options: { readonly isForgotten: boolean }): Promise<void> {
    this.#starts.delete(name);
    const leaving = this.#leave(name, options).finally(() => {
      if (this.#leaving.get(name) === leaving) this.#leaving.delete(name);
    });
    this.#leaving.set(name, leaving);
    await leaving;
  }

  async #leave(name: string, { isForgotten }: { readonly isForgotten: boolean }): Promise<void> {
    const tree = this.#init.tree();
    const cell = this.#guests.has(name) ? tree.cells.get(name) : undefined;
    if (cell === undefined) return;
    this.#guests.delete(name);
    await this.#root.endGuest(name, { stopOptions: now, isRemoved: true });
    try {
      if (isForgotten) await Promise.all([cell.forget(), tree.forgetBudgetOf(cell.spec)]);
    } finally {
      tree.forget(name);
    }
  }

  get #root(): Supervisor {
    const { root } = this.#init.tree();
    if (root instanceof Supervisor) return root;
    throw new TypeError(`"${root.name}" takes no children of other processes`);
  }

  async #load({ name, type }: Guest): Promise<AgentClass> {
    const loaded: unknown = await this.#init.loadClass?.(type);
    if (typeof loaded === "function" && loaded.prototype instanceof Agent)
      return loaded as AgentClass;
    throw new TypeError(`"${type}" of "${name}" is not a class that derives from Agent`);
  }
}
