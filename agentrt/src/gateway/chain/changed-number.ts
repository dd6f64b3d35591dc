/** Fewer digits are never changed: the largest whole number that is kept for sure has sixteen. */
const longNumber = /\d{16}/;
const wholeNumber = /^-?\d+$/;
const shownLengthMax = 40;

/**
 * Finds a whole number that would become another one: numbers here have 53 bits, and an id of 64 would change without
 * a word (RFC 8259 section 6). Fractions are approximations for everybody, so they pass.
 *
 * @param text Valid JSON.
 * @returns One line for the client, or `undefined` where every number stays what it is.
 */
export function changedNumber(text: string): string | undefined {
  if (!longNumber.test(text)) return undefined;
  let found: string | undefined;
  // oxlint-disable-next-line max-params -- JSON.parse calls it with these
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    if (found === undefined && typeof value === "number" && source !== undefined) {
      if (isChanged(source, value)) found = source;
    }
    return value;
  });
  if (found === undefined) return undefined;
  const shown = found.length > shownLengthMax ? `${found.slice(0, shownLengthMax)}…` : found;
  return `the number ${shown}, which cannot be kept exactly: send it as a string`;
}

function isChanged(source: string, value: number): boolean {
  if (!wholeNumber.test(source) || Number.isSafeInteger(value)) return false;
  // What overflows is no number of JSON: the copier refuses it by its own words.
  return Number.isFinite(value) && BigInt(source) !== BigInt(value);
}
