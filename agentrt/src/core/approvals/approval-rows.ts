import type { StateStore, StoreFaults } from "../ports/index.ts";
import { splitMarker, withMarker, withoutApproval } from "../suspension/index.ts";
import { type JsonObject, TableError } from "../values/index.ts";
import type { ApprovalRecord } from "./approval.ts";
import { approvalErrors } from "./errors.ts";
import {
  type ApprovalKeys,
  readSavedApproval,
  readSavedIndex,
  savedApprovalOf,
  savedIndexOf,
} from "./saved-approval.ts";

/** How many approvals are read at once. */
const readCountMax = 16;

/** Where approvals are kept, and what takes note of its faults. */
export interface ApprovalRowsHome {
  readonly store: StateStore;
  readonly storeFaults: StoreFaults;
}

/** An approval as the store has it. */
export interface StoredApproval {
  readonly record: ApprovalRecord;
  /** True when the state of its agent says that it waits for it. */
  readonly isGated: boolean;
}

/** What cannot be read, and is left as it is. */
export interface UnreadableApproval {
  /** Null for the list of a place: nobody knows which approvals are there. */
  readonly id: string | null;
  /** Who asked; null where that is not known either. */
  readonly agent: string | null;
  /** As `ApprovalKeys.place`. */
  readonly place: string;
  readonly error: Error;
}

/** What the store has. */
export interface StoredApprovals {
  readonly approvals: readonly StoredApproval[];
  readonly unreadable: readonly UnreadableApproval[];
}

/**
 * The approvals in the state store: a row each, and one row that lists them, so that they are found without a look at all
 * that the store holds. The list is written before the row and after it is gone: it may name too many, never too few.
 */
export class ApprovalRows {
  readonly #home: ApprovalRowsHome;
  readonly #keys: ApprovalKeys;
  readonly #ids: (rows: ApprovalRows) => Iterable<string>;
  /** They cannot be read: named in the list all the same. */
  readonly #foreignIds: string[] = [];
  #fault: Error | undefined;
  /** What the list holds from now on; undefined while that changes. */
  #lastIds: readonly string[] | undefined;
  #isClosed = false;
  /** An agent may wait for several: its state is changed for one at a time. */
  #gating: Promise<void> = Promise.resolve();
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /**
   * @param home Where they are kept.
   * @param of.keys Under which names.
   * @param of.ids Lists those that there are, oldest first; asked when the list is written.
   */
  constructor(
    home: ApprovalRowsHome,
    of: {
      readonly keys: ApprovalKeys;
      readonly ids: (rows: ApprovalRows) => Iterable<string>;
    },
  ) {
    this.#home = home;
    this.#keys = of.keys;
    this.#ids = of.ids;
  }

  /** What keeps the list from being read; undefined where it is. Nothing is added to such a list. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /** Approvals come and go no more: what is still written is as it is now. */
  freeze(): void {
    this.#lastIds = this.#listedIds;
  }

  /** Another process keeps them from now on: nothing is read or written here any more. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Reads all approvals. What cannot be read, and will not be by itself, is left out and named.
   *
   * @throws What the store throws that may be over some time; of the approvals that are at no place, also why their list cannot be read.
   */
  async read(): Promise<StoredApprovals> {
    const found: (StoredApproval | UnreadableApproval)[] = [];
    try {
      const index = await this.#get(this.#keys.index);
      const ids = index === undefined ? [] : [...readSavedIndex(index)];
      while (ids.length > 0) {
        const part = ids.splice(0, readCountMax);
        found.push(...(await Promise.all(part.map((id) => this.#readOne(id)))).flat());
      }
    } catch (error) {
      if (this.#keys.place === "" || !isLasting(error)) throw error;
      this.#fault = error;
      found.push(this.#unreadable(error));
    }
    return {
      approvals: found.filter((each) => "record" in each),
      unreadable: found.filter((each) => "error" in each),
    };
  }

  #unreadable(
    error: Error,
    id: string | null = null,
    agent: string | null = null,
  ): UnreadableApproval {
    return { id, agent, place: this.#keys.place, error };
  }

  async #readOne(id: string): Promise<(StoredApproval | UnreadableApproval)[]> {
    let record: ApprovalRecord | undefined;
    try {
      const saved = await this.#get(this.#keys.rowOf(id));
      if (saved === undefined) return [];
      record = readSavedApproval(id, saved);
      // Only what waits for its agent is decided, so the others need no look.
      const isGated = record.status !== "pending" || (await this.#isGated(record));
      return [{ record, isGated }];
    } catch (error) {
      if (!isLasting(error)) throw error;
      this.#foreignIds.push(id);
      return [this.#unreadable(error, id, record?.agent)];
    }
  }

  async #isGated({ agent, id }: ApprovalRecord): Promise<boolean> {
    const state = await this.#get(agent);
    if (state === undefined) return false;
    return splitMarker(state).marker?.approvals.includes(id) === true;
  }

  /**
   * Writes into the state of an agent that it waits for an approval: only while the agent is not there.
   *
   * @param marker What it is suspended by, unless it is so already.
   * @throws What the store throws.
   */
  gate({ agent, id }: ApprovalRecord, marker: Parameters<typeof withMarker>[1]): Promise<void> {
    return this.#oneByOne(async () => {
      const saved = await this.#get(agent);
      const found = saved === undefined ? undefined : splitMarker(saved);
      const earlier = found?.marker ?? { ...marker, approvals: [] };
      const waiting = { ...earlier, approvals: [...earlier.approvals, id] };
      await this.#ask((store) => store.set(agent, withMarker(found?.state ?? {}, waiting)));
    });
  }

  /**
   * Takes an approval out of what the state of an agent waits for: only while the agent is not there.
   *
   * @throws What the store throws.
   */
  ungate({ agent, id }: ApprovalRecord): Promise<void> {
    return this.#oneByOne(async () => {
      const saved = await this.#get(agent);
      if (saved === undefined) return;
      const { state, marker } = splitMarker(saved);
      const rest = withoutApproval(marker, id);
      if (rest === marker) return;
      await this.#ask(async (store) => {
        if (rest !== undefined) await store.set(agent, withMarker(state ?? {}, rest));
        else if (state !== undefined) await store.set(agent, state);
        else await store.delete(agent);
      });
    });
  }

  #oneByOne(change: () => Promise<void>): Promise<void> {
    const changed = this.#gating.then(change);
    this.#gating = changed.catch(() => undefined);
    return changed;
  }

  /**
   * Saves an approval.
   *
   * @throws What the store throws.
   */
  async put(record: ApprovalRecord): Promise<void> {
    await this.#ask((store) => store.set(this.#keys.rowOf(record.id), savedApprovalOf(record)));
  }

  /**
   * Forgets an approval.
   *
   * @throws What the store throws.
   */
  async remove(id: string): Promise<void> {
    await this.#ask((store) => store.delete(this.#keys.rowOf(id)));
  }

  /**
   * Saves the list. What changes while one is written goes into one more.
   *
   * @throws What the store throws; why the list could not be read.
   */
  saveIndex(): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    if (this.#writing === undefined) return this.#writeIndex();
    return (this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#writeIndex();
      }));
  }

  get #listedIds(): readonly string[] {
    return this.#lastIds ?? [...this.#foreignIds, ...this.#ids(this)];
  }

  #writeIndex(): Promise<void> {
    const index = savedIndexOf(this.#listedIds);
    const writing = this.#ask((store) => store.set(this.#keys.index, index)).finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    return writing;
  }

  async #get(key: string): Promise<JsonObject | undefined> {
    return (await this.#ask((store) => store.get(key))) ?? undefined;
  }

  async #ask<Answer>(ask: (store: StateStore) => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) throw new approvalErrors.ELSEWHERE({ place: this.#keys.place });
    try {
      return await ask(this.#home.store);
    } catch (error) {
      this.#home.storeFaults.note(error);
      if (!isTakenOver(error)) throw error;
      throw new approvalErrors.ELSEWHERE({ place: this.#keys.place }, { cause: error });
    }
  }
}

/** True for what a store refuses since another process has charge of it by now, or soon. */
function isTakenOver(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "AGENTRT_STATE_FENCED" || code === "AGENTRT_KEY_ELSEWHERE";
}

/** True for what no later try can read: the same is said of it each time. */
function isLasting(error: unknown): error is TableError {
  return error instanceof TableError && !error.isRetryable;
}
