/**
 * `npm run coverage [-- part-of-path …]`: runs the tests, as `npm test` does, and prints how many lines of each package
 * they ran. A line counts once any process ran it: unit tests, end-to-end tests and the programs they start. Blank lines,
 * comments and lines of only types do not count; nor do tests. `--list` prints the share of each file that is not whole.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { keptFolder, root } from "./test-files.ts";

const folder = join(keptFolder, "coverage");

interface Line {
  /** Offsets of what is on the line, without the blanks around it. */
  readonly start: number;
  readonly end: number;
  readonly isCode: boolean;
}

interface SourceFile {
  readonly path: string;
  readonly lines: readonly Line[];
  readonly ran: Uint8Array;
}

/** What the engine writes when a process ends, as far as it is read here. */
interface ProcessCoverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Lines that hold something to run: what is left of them without types and comments. */
function linesOf(text: string): Line[] {
  const bare = stripTypeScriptTypes(text).split("\n");
  const lines: Line[] = [];
  let offset = 0;
  let isInComment = false;
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.trim();
    const start = offset + (line.length - line.trimStart().length);
    if (words.startsWith("/*")) isInComment = true;
    const isCode = /\w/.test(bare[index] ?? "") && !isInComment && !words.startsWith("//");
    if (words.includes("*/")) isInComment = false;
    lines.push({ start, end: offset + line.trimEnd().length, isCode });
    offset += line.length + 1;
  }
  return lines;
}

function readSources(): Map<string, SourceFile> {
  const paths = globSync("{agentrt,codetool}/src/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/\.test\.ts$|fixtures\/|test-support\/|\.d\.ts$/.test(path))
    .sort();
  return new Map(
    paths.map((path) => {
      const lines = linesOf(readFileSync(join(root, path), "utf8"));
      const file = { path, lines, ran: new Uint8Array(lines.length) };
      return [pathToFileURL(join(root, path)).href, file];
    }),
  );
}

/** The first line that begins at an offset or after it. */
function lineFrom(lines: readonly Line[], offset: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds what one process ran. Ranges lie in one another, the outer first: the inner has the last word. */
function addRanges({ lines, ran }: SourceFile, ranges: readonly Range[]): void {
  const here = new Uint8Array(lines.length).fill(1);
  for (const { startOffset, endOffset, count } of ranges)
    for (let at = lineFrom(lines, startOffset); at < lines.length; at += 1) {
      if ((lines[at]?.end ?? Infinity) > endOffset) break;
      here[at] = count > 0 ? 1 : 0;
    }
  for (const [at, isRun] of here.entries()) if (isRun === 1) ran[at] = 1;
}

function addProcess(sources: ReadonlyMap<string, SourceFile>, path: string): void {
  let coverage: ProcessCoverage;
  try {
    coverage = JSON.parse(readFileSync(path, "utf8")) as ProcessCoverage;
  } catch {
    // The process was killed while it wrote.
    return;
  }
  for (const { url, functions } of coverage.result) {
    const file = sources.get(url);
    if (file === undefined) continue;
    addRanges(
      file,
      functions.flatMap(({ ranges }) => ranges),
    );
  }
}

function percent(part: number, whole: number): string {
  return `${part} of ${whole} lines, ${((100 * part) / Math.max(whole, 1)).toFixed(2)} %`;
}

function print(sources: Iterable<SourceFile>, isList: boolean): void {
  const totals = new Map<string, { ran: number; all: number }>();
  for (const { path, lines, ran } of sources) {
    const code = lines.flatMap(({ isCode }, at) => (isCode ? [ran[at] ?? 0] : []));
    const ranCount = code.filter((isRun) => isRun === 1).length;
    for (const name of [path.slice(0, path.indexOf("/")), "total"]) {
      const total = totals.get(name) ?? { ran: 0, all: 0 };
      totals.set(name, { ran: total.ran + ranCount, all: total.all + code.length });
    }
    if (isList && ranCount < code.length)
      process.stdout.write(`${percent(ranCount, code.length)}: ${path}\n`);
  }
  const byName = [...totals].sort(([a], [b]) => Number(a === "total") - Number(b === "total"));
  for (const [name, { ran, all }] of byName)
    process.stdout.write(`coverage of ${name}: ${percent(ran, all)}\n`);
}

async function main(): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Tests run programs as another user, too.
  chmodSync(folder, 0o777);
  const words = process.argv.slice(2).filter((word) => word !== "--list");
  const tests = spawn(process.execPath, ["scripts/run-tests.ts", "--source", ...words], {
    cwd: root,
    stdio: "inherit",
    // Functions that come from the compile cache are counted less exactly.
    env: { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  const [exitCode] = (await once(tests, "exit")) as [number | null];
  const sources = readSources();
  for (const name of readdirSync(folder)) addProcess(sources, join(folder, name));
  print(sources.values(), process.argv.includes("--list"));
  return exitCode ?? 1;
}

process.exitCode = await main();
