import assert from "node:assert/strict";
import { test } from "node:test";
import { readReport } from "./read-report.ts";

const failingTest = (name: string): string => `✖ ${name} (1.5ms)
ℹ tests 2
ℹ suites 0
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

/** Lines of several packages by turns, each with what stands before those of its package. */
function byTurns(texts: { readonly [prefix: string]: string }): string {
  const lines = Object.entries(texts).map(([prefix, text]) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => prefix + line),
  );
  const lengthMax = Math.max(...lines.map(({ length }) => length));
  return Array.from({ length: lengthMax }, (_, at) => lines.flatMap((own) => own[at] ?? []))
    .flat()
    .map((line) => `${line}\n`)
    .join("");
}

/** What package managers print of two packages whose tests fail at once: pnpm 9, yarn 4, turbo 2, lerna 8. */
const managers: {
  readonly [name: string]: {
    readonly argv: string;
    readonly origins: string;
    readonly text: string;
  };
} = {
  "pnpm side by side": {
    argv: "pnpm -r test",
    origins: "packages/app packages/lib",
    text: `Scope: 2 of 3 workspace projects
packages/app test$ node --test
packages/lib test$ node --test
${byTurns({
  "packages/app test: ": `${failingTest("adds app")}Failed`,
  "packages/lib test: ": `${failingTest("adds lib")}Failed`,
})}/shop/packages/lib:
\u2009ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\u2009 @shop/lib@1.0.0 test: \`node --test\`
Exit status 1
`,
  },
  "pnpm one after the other": {
    argv: "pnpm -r --no-bail --workspace-concurrency=1 test",
    origins: "@shop/app @shop/lib",
    text: `Scope: 2 of 3 workspace projects

> @shop/app@1.0.0 test /shop/packages/app
> node --test

${failingTest("adds app")}\u2009WARN\u2009 Local package.json exists, but node_modules missing

> @shop/lib@1.0.0 test /shop/packages/lib
> node --test

${failingTest("adds lib")}\u2009ERR_PNPM_RECURSIVE_FAIL\u2009

Summary: 2 fails, 0 passes

/shop/packages/app:
\u2009ERROR\u2009 @shop/app@1.0.0 test: \`node --test\`
Exit status 1
`,
  },
  yarn: {
    argv: "yarn workspaces foreach -Apv run test",
    origins: "@shop/app @shop/lib",
    text: `${byTurns({ "[@shop/app]: ": failingTest("adds app"), "[@shop/lib]: ": failingTest("adds lib") })}The command failed in workspace @shop/app@workspace:packages/app with exit code 1
Failed with errors in 4s 828ms
`,
  },
  turbo: {
    argv: "turbo run test --continue",
    origins: "@shop/app @shop/lib",
    text: `   • Packages in scope: @shop/app, @shop/lib
${byTurns({
  "@shop/app:test: ": `cache miss, executing 99e4c6\n\n> @shop/app@1.0.0 test\n> node --test\n\n${failingTest("adds app")}npm error Lifecycle script \`test\` failed with error:\nnpm error workspace @shop/app@1.0.0\n`,
  "@shop/lib:test: ": `cache miss, executing c8bc71\n\n> @shop/lib@1.0.0 test\n> node --test\n\n${failingTest("adds lib")}npm error workspace @shop/lib@1.0.0\n`,
})} Tasks:    0 successful, 2 total
`,
  },
  lerna: {
    argv: "lerna run test --stream",
    origins: "@shop/app @shop/lib",
    text: byTurns({
      "@shop/app: ": `> @shop/app@1.0.0 test\n> node --test\n\n${failingTest("adds app")}`,
      "@shop/lib: ": `> @shop/lib@1.0.0 test\n> node --test\n\n${failingTest("adds lib")}`,
    }),
  },
};

for (const [name, { argv, origins, text }] of Object.entries(managers))
  test(`tests of two packages that ${name} ran are added up, each failure with its package`, () => {
    const { tool, report } = read(text, argv.split(" "));
    assert.deepEqual([tool, report?.summary], ["node_test", "2 passed, 2 failed in 2 packages"]);
    const [app, lib] = origins.split(" ");
    assert.deepEqual(
      report?.failures.map((each) => [each.name, each.origin, each.location]),
      [
        ["adds app", app, "src/sum.test.js:3:1"],
        ["adds lib", lib, "src/sum.test.js:3:1"],
      ],
    );
  });

test("the tests of one package of several are read behind its name too", () => {
  const lines = byTurns({ "[@shop/app]: ": failingTest("adds") });
  const end = "The command failed in workspace @shop/app@workspace:packages/app with exit code 1\n";
  const { report } = read(`${lines}${end}Failed with errors in 1s 2ms\n`, ["yarn", "test"]);
  assert.equal(report?.summary, "1 passed, 1 failed");
  assert.deepEqual(
    report?.failures.map(({ origin }) => origin),
    ["@shop/app"],
  );
});

test("brackets before lines that yarn did not print are a part of them", () => {
  const { report } = read(`[app]: started\n${failingTest("adds")}`, ["node", "--test"]);
  assert.deepEqual([report?.summary, report?.failures.length], ["1 passed, 1 failed", 1]);
});
