import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput, type Report } from "../report.ts";
import { frameIn, withoutLibraryFrames } from "../stack-frame.ts";
import { findingsOfSuites, findSuites, type SuiteCounts } from "./jest-json.ts";

/** Output of Jest: its JSON, else what its default and verbose reporters print. */
export const parseJest: ParseOutput = ({ stdout, combined }) => {
  const suites = findSuites(stdout);
  if (suites !== undefined) return suitesReport(suites.counts, findingsOfSuites(suites.results));
  const counts = countsOf(combined);
  const failures = blocksOf(combined.split("\n"));
  if (counts !== undefined) return suitesReport(counts, failures);
  const refusal = /^(?:● (?:Validation|Deprecation) .*|Error: |No tests found)[\s\S]*/m.exec(
    combined,
  );
  if (refusal === null) return undefined;
  const isEmpty = refusal[0].startsWith("No tests found");
  const finding = { name: "jest", location: null, message: refusal[0].trim() };
  return makeReport({
    summary: isEmpty ? "no tests found" : "jest could not run",
    failed: 1,
    failures: [finding],
  });
};

/** The report of counts and failures; test files that could not be run count as failed. */
export function suitesReport(counts: SuiteCounts, failures: readonly Finding[]): Report {
  const failed = counts.failed + counts.brokenFiles;
  const text = countsText([
    [counts.passed, "passed"],
    [failed, "failed"],
    [counts.skipped, "skipped"],
  ]);
  return makeReport({
    summary: text === "" ? "no tests ran" : text,
    passed: counts.passed,
    failed,
    skipped: counts.skipped,
    failures,
  });
}

function countsOf(text: string): SuiteCounts | undefined {
  const line = /^Tests: +(.*\btotal)$/m.exec(text)?.[1];
  if (line === undefined) return undefined;
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  return {
    passed: of("passed"),
    failed: of("failed"),
    skipped: of("skipped") + of("todo"),
    brokenFiles: [...text.matchAll(/^ {2}● Test suite failed to run$/gm)].length,
  };
}

/** `● name` blocks under the `FAIL file` that they belong to. */
function blocksOf(lines: readonly string[]): Finding[] {
  const blocks: { readonly file: string; readonly title: string; readonly lines: string[] }[] = [];
  let file = "";
  let current: string[] | undefined;
  for (const line of lines) {
    const heading = /^ ?(?:FAIL|PASS) {1,2}(?:.*\s)?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/.exec(line);
    const title = /^ {2}● (.+)$/.exec(line)?.[1];
    if (line.startsWith("Summary of all failing tests")) break;
    if (heading !== null) [file, current] = [heading[1] ?? "", undefined];
    else if (title !== undefined) {
      current = [];
      if (title !== "Console") blocks.push({ file, title, lines: current });
    } else if (/^(?:Test Suites: | › \d+ snapshots? |Snapshot Summary)/.test(line))
      current = undefined;
    else current?.push(line.replace(/^ {4}/, ""));
  }
  return blocks.map(({ file: path, title, lines: body }) => {
    const message = withoutLibraryFrames(trimLines(body));
    const name = title === "Test suite failed to run" ? path : title;
    return { name, location: frameIn(message, path) ?? path, message };
  });
}
