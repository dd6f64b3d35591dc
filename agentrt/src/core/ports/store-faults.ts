/** As far back as the causes of an error are followed. */
const causeCountMax = 16;

/**
 * Remembers what the state store threw that may be over some time by itself, so that the restart engine can tell an agent
 * that fails because its store is away from one that fails by its own fault.
 */
export class StoreFaults {
  readonly #noted = new WeakSet<object>();

  /** Remembers an error of the store if it is marked as retryable. */
  note(error: unknown): void {
    if (typeof error === "object" && error !== null && read(error, "isRetryable") === true)
      this.#noted.add(error);
  }

  /** @returns True when an error, or what it was caused by, came from the store and may be over some time. */
  includes(error: unknown): boolean {
    let at = error;
    for (let count = 0; count < causeCountMax; count += 1) {
      if (typeof at !== "object" || at === null) return false;
      if (this.#noted.has(at)) return true;
      at = read(at, "cause");
    }
    return false;
  }
}

/** Reads a property of an object of somebody else's, which may throw. */
function read(object: object, key: string): unknown {
  try {
    return Reflect.get(object, key) as unknown;
  } catch {
    return undefined;
  }
}
