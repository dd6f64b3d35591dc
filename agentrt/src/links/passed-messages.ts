import { agentErrors } from "../core/index.ts";
import type { Envelope } from "../wire/index.ts";
import type { AnswerParts } from "./envelopes.ts";
import { encodeFault } from "./fault-codec.ts";
import { RecentIds } from "./recent-ids.ts";
import type { StoredDelivery } from "./stored-topics.ts";

/** Handled messages whose ids are remembered at least, and twice as many at most. */
const handledCountMin = 50_000;

/** What messages that others pass on are taken with. */
export interface PassedMessagesInit {
  /** What this process works on, by the ids of the messages: others ask whether that is so. */
  readonly served: {
    set(id: string, served: { readonly control: () => void }): unknown;
    delete(id: string): unknown;
  };
  readonly say: (said: AnswerParts) => void;
}

/**
 * Messages that a broker keeps, and that another process has from there and passes on to this one. That process hears when a
 * message was handled, or is to come again. What is worked on here, or was handled, and is passed on once more is left out.
 */
export class PassedMessages {
  /** Messages that came again. */
  duplicateCount = 0;
  readonly #init: PassedMessagesInit;
  readonly #handled = new RecentIds(handledCountMin);
  /** Who wants to know what becomes of those that are worked on. */
  readonly #open = new Map<string, { to: string }>();

  constructor(init: PassedMessagesInit) {
    this.#init = init;
  }

  /** @returns How to say what becomes of it; undefined for one that is left out. */
  take({
    id,
    reply_to: to,
    recipient,
    attempt,
  }: Envelope): Omit<StoredDelivery, "bytes" | "park"> | undefined {
    if (to === null) return undefined;
    const { served, say } = this.#init;
    const known = this.#open.get(id);
    if (known !== undefined || this.#handled.has(id)) {
      this.duplicateCount += 1;
      // The process that passes it on may be another one: the next supervisor.
      if (known !== undefined) known.to = to;
      else say({ kind: "reply", about: id, to, payload: {} });
      return undefined;
    }
    const mine = { to };
    this.#open.set(id, mine);
    served.set(id, { control: () => undefined });
    const close = (): boolean => {
      if (this.#open.get(id) !== mine) return false;
      this.#open.delete(id);
      served.delete(id);
      return true;
    };
    return {
      beginCount: attempt === 0 ? undefined : attempt - 1,
      done: () => {
        if (!close()) return;
        this.#handled.add(id);
        say({ kind: "reply", about: id, to: mine.to, payload: {} });
      },
      later: () => {
        if (!close()) return;
        const payload = encodeFault(new agentErrors.STOPPED({ agent: recipient }));
        say({ kind: "error", about: id, to: mine.to, payload });
      },
    };
  }
}
