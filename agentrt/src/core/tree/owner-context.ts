import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";

/** The incarnation on whose behalf code runs; an uncaught fault in that code crashes the incarnation. */
export interface FaultOwner {
  readonly name: string;
  /** Type of the message that the code works on; undefined for none. */
  readonly messageType?: string | undefined;
  /** Crashes the owner. When the owner is over already, the fault is only logged. */
  crash(error: unknown): void;
}

function begin<Owner extends FaultOwner, Result>(
  context: AsyncLocalStorage<FaultOwner>,
  owner: Owner,
  callback: (owner: Owner) => Result,
): Result {
  context.enterWith(owner);
  return callback(owner);
}

/**
 * Knows the owner of the running code, over awaits, timers and event handlers: an incarnation, its message loop, or one
 * message that it handles.
 *
 * What the program itself keeps in async contexts is, in handlers, what it kept there when it started the runtime: that
 * of the first message's sender is not for all that follow. That also makes a context for each message affordable:
 * Node copies the one that is there into the new one, and this one is empty in most programs.
 */
export class OwnerContext extends AsyncLocalStorage<FaultOwner> {
  #outer = new AsyncResource("agentrt");

  /** Takes what the program keeps in its async context now: handlers find it there. */
  adopt(): void {
    this.#outer = new AsyncResource("agentrt");
  }

  /**
   * Runs a callback in a new async context.
   *
   * @param owner Who owns the code.
   * @param callback Gets the owner.
   * @returns What the callback returns.
   */
  enter<Owner extends FaultOwner, Result>(
    owner: Owner,
    callback: (owner: Owner) => Result,
  ): Result {
    return this.#outer.runInAsyncScope(begin<Owner, Result>, undefined, this, owner, callback);
  }
}
