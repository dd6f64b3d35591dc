const columnWidth = 7.8;
const lineHeight = 17;
const padding = 14;

/** The sixteen colours of a terminal, dark ones first. */
const palette = [
  "#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4",
  "#6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #ffffff",
]
  .join(" ")
  .split(" ");
const [paper, ink] = ["#0d1117", "#e6edf3"];

interface Style {
  readonly color: string;
  readonly background: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
}

const plain: Style = {
  color: ink,
  background: undefined,
  isBold: false,
  isDim: false,
  isInverse: false,
};

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A colour of the 256: the sixteen, a cube of six steps, and greys. */
function colorAt(index: number): string {
  const named = palette[index];
  if (named !== undefined) return named;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey},${grey},${grey})`;
  }
  const steps = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const parts = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((each) => steps[each]);
  return `rgb(${parts.join()})`;
}

/** Applies the numbers of one SGR sequence (ECMA-48 8.3.117; 38 and 48 as xterm has them). */
function restyled(style: Style, numbers: readonly number[]): Style {
  let now = style;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) now = plain;
    else if (code === 1) now = { ...now, isBold: true };
    else if (code === 2) now = { ...now, isDim: true };
    else if (code === 7) now = { ...now, isInverse: true };
    else if (code === 22) now = { ...now, isBold: false, isDim: false };
    else if (code === 27) now = { ...now, isInverse: false };
    else if (code === 39) now = { ...now, color: ink };
    else if (code === 49) now = { ...now, background: undefined };
    else if (code === 38 || code === 48) {
      const isShort = numbers[at + 1] === 5;
      const color = isShort
        ? colorAt(numbers[at + 2] ?? 0)
        : `rgb(${numbers.slice(at + 2, at + 5).join()})`;
      now = { ...now, ...(code === 38 ? { color } : { background: color }) };
      at += isShort ? 2 : 4;
    } else if (code >= 30 && code <= 37) now = { ...now, color: colorAt(code - 30) };
    else if (code >= 40 && code <= 47) now = { ...now, background: colorAt(code - 40) };
    else if (code >= 90 && code <= 97) now = { ...now, color: colorAt(code - 82) };
    else if (code >= 100 && code <= 107) now = { ...now, background: colorAt(code - 92) };
  }
  return now;
}

/** Draws the pieces of a line that have one style each. */
function drawLine(line: string, y: number): string[] {
  let style = plain;
  let column = 0;
  const drawn: string[] = [];
  // oxlint-disable-next-line no-control-regex -- a terminal's styles begin with ESC
  for (const piece of line.split(/(\u001B\[[\d;]*m)/)) {
    // oxlint-disable-next-line no-control-regex -- as above
    const sequence = /^\u001B\[([\d;]*)m$/.exec(piece);
    if (sequence !== null) {
      style = restyled(style, (sequence[1] ?? "").split(";").map(Number));
      continue;
    }
    const length = Array.from(piece).length;
    const x = padding + column * columnWidth;
    const { isInverse } = style;
    const background = isInverse ? style.color : style.background;
    if (background !== undefined && length > 0)
      drawn.push(
        `<rect x="${x.toFixed(1)}" y="${y - lineHeight + 4}" width="${(length * columnWidth).toFixed(1)}" height="${lineHeight}" fill="${background}"/>`,
      );
    if (piece.trim() !== "")
      drawn.push(
        `<text x="${x.toFixed(1)}" y="${y}" fill="${isInverse ? paper : style.color}"${style.isBold ? ' font-weight="bold"' : ""}${style.isDim ? ' opacity=".6"' : ""} textLength="${(length * columnWidth).toFixed(1)}" xml:space="preserve">${escapeText(piece)}</text>`,
      );
    column += length;
  }
  return drawn;
}

/**
 * Draws the screen of a terminal as SVG, with its colours.
 *
 * @param title For those who hear the picture.
 * @param lines As `tmux capture-pane -e` prints them: text with SGR sequences.
 * @param columnCount Columns of the screen.
 */
export function drawScreen(title: string, lines: readonly string[], columnCount: number): string {
  const width = Math.ceil(columnCount * columnWidth + 2 * padding);
  const height = lines.length * lineHeight + 2 * padding;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paper}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">`,
    ...lines.flatMap((line, index) => drawLine(line, padding + (index + 1) * lineHeight - 4)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}
