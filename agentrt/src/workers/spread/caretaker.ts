import {
  type Approvals,
  type Log,
  type LookedApprovals,
  reasonOf,
  type StateStore,
  type System,
} from "../../core/index.ts";
import { closeInTime } from "../../runtime/index.ts";
import { FencedStateStore } from "./fenced-state-store.ts";
import { PartApprovals } from "./part-approvals.ts";
import { placeOf } from "./partitions.ts";

/** What a caretaker is made from. */
export interface CaretakerInit {
  /** Of the supervisor's process. */
  readonly approvals: Approvals;
  readonly system: System;
  readonly log: Log;
  /** Opens what the workers of the group keep their states in; undefined where nobody knows. */
  readonly open: (() => Promise<StateStore>) | undefined;
}

/** Partitions of a node. */
export interface CaredParts {
  readonly agent: string;
  /** Members of a pool are partitions by their numbers; an agent is one. */
  readonly kind: "agent" | "keyed" | "pool";
  readonly partitions: readonly number[];
}

interface Opened {
  readonly shared: StateStore;
  readonly states: FencedStateStore;
  readonly approvals: PartApprovals;
}

/**
 * Has charge of the approvals of partitions that no worker has: they are listed, decided and expire in the supervisor's process then,
 * under a fence that the next worker raises.
 */
export class Caretaker {
  readonly #init: CaretakerInit;
  #opening: Promise<Opened | undefined> | undefined;
  readonly #kept = new Map<string, Set<number>>();

  constructor(init: CaretakerInit) {
    this.#init = init;
  }

  /** Takes charge. No worker may have any of them. @throws What the store throws. */
  async adopt({ agent, kind, partitions }: CaredParts): Promise<void> {
    const opened = await this.#open();
    if (opened === undefined) return;
    const { states, approvals } = opened;
    if (kind === "keyed") states.addKeyed(agent);
    else if (kind === "pool") states.addPool(agent);
    else states.addSingle(agent);
    const kept = this.#kept.get(agent) ?? new Set();
    this.#kept.set(agent, kept);
    for (const each of partitions) kept.add(each);
    await states.take(agent, partitions);
    await approvals.adopt(agent, partitions);
  }

  /** Lets go of them, for a worker. @returns Settles when nothing is under way with their approvals. */
  async abandon(agent: string, partitions: readonly number[]): Promise<void> {
    const kept = this.#kept.get(agent);
    const mine = partitions.filter((each) => kept?.delete(each));
    const opened = await this.#opening;
    if (opened === undefined || mine.length === 0) return;
    await opened.approvals.abandon(agent, mine);
    opened.states.drop(agent, mine);
  }

  /** @returns The approvals of partitions that nobody has charge of, as they are kept. @throws What the store throws. */
  async look(agent: string, partitions: readonly number[]): Promise<LookedApprovals> {
    const store = partitions.length === 0 ? undefined : (await this.#open())?.shared;
    if (store === undefined) return { approvals: [], isWhole: true };
    return await this.#init.approvals.look(
      partitions.map((partition) => ({ name: placeOf(agent, partition), store })),
    );
  }

  /**
   * Lets go of all, and closes what it has opened. Never rejects: what a store that is away has not written by then is as if this
   * process had been killed.
   *
   * @param untilMs Monotonic time until which it is waited for.
   */
  async close(untilMs: number): Promise<void> {
    const { system, log } = this.#init;
    const closed = this.#close().catch((error: unknown) =>
      log.warn("approvals that no worker has are not let go", { reason: reasonOf(error) }),
    );
    await closeInTime({ system, log }, { what: "approvals that no worker has", closed, untilMs });
  }

  async #close(): Promise<void> {
    if (this.#opening === undefined) return;
    const letGo = [...this.#kept].map(
      async ([agent, kept]) => await this.abandon(agent, [...kept]),
    );
    try {
      await Promise.all(letGo);
    } finally {
      await (await this.#opening)?.states.close();
    }
  }

  async #open(): Promise<Opened | undefined> {
    this.#opening ??= this.#openStates().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return await this.#opening;
  }

  async #openStates(): Promise<Opened | undefined> {
    const shared = await this.#init.open?.();
    if (shared?.fenced === undefined) {
      await shared?.close();
      return undefined;
    }
    const { fenced } = shared;
    const rest = { ...noStates, close: async () => undefined };
    const states = new FencedStateStore({ shared, fenced, rest, keyed: new Set() });
    return { shared, states, approvals: new PartApprovals(this.#init.approvals, states) };
  }
}

/** Nothing but what has a fence is kept. */
const noStates: Omit<StateStore, "close"> = {
  get: async () => undefined,
  set: async () => undefined,
  delete: async () => undefined,
  listAgents: async () => [],
};
