/** By the error that came over from there. */
const ids = new WeakMap<Error, string>();

/**
 * Says by which id another process knows a crash.
 *
 * @param error What came over from there.
 * @param id Empty where that process gave it none.
 */
export function noteCrashElsewhere(error: Error, id: string): void {
  if (id !== "") ids.set(error, id);
}

/** @returns The id of a crash in the process where it happened; undefined for one of this process. */
export function crashIdElsewhere(error: unknown): string | undefined {
  return error instanceof Error ? ids.get(error) : undefined;
}
