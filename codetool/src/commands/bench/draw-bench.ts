import type { BenchPayload } from "./payload.ts";

/** How much of a question a row shows. */
const queryCharactersMax = 40;

/** A table for people: a row for each task, then the sums, then what was left out. */
export function drawBench(payload: BenchPayload): string {
  const { tasks, summary, left_out: leftOut } = payload;
  const rows = [
    ["task", "question", "codetool", "ms", "Unix way", "ms", "saved"],
    ...tasks.map((task) => [
      task.name,
      shortened(task.query),
      String(task.codetool_tokens),
      String(task.codetool_ms),
      String(task.baseline_tokens),
      String(task.baseline_ms),
      percent(task.savings_pct),
    ]),
    [
      "together",
      "",
      String(summary.total_codetool_tokens),
      String(summary.codetool_total_ms),
      String(summary.total_baseline_tokens),
      String(summary.baseline_total_ms),
      percent(summary.savings_pct),
    ],
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const drawn = rows.map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const index = payload.has_index ? "with an index" : "without an index";
  return [
    `${payload.path}: ${payload.files} files, ${index}; tokens (bytes / 4) and milliseconds`,
    "",
    ...drawn,
    ...leftOut.map(({ name, reason }) => `left out: ${name}: ${reason}`),
  ].join("\n");
}

function shortened(text: string): string {
  return text.length <= queryCharactersMax ? text : `${text.slice(0, queryCharactersMax - 1)}…`;
}

function percent(value: number): string {
  return `${value.toFixed(1)} %`;
}
