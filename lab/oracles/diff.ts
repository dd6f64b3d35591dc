/**
 * Compares `codetool diff` with `git diff` over commits of real repositories: the same files, the same counts of lines,
 * the same renames; and the hunks, applied to the earlier text of each file, must give the later one. Commits with one
 * parent are drawn at random, the same for the same seed. Exits 1 when anything differs.
 *
 *     node lab/oracles/diff.ts [--commits N] [--seed N] [--sample N [--files REGEX]] <repository>...
 *
 * `--sample` prints that many hunks with their functions and the lines around, to be judged by a person; `--files` says of
 * which files, by their path. What was judged is in docs/reference/diff-attribution.md.
 */
import { spawnSync } from "node:child_process";
import { basename, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, URL } from "node:url";
import { parseArgs } from "node:util";
import {
  type AppliedHunk,
  applyHunks,
} from "../../codetool/src/commands/diff/test-support/apply-hunks.ts";

const codetool = fileURLToPath(new URL("../../codetool/bin/codetool.cjs", import.meta.url));
const outputSizeBytesMax = 1 << 30;
const shownFaultCountMax = 20;
const submodulePrefix = "Subproject commit ";

interface HunkEntry extends AppliedHunk {
  readonly file: string;
  readonly function: string | null;
}

interface Answer {
  readonly fallback?: boolean;
  readonly error?: { readonly message: string };
  readonly data?: {
    readonly stats: { readonly additions: number; readonly deletions: number };
    readonly files: { readonly [path: string]: string };
    readonly hunks: readonly HunkEntry[];
  };
}

interface Tally {
  commits: number;
  files: number;
  hunks: number;
  additions: number;
  deletions: number;
  applied: number;
  readonly faults: string[];
}

function git(repository: string, args: readonly string[], input?: string): Buffer {
  const result = spawnSync("git", args, {
    cwd: repository,
    maxBuffer: outputSizeBytesMax,
    ...(input === undefined ? {} : { input }),
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr.toString()}`);
  return result.stdout;
}

/** A number from 0 to 1 that depends on only the seed and the count of calls. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}

/** What git says of the same two commits: by path, in the form in which we write it. */
function filesByGit(repository: string, commit: string): Map<string, string> {
  const range = [`${commit}^`, commit];
  const names = git(repository, ["diff", "-M", "--name-status", "-z", ...range]).toString();
  const counts = git(repository, ["diff", "-M", "--numstat", "-z", ...range]).toString();
  const words: { readonly [letter: string]: string } = {
    A: "added",
    C: "copied",
    D: "deleted",
    R: "renamed",
  };
  const statuses = new Map<string, string>();
  const nameFields = names.split("\0");
  for (let at = 0; at + 1 < nameFields.length;) {
    const letter = (nameFields[at] ?? "").charAt(0);
    const first = nameFields[at + 1] ?? "";
    const hasTwo = letter === "R" || letter === "C";
    const path = hasTwo ? (nameFields[at + 2] ?? "") : first;
    statuses.set(path, `${words[letter] ?? "modified"}${hasTwo ? ` from ${first}` : ""}`);
    at += hasTwo ? 3 : 2;
  }
  const found = new Map<string, string>();
  const countFields = counts.split("\0");
  for (let at = 0; at + 1 < countFields.length;) {
    const [, added = "", deleted = "", inline = ""] =
      /^([^\t]*)\t([^\t]*)\t([^]*)$/.exec(countFields[at] ?? "") ?? [];
    const path = inline === "" ? (countFields[at + 2] ?? "") : inline;
    at += inline === "" ? 3 : 1;
    const lines = added === "-" ? "binary" : `+${added} -${deleted}`;
    found.set(path, `${statuses.get(path) ?? "?"} ${lines}`);
  }
  return found;
}

function answersOf(repository: string, commits: readonly string[]): Answer[] {
  const input = commits
    .map((commit) => JSON.stringify({ cmd: "diff", since: `${commit}^..${commit}` }))
    .join("\n");
  const result = spawnSync(process.execPath, [codetool, "batch"], {
    cwd: repository,
    input,
    maxBuffer: outputSizeBytesMax,
    encoding: "utf8",
  });
  if (result.error !== undefined) throw result.error;
  return result.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

/** The texts of `revision:path`, from one git; `undefined` for what is not UTF-8. */
function textsOf(repository: string, names: readonly string[]): (string | undefined)[] {
  const output = git(repository, ["cat-file", "--batch"], `${names.join("\n")}\n`);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let at = 0;
  return names.map(() => {
    const end = output.indexOf(10, at);
    const sizeBytes = Number(/^\S+ blob (\d+)$/.exec(output.toString("utf8", at, end))?.[1]);
    at = end + 1;
    if (Number.isNaN(sizeBytes)) return undefined;
    const bytes = output.subarray(at, at + sizeBytes);
    at += sizeBytes + 1;
    try {
      return decoder.decode(bytes);
    } catch {
      // Bytes that are no text in UTF-8 show as U+FFFD, so nothing can be compared.
      return undefined;
    }
  });
}

/** What `codetool diff` answers about a commit of a repository. */
interface Answered {
  readonly repository: string;
  readonly commit: string;
  readonly answer: Answer;
}

function compareCommit({ repository, commit, answer }: Answered, tally: Tally): void {
  const fault = (what: string): void => void tally.faults.push(`${commit.slice(0, 10)} ${what}`);
  const { data } = answer;
  tally.commits += 1;
  if (data === undefined || answer.fallback === true)
    return fault(answer.error?.message ?? "answered by the fallback");
  const theirs = filesByGit(repository, commit);
  for (const path of new Set([...theirs.keys(), ...Object.keys(data.files)])) {
    const ours = data.files[path];
    const wanted = theirs.get(path);
    // Of a binary file that only got another name git writes dashes, having looked; no line changed either way.
    const isSame =
      ours === wanted || ours === wanted?.replace(/^(renamed .*) binary$/s, "$1 +0 -0");
    if (!isSame) fault(`${path}: ours ${ours ?? "none"}, git ${wanted ?? "none"}`);
  }
  tally.files += theirs.size;
  tally.hunks += data.hunks.length;
  tally.additions += data.stats.additions;
  tally.deletions += data.stats.deletions;
  const byFile = Map.groupBy(data.hunks, ({ file }) => file);
  const paths = [...byFile.keys()].filter((path) => !path.includes("\n"));
  const oldPathOf = (path: string): string =>
    / from (.*) \+\d+ -\d+$/s.exec(data.files[path] ?? "")?.[1] ?? path;
  const names = paths.flatMap((path) => [`${commit}^:${oldPathOf(path)}`, `${commit}:${path}`]);
  if (names.length === 0) return;
  const texts = textsOf(repository, names);
  for (const [index, path] of paths.entries()) {
    const hunks = byFile.get(path) ?? [];
    const isSubmodule = [hunks[0]?.changes[0]?.old, hunks[0]?.changes[0]?.new].some((line) =>
      line?.startsWith(submodulePrefix),
    );
    const status = data.files[path] ?? "";
    const old = status.startsWith("added") ? "" : texts[2 * index];
    const next = status.startsWith("deleted") ? "" : texts[2 * index + 1];
    if (isSubmodule || old === undefined || next === undefined) continue;
    try {
      if (applyHunks(old, hunks) !== next) fault(`${path}: the hunks do not give the later text`);
      tally.applied += 1;
    } catch (error) {
      fault(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Prints hunks with the lines around them as they are now, or were where nothing is left. */
function printSample(
  repository: string,
  hunks: readonly { readonly commit: string; readonly hunk: HunkEntry }[],
): void {
  for (const [index, { commit, hunk }] of hunks.entries()) {
    const isGone = hunk.new_range.end < hunk.new_range.start;
    const { start, end } = isGone ? hunk.old_range : hunk.new_range;
    const [text = ""] = textsOf(repository, [`${commit}${isGone ? "^" : ""}:${hunk.file}`]);
    process.stdout.write(
      `\n== ${index + 1} ${basename(repository)} ${commit.slice(0, 10)} ${hunk.file} -${hunk.old_range.start},${hunk.old_range.end} +${hunk.new_range.start},${hunk.new_range.end} -> ${hunk.function ?? "null"}\n`,
    );
    const lines = text.split("\n");
    for (
      let line1 = Math.max(1, start - 14);
      line1 <= Math.min(lines.length, end + 3);
      line1 += 1
    ) {
      const mark = line1 >= start && line1 <= end ? (isGone ? "-" : "+") : " ";
      process.stdout.write(`${mark}${line1} ${lines[line1 - 1] ?? ""}\n`);
    }
  }
}

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      commits: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      sample: { type: "string", default: "0" },
      files: { type: "string", default: "" },
    },
  });
  if (positionals.length === 0) {
    process.stderr.write(
      "usage: node lab/oracles/diff.ts [--commits N] [--seed N] [--sample N [--files REGEX]] <repository>...\n",
    );
    return 2;
  }
  const files = new RegExp(values.files);
  let faultCount = 0;
  for (const given of positionals) {
    const repository = resolve(given);
    const random = randomOf(Number(values.seed));
    const all = git(repository, ["rev-list", "--max-parents=1", "--min-parents=1", "HEAD"]);
    const commits = draw(all.toString().trim().split("\n"), Number(values.commits), random);
    const tally: Tally = {
      commits: 0,
      files: 0,
      hunks: 0,
      additions: 0,
      deletions: 0,
      applied: 0,
      faults: [],
    };
    const answers = answersOf(repository, commits);
    for (const [index, commit] of commits.entries())
      compareCommit({ repository, commit, answer: answers[index] ?? {} }, tally);
    const { faults, ...counts } = tally;
    process.stdout.write(
      `${basename(repository)}: ${Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(", ")}, ${faults.length} faults\n`,
    );
    for (const fault of faults.slice(0, shownFaultCountMax)) process.stdout.write(`  ${fault}\n`);
    faultCount += faults.length;
    const hunks = answers.flatMap(({ data }, index) =>
      (data?.hunks ?? [])
        .filter(({ file }) => files.test(file))
        .map((hunk) => ({ commit: commits[index] ?? "", hunk })),
    );
    printSample(repository, draw(hunks, Number(values.sample), random));
  }
  return faultCount === 0 ? 0 : 1;
}

process.exitCode = main();
