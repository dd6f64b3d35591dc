/**
 * Compares what `codetool find` lists with `rg --files` and, in a git work tree, with `git ls-files`, on membership.
 * Prints the three counts and every reason for which a file is in one list and not in the other; exits 1 when a
 * difference has no reason.
 *
 *     node lab/oracles/find.ts <dir>
 */
import { spawnSync } from "node:child_process";
import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const codetool = fileURLToPath(new URL("../../codetool/bin/codetool.cjs", import.meta.url));
const sizeBytesMax = 1024 ** 2;
const binaryProbeBytes = 8192;
const shownFaultCountMax = 20;

function run(command: string, args: readonly string[], directory: string): string {
  const result = spawnSync(command, args, { cwd: directory, encoding: "utf8", maxBuffer: 1 << 28 });
  if (result.error !== undefined) throw result.error;
  return result.stdout;
}

function listOurs(directory: string): Set<string> {
  const text = run(process.execPath, [codetool, "find", directory, "--flat"], directory);
  const { data } = JSON.parse(text) as { data: { flat: { path: string }[] } };
  const prefix = run("git", ["rev-parse", "--show-prefix"], directory).trim();
  return new Set(
    data.flat.map(({ path }) => (path.startsWith(prefix) ? path.slice(prefix.length) : path)),
  );
}

function listRipgrep(directory: string): Set<string> {
  const flags = [
    "--no-config",
    "--files",
    "--hidden",
    "--glob=!.git",
    "--glob=!.codetool",
    "--no-ignore-dot",
    "--no-require-git",
  ];
  return new Set(run("rg", flags, directory).split("\n").filter(Boolean));
}

function listGit(directory: string): Set<string> | undefined {
  if (run("git", ["rev-parse", "--is-inside-work-tree"], directory).trim() !== "true")
    return undefined;
  // A folder that git ignores as a whole is walked when it is named, and git has no list of it.
  if (spawnSync("git", ["check-ignore", "-q", "."], { cwd: directory }).status === 0)
    return undefined;
  const tracked = run("git", ["ls-files", "-z", "-co", "--exclude-standard"], directory);
  return new Set(tracked.split("\0").filter(Boolean));
}

/** Why a file may be in only one list; `undefined` for a difference that is a fault of ours. */
function reasonFor(directory: string, path: string, isOurs: boolean): string | undefined {
  const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (stat === undefined) return "deleted, or its name is not UTF-8";
  if (stat.isSymbolicLink()) return "a symbolic link, which we do not follow";
  if (!stat.isFile()) return "no regular file";
  if (!isOurs && stat.size > sizeBytesMax) return "larger than 1 MB";
  if (!isOurs && isBinary(join(directory, path))) return "binary: a NUL in the first 8 KiB";
  if (!isOurs && isTrackedThoughIgnored(directory, path))
    return "tracked by git although an ignore rule names it";
  return undefined;
}

function isBinary(path: string): boolean {
  const descriptor = openSync(path, "r");
  const buffer = Buffer.alloc(binaryProbeBytes);
  const length = readSync(descriptor, buffer, 0, binaryProbeBytes, 0);
  closeSync(descriptor);
  return buffer.subarray(0, length).includes(0);
}

function isTrackedThoughIgnored(directory: string, path: string): boolean {
  return (
    spawnSync("git", ["check-ignore", "-q", "--no-index", path], { cwd: directory }).status === 0
  );
}

/** What both programs list, and what the other one is called. */
interface Listed {
  readonly ours: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
  readonly name: string;
}

function compare(directory: string, { ours, theirs, name }: Listed): boolean {
  const reasons = new Map<string, string[]>();
  const faults: string[] = [];
  for (const path of new Set([...ours, ...theirs])) {
    if (ours.has(path) === theirs.has(path)) continue;
    const reason = reasonFor(directory, path, ours.has(path));
    if (reason === undefined) faults.push(`  only in ${ours.has(path) ? "ours" : name}: ${path}`);
    else reasons.set(reason, [...(reasons.get(reason) ?? []), path]);
  }
  process.stdout.write(`ours ${ours.size}, ${name} ${theirs.size}\n`);
  for (const [reason, paths] of reasons) {
    process.stdout.write(
      `  explained, ${paths.length}: ${reason} (${paths.slice(0, 3).join(", ")})\n`,
    );
  }
  for (const fault of faults.slice(0, shownFaultCountMax)) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.stdout.write(`  ${faults.length} without a reason\n`);
  return faults.length === 0;
}

function main(): number {
  const [given] = process.argv.slice(2);
  if (given === undefined) {
    process.stderr.write("usage: node lab/oracles/find.ts <dir>\n");
    return 2;
  }
  const directory = resolve(given);
  const ours = listOurs(directory);
  const git = listGit(directory);
  const isLikeRipgrep = compare(directory, {
    ours,
    theirs: listRipgrep(directory),
    name: "rg --files",
  });
  const isLikeGit =
    git === undefined || compare(directory, { ours, theirs: git, name: "git ls-files" });
  return isLikeRipgrep && isLikeGit ? 0 : 1;
}

process.exitCode = main();
