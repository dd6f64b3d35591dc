import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createInEditFolder,
  editFolderOf,
  editsIn,
  type EditingProcess,
  isEditAlive,
} from "./edit-folder.ts";

/** A place in the queue of those who edit in one folder. */
export interface Claim {
  /** Whether all that came before are done. */
  isFirst(): boolean;
}

/**
 * Queues up to edit in a folder. The queue is Lamport's bakery: everybody makes a file, writes into it a number that is
 * greater than all the others, and is first when nobody alive has a smaller one. So nothing is ever taken from a process
 * that was slow, and those who wait come in their order. An empty file is of one who still looks for a number.
 *
 * Source: L. Lamport, "A New Solution of Dijkstra's Concurrent Programming Problem", 1974.
 *
 * @param id Of the edit: `process-mark-number`, used once.
 * @throws the system's errors.
 */
export function queueUp(folder: string, id: string, process: EditingProcess): Claim {
  createInEditFolder(folder, `${id}.claim`);
  const others = (): (readonly [string, number])[] =>
    [...editsIn(folder)].flatMap(([other, parts]) => {
      if (other === id || !parts.has("claim") || !isEditAlive(other, process)) return [];
      const number = numberOf(folder, other);
      return number === undefined ? [] : [[other, number] as const];
    });
  const own = 1 + Math.max(0, ...others().map(([, number]) => number));
  writeFileSync(claimPath(folder, id), `${own}\n`);
  return {
    isFirst: () =>
      others().every(([other, number]) => number > own || (number === own && other > id)),
  };
}

function claimPath(folder: string, id: string): string {
  return join(editFolderOf(folder), `${id}.claim`);
}

/** 0, which goes before all, while it looks for one; `undefined` for a claim that is gone. */
function numberOf(folder: string, id: string): number | undefined {
  try {
    const digits = /^(\d+)\n$/.exec(readFileSync(claimPath(folder, id), "latin1"))?.[1];
    return Number(digits ?? 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
