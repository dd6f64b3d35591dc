const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/**
 * Draws how full something is.
 *
 * @param share From 0 to 1; what is outside counts as the nearer of them.
 * @param width Cells.
 * @returns A bar of just so many cells: `███▌······`.
 */
export function gauge(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const bar = "█".repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? "");
  return bar + "·".repeat(width - bar.length);
}
