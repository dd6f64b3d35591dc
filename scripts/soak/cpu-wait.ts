import { readFileSync } from "node:fs";

const nanosecondsPerMs = 1e6;

/**
 * How long processes were ready to run and got no processor, because others had all of them.
 *
 * @param pids Of the processes; their main threads are looked at.
 * @returns Milliseconds since each began, all together; 0 on a system that does not say.
 */
export function cpuWaitMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + waitOf(pid), 0);
}

/** Of `/proc/<pid>/schedstat` the second number is that time, nanoseconds. */
function waitOf(pid: number): number {
  try {
    const [, waitNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(waitNs) / nanosecondsPerMs;
  } catch {
    return 0;
  }
}
