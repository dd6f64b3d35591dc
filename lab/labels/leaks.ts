/**
 * Looks for files and forks that the labelled repositories share with those that were trained on or are measured
 * elsewhere, by what git knows of them.
 *
 *     node lab/labels/leaks.ts <mirrors>
 *
 * `<mirrors>` holds git directories as `<owner>+<name>/repo`. Shared are: files in a language that codetool knows, of at
 * least 200 bytes, with one hash in both trees (the labelled commit; the commit that was trained on, or the newest
 * one); the first commits of both histories. Prints what is shared and which repositories have no mirror; exits 1 where
 * that is a history, or more than one file of a hundred: less are copies of third parties that both carry.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { languageOfPath } from "../../codetool/src/files/index.ts";
import { plusName } from "./label-file.ts";
import { readLabelFiles } from "./read-labels.ts";

/** Shorter files are alike by chance. */
const sizeBytesMin = 200;
const sharedShareMax = 0.01;

/** A repository at a commit; without one, at its newest. */
interface Origin {
  readonly name: string;
  readonly commit?: string;
}

const [mirrors = ""] = process.argv.slice(2);
if (!existsSync(mirrors)) {
  process.stderr.write("Usage: node lab/labels/leaks.ts <folder of mirrors>\n");
  process.exit(2);
}

function mirrorOf(name: string): string {
  return join(mirrors, plusName({ repository: name }), "repo");
}

function git(name: string, args: readonly string[], input?: string): string {
  return execFileSync("git", ["--git-dir", mirrorOf(name), ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    ...(input === undefined ? {} : { input }),
  });
}

/** The files of a tree in languages that codetool knows: path by hash. */
function filesOf({ name, commit = "HEAD" }: Origin): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const line of git(name, ["ls-tree", "-r", "-z", commit]).split("\0")) {
    const [head = "", path = ""] = line.split("\t");
    const [, kind, hash = ""] = head.split(" ");
    if (kind === "blob" && languageOfPath(path) !== null) files.set(hash, path);
  }
  return files;
}

function firstCommitsOf({ name, commit = "HEAD" }: Origin): ReadonlySet<string> {
  return new Set(git(name, ["rev-list", "--max-parents=0", commit]).split("\n").filter(Boolean));
}

/** Which of some hashes are of files that are large enough to tell. */
function largeOnes(name: string, hashes: readonly string[]): readonly string[] {
  if (hashes.length === 0) return [];
  const told = git(
    name,
    ["cat-file", "--batch-check=%(objectname) %(objectsize)"],
    hashes.join("\n"),
  );
  return told.split("\n").flatMap((line) => {
    const [hash = "", size = "0"] = line.split(" ");
    return Number(size) >= sizeBytesMin ? [hash] : [];
  });
}

const training = join(import.meta.dirname, "../training");
const trained = JSON.parse(
  readFileSync(join(training, "repositories.json"), "utf8"),
) as readonly Origin[];
const excluded = readFileSync(join(training, "excluded.txt"), "utf8").split("\n").filter(Boolean);
const others: readonly Origin[] = [...trained, ...excluded.map((name) => ({ name }))];
const known = others.filter(({ name }) => existsSync(mirrorOf(name)));
const labelled = readLabelFiles(import.meta.dirname).map(({ file }) => file);

const rows = known.map((other) => ({
  other,
  files: filesOf(other),
  firstCommits: firstCommitsOf(other),
}));
let isLeaking = false;
for (const { repository: name, commit } of labelled) {
  const own = { name, commit };
  const files = filesOf(own);
  const firstCommits = firstCommitsOf(own);
  for (const row of rows) {
    const common = [...files.keys()].filter((hash) => row.files.has(hash));
    const paths = largeOnes(name, common).map((hash) => files.get(hash));
    const isFork = [...firstCommits].some((hash) => row.firstCommits.has(hash));
    if (paths.length === 0 && !isFork) continue;
    if (isFork || paths.length > files.size * sharedShareMax) isLeaking = true;
    const fork = isFork ? ", one history" : "";
    console.log(
      `${name} and ${row.other.name}: ${paths.length} of ${files.size} files${fork}: ${paths.slice(0, 5).join(" ")}`,
    );
  }
}
const unknown = others.filter(({ name }) => !existsSync(mirrorOf(name))).map(({ name }) => name);
console.log(
  `${labelled.length} labelled repositories, ${known.length} of ${others.length} others compared`,
);
console.log(`without a mirror: ${unknown.join(" ")}`);
if (isLeaking) process.exitCode = 1;
