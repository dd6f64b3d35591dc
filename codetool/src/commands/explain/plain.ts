import type { ExplainPayload, UsePlace } from "./payload.ts";

/** The definition, and below it the parts, one line each. */
export function renderPlainExplanation(data: ExplainPayload): string {
  const { definition, others, callers, tests, callees, changes, stats } = data;
  const { file, lines, kind, signature, doc, code, exported } = definition;
  const range = lines.start === lines.end ? `${lines.start}` : `${lines.start}-${lines.end}`;
  const out = [`${file}:${range} ${kind}${exported ? "" : ", not exported"}`, `  ${signature}`];
  if (doc !== undefined) out.push("", ...doc.split("\n").map((line) => `  ${line}`.trimEnd()));
  if (code !== undefined) out.push("", code);
  const part = (title: string, shown: readonly string[], count: number): void => {
    if (count === 0) return;
    const more = count > shown.length ? [`  and ${count - shown.length} more`] : [];
    out.push("", `${title}:`, ...shown.map((line) => `  ${line}`), ...more);
  };
  const width = "resolved".length;
  part("callers", callers.map(useLine), stats.callers);
  part("tests", tests.map(useLine), stats.tests);
  part(
    "uses",
    callees.map(
      ({ file: from, line, signature: text, confidence }) =>
        `${confidence.padEnd(width)} ${from}:${line}  ${text}`,
    ),
    stats.callees,
  );
  part(
    "latest commits",
    changes.map(({ commit, date, author, subject }) => `${commit} ${date} ${author}: ${subject}`),
    changes.length,
  );
  part(
    "other definitions",
    others.map(({ name, kind: of, file: from, line }) => `${from}:${line}  ${of} ${name}`),
    stats.others,
  );
  return `${out.join("\n")}\n`;
}

function useLine({ file, line, in: around, text, confidence, more_lines, via }: UsePlace): string {
  const within = around === undefined ? "" : ` in ${around}`;
  const more = more_lines === undefined ? "" : ` (also ${more_lines.join(", ")})`;
  const through = via === undefined ? "" : ` (through ${via})`;
  return `${confidence.padEnd("resolved".length)} ${file}:${line}${within}: ${text}${more}${through}`;
}
