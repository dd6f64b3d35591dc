/**
 * Unpacks the repositories of `repositories.json` at their commits, without what must not be trained on.
 *
 *     node lab/training/unpack.ts <mirrors> <corpus> [--pin]
 *
 * `<mirrors>` holds git directories as `<owner>+<name>/repo`. With `--pin`, every mirror that is not excluded and has a
 * permissive licence is written to `repositories.json` with its present commit; without, the list is taken as it is.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { languageOfPath } from "../../codetool/src/files/index.ts";
import { licenceOf } from "./licence.ts";

/** A repository of the corpus. */
interface PinnedRepository {
  readonly name: string;
  readonly commit: string;
  readonly licence: string;
}

const here = import.meta.dirname;
const listPath = join(here, "repositories.json");
const excluded = readFileSync(join(here, "excluded.txt"), "utf8").trim().split("\n");
/** Names that a copy of an excluded repository would lie under. */
const excludedFolders = new Set(
  excluded.map((name) => (name.split("/")[1] as string).toLowerCase()),
);
const vendoredFolders = new Set(
  "vendor vendored _vendor third_party thirdparty third-party node_modules bower_components extern external deps bundled".split(
    " ",
  ),
);

function git(gitDirectory: string, ...words: string[]): string {
  return execFileSync("git", [`--git-dir=${gitDirectory}`, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function licenceIn(gitDirectory: string, commit: string): string | null {
  const names = git(gitDirectory, "ls-tree", "--name-only", commit)
    .split("\n")
    .filter((name) => /^(licen[cs]e|copying|copyright|mit-licen[cs]e)/i.test(name));
  const found = names.flatMap((name) => {
    try {
      return licenceOf(git(gitDirectory, "show", `${commit}:${name}`)) ?? [];
    } catch {
      return []; // A folder of licences.
    }
  });
  return [...new Set(found)].sort().join(" OR ") || null;
}

function pin(mirrors: string): PinnedRepository[] {
  const skipped = new Set(excluded.map((name) => name.toLowerCase()));
  const pinned: PinnedRepository[] = [];
  for (const folder of readdirSync(mirrors).sort()) {
    const gitDirectory = join(mirrors, folder, "repo");
    const name = folder.replace("+", "/");
    const isExcluded =
      skipped.has(name.toLowerCase()) ||
      excludedFolders.has((name.split("/")[1] ?? "").toLowerCase());
    if (isExcluded || !existsSync(join(gitDirectory, "HEAD"))) continue;
    const commit = git(gitDirectory, "rev-parse", "HEAD").trim();
    const licence = licenceIn(gitDirectory, commit);
    if (licence === null) process.stderr.write(`left out, no permissive licence: ${name}\n`);
    else pinned.push({ name, commit, licence });
  }
  return pinned;
}

/** True in folders that hold others' code: of an excluded repository, or not looked into. */
function isDropped(path: string): boolean {
  const folders = path.toLowerCase().split("/").slice(0, -1);
  return folders.some((folder) => excludedFolders.has(folder) || vendoredFolders.has(folder));
}

function hasCommit(gitDirectory: string, { commit }: PinnedRepository): boolean {
  try {
    git(gitDirectory, "cat-file", "-e", commit);
    return true;
  } catch {
    return false;
  }
}

const fileSizeBytesMax = 300_000;

function unpack(mirrors: string, corpus: string, repository: PinnedRepository): void {
  const folder = repository.name.replace("/", "+");
  const target = join(corpus, folder);
  if (existsSync(target)) return;
  const partial = `${target}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const gitDirectory = join(mirrors, folder, "repo");
  const entries = git(gitDirectory, "ls-tree", "-r", "-l", "-z", repository.commit)
    .split("\0")
    .flatMap((line) => {
      const found = /^100\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(line);
      if (found === null) return [];
      const [, id, size, path] = found as unknown as [string, string, string, string];
      const isWanted =
        Number(size) <= fileSizeBytesMax && languageOfPath(path) !== null && !isDropped(path);
      return isWanted ? [{ id, path }] : [];
    });
  const output = execFileSync("git", [`--git-dir=${gitDirectory}`, "cat-file", "--batch"], {
    input: entries.map(({ id }) => id).join("\n"),
    maxBuffer: 1 << 30,
  });
  let at = 0;
  for (const { path } of entries) {
    const lineEnd = output.indexOf(0x0a, at);
    const [, kind, size] = output.toString("latin1", at, lineEnd).split(" ");
    at = lineEnd + 1;
    if (kind !== "blob") continue; // A snapshot can lack some of its content.
    mkdirSync(dirname(join(partial, path)), { recursive: true });
    writeFileSync(join(partial, path), output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  renameSync(partial, target);
}

function main(): number {
  const [mirrors, corpus, ...flags] = process.argv.slice(2);
  if (mirrors === undefined || corpus === undefined) {
    process.stderr.write("usage: node lab/training/unpack.ts <mirrors> <corpus> [--pin]\n");
    return 2;
  }
  if (flags.includes("--pin"))
    writeFileSync(listPath, `${JSON.stringify(pin(mirrors), null, 2)}\n`);
  const repositories = JSON.parse(readFileSync(listPath, "utf8")) as PinnedRepository[];
  mkdirSync(corpus, { recursive: true });
  let count = 0;
  for (const repository of repositories) {
    const isThere = hasCommit(join(mirrors, repository.name.replace("/", "+"), "repo"), repository);
    if (isThere) unpack(mirrors, corpus, repository);
    else process.stderr.write(`no mirror with its commit: ${repository.name}\n`);
    count += isThere ? 1 : 0;
  }
  process.stdout.write(`${count} of ${repositories.length} repositories\n`);
  return count > 0 ? 0 : 1;
}

process.exitCode = main();
