/**
 * What the tools that have a form for machines say in it, counted here as plainly as can be, is what the report says: of
 * that form itself, and of the text of the same run.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cleanText } from "./clean-text.ts";
import { readReport } from "./read-report.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));

/** Passed, failed, skipped, warnings. */
type Counts = readonly [number, number, number, number];
interface Loose {
  readonly [key: string]: unknown;
}

const listOf = (value: unknown): Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);

function textOf(tool: string, name: string): string {
  return readFileSync(join(fixtures, tool, name), "utf8");
}

function countsOf(tool: string, name: string): Counts {
  const cases = JSON.parse(textOf(tool, "cases.json")) as {
    readonly name: string;
    readonly argv: readonly string[];
    readonly exitCode: number | null;
  }[];
  const found = cases.find((each) => each.name === name);
  assert.ok(found !== undefined, `${tool}/${name} is there`);
  const read = (suffix: string): string | undefined =>
    existsSync(join(fixtures, tool, `${name}${suffix}.txt`))
      ? cleanText(textOf(tool, `${name}${suffix}.txt`))
      : undefined;
  const combined = read("") ?? "";
  const output = { combined, stdout: read(".stdout") ?? combined, stderr: read(".stderr") ?? "" };
  const { report } = readReport(
    found.argv,
    { ...output, exitCode: found.exitCode },
    { readScript: () => undefined },
  );
  assert.ok(report !== undefined, `${tool}/${name} is read`);
  return [report.passed, report.failed, report.skipped, report.warnings.length];
}

/** The JSON of a recording, which stands on one line of its standard output. */
function jsonOf(tool: string, name: string): unknown {
  const own = `${name}.stdout.txt`;
  const text = textOf(tool, existsSync(join(fixtures, tool, own)) ? own : `${name}.txt`);
  const line = text.split("\n").find((each) => /^(?:\{"|\[\{")/.test(each)) ?? "";
  return JSON.parse(/^.*[\]}]/.exec(line)?.[0] ?? "");
}

function linesOf(tool: string, name: string): Loose[] {
  const lines = textOf(tool, `${name}.txt`).split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Loose);
}

const rows: readonly {
  readonly tool: string;
  readonly json: string;
  /** The recording of the same run as text. */
  readonly text: string;
  readonly count: () => Counts;
}[] = [
  {
    tool: "go_test",
    json: "failing-json",
    text: "failing-verbose",
    count: () => {
      const ends = linesOf("go_test", "failing-json").filter((each) => "Action" in each);
      const of = (action: string): number =>
        ends.filter((each) => each["Action"] === action && "Test" in each).length;
      // Packages without a test that failed: those that could not be built.
      return [
        of("pass"),
        of("fail") + ends.filter((each) => "FailedBuild" in each).length,
        of("skip"),
        0,
      ];
    },
  },
  { tool: "jest", json: "failing-json", text: "failing", count: () => jestCounts("jest") },
  { tool: "vitest", json: "failing-json", text: "failing", count: () => jestCounts("vitest") },
  {
    tool: "mocha",
    json: "failing-json",
    text: "failing",
    count: () => {
      const text = textOf("mocha", "failing-json.txt");
      const { stats } = JSON.parse(text.slice(text.indexOf("\n{\n"))) as { readonly stats: Loose };
      return [Number(stats["passes"]), Number(stats["failures"]), Number(stats["pending"]), 0];
    },
  },
  {
    tool: "eslint",
    json: "failing-json",
    text: "failing",
    count: () => {
      const files = listOf(jsonOf("eslint", "failing-json"));
      const sum = (key: string): number =>
        files.reduce((total, file) => total + Number(file[key]), 0);
      return [0, sum("errorCount"), 0, sum("warningCount")];
    },
  },
  {
    tool: "biome",
    json: "failing-json",
    text: "failing",
    count: () => {
      const { summary } = jsonOf("biome", "failing-json") as { readonly summary: Loose };
      return [0, Number(summary["errors"]), 0, Number(summary["warnings"])];
    },
  },
  {
    tool: "ruff",
    json: "failing-json",
    text: "failing-concise",
    count: () => [0, (JSON.parse(textOf("ruff", "failing-json.txt")) as unknown[]).length, 0, 0],
  },
  {
    tool: "mypy",
    json: "failing-json",
    text: "failing-columns",
    count: () => {
      const of = (severity: string): number =>
        linesOf("mypy", "failing-json").filter((each) => each["severity"] === severity).length;
      return [0, of("error"), 0, of("note")];
    },
  },
  ...["cargo_build errors", "cargo_build warnings", "cargo_clippy warnings"].map((name) => {
    const [tool = "", text = ""] = name.split(" ");
    return {
      tool,
      text,
      json: `${text}-json`,
      count: (): Counts => {
        const messages = linesOf(tool, `${text}-json`).filter(
          (each) => each["reason"] === "compiler-message",
        );
        const of = (wanted: string): number =>
          messages.filter(({ message }) => {
            const { level, spans } = message as Loose;
            return level === wanted && listOf(spans).length > 0;
          }).length;
        return [0, of("error"), 0, of("warning")];
      },
    };
  }),
];

function jestCounts(tool: string): Counts {
  const json = jsonOf(tool, "failing-json") as Loose;
  const isFailed = (each: Loose): boolean => each["status"] === "failed";
  const broken = listOf(json["testResults"])
    .filter(isFailed)
    .filter((file) => !listOf(file["assertionResults"]).some(isFailed)).length;
  const of = (name: string): number => Number(json[name]);
  return [
    of("numPassedTests"),
    of("numFailedTests") + broken,
    of("numPendingTests") + of("numTodoTests"),
    0,
  ];
}

for (const { tool, json, text, count } of rows) {
  test(`counts of ${tool} (${text}) are those of its own JSON, read and as text`, () => {
    const wanted = count();
    assert.ok(wanted[1] + wanted[3] > 0, "something is counted");
    assert.deepEqual(countsOf(tool, json), wanted);
    assert.deepEqual(countsOf(tool, text), wanted);
  });
}

/** Sums of an attribute over the elements of a name. */
function attributeSum(
  xml: string,
  { element, name }: { readonly element: string; readonly name: string },
): number {
  const elements = [...xml.matchAll(new RegExp(`<${element}\\s[^>]*>`, "g"))];
  return elements.reduce(
    (sum, [tag]) => sum + Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1] ?? 0),
    0,
  );
}

test("counts of pytest are those of its JUnit report", () => {
  for (const name of ["failing", "collection-error"]) {
    const xml = textOf("pytest", `${name}.native.xml`);
    const of = (attribute: string): number =>
      attributeSum(xml, { element: "testsuite", name: attribute });
    const failed = of("failures") + of("errors");
    const passed = of("tests") - failed - of("skipped");
    assert.deepEqual(countsOf("pytest", name).slice(0, 3), [passed, failed, of("skipped")]);
  }
});

test("counts of node --test are those of its JUnit report", () => {
  const xml = textOf("node_test", "failing.native.xml");
  const of = (word: string): number => Number(new RegExp(`<!-- ${word} (\\d+) -->`).exec(xml)?.[1]);
  const wanted = [of("pass"), of("fail") + of("cancelled"), of("skipped") + of("todo"), 0];
  for (const name of ["failing", "failing-tap"])
    assert.deepEqual(countsOf("node_test", name), wanted);
});

test("counts of bun test are those of its JUnit report, and the file that it could not load", () => {
  const xml = textOf("bun_test", "failing.native.xml");
  const of = (name: string): number => attributeSum(xml, { element: "testsuites", name });
  const passed = of("tests") - of("failures") - of("skipped");
  assert.deepEqual(countsOf("bun_test", "failing"), [passed, of("failures") + 1, of("skipped"), 0]);
});
