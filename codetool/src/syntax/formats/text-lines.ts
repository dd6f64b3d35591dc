/** A line of a text: its place, and what is on it without the line break. */
export interface TextLine {
  readonly text: string;
  readonly start: number;
  /** Exclusive, without the line break. */
  readonly end: number;
}

/**
 * The lines of a text, in order; a byte-order mark is not a part of the first, a carriage return no part of any.
 *
 * @param text A decoded text.
 */
export function textLinesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const lineBreak = found === -1 ? text.length : found;
    const end = text[lineBreak - 1] === "\r" && lineBreak > start ? lineBreak - 1 : lineBreak;
    lines.push({ text: text.slice(start, end), start, end });
    start = lineBreak + 1;
  }
  return lines;
}

/** Columns of white space at the beginning of a line; a tab goes to the next multiple of four. */
export function indentWidthOf(line: string): { readonly columns: number; readonly units: number } {
  let columns = 0;
  let units = 0;
  for (; units < line.length; units++) {
    if (line[units] === " ") columns += 1;
    else if (line[units] === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return { columns, units };
}
