/** Which keys of a keyed agent are listed. */
export interface KeyPage {
  /** Only keys behind this one; default all. */
  readonly after?: string | undefined;
  /** At most so many, 1 or more; default 100. */
  readonly limit?: number | undefined;
  /** Only keys in which this is, in capitals or not; default all. */
  readonly contains?: string | undefined;
  /** Only keys of this status, or, with `!` in front, of any other; default all. */
  readonly status?: string | undefined;
}

/**
 * Takes the first of many keys, in their order, without sorting all of them.
 *
 * @param keys In any order.
 * @param count At most so many, 1 or more.
 */
export function firstKeys(keys: readonly string[], count: number): string[] {
  const found: string[] = [];
  let last: string | undefined;
  for (const key of keys) {
    if (last !== undefined && key > last) continue;
    found.push(key);
    if (found.length < 2 * count) continue;
    found.sort(byName);
    found.length = count;
    last = found.at(-1);
  }
  return found.sort(byName).slice(0, count);
}

/**
 * Makes what says whether a key is listed.
 *
 * @param page Which are.
 */
export function keyFilter({
  after = "",
  contains = "",
  status = "",
}: KeyPage): (key: string, statusNow: () => string) => boolean {
  const wanted = contains.toLowerCase();
  const isOther = status.startsWith("!");
  const named = isOther ? status.slice(1) : status;
  return (key, statusNow) =>
    key > after &&
    (wanted === "" || key.toLowerCase().includes(wanted)) &&
    (named === "" || (statusNow() === named) !== isOther);
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}
