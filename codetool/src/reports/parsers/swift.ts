import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput, plural } from "../report.ts";
import { readDiagnostics } from "./compiler-diagnostics.ts";

/** Output of `swift build` and `swift test`: the compiler's diagnostics, tests of XCTest and of Swift Testing. */
export const parseSwift: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const tests = testsOf(lines);
  const said = readDiagnostics(lines.filter((line) => !isTestLine(line)));
  const errors = distinct([...said.errors, ...ownErrors(lines, said.errors.length > 0)]);
  const warnings = distinct(said.warnings);
  const isBuilt = /^(?:\[\d+\/\d+\] .*\n)*Build(?: of product .*)? complete!/m.test(combined);
  const total = tests.passed + tests.failed + tests.skipped;
  if (total === 0 && errors.length === 0 && warnings.length === 0 && !isBuilt) return undefined;
  const counts = countsText([
    [tests.passed, "passed"],
    [tests.failed, "failed"],
    [tests.skipped, "skipped"],
  ]);
  const parts = [
    counts,
    errors.length === 0 ? "" : plural(errors.length, "error"),
    counts === "" && errors.length === 0 ? "build succeeded" : "",
    warnings.length === 0 ? "" : plural(warnings.length, "warning"),
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join("; "),
    passed: tests.passed,
    failed: tests.failed + errors.length,
    skipped: tests.skipped,
    failures: [...tests.failures, ...errors],
    warnings,
  });
};

/** `PriceTests.swift:12: error: PriceTests.testSums : XCTAssertEqual failed: …`, on macOS `-[Shop.PriceTests testSums]`. */
const assertion = /^(\S.*\.swift:\d+): error: (-\[\S+ \w+\]|[\w.]+) : (.+)$/;

function isTestLine(line: string): boolean {
  return assertion.test(line);
}

interface SwiftTests {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Finding[];
}

function testsOf(lines: readonly string[]): SwiftTests {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const issues = new Map<string, { location: string | null; readonly lines: string[] }>();
  const failed: string[] = [];
  const issuesOf = (name: string): { location: string | null; readonly lines: string[] } => {
    const known = issues.get(name) ?? { location: null, lines: [] };
    issues.set(name, known);
    return known;
  };
  let current: string[] | undefined;
  for (const line of lines) {
    const xctest = /^Test Case '(.+)' (passed|failed|skipped) \(/.exec(line);
    const swift = /^\S+ +Test (?!run |case )(.+?) (passed|failed) after [\d.]+ seconds/.exec(line);
    const skipped = /^\S+ +Test (?!run |case )(.+?) skipped(?:[.:].*)?$/.exec(line);
    const issue =
      /^\S+ +Test (?:case .* to )?(.+?) recorded an issue(?: with .+?)? at (\S+?:\d+(?::\d+)?): (.*)$/.exec(
        line,
      );
    const assert = assertion.exec(line);
    const end = xctest ?? swift;
    if (end !== null) {
      const [, name = "", state = "passed"] = end;
      counts[state as keyof typeof counts] += 1;
      if (state === "failed") failed.push(name);
      current = undefined;
    } else if (skipped !== null) counts.skipped += 1;
    else if (issue !== null || assert !== null) {
      const [name = "", place = "", text = ""] =
        issue === null ? [assert?.[2], assert?.[1], assert?.[3]] : issue.slice(1);
      const known = issuesOf(name);
      known.location ??= place;
      known.lines.push(text);
      current = known.lines;
    } else if (/^(?:Test (?:Suite|Case) |\S+ +(?:Test|Suite) |\t Executed )/.test(line))
      current = undefined;
    else if (/^\u21b3 |^ {2,}\S/.test(line)) current?.push(line);
  }
  const failures = failed.map((name) => {
    const known = issues.get(name);
    const message = trimLines(known?.lines ?? []);
    return {
      name: plainName(name),
      location: known?.location ?? null,
      message: message || "failed",
    };
  });
  return { ...counts, failures };
}

/** `-[Shop.PriceTests testSums]` as `Shop.PriceTests.testSums`. */
function plainName(name: string): string {
  return name.replace(/^-\[(\S+) (\w+)\]$/, "$1.$2").replace(/^"(.*)"$/, "$1");
}

/** `error: …` of the package manager itself; what only says that the compiler failed is left out next to its errors. */
function ownErrors(lines: readonly string[], isExplained: boolean): Finding[] {
  return lines.flatMap((line) => {
    const message = /^error: (.+)$/.exec(line)?.[1];
    if (message === undefined) return [];
    const isRepeating =
      /^(?:fatalError$|emit-module command failed|.*command failed with exit code|Test run failed)/.test(
        message,
      );
    if (isRepeating && isExplained) return [];
    if (message.startsWith("Exited with ") && !message.includes("signal")) return [];
    return [{ name: "swift", location: null, message }];
  });
}

/** A file is compiled for several targets, and says the same in each. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ location, name, message }) => {
    const key = `${location ?? ""} ${name} ${message}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
