import type { JsonObject } from "../values/index.ts";
import type { StateStore } from "../ports/index.ts";
import {
  splitMarker,
  suspensionKey,
  type SuspensionMarker,
  withMarker,
} from "../suspension/index.ts";
import { agentErrors } from "../errors.ts";

/**
 * The saved state of one agent, over its incarnations. Writes reach the store one after the other, in the order in
 * which they were asked for, and a new incarnation reads after those that the one before it had asked for: a store
 * that takes its time never gives back an older state than the latest, nor keeps one.
 */
export class Checkpoints {
  readonly #store: StateStore;
  readonly #agent: string;
  #lastWrite: Promise<void> | undefined;
  /** The suspension that is in effect: saved with every state, and found again when one is read. */
  marker: SuspensionMarker | undefined;

  /**
   * @param store Keeps the states.
   * @param agent Name of the agent.
   * @param earlierWrites Comes before the first read.
   */
  constructor(store: StateStore, agent: string, earlierWrites?: Promise<void>) {
    this.#store = store;
    this.#agent = agent;
    this.#lastWrite = earlierWrites;
  }

  /** Settles when what was asked for so far is written, or has failed; undefined when there was nothing. */
  get lastWrite(): Promise<void> | undefined {
    return this.#lastWrite;
  }

  /**
   * Saves a state in place of the one before.
   *
   * @param state The store's own: nobody changes it any more.
   * @throws AGENTRT_AGENT_STATE_KEY_RESERVED; what the store throws; the next write is tried all the same.
   */
  write(state: JsonObject): Promise<void> {
    if (Object.hasOwn(state, suspensionKey)) {
      const details = { agent: this.#agent, key: suspensionKey };
      return Promise.reject(new agentErrors.STATE_KEY_RESERVED(details));
    }
    return this.#inTurn(() => this.#set(state));
  }

  /** Saves the last saved state again, after the suspension marker was set or removed. */
  rewrite(): Promise<void> {
    return this.#inTurn(async () => {
      const saved = await this.#store.get(this.#agent);
      const state = saved === undefined ? undefined : splitMarker(saved).state;
      if (state !== undefined || this.marker !== undefined) await this.#set(state ?? {});
      else if (saved !== undefined) await this.#store.delete(this.#agent);
    });
  }

  /** @returns The state as it was saved last, undefined when none was. It also sets the marker. */
  async read(): Promise<JsonObject | undefined> {
    if (this.#lastWrite !== undefined) await this.#lastWrite;
    const saved = await this.#store.get(this.#agent);
    if (saved === undefined) return undefined;
    const { state, marker } = splitMarker(saved);
    this.marker ??= marker;
    return state;
  }

  async #set(state: JsonObject): Promise<void> {
    const { marker } = this;
    await this.#store.set(this.#agent, marker === undefined ? state : withMarker(state, marker));
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = (this.#lastWrite ?? Promise.resolve()).then(write);
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }
}
