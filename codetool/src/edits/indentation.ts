/** The blanks a line begins with. */
export function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The indentation of the line that an offset lies in. */
export function indentationAt(text: string, offset: number): string {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  return indentationOf(text.slice(start, offset));
}

/**
 * Guesses what one level of indentation is in a text: of the first lines that are indented, a tab or the fewest blanks.
 *
 * @param otherwise Where no line is indented.
 */
export function indentationUnitOf(text: string, otherwise = "    "): string {
  let fewest = Infinity;
  let seen = 0;
  for (const found of text.matchAll(/^([ \t]+)\S/gm)) {
    const indentation = found[1] ?? "";
    if (indentation.startsWith("\t")) return "\t";
    // A single blank is the one before the star of a comment.
    if (indentation.length > 1) fewest = Math.min(fewest, indentation.length);
    seen += 1;
    if (seen === 200) break;
  }
  return fewest === Infinity ? otherwise : " ".repeat(fewest);
}

/**
 * Fits lines to a place: it replaces their common indentation by the place's, and writes deeper levels with the place's
 * unit. Blank lines stay empty.
 *
 * @param text Lines with a line feed between.
 * @param options.indentation Put before every line.
 * @param options.unit A tab, or the blanks of one level.
 * @param options.isFirstInLine False when the first line goes on a line that has begun; default true.
 */
export function fitIndentation(
  text: string,
  options: {
    readonly indentation: string;
    readonly unit: string;
    readonly isFirstInLine?: boolean;
  },
): string {
  const { indentation, unit, isFirstInLine = true } = options;
  const lines = text.split("\n");
  const measured = (isFirstInLine ? lines : lines.slice(1)).filter((line) => line.trim() !== "");
  const common = commonStart(measured.map(indentationOf));
  const ownUnit = indentationUnitOf(
    measured.map((line) => line.slice(common.length)).join("\n"),
    unit,
  );
  return lines
    .map((line, index) => {
      if (line.trim() === "") return "";
      if (index === 0 && !isFirstInLine) return line.trimStart();
      const inner = line.slice(common.length);
      const own = indentationOf(inner);
      return `${indentation}${withUnit(own, { from: ownUnit, to: unit })}${inner.slice(own.length)}`;
    })
    .join("\n");
}

/** Writes levels with another unit; blanks that make no whole level stay as they are. */
function withUnit(
  indentation: string,
  units: { readonly from: string; readonly to: string },
): string {
  const { from, to } = units;
  const isWhole = indentation.replaceAll(from, "") === "";
  return isWhole ? to.repeat(indentation.length / from.length) : indentation;
}

function commonStart(indentations: readonly string[]): string {
  let common = indentations[0] ?? "";
  for (const indentation of indentations)
    while (!indentation.startsWith(common)) common = common.slice(0, -1);
  return common;
}
