import { AsyncResource } from "node:async_hooks";
import { AgentAccess } from "./agent-access.ts";
import type { FaultOwner } from "../tree/index.ts";
import type { ResidentLoop, Runnable } from "../ports/index.ts";

const settled = Promise.resolve();

/**
 * The async context of a message loop: handlers run in it, hooks and timers of the start do not. A fault in it is one
 * of the incarnation.
 */
class LoopFrame implements FaultOwner {
  readonly owner: LoopSeat;

  constructor(owner: LoopSeat) {
    this.owner = owner;
  }

  get name(): string {
    return this.owner.name;
  }

  get messageType(): string | undefined {
    return this.owner.messageType;
  }

  crash(error: unknown): void {
    this.owner.crash(error);
  }
}

function begin(frame: LoopFrame): void {
  frame.owner.keepScope();
  serveOn(frame.owner);
}

/** A fault of the loop itself is one of its agent, and not of the sender that woke it. */
function serveOn(seat: LoopSeat): void {
  try {
    seat.serveOn();
  } catch (error) {
    seat.crash(error);
  }
}

/**
 * Starts, parks and wakes the message loop of an incarnation. What a loop needs is kept for only some of those that
 * wait; for the others it is made again with the next message, so that many idle agents cost little memory.
 *
 * `Incarnation` derives from this class, and this class from `AgentAccess`: one object for each agent instead of three,
 * because a tree may have a hundred thousand agents.
 */
export abstract class LoopSeat extends AgentAccess implements Runnable, ResidentLoop, FaultOwner {
  /** True while the agent waits for work: then `ready` of the scheduler wakes it. */
  isParked = false;
  /** Made with the first loop. */
  protected frame: LoopFrame | undefined;
  /** Has the async context of the frame; undefined when none is kept. */
  #scope: AsyncResource | undefined;
  /** Goes on with the loop, in that context. */
  #goOn: (() => void) | undefined;
  /** True when the loop is one of those that are kept while they wait. */
  #isResident = false;

  /** {@inheritDoc FaultOwner.messageType} */
  get messageType(): string | undefined {
    return this.messageAtHand?.type;
  }

  /** {@inheritDoc FaultOwner.crash} */
  abstract crash(error: unknown): void;

  /** Goes on with the message loop: called in the async context of its frame. */
  abstract serveOn(): void;

  /** Gives up what the loop keeps while it waits. */
  protected abstract unload(): void;

  /** Goes on with the loop, or begins one when none is kept: called by the scheduler. */
  run(): void {
    void settled.then((this.#goOn ??= () => this.#enter()));
  }

  #enter(): void {
    if (this.#scope !== undefined) this.#scope.runInAsyncScope(serveOn, undefined, this);
    else this.kernel.faultOwner.enter((this.frame ??= new LoopFrame(this)), begin);
  }

  /** Makes what has the async context that it is called in. */
  keepScope(): void {
    this.#scope = new AsyncResource("agentrt");
  }

  /** {@inheritDoc ResidentLoop.evict} */
  evict(): void {
    this.#isResident = false;
    if (!this.isParked) return;
    this.#scope = undefined;
    this.#goOn = undefined;
    this.unload();
  }

  /** Waits until somebody wakes the agent; the loop then goes on from its beginning. */
  protected park(): void {
    this.isParked = true;
    if (this.#isResident) return;
    this.#isResident = true;
    this.kernel.residentLoops.admit(this);
  }

  /** Lets the others have their turn; the loop then goes on from its beginning. */
  protected pause(): void {
    this.kernel.scheduler.pause(this);
  }

  /** Wakes the agent if it waits. */
  protected wake(): void {
    if (!this.isParked) return;
    this.isParked = false;
    this.kernel.scheduler.ready(this);
  }
}
