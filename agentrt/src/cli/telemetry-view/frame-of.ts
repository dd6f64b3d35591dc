import { printable } from "../../core/index.ts";
import {
  cutText,
  type Frame,
  lineChart,
  linesOf,
  padText,
  seriesLetter,
  seriesTone,
  type TerminalSize,
} from "../../terminal/index.ts";
import type { Picture, Series } from "./picture.ts";
import type { OpenTrace, ViewState } from "./view-state.ts";
import { bucketText, countText, dayAndTime, dollarsText, feedCells } from "./texts.ts";
import { shortName, spanLines, waterfallLines } from "./waterfall.ts";

/** Number of the pane of the feed, from the left. */
export const feedPane = 1;
/** Cells of a pane's border and of the space inside of it. */
const borderCells = 2;
const noticeCountMax = 3;
/** Lines of names below a chart. */
const legendRowsMax = 6;

/** Makes what the terminal shows of the viewer. */
export function frameOf(view: ViewState, size: TerminalSize): Frame {
  const top = topLines(view, size);
  const bottom = [view.tones.grey(cutText(keysText(view), size.columns))];
  const rows = linesOf({ top, bottom }, size.rows);
  const { picture, trace } = view;
  const overlay = view.isHelp ? { title: "Keys", lines: helpLines, width: 58 } : undefined;
  if (trace !== undefined)
    return { top, bottom, panes: tracePanes(view, trace, { ...size, rows }), overlay };
  const side = Math.max(28, Math.floor(size.columns * (size.columns < 120 ? 0.38 : 0.3)));
  const feedWidth = size.columns - side;
  view.scroll = scrollFor(view.scroll, view.index, rows);
  const count = picture?.spans.length ?? 0;
  return {
    top,
    bottom,
    overlay,
    panes: [
      {
        title: "Totals and cost",
        lines: picture === undefined ? [] : totalLines(picture, side - borderCells),
        width: side,
        isFocused: false,
      },
      {
        title: `Spans, the newest first (${count})`,
        lines: feedLines(view, feedWidth - borderCells).slice(view.scroll, view.scroll + rows),
        width: feedWidth,
        isFocused: true,
      },
    ],
  };
}

/** @returns How many lines of a pane are seen. */
export function seenLines(view: ViewState, size: TerminalSize): number {
  return linesOf({ top: topLines(view, size), bottom: [""] }, size.rows);
}

const helpLines = [
  "h d w m    the latest hour, 24 hours, 7 days, 30 days",
  "r          reads the folder now",
  "↑ ↓ j k    chooses a span; PgUp, PgDn, Home, End",
  "Enter      the trace of the chosen span; a click too",
  "Esc        goes back",
  "q          quits",
];

function keysText({ trace }: ViewState): string {
  return trace === undefined
    ? "h 1h  d 24h  w 7d  m 30d  r refresh  ↑↓ choose  Enter trace  ? help  q quit"
    : "↑↓ choose  Esc back  ? help  q quit";
}

function scrollFor(scroll: number, index: number, rows: number): number {
  if (index < scroll) return index;
  return index >= scroll + rows ? Math.max(0, index - rows + 1) : scroll;
}

function topLines(view: ViewState, size: TerminalSize): string[] {
  const { tones, picture, trace } = view;
  const head = headText(view, size.columns);
  if (picture === undefined) return [head];
  const notices = picture.notices
    .slice(0, noticeCountMax)
    .map((line) => tones.yellow(cutText(`! ${printable(line)}`, size.columns)));
  const left = picture.notices.length - noticeCountMax;
  if (left > 0) notices.push(tones.yellow(`! and ${left} more: agentrt telemetry --once`));
  if (trace !== undefined) return [head, ...notices];
  return [head, ...notices, ...chartLines(view, picture, size)];
}

function headText({ picture, tones, since }: ViewState, columns: number): string {
  const name = "agentrt telemetry";
  if (picture === undefined) return tones.bold(name);
  const from = `${dayAndTime(picture.fromMs)} to ${dayAndTime(picture.toMs)}`;
  const rest = `${printable(picture.directory)}  since ${since.text}  ${from}`;
  return `${tones.bold(name)}  ${cutText(rest, Math.max(0, columns - name.length - 2))}`;
}

/** Two charts next to each other, each with a line for its title and its names. */
function chartLines(view: ViewState, picture: Picture, size: TerminalSize): string[] {
  const left = Math.floor(size.columns / 2) - 1;
  const right = size.columns - left - 1;
  const per = bucketText(picture.bucketMs);
  // A third of a small terminal, a half of a tall one.
  const height = Math.max(5, Math.floor(size.rows * (size.rows < 40 ? 0.3 : 0.4)));
  const one = chart(
    view,
    { picture, series: picture.costs, width: left, height },
    {
      title: `Cost per ${per}`,
      text: dollarsText,
    },
  );
  const other = chart(
    view,
    { picture, series: picture.rates, width: right, height },
    {
      title: `Messages per ${per}`,
      text: countText,
    },
  );
  return one.map(
    ({ text, cells }, row) =>
      `${text}${" ".repeat(Math.max(0, left - cells))} ${other[row]?.text ?? ""}`,
  );
}

/** A line with colours, and how many cells it takes. */
interface ColouredLine {
  readonly text: string;
  readonly cells: number;
}

interface ChartPlace {
  readonly picture: Picture;
  readonly series: readonly Series[];
  readonly width: number;
  /** With title and names. */
  readonly height: number;
}

interface ChartTexts {
  readonly title: string;
  readonly text: (value: number) => string;
}

function chart(
  { tones }: ViewState,
  { picture, series, width, height }: ChartPlace,
  { title, text }: ChartTexts,
): ColouredLine[] {
  const names = legend(series, width, text);
  const rows = height >= 14 ? legendRowsMax : 1;
  const drawn = lineChart(series, {
    width,
    height: height - 1 - rows,
    tones,
    valueText: text,
    ends: [dayAndTime(picture.fromMs), dayAndTime(picture.toMs)],
  });
  const plain = (line: string): ColouredLine => ({ text: line, cells: width });
  const shownTitle = padText(series.length === 0 ? `${title}: none` : title, width);
  return [
    plain(tones.bold(shownTitle)),
    ...drawn.map((line, row) =>
      row === drawn.length - 1 ? plain(padText(line, width)) : plain(line),
    ),
    ...(rows === 1 ? [oneLine(names, width)] : names.map(({ name }) => name)).map((name, index) =>
      plain(rows === 1 ? padText(name, width) : seriesTone(index, tones)(padText(name, width))),
    ),
    ...Array.from({ length: Math.max(0, rows === 1 ? 0 : rows - names.length) }, () =>
      plain(" ".repeat(width)),
    ),
  ];
}

function legend(series: readonly Series[], width: number, text: (value: number) => string) {
  return series.map(({ name, total }, index) => ({
    name: cutText(`${seriesLetter(index)} ${name}  ${text(total)}`, width),
    short: `${seriesLetter(index)} ${name}`,
  }));
}

function oneLine(names: readonly { readonly short: string }[], width: number): string {
  return cutText(names.map(({ short }) => short).join("  "), width);
}

/** Totals, and what each agent's calls of each model cost. */
export function totalLines({ totals, costTable }: Picture, width: number): string[] {
  const lines = [
    `spend      ${dollarsText(totals.costUsd)}`,
    `messages   ${countText(totals.messageCount)}`,
    `errors     ${countText(totals.errorCount)}`,
    `top agent  ${totals.topAgent === "" ? "none" : totals.topAgent}`,
  ].map((line) => cutText(line, width));
  if (costTable.length === 0) return lines;
  const callsWidth = 7;
  const costWidth = 10;
  const nameWidth = Math.max(4, width - callsWidth - costWidth);
  const row = (name: string, calls: string, cost: string): string =>
    `${padText(name, nameWidth)}${calls.padStart(callsWidth)}${cost.padStart(costWidth)}`;
  return [
    ...lines,
    "",
    row("agent, model", "calls", "cost"),
    ...costTable.map(({ agent, model, callCount, costUsd }) =>
      row(
        `${printable(agent === "" ? "(no agent)" : agent)} ${printable(model)}`,
        countText(callCount),
        dollarsText(costUsd),
      ),
    ),
  ];
}

function feedLines({ picture, index, tones }: ViewState, width: number): string[] {
  const isNarrow = width < 60;
  return (picture?.spans ?? []).map((span, at) => {
    const [time, , agent, status, duration] = feedCells(span);
    const sign = at === index ? "›" : " ";
    const statusText = status === "error" ? tones.red("error") : padText(status, 5);
    const when = isNarrow ? time.slice(6) : time;
    const nameWidth = Math.max(4, Math.floor((width - when.length - 19) * 0.5));
    const agentWidth = Math.max(4, width - when.length - nameWidth - 19);
    const line = `${sign}${when} ${padText(shortName(span.name), nameWidth)} ${padText(agent, agentWidth)} `;
    return `${at === index ? tones.bold(line) : line}${statusText} ${duration.padStart(9)}`;
  });
}

function tracePanes(view: ViewState, trace: OpenTrace, { columns, rows }: TerminalSize) {
  const side = Math.floor(columns * (columns < 120 ? 0.36 : 0.34));
  view.scroll = scrollFor(view.scroll, trace.index, rows);
  const chosen = trace.rows[trace.index];
  const looks = { tones: view.tones, width: columns - side - borderCells, selected: trace.index };
  return [
    {
      title: `Trace ${printable(trace.id)} (${trace.rows.length} spans)`,
      lines: waterfallLines(trace.rows, looks).slice(view.scroll, view.scroll + rows),
      width: columns - side,
      isFocused: true,
    },
    {
      title: "Span",
      lines: chosen === undefined ? [] : spanLines(chosen),
      width: side,
      isFocused: false,
    },
  ];
}
