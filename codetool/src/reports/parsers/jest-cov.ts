import { type ParseOutput, type Report, type ToolOutput } from "../report.ts";
import { type Coverage, type CoveredPart, coverageReport } from "./coverage-report.ts";
import { parseJest } from "./jest.ts";
import { parseMocha } from "./mocha.ts";
import { parseNodeTest } from "./node-test.ts";
import { parseVitest } from "./vitest.ts";

/** Istanbul's table and summary, as Jest, Vitest, c8 and nyc print them, with the report of the tests. */
export const parseJestCov: ParseOutput = (output) => {
  const { combined } = output;
  const coverage = coverageOfTable(combined.split("\n")) ?? coverageOfSummary(combined);
  const shortfalls = [
    ...combined.matchAll(
      /^(?:Jest: |ERROR: )?(.*(?:does not meet .*threshold|threshold .* not met).*)$/gm,
    ),
  ].map(([, text = ""]) => text);
  const tests = testsOf(output);
  if (coverage === undefined && shortfalls.length === 0) return tests;
  return coverageReport({ measure: "statements", parts: [], ...coverage, shortfalls }, tests);
};

/** The first runner that knows the output. */
function testsOf(output: ToolOutput): Report | undefined {
  const words = output.words.join(" ");
  const runners: readonly (readonly [RegExp, ParseOutput])[] = [
    [/\bvitest\b/, parseVitest],
    [/\bmocha\b/, parseMocha],
    [/\bnode\b.* --test\b/, parseNodeTest],
    [/\bjest\b/, parseJest],
  ];
  const named = runners.filter(([name]) => name.test(words));
  for (const [, parse] of [...named, ...runners]) {
    const report = parse(output);
    if (report !== undefined && report.passed + report.failed + report.skipped > 0) return report;
  }
  return undefined;
}

/** Rows under `File | % Stmts | …`; a folder's row is before those of its files, one step less deep. */
function coverageOfTable(lines: readonly string[]): Coverage | undefined {
  const start = lines.findLastIndex((line) => /^File +\| +% Stmts/.test(line));
  if (start === -1) return undefined;
  const rows = lines.slice(start + 2).map((line) => {
    const [name = "", percent = "", , , , missing = ""] = line.split("|");
    return { name: name.trimEnd(), percent: Number(percent), missing: missing.trim() };
  });
  const end = rows.findIndex(({ name }) => /^-*$/.test(name));
  const table = rows.slice(0, end === -1 ? undefined : end);
  const depthOf = ({ name }: { readonly name: string }): number =>
    /^ */.exec(name)?.[0].length ?? 0;
  const folders: string[] = [];
  const parts: CoveredPart[] = [];
  for (const [index, row] of table.slice(1).entries()) {
    const depth = depthOf(row);
    const next = table[index + 2];
    const name = row.name.trim();
    folders.length = Math.max(depth - 1, 0);
    if (next !== undefined && depthOf(next) > depth) folders[depth - 1] = name;
    else {
      // Only the nearest folder counts: its own name holds those above it.
      const folder = folders.findLast((each) => each !== undefined);
      const location = folder === undefined ? name : `${folder}/${name}`;
      parts.push({ name: "coverage", location, percent: row.percent, missing: row.missing });
    }
  }
  const total = table[0];
  return {
    ...(total === undefined ? {} : { totalPercent: total.percent }),
    measure: "statements",
    parts,
  };
}

/** `Statements   : 86.36% ( 19/22 )`. */
function coverageOfSummary(combined: string): Coverage | undefined {
  const percent = /^Statements +: ([\d.]+)% \( \d+\/\d+ \)/m.exec(combined)?.[1];
  return percent === undefined
    ? undefined
    : { totalPercent: Number(percent), measure: "statements", parts: [] };
}
