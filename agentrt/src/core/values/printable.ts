/** Everything that moves a cursor, changes colours, breaks a line or turns the reading direction. */
const unsafePattern = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Makes a text safe for terminals and for logs of one line an entry: line breaks become spaces, other control
 * characters their `\uXXXX` escapes, and what is too long is cut.
 *
 * @param text Text of anybody's making.
 * @param lengthMax Most characters kept; default 2000.
 * @returns One line.
 */
export function printable(text: string, lengthMax = 2000): string {
  const kept = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return kept.replaceAll(/\s*[\r\n]+\s*/g, " ").replaceAll(unsafePattern, escapeCharacter);
}
