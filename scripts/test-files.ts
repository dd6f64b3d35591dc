/** The test files of the repository, by the phase that runs them, and how long each took the last time. */
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** What a test run keeps for the next one: times, and compiled code. It may be removed at any time. */
export const keptFolder = join(root, "node_modules", ".cache", "tests");

/**
 * The end-to-end tests that run on codetool's one-file executable too. They cover what differs there: unpacking, native
 * modules, workers, standard input, signals, encodings, and what is loaded from the package.
 */
const executableSuite: readonly string[] = [
  "codetool/src/executable.e2e.test.ts",
  "codetool/src/cli/serve.e2e.test.ts",
  "codetool/src/batch/resident.e2e.test.ts",
  "codetool/src/cli/codetool.e2e.test.ts",
  "codetool/src/commands/index-folder/run.e2e.test.ts",
  "codetool/src/commands/init/links.e2e.test.ts",
  "codetool/src/commands/read/utf16.e2e.test.ts",
  "codetool/src/commands/run-program/run.e2e.test.ts",
  "codetool/src/commands/search/fresh.e2e.test.ts",
  "codetool/src/mcp/http/http.e2e.test.ts",
  "codetool/src/mcp/mcp.e2e.test.ts",
];

/**
 * End-to-end tests that take as long as all others together, and that few changes break: short forms of the soaks, long
 * simulations, a browser on every page of the console, counts of steps and bytes over huge inputs, what npm installs and what deployments are checked by, and what runs
 * over further stores. Continuous integration runs them.
 */
const longSuite: readonly string[] = [
  "agentrt/src/cli/spread-apply.e2e.test.ts",
  "agentrt/src/cli/spread-approvals.e2e.test.ts",
  "agentrt/src/cli/spread-kept.e2e.test.ts",
  "agentrt/src/cli/spread-nats-kv.e2e.test.ts",
  "agentrt/src/cli/spread-nats-postgres.e2e.test.ts",
  "agentrt/src/cli/spread-zmq-sqlite.e2e.test.ts",
  "agentrt/src/cli/store-away.e2e.test.ts",
  "agentrt/src/cli/workers-apply.e2e.test.ts",
  "agentrt/src/cli/workers-budgets.e2e.test.ts",
  "agentrt/src/cli/workers-children.e2e.test.ts",
  "agentrt/src/cli/workers-join.e2e.test.ts",
  "agentrt/src/composition/applying/gateways-property.e2e.test.ts",
  "agentrt/src/console/faults.e2e.test.ts",
  "agentrt/src/console/looking.e2e.test.ts",
  "agentrt/src/console/pages.e2e.test.ts",
  "agentrt/src/console/sign-in.e2e.test.ts",
  "agentrt/src/control/elsewhere/events-of-workers.e2e.test.ts",
  "agentrt/src/control/elsewhere/figures-of-workers.e2e.test.ts",
  "agentrt/src/control/elsewhere/health-of-workers.e2e.test.ts",
  "agentrt/src/control/elsewhere/past-of-workers.e2e.test.ts",
  "agentrt/src/control/foreign-http3.e2e.test.ts",
  "agentrt/src/core/supervision/dynamic/dynamic-scale.e2e.test.ts",
  "agentrt/src/gateway/e2e/mtls.e2e.test.ts",
  "agentrt/src/links/nats/nats-security.e2e.test.ts",
  "agentrt/src/testing/planted-bugs.e2e.test.ts",
  "codetool/src/commands/edit/huge-file.e2e.test.ts",
  "codetool/src/commands/given-back-paths.e2e.test.ts",
  "codetool/src/commands/hostile-tree.e2e.test.ts",
  "codetool/src/commands/init/killed.e2e.test.ts",
  "codetool/src/reports/robust-steps.e2e.test.ts",
  "codetool/src/syntax/formats/formats-steps.e2e.test.ts",
  "codetool/src/syntax/hostile.e2e.test.ts",
  "codetool/src/syntax/skeleton/skeleton-steps.e2e.test.ts",
  "codetool/src/syntax/structural/pattern-steps.e2e.test.ts",
  "examples/triage-faults.e2e.test.ts",
  "lab/token-economy.e2e.test.ts",
  "scripts/deployment.e2e.test.ts",
  "scripts/documentation.e2e.test.ts",
  "scripts/packages.e2e.test.ts",
  "scripts/soak.e2e.test.ts",
];

/**
 * Whether a test file repeats scenes: `npm test` runs it with a quarter of its repetitions, and the long suite with all
 * of them. See `testkit/src/repetitions.ts`.
 */
function isRepeating(path: string): boolean {
  return /\brepetitions\(/.test(readFileSync(join(root, path), "utf8"));
}

/**
 * Seconds that the longest end-to-end tests take on two cores, for a first run: it has no times of its own yet, and the
 * size of a file says little about them. Rough figures are enough for the order.
 */
const longEndToEndSeconds: { readonly [path: string]: number } = {
  "scripts/soak.e2e.test.ts": 60,
  "codetool/src/syntax/hostile.e2e.test.ts": 50,
  "scripts/documentation.e2e.test.ts": 60,
  "agentrt/src/gateway/e2e/cases.e2e.test.ts": 70,
  "scripts/packages.e2e.test.ts": 35,
  "codetool/src/commands/given-back-paths.e2e.test.ts": 30,
  "agentrt/src/testing/planted-bugs.e2e.test.ts": 25,
  "agentrt/src/core/supervision/dynamic/dynamic-scale.e2e.test.ts": 25,
  "agentrt/src/cli/run-state.e2e.test.ts": 20,
  "agentrt/src/gateway/e2e/gateway.e2e.test.ts": 20,
  "codetool/src/commands/hostile-tree.e2e.test.ts": 18,
  "codetool/src/commands/index-folder/watch-index.e2e.test.ts": 18,
  "codetool/src/reports/robust-steps.e2e.test.ts": 15,
  "agentrt/src/cli/sim.e2e.test.ts": 34,
  "agentrt/src/cli/store-away.e2e.test.ts": 35,
  "lab/token-economy.e2e.test.ts": 15,
};

/** Paths from the root, with forward slashes. */
export interface TestFiles {
  readonly unit: readonly string[];
  readonly endToEnd: readonly string[];
  readonly executable: readonly string[];
}

/** Which test files are meant. */
export interface TestSelection {
  /** Parts of paths; empty for all files but those of the long suite. */
  readonly parts: readonly string[];
  /** The long suite, with the files that repeat more in it, and nothing else. */
  readonly isLong: boolean;
  /** Whether all of codetool's end-to-end tests run on the executable, and not its suite only. */
  readonly isWholeOnExecutable: boolean;
}

/**
 * Finds the test files.
 *
 * @throws Error when a list above names a file that is not there.
 */
export function findTestFiles({ parts, isLong, isWholeOnExecutable }: TestSelection): TestFiles {
  const all = globSync("{agentrt,codetool,testkit,examples,scripts,bench,lab}/**/*.test.ts", {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|dist|fixtures)$/.test(path),
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  const named = [...executableSuite, ...longSuite, ...Object.keys(longEndToEndSeconds)];
  const missing = named.find((path) => !all.includes(path));
  if (missing !== undefined)
    throw new Error(`scripts/test-files.ts names ${missing}, and there is no such test file`);
  const found = all.filter((path) => {
    if (isLong && !longSuite.includes(path) && !isRepeating(path)) return false;
    // Who names a file means it.
    return parts.length === 0
      ? isLong || isWholeOnExecutable || !longSuite.includes(path)
      : parts.some((part) => path.includes(part));
  });
  const endToEnd = found.filter((path) => path.endsWith(".e2e.test.ts"));
  const isOnExecutable = (path: string): boolean =>
    path.startsWith("codetool/") && (isWholeOnExecutable || executableSuite.includes(path));
  return {
    unit: found.filter((path) => !path.endsWith(".e2e.test.ts")),
    endToEnd: endToEnd.filter((path) => !path.endsWith("/executable.e2e.test.ts")),
    executable: endToEnd.filter(isOnExecutable),
  };
}

const timesFile = join(keptFolder, "times.json");

/** Milliseconds by phase and path. */
interface RecordedTimes {
  readonly [key: string]: number;
}

/** How long test files took, in this run and before. */
export class TestTimes {
  readonly #before: RecordedTimes;
  readonly #now = new Map<string, number>();

  constructor() {
    this.#before = readTimes();
  }

  /** Adds to the time of a file in a phase. */
  add(key: string, timeMs: number): void {
    this.#now.set(key, (this.#now.get(key) ?? 0) + timeMs);
  }

  /** The files of a phase, longest first. */
  longestFirst(phase: string, files: readonly string[]): string[] {
    const weights = new Map(files.map((file) => [file, this.weight(phase, file)]));
    return files.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
  }

  /** How long a file is expected to take, ms: as long as before, as known above, or by its size. */
  weight(phase: string, file: string): number {
    const seconds = longEndToEndSeconds[file];
    const knownMs = seconds === undefined ? undefined : 1000 * seconds;
    return this.#before[keyOf(phase, file)] ?? knownMs ?? statSync(join(root, file)).size / 2;
  }

  /** The slowest files of this run, slowest first. */
  slowest(count: number): (readonly [key: string, timeMs: number])[] {
    return [...this.#now].sort(([, a], [, b]) => b - a).slice(0, count);
  }

  /** Keeps this run's times for the next one. */
  save(): void {
    mkdirSync(keptFolder, { recursive: true });
    const times = { ...this.#before, ...Object.fromEntries(this.#now) };
    writeFileSync(timesFile, JSON.stringify(times));
  }
}

/** The key of a file's time: a file may run in two phases. */
export function keyOf(phase: string, file: string): string {
  return `${phase}: ${file}`;
}

function readTimes(): RecordedTimes {
  try {
    return JSON.parse(readFileSync(timesFile, "utf8")) as RecordedTimes;
  } catch {
    // This is the first run here, or the file is damaged: files count by their size.
    return {};
  }
}

/** Parts files among processes so that all end at about the same time. */
export function partition(
  files: readonly string[],
  { count, weightOf }: { readonly count: number; readonly weightOf: (file: string) => number },
): string[][] {
  const groups = Array.from({ length: Math.min(count, files.length) }, () => ({
    files: [] as string[],
    weight: 0,
  }));
  for (const file of files) {
    const lightest = groups.reduce((least, group) => (group.weight < least.weight ? group : least));
    lightest.files.push(file);
    lightest.weight += weightOf(file);
  }
  return groups.map((group) => group.files.sort());
}

/** So many entries the compile cache may have: a few times what all programs and tests need. */
const compiledFilesMax = 20_000;

/**
 * The folder in which Node keeps compiled code between processes: hundreds of them load the same modules. Node checks
 * each entry against its source. A folder that has grown past its maximum is emptied.
 */
export function compileCacheFolder(): string {
  const folder = join(keptFolder, "compiled");
  mkdirSync(folder, { recursive: true });
  if (globSync("*/*", { cwd: folder }).length > compiledFilesMax) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  }
  return folder;
}
