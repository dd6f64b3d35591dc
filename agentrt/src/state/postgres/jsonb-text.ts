/** The one key of an object that stands for JSON which PostgreSQL's `jsonb` cannot hold. */
const wrapperKey = "__agentrt_json__";
// JSON.stringify writes lone surrogates and NUL as these escapes, and `jsonb` refuses both.
const refusedPattern = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Makes the text of a state fit for a `jsonb` column: what the column would refuse goes in as one string.
 *
 * @param text JSON text of an object.
 * @returns The text to save; mostly the same.
 */
export function toJsonbText(text: string): string {
  return refusedPattern.test(text) || text.includes(wrapperKey)
    ? JSON.stringify({ [wrapperKey]: text })
    : text;
}

/**
 * Turns what came out of the column back.
 *
 * @param text The column as text.
 * @returns The JSON text that was saved, keys perhaps in another order.
 */
export function fromJsonbText(text: string): string {
  if (!text.startsWith(`{"${wrapperKey}"`)) return text;
  const value = JSON.parse(text) as { readonly [key: string]: unknown };
  const inner = value[wrapperKey];
  return typeof inner === "string" && Object.keys(value).length === 1 ? inner : text;
}
