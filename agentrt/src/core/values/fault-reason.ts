/**
 * Names a fault in one line. Never throws, whatever user code threw.
 *
 * @param error What was thrown.
 * @returns Its message, or its text.
 */
export function reasonOf(error: unknown): string {
  try {
    // A class of the user's may have made `message` anything.
    const reason: unknown = error instanceof Error ? error.message : error;
    return String(reason);
  } catch {
    return `${typeof error === "object" ? "an" : "a"} ${typeof error} that cannot be shown`;
  }
}
