import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Makes the names in a folder last over a failure of power. Where a folder cannot be opened or synced, as on Windows, or
 * is closed to reading, the system sees to it: what was renamed is in place all the same.
 */
export function syncDirectory(directory: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(directory, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } catch {
    // Some file systems sync no folders.
  } finally {
    closeSync(descriptor);
  }
}
