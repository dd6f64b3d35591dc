import { sleep } from "../../system/index.ts";
import type { UsageRow } from "./usage-row.ts";

/** How often, and how long between, another process is waited for that folds the log. */
const tryCountMax = 100;
const waitMs = 20;

/**
 * Reads all calls that were recorded.
 *
 * @throws The file system's error for a log that is there and cannot be read.
 */
export async function readUsage(path: string): Promise<readonly UsageRow[]> {
  const { readAll } = await import("./fold-usage.ts");
  return await patiently(path, () => readAll(path));
}

/**
 * Forgets all calls that were recorded.
 *
 * @returns False, and does nothing, where the path is that of something else.
 * @throws The file system's error for a log that cannot be removed.
 */
export async function resetUsage(path: string): Promise<boolean> {
  const { isLog, removeAll } = await import("./fold-usage.ts");
  return await patiently(path, () => {
    const isOurs = isLog(path);
    if (isOurs) removeAll(path);
    return isOurs;
  });
}

/** A process that folds for seconds was stopped: then what is there is read without waiting for it. */
async function patiently<Result>(path: string, run: () => Result): Promise<Result> {
  const { whileUnfolded } = await import("./fold-usage.ts");
  for (let count = 1; count <= tryCountMax; count += 1) {
    const result = whileUnfolded(path, run);
    if (result !== undefined) return result;
    await sleep(waitMs);
  }
  return run();
}
