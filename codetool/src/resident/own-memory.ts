import { readFileSync } from "node:fs";
import process from "node:process";

/**
 * The memory of this process that no other one shares, bytes: an index is mapped, and its pages are the system's to take
 * back. Where the system does not tell them apart, all memory.
 */
export function ownMemoryBytes(): number {
  try {
    const match = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
    if (match !== null) return Number(match[1]) * 1024;
  } catch {
    // Not Linux.
  }
  return process.memoryUsage.rss();
}
