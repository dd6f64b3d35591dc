import assert from "node:assert/strict";
import { test } from "node:test";
import { readReport } from "./read-report.ts";

const failingTest = (name: string): string => `✖ ${name} (1.5ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0

✖ failing tests:

test at src/sum.test.js:3:1
✖ ${name} (1.5ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
`;

function npmOutput(
  sections: readonly (readonly [name: string, script: string, text: string, isFailed: boolean])[],
): string {
  return sections
    .map(
      ([name, script, text, isFailed]) =>
        `\n> ${name}@1.0.0 test\n> ${script}\n\n${text}${isFailed ? `npm error code 1\nnpm error workspace ${name}@1.0.0\n` : ""}`,
    )
    .join("");
}

function read(
  printed: string,
  argv: readonly string[] = ["npm", "test", "--workspaces"],
): ReturnType<typeof readReport> {
  const output = { stdout: printed, stderr: "", combined: printed, exitCode: 1 };
  return readReport(argv, output, { readScript: () => undefined });
}

test("scripts of several packages that npm ran are read one by one, and added up", () => {
  const printed = npmOutput([
    ["@shop/app", "node --test", failingTest("adds app"), true],
    ["@shop/lib", "node --test", failingTest("adds lib"), true],
  ]);
  const { tool, report } = read(printed);
  assert.equal(tool, "node_test");
  assert.equal(report?.summary, "2 passed, 2 failed in 2 packages");
  assert.deepEqual([report?.passed, report?.failed], [2, 2]);
  const message = "AssertionError [ERR_ASSERTION]: 1 == 2";
  const location = "src/sum.test.js:3:1";
  assert.deepEqual(report?.failures, [
    { name: "adds app", location, message, origin: "@shop/app" },
    { name: "adds lib", location, message, origin: "@shop/lib" },
  ]);
});

test("like errors of two packages are two errors", () => {
  const text =
    "src/index.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.\n";
  const { report } = read(
    npmOutput([
      ["app", "tsc -p .", text, true],
      ["lib", "tsc -p .", text, true],
    ]),
  );
  assert.deepEqual(
    report?.failures.map(({ origin, location }) => [origin, location]),
    [
      ["app", "src/index.ts:1:14"],
      ["lib", "src/index.ts:1:14"],
    ],
  );
});

test("a package that failed without an output that is known is a failure with its last lines", () => {
  const { tool, report } = read(
    npmOutput([
      ["app", "node --test", failingTest("adds app"), true],
      ["lib", "./own-check.sh", "checking\nthe moon is full\n", true],
      ["docs", "./own-check.sh", "all is well\n", false],
    ]),
  );
  assert.equal(tool, "node_test");
  assert.equal(report?.failed, 2);
  assert.deepEqual(report?.failures.at(-1), {
    name: "lib",
    location: null,
    message: "checking\nthe moon is full",
  });
});

test("of one package the output is read as a whole, and its places are that package's", () => {
  const printed = npmOutput([["@shop/lib", "node --test", failingTest("adds"), true]]);
  const { report } = read(printed, ["npm", "test", "-w", "@shop/lib"]);
  assert.equal(report?.summary, "1 passed, 1 failed");
  assert.equal(report?.failures[0]?.origin, "@shop/lib");
  const both = `> lib@1.0.0 pretest\n> tsc -p .\n\n> lib@1.0.0 test\n> node --test\n\n${failingTest("adds")}`;
  assert.equal(read(both, ["npm", "test"]).report?.summary, "1 passed, 1 failed");
});

test("a test that fails in two modules of Maven or projects of Gradle is told with each", () => {
  const trace = "java.lang.AssertionError: no\n\tat shop.SumTest.adds(SumTest.java:6)\n";
  const moduleOutput = (name: string): string =>
    `[INFO] ------< shop:${name} >------\n[INFO] --- surefire:3.2.5:test (default-test) @ ${name} ---\nRunning shop.SumTest\n[ERROR] shop.SumTest.adds -- Time elapsed: 0.01 s <<< FAILURE!\n${trace}\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0\n`;
  const maven = `${moduleOutput("shop-core")}${moduleOutput("shop-web")}[INFO] BUILD FAILURE\n`;
  const origins = (printed: string, program: string): unknown =>
    read(printed, [program, "test"]).report?.failures.map(({ origin }) => origin);
  assert.deepEqual(origins(maven, "mvn"), ["shop-core", "shop-web"]);
  const projectOutput = (task: string): string =>
    `> Task ${task} FAILED\n\nSumTest > adds FAILED\n    java.lang.AssertionError at SumTest.java:6\n\n1 test completed, 1 failed\n\n`;
  const gradle = `${projectOutput(":core:test")}${projectOutput(":web:api:test")}${projectOutput(":test")}BUILD FAILED in 1s\n`;
  assert.deepEqual(origins(gradle, "gradle"), [":core", ":web:api", undefined]);
});
