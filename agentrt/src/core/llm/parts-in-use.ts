/** Calls of one part, and who waits for the last of them. */
interface Uses {
  count: number;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Which model providers and sources of tools have calls that run. A part that is replaced is closed after the last of its
 * calls.
 */
export class PartsInUse {
  readonly #uses = new Map<object, Uses>();

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

  /** @returns How many calls of a part run. */
  countOf(part: object): number {
    return this.#uses.get(part)?.count ?? 0;
  }

  /** @returns Settles when no call of a part runs. */
  async unused(part: object): Promise<void> {
    await this.#uses.get(part)?.ended.promise;
  }
}
