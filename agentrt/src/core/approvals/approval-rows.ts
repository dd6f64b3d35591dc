import type { StateStore, StoreFaults } from "../ports/index.ts";
import { splitMarker, withMarker, withoutApproval } from "../suspension/index.ts";
import type { JsonObject } from "../values/index.ts";
import type { ApprovalRecord } from "./approval.ts";
import {
  approvalIndexKey,
  approvalStateKey,
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

/**
 * The approvals in the state store: a row each, and one row that lists them, so that they are found without a look at all
 * that the store holds. The list is written before the row and after it is gone: it may name too many, never too few.
 */
export class ApprovalRows {
  readonly #home: ApprovalRowsHome;
  readonly #ids: () => readonly string[];
  /** An agent may wait for several: its state is changed for one at a time. */
  #gating: Promise<void> = Promise.resolve();
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /**
   * @param home Where they are kept.
   * @param ids Lists those that there are, oldest first; read when the list is written.
   */
  constructor(home: ApprovalRowsHome, ids: () => readonly string[]) {
    this.#home = home;
    this.#ids = ids;
  }

  /**
   * Reads all approvals.
   *
   * @param onInvalid Told of one that cannot be read.
   * @throws What the store throws.
   */
  async read(onInvalid: (id: string, error: unknown) => void): Promise<StoredApproval[]> {
    const index = await this.#get(approvalIndexKey);
    if (index === undefined) return [];
    const ids = [...readSavedIndex(index)];
    const found: StoredApproval[] = [];
    while (ids.length > 0) {
      const part = ids.splice(0, readCountMax);
      const rows = await Promise.all(part.map((id) => this.#readOne(id, onInvalid)));
      found.push(...rows.filter((row) => row !== undefined));
    }
    return found;
  }

  async #readOne(
    id: string,
    onInvalid: (id: string, error: unknown) => void,
  ): Promise<StoredApproval | undefined> {
    const saved = await this.#get(approvalStateKey(id));
    if (saved === undefined) return undefined;
    let record: ApprovalRecord;
    try {
      record = readSavedApproval(id, saved);
    } catch (error) {
      onInvalid(id, error);
      return undefined;
    }
    // Only what waits for its agent is decided, so the others need no look.
    const isGated = record.status !== "pending" || (await this.#isGated(record));
    return { record, isGated };
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
    await this.#ask((store) => store.set(approvalStateKey(record.id), savedApprovalOf(record)));
  }

  /**
   * Forgets an approval.
   *
   * @throws What the store throws.
   */
  async remove(id: string): Promise<void> {
    await this.#ask((store) => store.delete(approvalStateKey(id)));
  }

  /**
   * Saves the list. What changes while one is written goes into one more.
   *
   * @throws What the store throws.
   */
  saveIndex(): Promise<void> {
    if (this.#writing === undefined) return this.#writeIndex();
    return (this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#writeIndex();
      }));
  }

  #writeIndex(): Promise<void> {
    const index = savedIndexOf(this.#ids());
    const writing = this.#ask((store) => store.set(approvalIndexKey, index)).finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    return writing;
  }

  async #get(key: string): Promise<JsonObject | undefined> {
    return (await this.#ask((store) => store.get(key))) ?? undefined;
  }

  async #ask<Answer>(ask: (store: StateStore) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#home.store);
    } catch (error) {
      this.#home.storeFaults.note(error);
      throw error;
    }
  }
}
