/**
 * Makes sure that a thrown value can be looked at. User code may throw anything: an object whose `code` is a getter
 * that throws, a proxy, a revoked proxy.
 *
 * An error's stack is left alone: reading it writes it out, which costs more than the rest of a restart. Who reads it, as
 * `placeOfError` does, does so for errors that are logged, and is ready for one that throws.
 *
 * @param error What was thrown.
 * @returns The same value when its members can be read; else an error that says what reading it threw.
 */
export function readableError(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return error;
  try {
    if (error instanceof Error) String(error);
    const { code, name, message, cause } = error as { readonly [member: string]: unknown };
    void [code, name, message];
    if (cause !== undefined && cause !== error && readableError(cause) !== cause) {
      return unreadable("its cause cannot be read");
    }
    return error;
  } catch (fault) {
    return unreadable(typeof fault === "string" ? fault : textOf(fault));
  }
}

function unreadable(why: string): Error {
  return new Error(`a value was thrown that cannot be read: ${why}`);
}

function textOf(fault: unknown): string {
  try {
    return String((fault as { readonly message?: unknown }).message);
  } catch {
    return "reading it throws";
  }
}
