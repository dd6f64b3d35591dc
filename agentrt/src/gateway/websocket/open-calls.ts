import type { JsonObject } from "../../core/index.ts";
import type { CallId } from "./read-message.ts";

/** The reply to one message: the agent that gives it, and its chunks; or the text that is in its place. */
export type Reply =
  | { readonly agent: string; readonly chunks: AsyncIterator<JsonObject, undefined> }
  | string;

/** What the calls of one connection are served with. */
export interface OpenCallsOptions {
  /** Calls in work at a time. */
  readonly countMax: number;
  /** Sends to the client; settles when it has taken enough, undefined at once. */
  readonly send: (value: JsonObject) => Promise<void> | undefined;
  /** False when nobody reads any more. */
  readonly isOpen: () => boolean;
  /** One line for the client about what the reply of an agent was rejected with. */
  readonly describe: (error: unknown, agent: string) => string;
  /** Called behind the end of each call. */
  readonly onEnded: () => void;
}

/**
 * Calls of a connection: messages with an id. Each is answered for itself, without waiting for others, by
 * `{id, payload}` for each chunk and then `{id, end: true}` or `{id, error}`; nothing follows a cancelled one.
 */
export class OpenCalls {
  readonly #options: OpenCallsOptions;
  readonly #replies = new Map<CallId, Exclude<Reply, string>>();

  constructor(options: OpenCallsOptions) {
    this.#options = options;
  }

  /** Calls in work. */
  get count(): number {
    return this.#replies.size;
  }

  /**
   * Begins a call.
   *
   * @param id The client's name for it; one that is in use already is refused.
   * @param ask Asks the agent.
   */
  begin(id: CallId, ask: () => Reply): void {
    const { countMax, send } = this.#options;
    const refusal = this.#replies.has(id)
      ? "id is in use"
      : this.#replies.size >= countMax
        ? `connection has ${countMax} calls in work`
        : undefined;
    const reply = refusal ?? ask();
    if (typeof reply === "string") {
      void send({ id, error: reply });
      return;
    }
    this.#replies.set(id, reply);
    void this.#write(id, reply);
  }

  /** Ends a call without another word; one that is over is none. */
  cancel(id: CallId): void {
    const reply = this.#replies.get(id);
    if (reply === undefined) return;
    this.#replies.delete(id);
    void reply.chunks.return?.();
    this.#options.onEnded();
  }

  /** Ends all. */
  close(): void {
    for (const id of this.#replies.keys()) this.cancel(id);
  }

  async #write(id: CallId, reply: Exclude<Reply, string>): Promise<void> {
    const { send, isOpen, describe, onEnded } = this.#options;
    const isWanted = (): boolean => this.#replies.get(id) === reply;
    try {
      for (;;) {
        const step = await reply.chunks.next();
        if (!isWanted()) return;
        await send(step.done === true ? { id, end: true } : { id, payload: step.value });
        if (step.done === true) break;
        if (!isOpen()) await reply.chunks.return?.();
      }
    } catch (error) {
      if (isWanted()) await send({ id, error: describe(error, reply.agent) });
    }
    if (!isWanted()) return;
    this.#replies.delete(id);
    onEnded();
  }
}
