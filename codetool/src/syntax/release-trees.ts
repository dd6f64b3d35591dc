import process from "node:process";
import { nextTurn } from "../system/index.ts";

const releaseAfterUnits = 1024 * 1024;

let parsedUnitCount = 0;
let collectGarbage: (() => void) | null = null;

/** Counts what was parsed since the last release. */
export function countParsedUnits(unitCount: number): void {
  parsedUnitCount += unitCount;
}

/**
 * Frees the native memory of trees nobody holds any more, when enough has gathered to be worth it.
 *
 * Native trees are freed by finalizers, which run only after a collection and a turn of the event loop: a loop that
 * parses without ever doing both keeps every tree of every file (40 bytes of memory for one of source). Long runs
 * await this after each file; it costs nothing until 1 Mi units were parsed since the last release.
 *
 * @returns True when it collected.
 */
export async function releaseTrees(): Promise<boolean> {
  if (parsedUnitCount < releaseAfterUnits) return false;
  parsedUnitCount = 0;
  await nextTurn();
  collectGarbage ??= garbageCollector();
  collectGarbage();
  await nextTurn();
  return true;
}

function garbageCollector(): () => void {
  const bun = (globalThis as { Bun?: { gc(isForced: boolean): void } }).Bun;
  if (bun !== undefined) return () => bun.gc(true);
  if (globalThis.gc !== undefined) return () => globalThis.gc?.();
  // Loaded only here: most answers parse nothing.
  process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
  return process.getBuiltinModule("node:vm").runInNewContext("gc") as () => void;
}
