/**
 * Compares `codetool search --literal` and `--regex` with ripgrep on a directory: which files match, and on how many
 * lines. Prints a line a query and explains every difference; exits 1 when one is not explained.
 *
 *     node lab/oracles/search.ts <dir> [<query>…]
 *
 * ripgrep gets the same rules: hidden files, files up to 1 MB, `.gitignore` with and without git. What may still
 * differ, and counts as explained: files that ripgrep takes for binary or for UTF-16 (it looks at all of a file, we at
 * its first 8 KiB), files ignored by `.ignore` or `.rgignore`, and what its own list of files lacks for such reasons.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { walkFiles } from "../../codetool/src/files/index.ts";
import { makePatternMatcher } from "../../codetool/src/patterns/index.ts";
import { literalScanner, patternScanner, scanFiles } from "../../codetool/src/search/index.ts";

const sizeBytesMax = 1024 ** 2;
const defaultLiterals = [
  "return",
  "TODO",
  "if (",
  "é",
  "->",
  "static int",
  "import ",
  "0x",
  "main",
  "'s ",
  "License",
];
const defaultPatterns = [
  "^\\s*return\\b",
  "[A-Z]\\w+Error",
  "(foo|bar)+\\(",
  "\\d{4}-\\d{2}",
  "^$",
  "\\bint\\b.*;",
];
const ripgrepFlags = [
  "--no-config",
  "--hidden",
  "--glob=!.git",
  "--glob=!.codetool",
  "--no-ignore-dot",
  "--no-ignore-parent",
  "--no-require-git",
  "--max-filesize=1M",
  "--count",
  "--with-filename",
  "--null",
];

function countByRipgrep(
  directory: string,
  flags: readonly string[],
  query: string,
): Map<string, number> {
  const result = spawnSync("rg", [...ripgrepFlags, ...flags, "-e", query, "./"], {
    cwd: directory,
    encoding: "latin1",
    maxBuffer: 1 << 28,
  });
  if (result.error !== undefined || (result.status ?? 2) > 1)
    throw new Error(`rg failed: ${result.error?.message ?? result.stderr}`);
  const counts = new Map<string, number>();
  for (const line of result.stdout.split("\n")) {
    const [path, count] = line.split("\0");
    if (path === undefined || count === undefined) continue;
    counts.set(Buffer.from(path.replace(/^\.\//, ""), "latin1").toString("utf8"), Number(count));
  }
  return counts;
}

async function countByUs(
  directory: string,
  query: string,
  isPattern: boolean,
): Promise<Map<string, number>> {
  const made = isPattern ? makePatternMatcher(query) : undefined;
  if (made !== undefined && "fault" in made) throw new Error(made.fault.reason);
  const { files } = walkFiles({ root: directory, environment: process.env, sizeBytesMax });
  const counts = new Map<string, number>();
  const found = await scanFiles({
    files,
    scanner: made === undefined ? literalScanner(query) : patternScanner(made.matcher),
    query,
    isDefinition: () => false,
    hitCountMax: Infinity,
  });
  for (const { file } of found.hits.first(found.hits.count))
    counts.set(file.relativePath, (counts.get(file.relativePath) ?? 0) + 1);
  return counts;
}

/** Why a file may differ; `undefined` for a difference that is a fault of ours. */
function explain(
  path: string,
  { ours, theirs }: { readonly ours: number; readonly theirs: number },
): string | undefined {
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (sizeBytes === undefined) return "its name is not UTF-8";
  const bytes = readFileSync(path);
  const nulAt = bytes.indexOf(0);
  if (nulAt >= 0 && nulAt < 8192)
    return theirs > 0 ? "binary: ripgrep searches up to the first NUL" : "binary";
  if (nulAt >= 0) return "a NUL beyond the first 8 KiB: text for us, binary for ripgrep";
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return "UTF-16, which ripgrep decodes";
  if (ours > 0 && theirs === 0 && sizeBytes > sizeBytesMax) return "larger than 1 MB";
  return undefined;
}

async function compare(directory: string, query: string, isPattern: boolean): Promise<boolean> {
  // Without this ripgrep takes the CR of a CRLF for a part of the line.
  const flags = isPattern ? ["--crlf"] : ["--fixed-strings"];
  const theirs = countByRipgrep(directory, flags, isPattern ? toAsciiClasses(query) : query);
  const ours = await countByUs(directory, query, isPattern);
  const reasons = new Map<string, string[]>();
  const faults: string[] = [];
  for (const file of new Set([...ours.keys(), ...theirs.keys()])) {
    const [our, their] = [ours.get(file) ?? 0, theirs.get(file) ?? 0];
    if (our === their) continue;
    const reason = explain(join(directory, file), { ours: our, theirs: their });
    if (reason === undefined) faults.push(`  ${file}: ours ${our}, ripgrep ${their}`);
    else reasons.set(reason, [...(reasons.get(reason) ?? []), file]);
  }
  const sum = (counts: Map<string, number>): number =>
    [...counts.values()].reduce((a, b) => a + b, 0);
  const kind = isPattern ? "pattern" : "literal";
  process.stdout.write(
    `${kind} ${JSON.stringify(query)}: ours ${ours.size} files, ${sum(ours)} lines; ripgrep ${theirs.size} files, ${sum(theirs)} lines\n`,
  );
  for (const [reason, files] of reasons)
    process.stdout.write(
      `  explained, ${files.length} files: ${reason} (${files.slice(0, 3).join(", ")})\n`,
    );
  for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`);
  return faults.length === 0;
}

/** In our patterns `\w`, `\d` and `\b` mean ASCII. */
function toAsciiClasses(pattern: string): string {
  return pattern.replaceAll(/\\([wdbWDB])/g, "(?-u:\\$1)");
}

async function main(): Promise<number> {
  const [directory, ...queries] = process.argv.slice(2);
  if (directory === undefined) {
    process.stderr.write("usage: node lab/oracles/search.ts <dir> [<query>…]\n");
    return 2;
  }
  const root = resolve(directory);
  const literals = queries.length > 0 ? queries : defaultLiterals;
  const patterns = queries.length > 0 ? [] : defaultPatterns;
  const results: boolean[] = [];
  for (const query of literals) results.push(await compare(root, query, false));
  for (const query of patterns) results.push(await compare(root, query, true));
  const agreed = results.filter(Boolean).length;
  process.stdout.write(`${agreed} of ${results.length} queries agree, differences explained\n`);
  return agreed === results.length ? 0 : 1;
}

process.exitCode = await main();
