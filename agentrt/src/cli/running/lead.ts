import { createRealSystem, type Log, type StateStore } from "../../core/index.ts";
import type { LeaderLease } from "../../leadership/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import type { Topology } from "../../topology/index.ts";
import { CrashAges } from "./crash-ages.ts";
import { WaitingPlane } from "./waiting-plane.ts";
import { leaveProcess } from "./leave-process.ts";

/** A temporary failure, as sysexits.h has it: started again, this process waits until it leads. */
const lostLeadExitCode = 75;

/** Which process it is, and who hears of the lead. */
interface LeadOptions {
  readonly log: Log;
  /** Where the topology is. */
  readonly path: string;
  readonly natsServers?: readonly string[] | undefined;
  /** Name of a worker's group: a worker never leads. */
  readonly process?: string | undefined;
}

/** The part that a supervisor process has in the lead of a topology. */
export class Lead {
  readonly #lease: LeaderLease | undefined;
  readonly #crashes: CrashAges;
  readonly #waiting: WaitingPlane | undefined;
  /** Makes a store that saves only while this process leads. */
  readonly guard: (store: StateStore) => StateStore;

  private constructor(
    crashes: CrashAges,
    shared?: { readonly lease: LeaderLease; readonly waiting: WaitingPlane } & Pick<Lead, "guard">,
  ) {
    this.#crashes = crashes;
    this.#lease = shared?.lease;
    this.#waiting = shared?.waiting;
    this.guard = shared?.guard ?? ((store) => store);
  }

  /** Makes it; where no other supervisor can be, nothing is loaded for it. */
  static async of(topology: Topology, options: LeadOptions): Promise<Lead> {
    const crashes = new CrashAges(createRealSystem());
    const { type, isJetstream } = topology.transport;
    if (options.process !== undefined || type !== "nats" || !isJetstream) return new Lead(crashes);
    const [{ leaderOf }, { LeaderStates }] = await Promise.all([
      import("../../composition/index.ts"),
      import("../../leadership/index.ts"),
    ]);
    const waiting = new WaitingPlane({ topology, ...options });
    const lease = leaderOf(topology, {
      ...options,
      legacy: () => crashes.agesMs(),
      onWaiting: (leader) => waiting.follow(leader),
    });
    return new Lead(crashes, {
      lease,
      waiting,
      guard: (store) => new LeaderStates(store, lease),
    });
  }

  /** Number of the lead; undefined where no other supervisor can be. */
  get term(): (() => number) | undefined {
    const lease = this.#lease;
    return lease && (() => lease.term);
  }

  /**
   * Starts the tree as soon as this supervisor leads, with the crashes that the leader before it has counted. One that does not lead
   * any more ends at once: what it would stop or save is another one's by now.
   */
  async start(runtime: Runtime): Promise<undefined> {
    const lease = this.#lease;
    if (lease !== undefined) {
      void lease.lost.then(() => leaveProcess(lostLeadExitCode, { isOutputVital: false }));
      if (!(await this.#isTurn(lease))) return;
      const { value = {}, ageMs = 0 } = lease.legacy ?? {};
      const recalled = this.#crashes.recall(value, ageMs);
      this.#crashes.watch(runtime);
      await runtime.start();
      runtime.recallCrashes(recalled);
      return;
    }
    await runtime.start();
  }

  /** Waits until this supervisor leads; meanwhile its control plane answers for the one that does. */
  async #isTurn(lease: LeaderLease): Promise<boolean> {
    try {
      return await lease.acquire();
    } finally {
      await this.#waiting?.end();
    }
  }

  /** Gives up the lead: a supervisor that waits takes over at once. */
  async release(): Promise<void> {
    await this.#lease?.release();
  }
}
