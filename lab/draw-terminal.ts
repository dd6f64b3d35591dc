const columnCount = 100;
const columnWidth = 8.4;
const lineHeight = 19;
const padding = 18;
const barHeight = 34;

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function colorOf(line: string): string {
  if (line.startsWith("$ ")) return "#7ee787";
  if (/^(?:4|5)\d\d /.test(line)) return "#ff7b72";
  if (line.startsWith("200 ")) return "#79c0ff";
  return "#e6edf3";
}

/**
 * Draws a terminal as SVG. Lines that begin with `$ ` are drawn as commands. Long lines are cut at 100 columns, so that
 * the picture stays readable where a README shows it.
 */
export function drawTerminal(title: string, lines: readonly string[]): string {
  const width = Math.ceil(columnCount * columnWidth + 2 * padding);
  const height = barHeight + lines.length * lineHeight + padding;
  const rows = lines.map((line, index) => {
    const text = line.length > columnCount ? `${line.slice(0, columnCount - 1)}…` : line;
    const y = barHeight + (index + 1) * lineHeight;
    return `<text x="${padding}" y="${y}" fill="${colorOf(line)}" xml:space="preserve">${escapeText(text)}</text>`;
  });
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (color, index) => `<circle cx="${padding + 4 + index * 20}" cy="17" r="6" fill="${color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...dots,
    `<text x="${width / 2}" y="22" fill="#8b949e" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" text-anchor="middle">${escapeText(title)}</text>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...rows,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}
