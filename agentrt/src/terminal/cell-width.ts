const segmenter = new Intl.Segmenter();
/** Drawn two cells wide: East Asian wide and full-width characters, and emoji. UAX #11 and UTS #51 say which. */
const widePattern =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]|.+\uFE0F)/u;
const asciiPattern = /^[\x20-\x7E]*$/;

function cellsOf(character: string): number {
  return widePattern.test(character) ? 2 : 1;
}

/**
 * Counts the cells that a text takes in a terminal.
 *
 * @param text One line without control characters.
 */
export function widthOf(text: string): number {
  if (asciiPattern.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += cellsOf(segment);
  return width;
}

/**
 * Cuts a text that is too wide; its last cell is `…` then.
 *
 * @param text One line without control characters.
 * @param widthMax Cells, 0 or more.
 */
export function cutText(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text;
  if (widthMax < 1) return "";
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += cellsOf(segment);
    if (width > widthMax - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Cuts a text, or puts spaces behind it, so that it takes just so many cells. */
export function padText(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + " ".repeat(Math.max(0, width - widthOf(cut)));
}
