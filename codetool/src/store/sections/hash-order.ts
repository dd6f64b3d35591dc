/** Members at most: their numbers take 24 of the 53 bits of a number. */
export const memberCountMax = 2 ** 24;

/**
 * Orders members by their hashes of 32 bits.
 *
 * @param hashes One a member, at most `memberCountMax`.
 * @param compare Orders two members of equal hash; default by number.
 * @returns Numbers of the members.
 */
export function orderByHash(
  hashes: Uint32Array,
  compare: (left: number, right: number) => number = (left, right) => left - right,
): Uint32Array {
  if (hashes.length > memberCountMax) throw new RangeError(`more than ${memberCountMax} members`);
  // The upper 29 bits of the hash and the number in one float: a typed array sorts numbers without a call a pair.
  const keys = new Float64Array(hashes.length);
  for (let member = 0; member < hashes.length; member += 1)
    keys[member] = ((hashes[member] as number) >>> 3) * memberCountMax + member;
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let place = 0; place < order.length; place += 1)
    order[place] = (keys[place] as number) % memberCountMax;
  // What is left are neighbours: few members share 29 bits.
  for (let place = 1; place < order.length; place += 1)
    for (let at = place; at > 0; at -= 1) {
      const left = order[at - 1] as number;
      const right = order[at] as number;
      const difference = (hashes[left] as number) - (hashes[right] as number);
      if (difference < 0 || (difference === 0 && compare(left, right) <= 0)) break;
      order[at - 1] = right;
      order[at] = left;
    }
  return order;
}
