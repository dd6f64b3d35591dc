import { widthOf } from "../../terminal/index.ts";

/**
 * Breaks a text into lines, between words where it can.
 *
 * @param text One line without control characters.
 * @param width Cells of a line, 1 or more.
 */
export function wrappedLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (widthOf(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      const head = headOf(line, width);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}

/** As many characters as fit, one at least. */
function headOf(word: string, width: number): string {
  let head = "";
  for (const character of word) {
    if (head !== "" && widthOf(head + character) > width) break;
    head += character;
  }
  return head;
}
