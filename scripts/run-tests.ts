/**
 * Runs the tests. Unit tests (`*.test.ts`) share one process, so a test that leaks a handle or a global shows;
 * end-to-end tests (`*.e2e.test.ts`) get a process each. Last, codetool's end-to-end tests run once more on the
 * one-file executable, built just before. Arguments narrow the run to files whose path holds one of them; `--unit`
 * runs the unit tests alone, `--executable` those of the executable alone.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const unitTimeoutMs = 120_000;
const endToEndTimeoutMs = 180_000;

const executable = fileURLToPath(
  new URL(`dist/codetool${process.platform === "win32" ? ".exe" : ""}`, root),
);

interface TestFiles {
  readonly unit: readonly string[];
  readonly endToEnd: readonly string[];
  /** Codetool's end-to-end tests, which run on the executable as well, and those of the executable alone. */
  readonly executable: readonly string[];
}

function testFiles(): TestFiles {
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const found = globSync("{agentrt,codetool,testkit,examples,scripts,bench,lab}/**/*.test.ts", {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|fixtures)$/.test(path),
  })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
    .sort();
  const endToEnd = found.filter((path) => path.endsWith(".e2e.test.ts"));
  return {
    unit: found.filter((path) => !path.endsWith(".e2e.test.ts")),
    endToEnd: endToEnd.filter((path) => !path.endsWith("executable.e2e.test.ts")),
    executable: endToEnd.filter((path) => path.startsWith("codetool/")),
  };
}

interface TestRun {
  readonly title: string;
  readonly flags: readonly string[];
  readonly files: readonly string[];
  readonly environment?: { readonly [name: string]: string };
}

function runNode({ title, flags, files, environment = {} }: TestRun): boolean {
  if (files.length === 0) return true;
  process.stderr.write(`test: ${title}, ${files.length} files\n`);
  const result = spawnSync(
    process.execPath,
    [
      "--conditions=agentrt-source",
      "--expose-gc",
      "--disable-warning=ExperimentalWarning",
      "--test",
      ...flags,
      ...reporterFlags,
      ...files,
    ],
    { cwd: root, stdio: "inherit", env: { ...process.env, NODE_OPTIONS: "", ...environment } },
  );
  return result.status === 0;
}

function buildExecutable(): boolean {
  const args = ["--conditions=agentrt-source", "scripts/build-codetool.ts"];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status === 0;
}

const reporterFlags = process.stdout.isTTY
  ? ["--test-reporter=spec"]
  : [
      "--test-reporter=dot",
      "--test-reporter-destination=stdout",
      "--test-reporter=./scripts/summary-reporter.mjs",
      "--test-reporter-destination=stdout",
    ];
const endToEndFlags = ["--test-concurrency=2", `--test-timeout=${endToEndTimeoutMs}`];

function main(): number {
  const files = testFiles();
  if (files.unit.length + files.endToEnd.length + files.executable.length === 0) {
    process.stderr.write(`test: no test file matches ${process.argv.slice(2).join(" ")}\n`);
    return 2;
  }
  const isOnlyUnit = process.argv.includes("--unit");
  const isOnlyExecutable = process.argv.includes("--executable");
  const phases: (() => boolean)[] = [];
  if (!isOnlyExecutable) {
    const flags = ["--test-isolation=none", `--test-timeout=${unitTimeoutMs}`];
    phases.push(() => runNode({ title: "unit tests in one process", flags, files: files.unit }));
  }
  if (!isOnlyExecutable && !isOnlyUnit) {
    const title = "end-to-end tests, a process each";
    phases.push(() => runNode({ title, flags: endToEndFlags, files: files.endToEnd }));
  }
  if (!isOnlyUnit && files.executable.length > 0) {
    const title = "codetool's end-to-end tests on the executable";
    const environment = { CODETOOL_E2E_BINARY: executable };
    const run = { title, flags: endToEndFlags, files: files.executable, environment };
    phases.push(() => buildExecutable() && runNode(run));
  }
  // Every phase runs, whatever the one before found.
  return phases.map((phase) => phase()).every(Boolean) ? 0 : 1;
}

process.exit(main());
