/** Joins lines without the blank ones at both ends; indentation stays. */
export function trimLines(lines: readonly string[]): string {
  const isText = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isText);
  if (first === -1) return "";
  return lines
    .slice(first, lines.findLastIndex(isText) + 1)
    .join("\n")
    .trimEnd();
}
