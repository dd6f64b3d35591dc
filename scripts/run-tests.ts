/**
 * Runs the tests, in three phases:
 *
 *   unit        `*.test.ts`      all in a few processes, one per core, so that a test that leaks a handle or a global shows
 *   end-to-end  `*.e2e.test.ts`  a process each, one more at once than there are cores, the longest first
 *   executable  a suite of codetool's end-to-end tests, once more, on the one-file executable that is built meanwhile
 *
 * End-to-end tests start both programs from packages that are built for the run, as users have them.
 *
 * Arguments narrow the run to files whose path holds one of them. `--unit` runs only the first phase, `--executable`
 * only the last one, and `--all` runs all of codetool's end-to-end tests on the executable. `--source` starts the
 * programs from their sources. `--long` runs the long suite of `test-files.ts`, which is left out otherwise, unless its
 * files are named.
 *
 * Prints the failures, the counts and the time of each phase, and the ten slowest files. Each test's outcome and time is
 * kept in `node_modules/.cache/tests/last-run.jsonl`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { type EventData, run } from "node:test";
import { dot, spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { endLateFiles } from "./end-late-files.ts";
import { installPackages } from "./installed-packages.ts";
import { buildPackagesUnderTest } from "./packages-under-test.ts";
import summarize from "./summary-reporter.ts";
import {
  compileCacheFolder,
  findTestFiles,
  keptFolder,
  keyOf,
  partition,
  root,
  TestTimes,
} from "./test-files.ts";

// Both are several times what a machine with two idle cores needs.
const unitTimeoutMs = 240_000;
const endToEndTimeoutMs = 240_000;
const slowestCount = 10;

const executable = join(root, "dist", `codetool${process.platform === "win32" ? ".exe" : ""}`);
const cores = availableParallelism();
/** A file waits at times, for a time limit or the end of a program: one more process uses the core meanwhile. */
const endToEndLimits = { timeoutMs: endToEndTimeoutMs, processCount: cores + 1 };
const times = new TestTimes();
const nodeFlags = [
  "--conditions=agentrt-source",
  "--expose-gc",
  "--disable-warning=ExperimentalWarning",
];

/** A phase of the run. */
interface Phase {
  readonly name: string;
  readonly title: string;
  /** What is run, a process each. */
  readonly entries: readonly string[];
  readonly timeoutMs: number;
  /** So many processes run at once. */
  readonly processCount: number;
  readonly environment?: { readonly [name: string]: string };
}

interface PhaseEnd {
  readonly line: string;
  readonly isGreen: boolean;
}

/** Modules that load the unit tests of one process each. */
function unitEntries(files: readonly string[]): string[] {
  const weightOf = (file: string): number => times.weight("unit", file);
  const groups = partition(times.longestFirst("unit", files), { count: cores, weightOf });
  mkdirSync(keptFolder, { recursive: true });
  return groups.map((group, index) => {
    const entry = join(keptFolder, `unit-${index + 1}.mjs`);
    const urls = group.map((file) => pathToFileURL(join(root, file)).href);
    writeFileSync(entry, urls.map((url) => `await import(${JSON.stringify(url)});\n`).join(""));
    return entry;
  });
}

async function runPhase(phase: Phase): Promise<PhaseEnd> {
  const startedMs = performance.now();
  process.stderr.write(`test: ${phase.title}\n`);
  const env = { ...testEnvironment, ...phase.environment };
  const stream = run({
    files: [...phase.entries],
    concurrency: phase.processCount,
    // Where `endLateFiles` cannot end them.
    timeout: phase.timeoutMs + 5_000,
    execArgv: nodeFlags,
    cwd: root,
    env,
  });
  // Two reporters and what is kept of times listen, each to several events.
  stream.setMaxListeners(0);
  let isGreen = true;
  stream.on("test:fail", () => void (isGreen = false));
  endLateFiles(stream, { timeoutMs: phase.timeoutMs, onLate: (file) => sayLate(phase, file) });
  recordTimes(phase.name, stream);
  recordOutcomes(phase.name, stream);
  if (process.stdout.isTTY) await print(stream.compose(new spec()));
  else await Promise.all([print(stream.compose(dot)), print(stream.compose(summarize))]);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  return { line: `${phase.name} ${seconds} s`, isGreen };
}

function sayLate({ timeoutMs }: Phase, file: string): void {
  const seconds = timeoutMs / 1000;
  process.stderr.write(
    `test: ${relative(root, file)} did not end within ${seconds} s: it was ended, with what it had started\n`,
  );
}

type TestStream = ReturnType<typeof run>;

/** A file in a separate process takes as long as its process; the others what their tests take. */
function recordTimes(phase: string, stream: TestStream): void {
  stream.on("test:summary", ({ file, duration_ms: timeMs }) => {
    if (file !== undefined && phase !== "unit")
      times.add(keyOf(phase, relative(root, file).replaceAll("\\", "/")), timeMs);
  });
  stream.on("test:pass", ({ file, nesting, details: { duration_ms: timeMs } }) => {
    if (file !== undefined && phase === "unit" && nesting === 0)
      times.add(keyOf(phase, relative(root, file).replaceAll("\\", "/")), timeMs);
  });
}

/** One line of JSON for each test of the last run: what ran, in which phase, how it ended and how long it took. */
const outcomesFile = join(keptFolder, "last-run.jsonl");

function recordOutcomes(phase: string, stream: TestStream): void {
  const record = (outcome: string, data: EventData.TestPass | EventData.TestFail): void => {
    const { name, nesting, details } = data;
    if (details.type === "suite") return;
    const file = relative(root, data.file ?? "").replaceAll("\\", "/");
    const row = { phase, file, name, nesting, outcome, ms: Math.round(details.duration_ms) };
    appendFileSync(outcomesFile, `${JSON.stringify(row)}\n`);
  };
  stream.on("test:pass", (data) => {
    record(data.skip === undefined ? "passed" : "skipped", data);
  });
  stream.on("test:fail", (data) => record("failed", data));
}

async function print(texts: AsyncIterable<unknown>): Promise<void> {
  for await (const text of texts) process.stdout.write(String(text));
}

const testEnvironment: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: "" };

/** Files that start what npm installs from the packed packages. */
const onInstalled = /^scripts\/(documentation|packages)\.e2e\.test\.ts$/;

/** Builds the executable, and says what went wrong only when it is wanted. */
function startBuild(): () => Promise<boolean> {
  const args = ["--conditions=agentrt-source", "scripts/build-codetool.ts"];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exit = once(child, "exit");
  return async () => (await exit)[0] === 0;
}

async function main(): Promise<number> {
  const parts = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const isAsked = (flag: string): boolean => process.argv.includes(flag);
  const files = findTestFiles({
    parts,
    isLong: isAsked("--long"),
    isWholeOnExecutable: isAsked("--all"),
  });
  if (files.unit.length + files.endToEnd.length + files.executable.length === 0) {
    process.stderr.write(`test: no test file matches ${process.argv.slice(2).join(" ")}\n`);
    return 2;
  }
  mkdirSync(keptFolder, { recursive: true });
  rmSync(outcomesFile, { force: true });
  testEnvironment["NODE_COMPILE_CACHE"] ??= compileCacheFolder();
  const isBuilt = isAsked("--unit") || files.executable.length === 0 ? undefined : startBuild();
  const areEndToEnd = !isAsked("--executable") && !isAsked("--unit") && files.endToEnd.length > 0;
  const installing =
    areEndToEnd && files.endToEnd.some((file) => onInstalled.test(file))
      ? installPackages()
      : undefined;
  // Where it fails, it is awaited later.
  installing?.catch(() => undefined);
  const ends: PhaseEnd[] = [];
  if (!isAsked("--executable") && files.unit.length > 0) {
    const entries = unitEntries(files.unit);
    const title = `unit tests, ${files.unit.length} files in ${entries.length} processes`;
    const timeoutMs = unitTimeoutMs;
    ends.push(await runPhase({ name: "unit", title, entries, timeoutMs, processCount: cores }));
  }
  if (areEndToEnd) {
    using installed = await installing;
    const entries = times.longestFirst("end-to-end", files.endToEnd);
    const title = `end-to-end tests, ${entries.length} files, a process each`;
    const environment = {
      ...(isAsked("--source") ? {} : { E2E_PACKAGES: await buildPackagesUnderTest() }),
      ...(installed === undefined ? {} : { E2E_INSTALLED: installed.path }),
    };
    const phase = { name: "end-to-end", title, entries, environment };
    ends.push(await runPhase({ ...phase, ...endToEndLimits }));
  }
  if (isBuilt !== undefined) {
    const entries = times.longestFirst("executable", files.executable);
    const title = `codetool's end-to-end tests on the executable, ${entries.length} files`;
    const environment = { CODETOOL_E2E_BINARY: executable };
    const phase = { name: "executable", title, entries, environment, ...endToEndLimits };
    ends.push((await isBuilt()) ? await runPhase(phase) : { line: "not built", isGreen: false });
  }
  times.save();
  process.stdout.write(`\nslowest files:\n`);
  for (const [key, timeMs] of times.slowest(slowestCount))
    process.stdout.write(`${(timeMs / 1000).toFixed(1).padStart(7)} s  ${key}\n`);
  process.stdout.write(`\ntime: ${ends.map(({ line }) => line).join(", ")}\n`);
  // Every phase runs, whatever the one before found.
  return ends.every(({ isGreen }) => isGreen) ? 0 : 1;
}

process.exitCode = await main();
