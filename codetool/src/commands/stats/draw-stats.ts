import type { StatsReport, VerboseCommandStats } from "./payload.ts";

const barCells = 20;
const periodNames = { last_hour: "last hour", last_24h: "last 24 hours", all_time: "all time" };

/** What a line of the dashboard shows. */
interface Line {
  readonly name: string;
  readonly calls: number;
  /** Absent where it is not known. */
  readonly saved?: number;
  readonly percent: number;
  readonly more: string;
}

/**
 * Draws a report for people: a line with a bar for each time and each command.
 *
 * @param options.isColored For a terminal that shows colours.
 */
export function drawStats(
  report: StatsReport,
  { isColored }: { readonly isColored: boolean },
): string {
  const { total_calls: calls, total_tokens_saved: saved } = report;
  if (calls === 0) return "No call was recorded yet.";
  const times = report.periods.map(
    ({ label, calls: count, tokens_saved, savings_percent }): Line => ({
      name: periodNames[label],
      calls: count,
      saved: tokens_saved,
      percent: savings_percent,
      more: "",
    }),
  );
  const commands = Object.entries(report.by_command).map(([name, command]): Line => {
    const line = { name, calls: command.calls, percent: command.savings_pct };
    if (!("tokens" in command)) return { ...line, more: "" };
    return { ...line, saved: command.tokens_saved, more: comparison(command) };
  });
  const tokens = `${grouped(Math.abs(saved))} tokens`;
  const told =
    saved < 0
      ? `The answers have ${tokens} more than the Unix way prints`
      : `${tokens} saved against the Unix way`;
  return [
    `${told}, in ${countOf(calls).trimEnd()}`,
    "",
    ...drawLines(times, isColored),
    "",
    ...drawLines(commands, isColored),
  ].join("\n");
}

function comparison({ tokens, baseline_tokens, mean_ms }: VerboseCommandStats): string {
  return `${grouped(tokens)} for ${grouped(baseline_tokens)} tokens, ${mean_ms} ms`;
}

function drawLines(lines: readonly Line[], isColored: boolean): string[] {
  const width = (text: (line: Line) => string): number =>
    Math.max(...lines.map((line) => text(line).length));
  const name = (line: Line): string => line.name;
  const calls = (line: Line): string => countOf(line.calls);
  const saved = (line: Line): string => (line.saved === undefined ? "" : grouped(line.saved));
  const percent = (line: Line): string => `${line.percent.toFixed(1)} %`;
  const widths = [name, calls, saved, percent].map(width);
  return lines.map((line) => {
    const cells = [
      name(line).padEnd(widths[0] ?? 0),
      calls(line).padStart(widths[1] ?? 0),
      ...(widths[2] === 0 ? [] : [`${saved(line).padStart(widths[2] ?? 0)} tokens`]),
      bar(line.percent, isColored),
      percent(line).padStart(widths[3] ?? 0),
      line.more,
    ];
    return cells.join("  ").trimEnd();
  });
}

function countOf(calls: number): string {
  return calls === 1 ? "1 call " : `${grouped(calls)} calls`;
}

/** A bar of 20 cells; green for what was saved, and red where more was spent. */
function bar(percent: number, isColored: boolean): string {
  const share = Math.min(1, Math.abs(percent) / 100);
  const full = Math.round(share * barCells);
  const [filled, empty] = ["█".repeat(full), "░".repeat(barCells - full)];
  if (!isColored) return percent < 0 ? `${"▒".repeat(full)}${empty}` : `${filled}${empty}`;
  return `\u001B[${percent < 0 ? 31 : 32}m${filled}\u001B[2m${empty}\u001B[0m`;
}

/** A number with its thousands apart. */
function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
