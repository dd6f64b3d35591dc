import type { JsonObject } from "../values/index.ts";
import type { StateStore, StoreFaults } from "../ports/index.ts";
import type { CrashTrail } from "../tree/index.ts";
import {
  type DrainRequest,
  splitMarker,
  suspensionKey,
  type SuspensionMarker,
  withMarker,
  withoutApproval,
} from "../suspension/index.ts";
import { agentErrors, busErrors } from "../errors.ts";

/** Where the states of all agents are kept, and what copies them on their way there. */
export interface CheckpointHome {
  readonly store: StateStore;
  readonly storeFaults: StoreFaults;
  readonly bus: { isolate(value: object): JsonObject };
}

/**
 * The saved state of one agent, over its incarnations. Writes reach the store one after the other, in the order in
 * which they were asked for, and a new incarnation reads after those that the one before it had asked for: a store
 * that takes its time never gives back an older state than the latest, nor keeps one.
 */
export class Checkpoints {
  readonly #home: CheckpointHome;
  readonly #agent: string;
  #lastWrite: Promise<void> | undefined;
  /** Whether the store holds something of it; undefined while nobody knows. */
  #isSaved: boolean | undefined;
  /** The suspension that it wrote or found in the store last, as text; "" for none. */
  #savedText = "";
  /** Writes that were asked for and are not done. */
  #openCount = 0;
  /** The same of reads. */
  #readCount = 0;
  /** The suspension that is in effect: saved with every state, and found again when one is read. */
  marker: SuspensionMarker | undefined;
  /** The drain that is under way: saved as a suspension, so that no death of the process ends it. */
  drain: SuspensionMarker | undefined;
  /** True for what saves no state: then only the suspension is saved, and found again. */
  isStateless = false;

  /**
   * @param home Keeps the states.
   * @param agent Name of the agent.
   * @param earlierWrites Comes before the first read.
   */
  constructor(home: CheckpointHome, agent: string, earlierWrites?: Promise<void>) {
    this.#home = home;
    this.#agent = agent;
    this.#lastWrite = earlierWrites;
  }

  /** True while no new messages are taken: from the beginning of a drain until somebody resumes. */
  get isRefusing(): boolean {
    return this.drain !== undefined || this.marker?.isDrained === true;
  }

  /**
   * Begins a drain, and saves that it did.
   *
   * @param asked Who asked, and why.
   * @param nowMs Wall-clock time.
   * @returns Settles when it is saved.
   */
  beginDrain({ reason, initiatedBy }: DrainRequest, nowMs: number): Promise<void> {
    const since = this.marker?.since ?? nowMs / 1000;
    const category = "other";
    const waiting = { approvals: [], isHeld: true };
    this.drain = { reason, category, since, initiatedBy, isDrained: true, ...waiting };
    return this.rewrite();
  }

  /** Settles when what was asked for so far is written, or has failed; undefined when there was nothing. */
  get lastWrite(): Promise<void> | undefined {
    return this.#lastWrite;
  }

  /**
   * Saves a state in place of the one before.
   *
   * @param state Copied before this returns.
   * @param options.handed Id of an approval that the agent waits for no more, once this is saved; default none.
   * @param options.trail Takes note of it.
   * @throws AGENTRT_AGENT_STATE_NOT_JSON, AGENTRT_AGENT_STATE_KEY_RESERVED; what the store throws; the next write is
   *   tried all the same.
   */
  write(
    state: object,
    {
      handed,
      trail,
    }: { readonly handed?: string | undefined; readonly trail?: CrashTrail | undefined } = {},
  ): Promise<void> {
    if (this.isStateless) return this.rewrite(handed);
    let copy: JsonObject;
    try {
      copy = this.#copyOf(state);
    } catch (error) {
      return Promise.reject(error);
    }
    const mark = trail?.mark() ?? 0;
    const set = async (): Promise<void> => {
      await this.#set(copy, handed);
      trail?.saved(copy, mark);
    };
    return this.#inTurn(trail === undefined ? () => this.#set(copy, handed) : set, handed);
  }

  /**
   * Saves the last saved state again, after the suspension marker was set or removed.
   *
   * @param handed As in `write`.
   */
  rewrite(handed?: string): Promise<void> {
    return this.#inTurn(async () => {
      const saved = await this.#get();
      const state = saved === undefined ? undefined : splitMarker(saved).state;
      if (state !== undefined || this.#kept(handed) !== undefined)
        await this.#set(state ?? {}, handed);
      else if (saved !== undefined) await this.#delete();
    }, handed);
  }

  /** Forgets what was saved, unless it is suspended. */
  discard(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#kept() !== undefined) await this.#set({});
      else if ((await this.#get()) !== undefined) await this.#delete();
    });
  }

  /** Another process may have saved something: what is known of it here holds no more. */
  reread(): void {
    this.marker = undefined;
    this.drain = undefined;
    this.#isSaved = undefined;
    this.#savedText = "";
  }

  /**
   * Compares the suspension that is saved, or none, with the one that is known here. One that could not be saved here is saved,
   * unless another process has saved something else.
   *
   * @returns Whether they are the same.
   * @throws What the store throws.
   */
  async reconcile(): Promise<boolean> {
    const saved = await this.#get();
    const text = textOf(saved === undefined ? undefined : splitMarker(saved).marker);
    const kept = this.#kept();
    if (text === textOf(kept)) {
      this.#savedText = text;
      return true;
    }
    if (kept === undefined || text !== this.#savedText) return false;
    await this.rewrite();
    return true;
  }

  /** True when nothing is saved, and nothing is about to be. */
  get isEmpty(): boolean {
    return this.#isSaved === false && this.#openCount === 0;
  }

  /** True while the store has not answered what it was asked. */
  get isWaiting(): boolean {
    return this.#openCount > 0 || this.#readCount > 0;
  }

  /** @returns The state as it was saved last, undefined when none was. It also sets the marker. */
  async read(): Promise<JsonObject | undefined> {
    this.#readCount += 1;
    try {
      return await this.#read();
    } finally {
      this.#readCount -= 1;
    }
  }

  async #read(): Promise<JsonObject | undefined> {
    if (this.#lastWrite !== undefined) await this.#lastWrite;
    // What has no state can begin though the store is away, where it is known that it is not suspended.
    const isNeeded = !this.isStateless || !this.isEmpty;
    const saved = await this.#get().catch((error: unknown) => {
      if (isNeeded) throw error;
    });
    if (saved === undefined) return undefined;
    const { state, marker } = splitMarker(saved);
    // In the middle of a drain what waits is handled, also by a new incarnation.
    if (this.drain === undefined && this.marker === undefined) {
      this.marker = marker;
      this.#savedText = textOf(marker);
    }
    return this.isStateless ? undefined : state;
  }

  /** What is saved with every state. */
  #kept(handed?: string): SuspensionMarker | undefined {
    return withoutApproval(this.marker, handed) ?? this.drain;
  }

  #copyOf(state: object): JsonObject {
    const agent = this.#agent;
    let copy: JsonObject;
    try {
      copy = this.#home.bus.isolate(state);
    } catch (error) {
      if (!(error instanceof busErrors.PAYLOAD_NOT_JSON)) throw error;
      // It was copied as a payload is, but nothing was to be sent.
      const { path, found } = error.details;
      const details = { agent, path: path.replace(/^payload/, "state"), found };
      throw new agentErrors.STATE_NOT_JSON(details);
    }
    if (Object.hasOwn(copy, suspensionKey))
      throw new agentErrors.STATE_KEY_RESERVED({ agent, key: suspensionKey });
    return copy;
  }

  async #get(): Promise<JsonObject | undefined> {
    const saved = (await this.#ask((store) => store.get(this.#agent))) ?? undefined;
    this.#isSaved = saved !== undefined;
    return saved;
  }

  async #set(state: JsonObject, handed?: string): Promise<void> {
    const marker = this.#kept(handed);
    const saved = marker === undefined ? state : withMarker(state, marker);
    // One that fails may have been written all the same.
    this.#isSaved = true;
    await this.#ask((store) => store.set(this.#agent, saved));
    this.#savedText = textOf(marker);
  }

  async #delete(): Promise<void> {
    await this.#ask((store) => store.delete(this.#agent));
    this.#isSaved = false;
    this.#savedText = "";
  }

  async #ask<Answer>(ask: (store: StateStore) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#home.store);
    } catch (error) {
      this.#home.storeFaults.note(error);
      throw error;
    }
  }

  #inTurn(write: () => Promise<void>, handed?: string): Promise<void> {
    this.#openCount += 1;
    const written = (this.#lastWrite ?? Promise.resolve())
      .then(write)
      .then(() => {
        // Before the next write: one that was asked for earlier holds an older state. It may be halted by now, too.
        this.marker = withoutApproval(this.marker, handed);
      })
      .finally(() => {
        this.#openCount -= 1;
      });
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }
}

function textOf(marker: SuspensionMarker | undefined): string {
  return marker === undefined ? "" : JSON.stringify(withMarker({}, marker));
}
