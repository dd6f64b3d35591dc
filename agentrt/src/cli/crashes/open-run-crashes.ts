import type { RunCrashes, RunCrashesOptions } from "./run-crashes.ts";

export type { RunCrashes } from "./run-crashes.ts";

/** Begins to record the crashes of a run; what does it is loaded only then. */
export async function openRunCrashes(options: RunCrashesOptions): Promise<RunCrashes> {
  const { RunCrashes: Crashes } = await import("./run-crashes.ts");
  return new Crashes(options);
}
