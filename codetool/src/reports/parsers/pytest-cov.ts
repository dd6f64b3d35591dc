import {
  findJson,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
} from "../json-in-text.ts";
import { makeReport, type ParseOutput, type Report, type ToolOutput } from "../report.ts";
import { type Coverage, type CoveredPart, coverageReport } from "./coverage-report.ts";
import { parsePytest } from "./pytest.ts";

/** Output of coverage.py and pytest-cov: the tests' report, and the table as text, as Markdown, as JSON. */
export const parsePytestCov: ParseOutput = (output) => {
  const tests = testsOf(output);
  const json = findJson(output.stdout, isCoverageJson);
  const coverage = json === undefined ? coverageOfTable(output.combined) : coverageOfJson(json);
  const shortfalls = shortfallsIn(output.combined);
  if (coverage !== undefined) return coverageReport({ ...coverage, shortfalls }, tests);
  if (shortfalls.length > 0)
    return coverageReport({ measure: "statements", parts: [], shortfalls, remark: "" }, tests);
  const refusal =
    /^(?:No data to report\.|No source for code: .*|Couldn't .*|No data was collected.*)$/m.exec(
      output.combined,
    );
  if (tests !== undefined || refusal === null || output.exitCode === 0) return tests;
  const failures = [{ name: "coverage", location: null, message: refusal[0] }];
  return makeReport({ summary: refusal[0], failed: 1, failures });
};

/** Without pytest's line on a limit that is not reached, which is among the limits. */
function testsOf(output: ToolOutput): Report | undefined {
  const report = parsePytest(output);
  if (report === undefined) return undefined;
  const failures = report.failures.filter(
    ({ message }) => !message.startsWith("Coverage failure: "),
  );
  return { ...report, failures };
}

function isCoverageJson(value: Json): value is JsonObject {
  return isObject(value) && isObject(value["totals"]) && isObject(value["files"]);
}

function coverageOfJson(json: JsonObject): Coverage {
  const files = isObject(json["files"]) ? json["files"] : {};
  const percentOf = (summary: Json | undefined): number => {
    const percent = isObject(summary) ? textOf(summary["percent_covered_display"]) : "";
    return Number(percent);
  };
  const parts = Object.entries(files).flatMap(([file, value]): CoveredPart[] => {
    if (!isObject(value)) return [];
    const lines = value["missing_lines"];
    const missing = Array.isArray(lines) ? rangesOf(lines.map((line) => numberOf(line))) : "";
    return [{ name: "coverage", location: file, percent: percentOf(value["summary"]), missing }];
  });
  return { totalPercent: percentOf(json["totals"]), measure: "statements", parts };
}

/** `1, 2, 3, 7` as `1-3, 7`. */
function rangesOf(lines: readonly number[]): string {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const line of lines) {
    const current = ranges.at(-1);
    if (current !== undefined && line === current.last + 1) current.last = line;
    else ranges.push({ first: line, last: line });
  }
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(", ");
}

/** `Name  Stmts  Miss  Cover  Missing`, with columns of branches between where they are measured. */
function coverageOfTable(combined: string): Coverage | undefined {
  const lines = combined.split("\n").map((line) => {
    if (!line.startsWith("|")) return line;
    return line
      .replaceAll(/\\|\*\*/g, "")
      .replace(/^\| */, "")
      .replaceAll(/ *\|/g, "  ")
      .trimEnd();
  });
  const start = lines.findLastIndex((line) => /^Name +Stmts +Miss .*Cover/.test(line));
  if (start === -1) return undefined;
  const parts: CoveredPart[] = [];
  for (const line of lines.slice(start + 1)) {
    const [, file = "", percent, missing = ""] =
      /^(.*?\S)(?: +\d+){2,4} +(\d+(?:\.\d+)?)%(?: +(\S.*))?$/.exec(line) ?? [];
    if (file === "TOTAL") return { totalPercent: Number(percent), measure: "statements", parts };
    if (percent !== undefined)
      parts.push({ name: "coverage", location: file, percent: Number(percent), missing });
  }
  return parts.length === 0 ? undefined : { measure: "statements", parts };
}

function shortfallsIn(combined: string): readonly string[] {
  const said = [
    ...combined.matchAll(
      /^(?:FAIL |ERROR: )?(Required test coverage of .+|Coverage failure: .+)$/gm,
    ),
  ].map(([, text = ""]) => text);
  const required = said.filter(
    (text) => text.startsWith("Required test coverage") && / not reached/.test(text),
  );
  return required.length > 0
    ? required
    : said.filter((text) => text.startsWith("Coverage failure"));
}
