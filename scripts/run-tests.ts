/**
 * Runs the tests. Unit tests (`*.test.ts`) share one process, so a test that leaks a handle or a global shows;
 * end-to-end tests (`*.e2e.test.ts`) get a process each. Arguments narrow the run to files whose path holds one of
 * them; `--unit` runs the unit tests alone.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import process from "node:process";

const root = new URL("..", import.meta.url);
const unitTimeoutMs = 120_000;
const endToEndTimeoutMs = 180_000;

function testFiles(): { unit: string[]; endToEnd: string[] } {
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const found = globSync("{agentrt,codetool,testkit,examples,scripts,bench}/**/*.test.ts", {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|fixtures)$/.test(path),
  })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
    .sort();
  const isEndToEnd = (path: string): boolean => path.endsWith(".e2e.test.ts");
  return { unit: found.filter((path) => !isEndToEnd(path)), endToEnd: found.filter(isEndToEnd) };
}

function runNode(title: string, flags: string[], files: string[]): boolean {
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
      ...files,
    ],
    { cwd: root, stdio: "inherit", env: { ...process.env, NODE_OPTIONS: "" } },
  );
  return result.status === 0;
}

function main(): number {
  const { unit, endToEnd } = testFiles();
  if (unit.length + endToEnd.length === 0) {
    process.stderr.write(`test: no test file matches ${process.argv.slice(2).join(" ")}\n`);
    return 2;
  }
  const reporter = process.stdout.isTTY
    ? ["--test-reporter=spec"]
    : [
        "--test-reporter=dot",
        "--test-reporter-destination=stdout",
        "--test-reporter=./scripts/summary-reporter.mjs",
        "--test-reporter-destination=stdout",
      ];
  const isUnitGreen = runNode(
    "unit tests in one process",
    ["--test-isolation=none", `--test-timeout=${unitTimeoutMs}`, ...reporter],
    unit,
  );
  if (process.argv.includes("--unit")) return isUnitGreen ? 0 : 1;
  const isEndToEndGreen = runNode(
    "end-to-end tests, a process each",
    ["--test-concurrency=2", `--test-timeout=${endToEndTimeoutMs}`, ...reporter],
    endToEnd,
  );
  return isUnitGreen && isEndToEndGreen ? 0 : 1;
}

process.exit(main());
