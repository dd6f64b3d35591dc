const lineLengthMax = 1000;
/** How much is checked to tell text from binary. */
const probedLength = 8192;

/**
 * The last lines of a text that are not blank at its end; very long ones are cut.
 *
 * @returns One line that says so, for what is not text.
 */
export function lastLines(text: string, countMax: number): string {
  if (text.slice(0, probedLength).includes("\0"))
    return `[binary output, ${text.length} characters]`;
  const lines = text.trimEnd().split("\n").slice(-countMax);
  return lines
    .map((line) =>
      line.length <= lineLengthMax
        ? line
        : `${line.slice(0, lineLengthMax)}… [${line.length - lineLengthMax} more characters]`,
    )
    .join("\n");
}
