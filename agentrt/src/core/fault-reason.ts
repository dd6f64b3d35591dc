/**
 * Names a fault in one line.
 *
 * @param error What was thrown.
 * @returns Its message, or its text.
 */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
