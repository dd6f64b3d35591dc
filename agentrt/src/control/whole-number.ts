/**
 * Reads a number of a query.
 *
 * @param text Only digits: no sign, no point, no other base, no spaces.
 * @returns The number, 0 to 10^15; NaN for any other text, an empty one included.
 */
export function wholeNumberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
