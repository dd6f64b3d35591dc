import type { StateStore } from "../core/index.ts";

/** One saved state as its store keeps it. */
export interface StateRow {
  readonly agent: string;
  /** JSON text, or whatever a foreign hand left there. */
  readonly text: string;
  /** When it was saved last, wall-clock milliseconds; undefined where the store does not know. */
  readonly savedAtMs?: number | undefined;
}

/** A store whose rows can be listed, copied and cleared without being understood. */
export interface RawStates extends StateStore {
  /** What the store is called in messages: a path, or a URL without its password. */
  readonly label: string;
  /**
   * All rows, in no promised order. Of what others write meanwhile a state may be the newer one, and one that is
   * deleted meanwhile may be left out.
   */
  rows(): AsyncIterable<StateRow>;
  /**
   * Saves rows in one transaction, each in place of the one before: all of them or none, whatever happens meanwhile.
   *
   * @returns How many.
   */
  saveRows(rows: AsyncIterable<StateRow>): Promise<number>;
  /** Forgets every state in one transaction. */
  deleteAll(): Promise<void>;
}
