import { realpathSync } from "node:fs";
import { stateErrors } from "./errors.ts";
import type { RawStates, StateRow } from "./raw-states.ts";

/** What a migration takes. */
export interface MigrationOptions {
  readonly source: RawStates;
  readonly target: RawStates;
  /** Called for each row that went into the transaction, with the number of rows so far. */
  readonly onCopied?: ((row: StateRow, count: number) => void) | undefined;
}

/**
 * Copies all states from one store to another as they are: nothing is encrypted or decrypted. The target gets all of
 * them or none, even when the process is killed on the way; states of other agents stay there.
 *
 * @param options The two stores.
 * @returns How many were copied.
 * @throws AGENTRT_STATE_*.
 */
export async function migrateStates({
  source,
  target,
  onCopied,
}: MigrationOptions): Promise<number> {
  if (realLabel(source.label) === realLabel(target.label))
    throw new stateErrors.SAME_STORE({ path: target.label });
  let count = 0;
  async function* watched(): AsyncGenerator<StateRow> {
    for await (const row of source.rows()) {
      yield row;
      count += 1;
      onCopied?.(row, count);
    }
  }
  return await target.saveRows(watched());
}

function realLabel(label: string): string {
  try {
    return realpathSync(label);
  } catch {
    // No file of this machine: a URL.
    return label;
  }
}
