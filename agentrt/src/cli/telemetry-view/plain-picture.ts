import type { SpanRecord } from "../../telemetry/index.ts";
import { printable } from "../../core/index.ts";
import { totalLines } from "./frame-of.ts";
import type { Picture, Series } from "./picture.ts";
import { bucketText, countText, dayAndTime, dollarsText, feedCells } from "./texts.ts";

/** Wide enough for every name that is given to agents in practice. */
const width = 100;

/** Says what a picture holds, as lines without colours or charts: for scripts, logs and screen readers. */
export function plainPicture(picture: Picture): string {
  const { directory, range, fromMs, toMs, notices, spans, costs, rates, bucketMs } = picture;
  const per = bucketText(bucketMs);
  const lines = [
    `${printable(directory)} since ${range}: ${dayAndTime(fromMs)} to ${dayAndTime(toMs)}`,
    ...notices.map((notice) => `! ${printable(notice)}`),
    "",
    ...totalLines(picture, width).map((line) => line.trimEnd()),
    ...seriesLines(`cost, and the most in one ${per}:`, costs, dollarsText),
    ...seriesLines(`messages, and the most in one ${per}:`, rates, countText),
    "",
    ...spans.map(plainSpan),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Writes a span as a line. */
export function plainSpan(span: SpanRecord): string {
  return feedCells(span)
    .filter((cell) => cell !== "")
    .join("  ");
}

function seriesLines(
  title: string,
  series: readonly Series[],
  text: (value: number) => string,
): string[] {
  if (series.length === 0) return [];
  const lines = series.map(
    ({ name, total, values }) => `  ${name}  ${text(total)}  ${text(Math.max(...values))}`,
  );
  return ["", title, ...lines];
}
