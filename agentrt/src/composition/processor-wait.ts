import { readFileSync } from "node:fs";

/** A tick of the processor times in `/proc/stat`, milliseconds; the same on all platforms of Linux. */
const stealTickMs = 10;

/**
 * Says for how long the main thread of this process could have run and got no processor: others had it, or the host of a virtual machine took it.
 *
 * @returns Milliseconds since some moment, so that only differences mean something; undefined where the system does not tell, as outside of Linux.
 */
export function processorWaitMs(): number | undefined {
  try {
    // Of the first thread, on which Node runs the event loop: time on the processor, time in the queue for it, turns.
    const waitedNs = Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]);
    return Number.isFinite(waitedNs) ? waitedNs / 1e6 + stolenMs() : undefined;
  } catch {
    return undefined;
  }
}

/** The mean of all processors. */
function stolenMs(): number {
  const lines = readFileSync("/proc/stat", "utf8").split("\n");
  const ticks = Number((lines[0] ?? "").trim().split(/ +/)[8]);
  const count = lines.filter((line) => /^cpu\d/.test(line)).length;
  return Number.isFinite(ticks) && count > 0 ? (ticks * stealTickMs) / count : 0;
}
