/** The places where a text has a name as a whole word; what is in comments and strings too. */
export function* wordsIn(text: string, name: string): Generator<number> {
  if (name === "") return;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!isInName(text, at, "before") && !isInName(text, at + name.length, "behind")) yield at;
}

/** The same, and those behind an escape of a string: `"\nname"`. */
export function* wordsInStrings(text: string, name: string): Generator<number> {
  if (name === "") return;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (isInName(text, at + name.length, "behind")) continue;
    if (isEscape(text, at) || !isInName(text, at, "before")) yield at;
  }
}

/** Whether a backslash and a letter end at an offset, and the backslash is not escaped itself. */
function isEscape(text: string, end: number): boolean {
  if (!/[abefnrtv0]/.test(text[end - 1] ?? "")) return false;
  const slashes = /\\*$/.exec(text.slice(Math.max(0, end - 33), Math.max(0, end - 1)))?.[0] ?? "";
  return slashes.length % 2 === 1;
}

/** Whether a text has a name as a whole word. */
export function hasWord(text: string, name: string): boolean {
  return wordsIn(text, name).next().done !== true;
}

/** Whether a text has a name as a whole word, or behind an escape of a string. */
export function mayMention(text: string, name: string): boolean {
  return wordsInStrings(text, name).next().done !== true;
}

/** Whether the character before an offset, or behind it, is one of a name. */
function isInName(text: string, offset: number, side: "before" | "behind"): boolean {
  const index = side === "before" ? offset - 1 : offset;
  const unit = text.charCodeAt(index);
  if (Number.isNaN(unit)) return false;
  if (unit < 128) return /[\w$]/.test(text[index] as string);
  // A character may be two units.
  return side === "before"
    ? /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, offset - 2), offset))
    : /^[\p{L}\p{N}]/u.test(text.slice(offset, offset + 2));
}
