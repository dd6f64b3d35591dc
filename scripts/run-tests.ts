/**
 * Runs the tests, in three phases:
 *
 *   unit        `*.test.ts`      all in a few processes, one per core, so that a test that leaks a handle or a global shows
 *   end-to-end  `*.e2e.test.ts`  a process each, the longest first
 *   executable  a suite of codetool's end-to-end tests, once more, on the one-file executable that is built meanwhile
 *
 * The processes of the first two phases are one queue, so that no core idles where one phase passes to the next: the
 * first end-to-end tests run while unit tests do. One more process runs at once than there are cores.
 *
 * `helpText` says what its arguments are. The long suite is in `test-files.ts`; it is left out otherwise, unless its files are
 * named. Files that have repetitions call `repetitions()`.
 *
 * Prints the failures, the counts and the time of each phase, and the ten slowest files. Each test's outcome and time is
 * kept in `node_modules/.cache/tests/last-run.jsonl`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, devNull } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { type EventData, run } from "node:test";
import { dot, spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { endLateFiles, isFile } from "./end-late-files.ts";
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
  type TestFiles,
  TestTimes,
} from "./test-files.ts";

// Both are several times what a machine with two idle cores needs.
const unitTimeoutMs = 480_000;
const endToEndTimeoutMs = 420_000;
const slowestCount = 10;

const executable = join(root, "dist", `codetool${process.platform === "win32" ? ".exe" : ""}`);
const cores = availableParallelism();
/** A file waits at times, for a time limit or the end of a program: one more process uses the core meanwhile. */
const processCount = cores + 1;
const times = new TestTimes();
const nodeFlags = [
  "--conditions=agentrt-source",
  "--expose-gc",
  "--disable-warning=ExperimentalWarning",
];

/** Files that one queue of processes takes. */
interface Round {
  readonly title: string;
  /** What is run, a process each, in this order. */
  readonly entries: readonly string[];
  /** The phase of an entry. */
  readonly phaseOf: (entry: string) => Phase;
  readonly environment?: { readonly [name: string]: string };
}

type Phase = "unit" | "end-to-end" | "executable";

interface RoundEnd {
  /** The time of each phase, from the start of its first file to the end of its last. */
  readonly lines: readonly string[];
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

async function runRound(round: Round): Promise<RoundEnd> {
  process.stderr.write(`test: ${round.title}\n`);
  const env = { ...testEnvironment, ...round.environment };
  const stream = run({
    files: [...round.entries],
    concurrency: processCount,
    // Where `endLateFiles` cannot end them.
    timeout: Math.max(unitTimeoutMs, endToEndTimeoutMs) + 5_000,
    execArgv: nodeFlags,
    cwd: root,
    env,
  });
  // Two reporters and what is kept of times listen, each to several events.
  stream.setMaxListeners(0);
  let isGreen = true;
  stream.on("test:fail", () => void (isGreen = false));
  const timeoutMsOf = (file: string): number =>
    round.phaseOf(file) === "unit" ? unitTimeoutMs : endToEndTimeoutMs;
  endLateFiles(stream, { timeoutMsOf, onLate: (file) => sayLate(file, timeoutMsOf(file)) });
  const spans = recordSpans(round, stream);
  recordTimes(round, stream);
  recordOutcomes(round, stream);
  if (process.stdout.isTTY) await print(stream.compose(new spec()));
  else await Promise.all([print(stream.compose(dot)), print(stream.compose(summarize))]);
  const lines = [...spans].map(
    ([phase, { startMs, endMs }]) => `${phase} ${((endMs - startMs) / 1000).toFixed(1)} s`,
  );
  return { lines, isGreen };
}

function sayLate(file: string, timeoutMs: number): void {
  const seconds = timeoutMs / 1000;
  process.stderr.write(
    `test: ${relative(root, file)} did not end within ${seconds} s: it was ended, with what it had started\n`,
  );
}

type TestStream = ReturnType<typeof run>;

/** The entry of the process that an event comes from. */
function entryOf(data: { readonly file?: string | undefined }): string {
  return "entryFile" in data && typeof data.entryFile === "string"
    ? data.entryFile
    : (data.file ?? "");
}

interface Span {
  readonly startMs: number;
  endMs: number;
}

/** When the first file of each phase started, and when the last one ended. */
function recordSpans({ phaseOf }: Round, stream: TestStream): ReadonlyMap<Phase, Span> {
  const spans = new Map<Phase, Span>();
  stream.on("test:dequeue", (event) => {
    if (!isFile(event)) return;
    const phase = phaseOf(event.name);
    const nowMs = performance.now();
    if (!spans.has(phase)) spans.set(phase, { startMs: nowMs, endMs: nowMs });
  });
  // Unlike most events, these two come when it happens, and not in the order of the files.
  stream.on("test:complete", (event) => {
    const span = isFile(event) ? spans.get(phaseOf(event.name)) : undefined;
    if (span !== undefined) span.endMs = performance.now();
  });
  return spans;
}

/** A file in a separate process takes as long as its process; the others what their tests take. */
function recordTimes({ phaseOf }: Round, stream: TestStream): void {
  const add = (phase: Phase, file: string, timeMs: number): void =>
    times.add(keyOf(phase, relative(root, file).replaceAll("\\", "/")), timeMs);
  stream.on("test:summary", ({ file, duration_ms: timeMs }) => {
    if (file !== undefined && phaseOf(file) !== "unit") add(phaseOf(file), file, timeMs);
  });
  stream.on("test:pass", (data) => {
    const { file, nesting, details } = data;
    if (file !== undefined && nesting === 0 && phaseOf(entryOf(data)) === "unit")
      add("unit", file, details.duration_ms);
  });
}

/** One line of JSON for each test of the last run: what ran, in which phase, how it ended and how long it took. */
const outcomesFile = join(keptFolder, "last-run.jsonl");

function recordOutcomes({ phaseOf }: Round, stream: TestStream): void {
  const record = (outcome: string, data: EventData.TestPass | EventData.TestFail): void => {
    const { name, nesting, details } = data;
    if (details.type === "suite") return;
    const file = relative(root, data.file ?? "").replaceAll("\\", "/");
    const phase = phaseOf(entryOf(data));
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

const testEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_OPTIONS: "",
  // Calls of tests are not recorded among those of whoever runs them.
  CODETOOL_STATS_FILE: devNull,
};

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

/** The unit tests and the end-to-end tests, as far as they are wanted. */
async function runFromSources(files: TestFiles, isSource: boolean): Promise<RoundEnd> {
  const { unit, endToEnd } = files;
  const isInstalledNeeded = endToEnd.some((file) => onInstalled.test(file));
  using installed = isInstalledNeeded ? await installPackages() : undefined;
  const entries = [...unitEntries(unit), ...times.longestFirst("end-to-end", endToEnd)];
  const unitProcessCount = entries.length - endToEnd.length;
  const titles = [
    ...(unit.length === 0
      ? []
      : [`${unit.length} unit test files in ${unitProcessCount} processes`]),
    ...(endToEnd.length === 0 ? [] : [`${endToEnd.length} end-to-end test files, a process each`]),
  ];
  const environment = {
    ...(isSource || endToEnd.length === 0 ? {} : { E2E_PACKAGES: await buildPackagesUnderTest() }),
    ...(installed === undefined ? {} : { E2E_INSTALLED: installed.path }),
  };
  const phaseOf = (entry: string): Phase =>
    entry.endsWith(".e2e.test.ts") ? "end-to-end" : "unit";
  // Awaited: what is installed is removed behind it.
  return await runRound({ title: titles.join("; "), entries, environment, phaseOf });
}

async function runOnExecutable(files: readonly string[]): Promise<RoundEnd> {
  return runRound({
    title: `codetool's end-to-end tests on the executable, ${files.length} files`,
    entries: times.longestFirst("executable", files),
    environment: { CODETOOL_E2E_BINARY: executable },
    phaseOf: () => "executable",
  });
}

/** What the header of this file says. */
const helpText = `usage: npm test -- [<part of a path>…] [options]

Runs the files whose paths hold one of the parts, or all of them.

  --unit        only the unit tests
  --executable  only codetool's end-to-end tests on the one-file executable
  --all         all of codetool's end-to-end tests on the executable, not only a suite of them
  --source      programs are started from their sources
  --long        also the long suite, and files with repetitions with all of them
  --help        prints this
`;
const flags = new Set(helpText.match(/^  --\w+/gm)?.map((flag) => flag.trim()));

async function main(): Promise<number> {
  const unknown = process.argv.slice(2).find((each) => each.startsWith("-") && !flags.has(each));
  if (unknown !== undefined || process.argv.includes("--help")) {
    if (unknown === undefined) process.stdout.write(helpText);
    else process.stderr.write(`test: unknown option ${unknown}\n${helpText}`);
    return unknown === undefined ? 0 : 2;
  }
  const parts = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const isAsked = (flag: string): boolean => process.argv.includes(flag);
  const found = findTestFiles({
    parts,
    isLong: isAsked("--long"),
    isWholeOnExecutable: isAsked("--all"),
  });
  const files = {
    unit: isAsked("--executable") ? [] : found.unit,
    endToEnd: isAsked("--executable") || isAsked("--unit") ? [] : found.endToEnd,
    executable: isAsked("--unit") ? [] : found.executable,
  };
  if (files.unit.length + files.endToEnd.length + files.executable.length === 0) {
    process.stderr.write(`test: no test file matches ${process.argv.slice(2).join(" ")}\n`);
    return 2;
  }
  mkdirSync(keptFolder, { recursive: true });
  rmSync(outcomesFile, { force: true });
  testEnvironment["NODE_COMPILE_CACHE"] ??= compileCacheFolder();
  if (isAsked("--long")) testEnvironment["LONG_SUITE"] = "1";
  const startedMs = performance.now();
  const isBuilt = files.executable.length === 0 ? undefined : startBuild();
  const ends: RoundEnd[] = [];
  if (files.unit.length + files.endToEnd.length > 0)
    ends.push(await runFromSources(files, isAsked("--source")));
  if (isBuilt !== undefined) {
    const isThere = await isBuilt();
    const notBuilt = { lines: ["executable not built"], isGreen: false };
    ends.push(isThere ? await runOnExecutable(files.executable) : notBuilt);
  }
  times.save();
  process.stdout.write(`\nslowest files:\n`);
  for (const [key, timeMs] of times.slowest(slowestCount))
    process.stdout.write(`${(timeMs / 1000).toFixed(1).padStart(7)} s  ${key}\n`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const lines = ends.flatMap((end) => end.lines).join(", ");
  process.stdout.write(`\ntime: ${lines}; together ${seconds} s\n`);
  // Both rounds run, whatever the first one found.
  return ends.every(({ isGreen }) => isGreen) ? 0 : 1;
}

process.exitCode = await main();
