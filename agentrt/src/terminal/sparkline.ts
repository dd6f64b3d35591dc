const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/**
 * Draws numbers as a row of bars, the latest at the right.
 *
 * @param values 0 or more each, oldest first; the last of them are shown.
 * @param width Cells; fewer values leave the left ones empty.
 */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const top = Math.max(...shown, 0);
  const bars = shown.map((value) => {
    if (top === 0 || value <= 0) return levels[0];
    return levels[Math.min(levels.length - 1, Math.floor((value / top) * levels.length))];
  });
  return " ".repeat(Math.max(0, width - shown.length)) + bars.join("");
}
