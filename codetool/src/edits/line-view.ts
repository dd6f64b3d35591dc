/** A text in which every line end is a line feed, with functions that map offsets. Offsets are UTF-16 units. */
export interface LineView {
  readonly text: string;
  /** From an offset of the view to the text's; at a line end, before the carriage return. */
  toText(viewOffset: number): number;
  /** From an offset of the text to the view's. */
  toView(textOffset: number): number;
}

/**
 * Makes the view in which texts are searched for: a line feed means either line end, so that lines copied from an answer
 * are found in a file with CRLF.
 */
export function lineViewOf(text: string): LineView {
  if (!text.includes("\r\n"))
    return { text, toText: (offset) => offset, toView: (offset) => offset };
  const view = text.replaceAll("\r\n", "\n");
  /** Of each pair, the offset of its line feed in the view. */
  const feeds: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2))
    feeds.push(at - feeds.length);
  return {
    text: view,
    toText: (offset) => offset + countBelow(feeds, (index) => (feeds[index] as number) < offset),
    toView: (offset) =>
      offset - countBelow(feeds, (index) => (feeds[index] as number) + index < offset),
  };
}

/** How many entries pass a test, in a list in which all that pass come first. */
function countBelow(entries: readonly number[], isBelow: (index: number) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The line end that a text put at a place gets: of the replaced lines, else the next one after, else the last before. */
export function lineEndAt(text: string, start: number): "\n" | "\r\n" {
  let feed = text.indexOf("\n", start);
  if (feed === -1) feed = text.lastIndexOf("\n");
  return feed > 0 && text[feed - 1] === "\r" ? "\r\n" : "\n";
}

/** Writes the bare line feeds of a text as the line ends of its place. */
export function withLineEnds(text: string, lineEnd: "\n" | "\r\n"): string {
  return lineEnd === "\n" ? text : text.replace(/\r?\n/g, lineEnd);
}
