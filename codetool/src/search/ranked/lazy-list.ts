/** Results in their order, of which only the first are computed. */
export interface RankedList<Item> {
  /** How many there are; those that turn out to be gone when they are worked out count too. */
  readonly count: number;
  /** Computes the first results: at least as many as asked for, if there are so many. */
  first(count: number): Promise<readonly Item[]>;
}

/** A list of results that are computed already. */
export function listOf<Item>(items: readonly Item[]): RankedList<Item> {
  return { count: items.length, first: async () => await Promise.resolve(items) };
}

/** The same list of something else. */
export function mapList<From, To>(list: RankedList<From>, map: (item: From) => To): RankedList<To> {
  return {
    count: list.count,
    first: async (count) => (await list.first(count)).map((item) => map(item)),
  };
}
