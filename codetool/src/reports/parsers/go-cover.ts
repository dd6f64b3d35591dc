import { jsonLines, textOf } from "../json-in-text.ts";
import { makeReport, type ParseOutput, type Report, type ToolOutput } from "../report.ts";
import { type Coverage, type CoveredPart, coverageReport } from "./coverage-report.ts";
import { parseGoTest } from "./go-test.ts";

/** Output of `go test -cover`, and of `go tool cover -func`. */
export const parseGoCover: ParseOutput = (output) => {
  const tests = testsOf(output);
  const events = jsonLines(output.stdout);
  const lines =
    events.length > 0
      ? events.map((event) => textOf(event["Output"]).replace(/\n$/, ""))
      : output.combined.split("\n");
  const functions = functionsOf(lines);
  if (functions !== undefined) return coverageReport(functions);
  const refusal = /^cover: .+$/m.exec(output.combined);
  if (refusal !== null && output.exitCode !== 0) {
    const failures = [{ name: "cover", location: null, message: refusal[0] }];
    return makeReport({ summary: refusal[0], failed: 1, failures });
  }
  const parts = packagesOf(lines);
  if (parts.length === 0) return tests;
  const sum = parts.reduce((total, { percent }) => total + percent, 0);
  const mean = Math.round((10 * sum) / parts.length) / 10;
  const [only] = parts;
  const measure = "statements";
  if (parts.length === 1 && only !== undefined)
    return coverageReport({ totalPercent: only.percent, measure, parts }, tests);
  // Go prints no total; packages of all sizes count the same in this.
  const remark = `${mean}% of ${measure} covered, the mean of ${parts.length} packages`;
  return coverageReport({ measure, parts, remark }, tests);
};

/** Without the line on coverage that ends the output of a package which failed. */
function testsOf(output: ToolOutput): Report | undefined {
  const report = parseGoTest(output);
  if (report === undefined) return undefined;
  const failures = report.failures.map((finding) => ({
    ...finding,
    message: finding.message.replace(/\ncoverage: .*$/m, ""),
  }));
  return { ...report, failures };
}

/** `example.com/shop/a/a.go:3:	Total	100.0%` and the total at the end. */
function functionsOf(lines: readonly string[]): Coverage | undefined {
  const total = lines
    .map((line) => /^total:\s+\(statements\)\s+([\d.]+)%$/.exec(line)?.[1])
    .find(Boolean);
  if (total === undefined) return undefined;
  const parts = lines.flatMap((line): CoveredPart[] => {
    const [, location, name = "", percent] =
      /^(\S+\.go:\d+):\s+(\S+)\s+([\d.]+)%$/.exec(line) ?? [];
    return location === undefined ? [] : [{ name, location, percent: Number(percent) }];
  });
  return { totalPercent: Number(total), measure: "statements", parts };
}

/** A package's own line; one that failed says its coverage in a line before. */
function packagesOf(lines: readonly string[]): CoveredPart[] {
  const found = new Map<string, number>();
  let pending: string | undefined;
  for (const line of lines) {
    const percent = /coverage: ([\d.]+)% of statements/.exec(line)?.[1];
    const name = /^(?:ok|FAIL)? *\t(\S+)\t/.exec(line)?.[1];
    if (name === undefined) pending = percent ?? pending;
    else {
      const value = percent ?? pending;
      if (value !== undefined) found.set(name, Number(value));
      pending = undefined;
    }
  }
  return [...found].map(([name, percent]) => ({ name: "coverage", location: name, percent }));
}
