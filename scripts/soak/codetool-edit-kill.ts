import assert from "node:assert/strict";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { codetoolCommand, createTemporaryFolder, runProgram, startProgram } from "testkit";
import { makeRandom } from "./random.ts";

const { command, args: firstArgs } = codetoolCommand();

/** Lengths in lines of the files that are edited: the larger, the longer a write takes. */
const lineCounts: { readonly [name: string]: number } = {
  "small.txt": 10,
  "code.ts": 400,
  "large.txt": 300_000,
  "sub/other.ts": 400,
  "sub/deep/linked.txt": 100_000,
};
/** A second name of the last one: it is written into, not replaced. */
const linkedName = "linked-too.txt";
const names = Object.keys(lineCounts);
const mode = 0o640;

interface Folder {
  readonly path: string;
  readonly random: () => number;
  /** What is in each file, by the word that its text is made of. */
  readonly words: Map<string, string>;
}

/**
 * Kills `codetool edit --apply` at random moments, half of them as soon as new content is next to a file; one run or two at
 * once, of one file or all, in three folders and one of them with two names. After each, the next command finds every
 * file of a run as it was, or every one as a run makes it, and takes away what the killed have left.
 *
 * @param rounds How many applies are killed.
 * @returns What was done.
 * @throws Error that says which file was wrong in which round.
 */
export async function soakCodetoolEditKill(rounds: number): Promise<string> {
  using temporary = createTemporaryFolder();
  const folder: Folder = { path: temporary.path, random: makeRandom(rounds), words: new Map() };
  mkdirSync(join(folder.path, "sub/deep"), { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder.path, name), contentOf(name, "w0"));
    chmodSync(join(folder.path, name), mode);
    folder.words.set(name, "w0");
  }
  linkSync(join(folder.path, "sub/deep/linked.txt"), join(folder.path, linkedName));
  const startMs = performance.now();
  await runProgram(command, editArgs(names, "absent", "w"), { workingDirectory: folder.path });
  const typicalMs = performance.now() - startMs;
  const counts = { killed: 0, changed: 0, unchanged: 0, interrupted: 0 };
  let round = 0;
  while (counts.killed < rounds) {
    round += 1;
    const runCount = folder.random() < 0.2 ? 2 : 1;
    const edited = folder.random() < 0.3 ? names : [pick(folder, names)];
    const runs = Array.from({ length: runCount }, (_, index) => `w${round}x${index}`);
    const killed = await Promise.all(
      runs.map(async (next) => await killedRun(folder, { edited, next, typicalMs })),
    );
    counts.killed += killed.filter(Boolean).length;
    const left = leftovers(folder);
    if (left.length > 0) counts.interrupted += 1;
    await verifyUnseen(folder, round);
    const words = edited.map((name) => verifyFile(folder, { name, candidates: runs, round }));
    counts[words.every(({ isChanged }) => isChanged) ? "changed" : "unchanged"] += 1;
    const isOne = words.every(({ isChanged, word }) =>
      isChanged ? word === words[0]?.word : words[0]?.isChanged === false,
    );
    assert.ok(isOne, `round ${round}: a set is half done: ${JSON.stringify(words)}`);
    if (round % 50 === 0) process.stderr.write(`  ${counts.killed} of ${rounds} killed\n`);
  }
  return `codetool-edit-kill: ${counts.killed} applies killed, ${counts.interrupted} with something left, all taken away; ${counts.changed} sets new, ${counts.unchanged} old, none mixed`;
}

function contentOf(name: string, word: string): string {
  const line = name.endsWith(".ts") ? `export const value = "${word}";\r\n` : `${word} and more\n`;
  return name.endsWith(".ts")
    ? Array.from({ length: lineCounts[name] ?? 0 }, (_, index) =>
        line.replace("value", `v${index}`),
      ).join("")
    : line.repeat(lineCounts[name] ?? 0);
}

function pick<Item>({ random }: Folder, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

function editArgs(files: readonly string[], pattern: string, next: string): string[] {
  const flags = [
    "--regex",
    "--find",
    pattern,
    "--replace",
    next,
    "--all",
    "--apply",
    "--budget",
    "1000",
  ];
  return [...firstArgs, "edit", ...files, ...flags];
}

/** @returns Whether it was killed before its end. */
async function killedRun(
  folder: Folder,
  options: {
    readonly edited: readonly string[];
    readonly next: string;
    readonly typicalMs: number;
  },
): Promise<boolean> {
  const { edited, next, typicalMs } = options;
  const pattern = "\\bw\\d+(?:[xy]\\d+)?\\b";
  const program = startProgram(command, editArgs(edited, pattern, next), {
    workingDirectory: folder.path,
  });
  const before = new Set(leftovers(folder));
  const state = { isOver: false };
  const ended = program.exited().finally(() => (state.isOver = true));
  if (folder.random() < 0.5) {
    await pause(folder.random() * 1.6 * typicalMs);
  } else {
    const delayMs = folder.random() ** 2 * 80;
    while (!state.isOver && leftovers(folder).every((name) => before.has(name))) await pause(0);
    if (delayMs > 1) await pause(delayMs);
  }
  program.kill("SIGKILL");
  const exit = await ended;
  if (exit.signal === null && exit.code !== 0) {
    const { error } = JSON.parse(exit.stdout) as { error: { code: string } };
    // Another run was at the same file.
    assert.equal(error.code, "file_changed", exit.stdout + exit.stderr);
  }
  return exit.signal === "SIGKILL";
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
}

/** @returns What is in it, and whether a run has changed it. */
function verifyFile(
  folder: Folder,
  options: {
    readonly name: string;
    readonly candidates: readonly string[];
    readonly round: number;
  },
): { readonly word: string; readonly isChanged: boolean } {
  const { name, candidates, round } = options;
  const path = join(folder.path, name);
  const text = readFileSync(path, "utf8");
  const old = folder.words.get(name) ?? "";
  const word = [old, ...candidates].find((each) => text === contentOf(name, each));
  assert.ok(word !== undefined, `round ${round}: "${name}" is neither old nor new`);
  assert.equal(statSync(path).mode & 0o777, mode, `round ${round}: mode of "${name}"`);
  folder.words.set(name, word);
  return { word, isChanged: word !== old };
}

function leftovers({ path }: Folder): string[] {
  for (;;) {
    try {
      return readdirSync(path, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith(".codetool-edit"));
    } catch (error) {
      // A run that is alive took its folder away between the look at its name and the look into it.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** The next command does not show what killed runs have left, and takes it away. */
async function verifyUnseen(folder: Folder, round: number): Promise<void> {
  // A `cp` outlives the run that started it by a moment, and may write while its folder is taken away.
  for (
    let attempt = 1;
    attempt === 1 || (leftovers(folder).length > 0 && attempt < 5);
    attempt += 1
  ) {
    const exit = await runProgram(command, [...firstArgs, "find"], {
      workingDirectory: folder.path,
    });
    assert.equal(exit.code, 0);
    assert.doesNotMatch(exit.stdout, /codetool-edit/, `round ${round}`);
  }
  assert.deepEqual(leftovers(folder), [], `round ${round}: left behind`);
  assert.equal(
    statSync(join(folder.path, linkedName)).ino,
    statSync(join(folder.path, "sub/deep/linked.txt")).ino,
    `round ${round}: two names, two files`,
  );
}
