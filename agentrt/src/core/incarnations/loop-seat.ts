import { AgentAccess } from "./agent-access.ts";
import type { FaultOwner } from "../tree/index.ts";
import type { ResidentLoop, Runnable } from "../ports/index.ts";

const settled = Promise.resolve();
let lastResolve: () => void;

// One executor for all waits: what it captures is read before anything else can run.
function capture(resolve: () => void): void {
  lastResolve = resolve;
}

function begin(seat: LoopSeat): void {
  seat.beginLoop();
}

/**
 * The async context of a message loop: handlers run in it, hooks and timers of the start do not. A fault in it is one
 * of the incarnation.
 */
class LoopFrame implements FaultOwner {
  readonly #owner: LoopSeat;

  constructor(owner: LoopSeat) {
    this.#owner = owner;
  }

  get name(): string {
    return this.#owner.name;
  }

  get messageType(): string | undefined {
    return this.#owner.messageType;
  }

  crash(error: unknown): void {
    this.#owner.crash(error);
  }
}

/**
 * Starts, parks and wakes the message loop of an incarnation. Only some waiting loops are kept. The others end, and
 * begin again with the next message, so that many idle agents cost little memory.
 *
 * `Incarnation` derives from this class, and this class from `AgentAccess`: one object for each agent instead of three,
 * because a tree may have a hundred thousand agents.
 */
export abstract class LoopSeat extends AgentAccess implements Runnable, ResidentLoop, FaultOwner {
  /** True while the agent waits for work: then `ready` of the scheduler wakes it. */
  isParked = false;
  /** Wakes the loop while it waits or pauses; undefined when there is none. */
  #resume: (() => void) | undefined;
  /** Made with the first loop. */
  protected frame: FaultOwner | undefined;
  /** True when the loop is one of those that are kept while they wait. */
  #isResident = false;
  /** True when the waiting loop is no longer kept: it ends as soon as it wakes. */
  #isEvicted = false;

  /** {@inheritDoc FaultOwner.messageType} */
  get messageType(): string | undefined {
    return this.messageAtHand?.type;
  }

  /** {@inheritDoc FaultOwner.crash} */
  abstract crash(error: unknown): void;

  /** Enters the message loop. Runs in the agent's async context. */
  abstract beginLoop(): void;

  /** Wakes the loop, or begins one when none is kept: called by the scheduler. */
  run(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    if (resume === undefined) {
      const frame = (this.frame ??= new LoopFrame(this));
      void settled.then(() => this.kernel.faultOwner.run(frame, begin, this));
    } else resume();
  }

  /** {@inheritDoc ResidentLoop.evict} */
  evict(): void {
    this.#isResident = false;
    if (!this.isParked || this.#resume === undefined) return;
    this.#isEvicted = true;
    this.#resume();
    this.#resume = undefined;
  }

  /** @returns Settles when somebody wakes the agent. The loop then asks `takeEviction`. */
  protected park(): Promise<void> {
    this.isParked = true;
    if (!this.#isResident) {
      this.#isResident = true;
      this.kernel.residentLoops.admit(this);
    }
    return this.#rest();
  }

  /** @returns Settles in a later turn. */
  protected pause(): Promise<void> {
    const rest = this.#rest();
    this.kernel.scheduler.pause(this);
    return rest;
  }

  /** Asked once after `park`: true when the loop has to end, because it lost its place. */
  protected takeEviction(): boolean {
    if (!this.#isEvicted) return false;
    this.#isEvicted = false;
    return true;
  }

  /** Wakes the agent if it waits. */
  protected wake(): void {
    if (!this.isParked) return;
    this.isParked = false;
    this.kernel.scheduler.ready(this);
  }

  #rest(): Promise<void> {
    const rest = new Promise<void>(capture);
    this.#resume = lastResolve;
    return rest;
  }
}
