import type { Bus } from "../tree/index.ts";
import { agentErrors } from "../errors.ts";
import type { Handling } from "./handling.ts";
import { reasonOf } from "../values/index.ts";
import type { TallyCounters } from "./counters.ts";
import { type DeferredReply, messageInternals, type OutgoingPayload } from "../messages/index.ts";

/** Most replies of one agent that are open after they were put off. */
export const deferredCountMax = 1000;

/** What giving a reply needs of the incarnation. */
export interface DeferringAgent {
  readonly name: string;
  readonly bus: Bus;
  readonly tally: TallyCounters;
  isSealed(): boolean;
  /** Called when a reply is open no longer. */
  onClosed(): void;
}

/** The replies that one incarnation has put off and not given yet. */
export class DeferredReplies {
  readonly #agent: DeferringAgent;
  readonly #open = new Map<Handling, Deferred>();

  constructor(agent: DeferringAgent) {
    this.#agent = agent;
  }

  /**
   * Puts the reply to a message off.
   *
   * @throws AGENTRT_AGENT_REPLY_GIVEN, AGENTRT_AGENT_REPLIES_EXHAUSTED.
   */
  add(handling: Handling): DeferredReply {
    const { name } = this.#agent;
    if (handling.isDeferred) {
      throw new agentErrors.REPLY_GIVEN({ agent: name, id: handling.message.id });
    }
    if (this.#open.size >= deferredCountMax) {
      throw new agentErrors.REPLIES_EXHAUSTED({ agent: name, deferredCountMax });
    }
    handling.beginDeferral();
    const deferred = new Deferred(this.#agent, handling, () => this.forget(handling));
    // What nobody waits for is not open: it may never be given.
    if (messageInternals.replyOf(handling.message)?.isOpen === true) {
      this.#open.set(handling, deferred);
    }
    return deferred;
  }

  /** Forgets a reply that was given, or that nobody waits for any more. */
  forget(handling: Handling): void {
    if (this.#open.delete(handling)) this.#agent.onClosed();
  }

  /** Replies that are open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Fails every open reply. */
  end(error: () => Error): void {
    if (this.#open.size === 0) return;
    const made = error();
    for (const deferred of this.#open.values()) deferred.end(made);
  }
}

class Deferred implements DeferredReply {
  readonly #agent: DeferringAgent;
  readonly #handling: Handling;
  readonly #onGiven: () => void;
  #isGiven = false;

  constructor(agent: DeferringAgent, handling: Handling, onGiven: () => void) {
    this.#agent = agent;
    this.#handling = handling;
    this.#onGiven = onGiven;
  }

  get signal(): AbortSignal {
    return this.#handling.message.signal;
  }

  send(payload: OutgoingPayload): void {
    this.#give(() => {
      const { bus, tally } = this.#agent;
      const { message } = this.#handling;
      const slot = messageInternals.replyOf(message);
      if (slot === undefined) return;
      if (slot.isOpen) bus.reply(message, payload);
      else tally.repliesUnwanted += 1;
    });
  }

  fail(error: unknown): void {
    this.#give(() => {
      const details = { agent: this.#agent.name, reason: reasonOf(error) };
      const failed = new agentErrors.FAILED(details, { cause: error });
      messageInternals.replyOf(this.#handling.message)?.reject(failed);
    });
  }

  /** Fails the reply, because the agent ends. */
  end(error: Error): void {
    this.#close();
    messageInternals.replyOf(this.#handling.message)?.reject(error);
  }

  #give(reply: () => void): void {
    const { name: agent } = this.#agent;
    if (this.#agent.isSealed()) throw new agentErrors.STOPPED({ agent });
    if (this.#isGiven) throw new agentErrors.REPLY_GIVEN({ agent, id: this.#handling.message.id });
    reply();
    this.#isGiven = true;
    this.#close();
  }

  #close(): void {
    this.#handling.endDeferral();
    this.#onGiven();
  }
}
