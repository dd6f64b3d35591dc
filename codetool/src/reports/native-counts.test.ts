import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cleanText } from "./clean-text.ts";
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "./json-in-text.ts";
import { readReport } from "./read-report.ts";
import type { Report } from "./report.ts";

/** Beside some outputs lies what the tool wrote for machines in the same run: `<case>.native.xml`, `.json`. */
const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));

interface Case {
  readonly name: string;
  readonly argv: readonly string[];
  readonly exitCode: number | null;
}

function reportOf(folder: string, name: string): Report {
  const cases = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as readonly Case[];
  const found = cases.find((each) => each.name === name);
  assert.ok(found !== undefined, `${name} is in cases.json`);
  const read = (suffix: string): string | undefined => {
    const path = join(folder, `${name}${suffix}.txt`);
    return existsSync(path) ? cleanText(readFileSync(path, "utf8")) : undefined;
  };
  const combined = read("") ?? "";
  const streams = { stdout: read(".stdout") ?? combined, stderr: read(".stderr") ?? "" };
  const { exitCode, argv } = found;
  const { report } = readReport(
    argv,
    { combined, ...streams, exitCode },
    { readScript: () => undefined },
  );
  assert.ok(report !== undefined);
  return report;
}

/** The attributes of all suites, summed. */
function suiteCounts(xml: string): { readonly [name: string]: number } {
  const sums: { [name: string]: number } = {};
  for (const [, attributes = ""] of xml.matchAll(/<testsuite\s([^>]*)>/g))
    for (const [, name = "", value] of attributes.matchAll(/(\w+)="(\d+)"/g))
      sums[name] = (sums[name] ?? 0) + Number(value);
  return sums;
}

const checks: {
  readonly [tool: string]: (native: string, report: Report) => void;
} = {
  mvn: checkSuites,
  gradle: checkSuites,
  // CTest calls a test whose program is missing `notrun`, not a failure, and so fewer tests failed than it says elsewhere.
  ctest: (native, report) => {
    const of = (pattern: RegExp): number => [...native.matchAll(pattern)].length;
    const missing = of(/<skipped message="Unable to find executable"/g);
    const skipped = of(/status="(?:disabled|notrun)"/g) - missing;
    const failed = of(/status="fail"/g) + missing;
    assert.deepEqual(countsOf(report), [of(/status="run"/g), failed, skipped]);
  },
  golangci_lint: (native, report) => {
    const issues = objectsOf(objectOf(JSON.parse(native) as Json)["Issues"]);
    const said = issues.map(({ FromLinter, Pos }) => {
      const { Filename, Line, Column } = objectOf(Pos);
      const place = `${textOf(Filename)}:${numberOf(Line)}:${numberOf(Column)}`;
      return `${textOf(FromLinter)} @ ${place}`;
    });
    assert.ok(said.length > 0);
    assert.deepEqual(
      report.failures.map(({ name, location }) => `${name} @ ${location}`),
      said,
    );
  },
  // Its JUnit file leaves out what was skipped.
  cargo_nextest: (native, report) => {
    const { tests = 0, failures = 0, errors = 0 } = suiteCounts(native);
    assert.deepEqual(
      [report.passed, report.failed],
      [tests - failures - errors, failures + errors],
    );
    const failed = [
      ...native.matchAll(/<testcase name="([^"]+)" classname="([^"]+)"[^>]*[^/]>\s*<failure/g),
    ];
    assert.deepEqual(
      report.failures.map(({ name }) => name).toSorted(),
      failed.map(([, name, suite]) => `${suite} ${name}`).toSorted(),
    );
  },
  cc: (native, report) => {
    const lines = native.split("\n").filter((line) => line.startsWith("["));
    const said = lines.flatMap((line) => {
      const list = JSON.parse(line) as Json;
      return isList(list) ? objectsOf(list) : [];
    });
    const of = (pattern: RegExp): number =>
      said.filter((each) => pattern.test(textOf(each["kind"]))).length;
    assert.equal(report.failed, of(/error$/));
    assert.equal(report.warnings.length, of(/^warning$/));
  },
  jest_cov: (native, report) => {
    const files = Object.entries(objectOf(JSON.parse(native) as Json)).map(([file, value]) => ({
      file,
      percent: numberOf(objectOf(objectOf(value)["statements"])["pct"]),
    }));
    checkCoverage(report, files, "total");
  },
  pytest_cov: (native, report) => {
    const { files, totals } = objectOf(JSON.parse(native) as Json);
    const percentOf = (summary: Json | undefined): number =>
      Number(textOf(objectOf(summary)["percent_covered_display"]));
    const all = Object.entries(objectOf(files)).map(([file, value]) => ({
      file,
      percent: percentOf(objectOf(value)["summary"]),
    }));
    checkCoverage(report, [...all, { file: "TOTAL", percent: percentOf(totals) }], "TOTAL");
  },
  cargo_llvm_cov: (native, report) => {
    const [data] = objectsOf(objectOf(JSON.parse(native) as Json)["data"]);
    const percentOf = (summary: Json | undefined): number =>
      Number(numberOf(objectOf(objectOf(summary)["lines"])["percent"]).toFixed(2));
    const all = objectsOf(data?.["files"]).map((each) => ({
      file: textOf(each["filename"]),
      percent: percentOf(each["summary"]),
    }));
    checkCoverage(
      report,
      [...all, { file: "TOTAL", percent: percentOf(data?.["totals"]) }],
      "TOTAL",
    );
  },
};

function objectOf(value: Json | undefined): JsonObject {
  assert.ok(isObject(value));
  return value;
}

/** The total, and the files of which less than 80 % is covered, with what. */
function checkCoverage(
  report: Report,
  files: readonly { readonly file: string; readonly percent: number }[],
  totalName: string,
): void {
  const total = files.find(({ file }) => file === totalName)?.percent ?? Number.NaN;
  assert.match(report.summary, new RegExp(`^${total}% of `));
  const low = files.filter(({ file, percent }) => file !== totalName && percent < 80);
  const shown = report.warnings.filter(({ name }) => name === "coverage");
  assert.deepEqual(
    shown.map(({ location, message }) => [basename(location ?? ""), Number.parseFloat(message)]),
    low.map(({ file, percent }) => [basename(file), percent]),
  );
}

/** Cases of which one is text and the other the tool's JSON, of the same run. */
const pairs: readonly (readonly [string, string, string])[] = [
  ["cc", "failing", "failing-json"],
  ["terraform", "plan", "plan-json"],
  ["terraform", "plan-failing", "plan-failing-json"],
  ["terraform", "plan-warning", "plan-warning-json"],
  ["terraform", "validate-failing", "validate-failing-json"],
  ["terraform", "validate", "validate-json"],
  ["npm_ls", "problems", "problems-json"],
  ["kubectl", "pods", "pods-json"],
  ["kubectl", "deployments", "deployments-json"],
  ["kubectl", "nodes", "nodes-json"],
  ["cargo_llvm_cov", "passing", "passing-json"],
  ["pytest_cov", "report", "report-json"],
];

for (const [tool, text, json] of pairs) {
  test(`${tool}/${text} comes to the same as the JSON of ${json}`, () => {
    const [first, second] = [text, json].map((name) => reportOf(join(fixtures, tool), name));
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(countsOf(first), countsOf(second));
    const lineOf = (location: string | null): string => {
      const [file = "", line = ""] = (location ?? "").split(":");
      return `${basename(file)}:${line}`;
    };
    for (const kind of ["failures", "warnings"] as const)
      assert.deepEqual(
        first[kind].map(({ name, location }) => [name, lineOf(location)]),
        second[kind].map(({ name, location }) => [name, lineOf(location)]),
      );
    if (tool === "terraform")
      assert.deepEqual(first.tail?.split("\n").sort(), second.tail?.split("\n").sort());
  });
}

function countsOf({ passed, failed, skipped }: Report): readonly number[] {
  return [passed, failed, skipped];
}

function checkSuites(native: string, report: Report): void {
  const { tests = 0, failures = 0, errors = 0, skipped = 0 } = suiteCounts(native);
  const failed = failures + errors;
  // Tasks and goals that failed by themselves.
  const others = report.failures.filter(({ name }) => name.includes(":")).length;
  const expected = [tests - failed - skipped, failed + others, skipped];
  assert.deepEqual(countsOf(report), expected);
}

for (const path of globSync("*/*.native.{xml,json}", { cwd: fixtures }).sort()) {
  const folder = join(fixtures, dirname(path));
  const check = checks[basename(folder)];
  // Runners of tests have theirs compared in the tests of their parsers.
  if (check === undefined) continue;
  test(`counts of ${path} are those of the report`, () => {
    const name = basename(path).replace(/\.native\.\w+$/, "");
    check(readFileSync(join(fixtures, path), "utf8"), reportOf(folder, name));
  });
}
