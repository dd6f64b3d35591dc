import { padText, widthOf } from "./cell-width.ts";
import type { Tones } from "./tones.ts";

/** One line of a chart. */
export interface ChartSeries {
  /** 0 or more each, oldest first; every series of a chart has as many. */
  readonly values: readonly number[];
}

/** How a chart is drawn. */
export interface ChartLooks {
  /** Cells, with the axis at the left. */
  readonly width: number;
  /** Lines, with the axis at the bottom. */
  readonly height: number;
  readonly tones: Tones;
  /** Writes a value at the left axis. */
  readonly valueText: (value: number) => string;
  /** Written at the left and at the right end of the bottom axis. */
  readonly ends: readonly [string, string];
}

/** A cell of the plot: bits of its braille dots, and which series was drawn there last. */
interface PlotCell {
  dots: number;
  series: number;
  letter: string;
}

const brailleBase = 0x28_00;
/** The bit of a dot, by row and column of a braille character. */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const dotsAcross = 2;
const dotsDown = 4;
/** Lines that the bottom axis takes: itself, and its two texts. */
const axisRows = 2;
const seriesTones = ["cyan", "yellow", "green", "magenta", "blue", "red"] as const;

/** @returns The letter of a series: it is on its line and before its name, so that no colour is needed. */
export function seriesLetter(index: number): string {
  return String.fromCodePoint(65 + (index % 26));
}

/** @returns The colour of a series. */
export function seriesTone(index: number, tones: Tones): (text: string) => string {
  return tones[seriesTones[index % seriesTones.length] ?? "cyan"];
}

/**
 * Draws lines of braille dots between two axes, from 0 to the largest value. Each line has a colour, and its letter where
 * it is highest.
 *
 * @param series None for axes only.
 * @returns Just so many lines as the height; none where there is no room for a plot.
 */
export function lineChart(series: readonly ChartSeries[], looks: ChartLooks): string[] {
  const { width, height, tones, valueText, ends } = looks;
  const top = Math.max(0, ...series.flatMap(({ values }) => values));
  const labels = [top === 0 ? "" : valueText(top), valueText(0)] as const;
  const labelWidth = Math.max(...labels.map(widthOf));
  const columns = width - labelWidth - 1;
  const rows = height - axisRows;
  if (columns < 2 || rows < 1) return [];
  const cells = Array.from({ length: rows * columns }, (): PlotCell => ({
    dots: 0,
    series: 0,
    letter: "",
  }));
  const plot = { cells, columns, rows, top };
  series.forEach(({ values }, index) => drawSeries(plot, values, index));
  // Letters last: no line goes over them.
  series.forEach(({ values }, index) => putLetter(plot, values, index));
  const lines = Array.from({ length: rows }, (_, row) => {
    const label = row === 0 ? labels[0] : row === rows - 1 ? labels[1] : "";
    const drawn = cells
      .slice(row * columns, (row + 1) * columns)
      .map((cell) => cellText(cell, tones));
    return `${" ".repeat(labelWidth - widthOf(label))}${label}${row === 0 || row === rows - 1 ? "┤" : "│"}${drawn.join("")}`;
  });
  const margin = " ".repeat(labelWidth);
  const room = Math.max(0, columns - widthOf(ends[1]));
  const foot =
    columns >= widthOf(ends[0]) + widthOf(ends[1]) + 1
      ? padText(ends[0], room) + ends[1]
      : padText(ends[0], columns);
  return [...lines, `${margin}└${"─".repeat(columns)}`, `${margin} ${foot}`];
}

interface Plot {
  readonly cells: PlotCell[];
  readonly columns: number;
  readonly rows: number;
  /** The largest value. */
  readonly top: number;
}

/** Where a value is, in dots from the upper left corner. */
function dotOf({ columns, rows, top }: Plot, values: readonly number[], index: number) {
  const right = columns * dotsAcross - 1;
  const bottom = rows * dotsDown - 1;
  const share = top === 0 ? 0 : Math.max(0, values[index] ?? 0) / top;
  const x = values.length < 2 ? right : Math.round((index / (values.length - 1)) * right);
  return { x, y: Math.round((1 - share) * bottom) };
}

function drawSeries(plot: Plot, values: readonly number[], series: number): void {
  let before: { readonly x: number; readonly y: number } | undefined;
  values.forEach((_, index) => {
    const dot = dotOf(plot, values, index);
    const from = before ?? dot;
    const steps = Math.max(Math.abs(dot.x - from.x), Math.abs(dot.y - from.y), 1);
    for (let step = 0; step <= steps; step += 1) {
      const x = Math.round(from.x + ((dot.x - from.x) * step) / steps);
      const y = Math.round(from.y + ((dot.y - from.y) * step) / steps);
      const cell = cellAt(plot, x, y);
      if (cell === undefined) continue;
      cell.dots |= dotBits[y % dotsDown]?.[x % dotsAcross] ?? 0;
      cell.series = series;
    }
    before = dot;
  });
}

function putLetter(plot: Plot, values: readonly number[], series: number): void {
  const top = Math.max(...values);
  const index = values.indexOf(top);
  if (index === -1 || !(top > 0)) return;
  const { x, y } = dotOf(plot, values, index);
  // Two lines that are highest at one place: the letters are next to each other.
  for (let shift = 0; shift < plot.columns; shift += 1) {
    const column = (Math.floor(x / dotsAcross) + plot.columns - shift) % plot.columns;
    const cell = plot.cells[Math.floor(y / dotsDown) * plot.columns + column];
    if (cell === undefined || cell.letter !== "") continue;
    cell.letter = seriesLetter(series);
    cell.series = series;
    return;
  }
}

function cellAt({ cells, columns }: Plot, x: number, y: number): PlotCell | undefined {
  return cells[Math.floor(y / dotsDown) * columns + Math.floor(x / dotsAcross)];
}

function cellText({ dots, series, letter }: PlotCell, tones: Tones): string {
  if (letter !== "") return seriesTone(series, tones)(letter);
  return dots === 0 ? " " : seriesTone(series, tones)(String.fromCodePoint(brailleBase + dots));
}
