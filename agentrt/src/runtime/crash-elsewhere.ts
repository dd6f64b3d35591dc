import type { ShownCrash } from "../core/index.ts";

/** What another process says of a crash that happened there. */
export interface CrashElsewhere {
  /** By which it knows the crash; empty where it gave it none. */
  readonly id: string;
  /** Its texts without the secrets that the agent had at hand; undefined where it does not say. */
  readonly shown: ShownCrash | undefined;
}

/** By the error that came over from there. */
const crashes = new WeakMap<Error, CrashElsewhere>();

/**
 * Notes what another process says of a crash.
 *
 * @param error What came over from there.
 * @param crash What was said with it.
 */
export function noteCrashElsewhere(error: Error, crash: CrashElsewhere): void {
  crashes.set(error, crash);
}

/** @returns What was said of a crash by the process where it happened; undefined for one of this process. */
export function crashElsewhere(error: unknown): CrashElsewhere | undefined {
  return error instanceof Error ? crashes.get(error) : undefined;
}
