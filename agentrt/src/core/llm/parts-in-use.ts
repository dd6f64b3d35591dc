/** Calls of one part, and who waits for the last of them. */
interface Uses {
  count: number;
  readonly ended: PromiseWithResolvers<void>;
}

/** What has calls of models, such as the session of an agent. */
interface Asking {
  longestWait(): { readonly name: string; readonly sinceMs: number } | undefined;
}

/**
 * Which model providers and sources of tools have calls that run. A part that is replaced is closed after the last of its
 * calls.
 */
export class PartsInUse {
  readonly #uses = new Map<object, Uses>();
  readonly #answeredAtMs = new WeakMap<object, number>();
  /** Those with calls of models that run. */
  readonly asking = new Set<Asking>();

  /** Notes a call of a part; it has as many ends as begins. */
  begin(part: object): void {
    const uses = this.#uses.get(part);
    if (uses === undefined) this.#uses.set(part, { count: 1, ended: Promise.withResolvers() });
    else uses.count += 1;
  }

  /** Notes that a call of a part is over. */
  end(part: object): void {
    const uses = this.#uses.get(part);
    if (uses === undefined) return;
    uses.count -= 1;
    if (uses.count > 0) return;
    this.#uses.delete(part);
    uses.ended.resolve();
  }

  /** Notes that a part has answered. */
  answered(part: object, atMs: number): void {
    this.#answeredAtMs.set(part, atMs);
  }

  /** @returns When a part has answered last, on the monotonic clock; undefined for never. */
  answeredAtMs(part: object): number | undefined {
    return this.#answeredAtMs.get(part);
  }

  /** @returns How many calls of a part run. */
  countOf(part: object): number {
    return this.#uses.get(part)?.count ?? 0;
  }

  /** @returns Settles when no call of a part runs. */
  async unused(part: object): Promise<void> {
    await this.#uses.get(part)?.ended.promise;
  }
}
