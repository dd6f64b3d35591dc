const segmenter = new Intl.Segmenter();

/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly isRight?: boolean;
}

/** A cell: its text, and what colours it. */
export interface Cell {
  readonly text: string;
  readonly colour?: ((text: string) => string) | undefined;
}

/**
 * Draws a table: titles, then a line for each row, columns as wide as their widest text.
 *
 * @param columns Their titles.
 * @param rows Cells in the order of the columns.
 * @param bold Styles the titles.
 * @returns Lines with a line feed each.
 */
export function drawTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  bold: (text: string) => string,
): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => widthOf(row[index]?.text ?? ""))),
  );
  const line = (cells: readonly Cell[]): string => {
    const parts = cells.map(({ text, colour }, index) => {
      const space = " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)));
      const shown = colour === undefined ? text : colour(text);
      return columns[index]?.isRight === true ? `${space}${shown}` : `${shown}${space}`;
    });
    return `${parts.join("  ").trimEnd()}\n`;
  };
  const titles = columns.map(({ title }) => ({ text: title, colour: bold }));
  return [titles, ...rows].map(line).join("");
}

/** Characters as people count them, so that an emoji in a name moves no column. */
function widthOf(text: string): number {
  return Array.from(segmenter.segment(text)).length;
}
