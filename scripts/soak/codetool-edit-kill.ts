import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
};
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
 * once, of one file or all. After each every file is whole: as it was, or as one of the runs makes it. Nobody sees what
 * the killed have left, and the next run that is not killed takes it away.
 *
 * @param rounds How many applies are killed.
 * @returns What was done.
 * @throws Error that says which file was wrong in which round.
 */
export async function soakCodetoolEditKill(rounds: number): Promise<string> {
  using temporary = createTemporaryFolder();
  const folder: Folder = { path: temporary.path, random: makeRandom(rounds), words: new Map() };
  for (const name of names) {
    writeFileSync(join(folder.path, name), contentOf(name, "w0"));
    chmodSync(join(folder.path, name), mode);
    folder.words.set(name, "w0");
  }
  const startMs = performance.now();
  await runProgram(command, editArgs(names, "absent", "w"), { workingDirectory: folder.path });
  const typicalMs = performance.now() - startMs;
  const counts = { killed: 0, changed: 0, unchanged: 0, leftovers: 0 };
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
    for (const name of edited) {
      const isChanged = verifyFile(folder, { name, candidates: runs, round });
      counts[isChanged ? "changed" : "unchanged"] += 1;
    }
    const left = leftovers(folder);
    counts.leftovers = Math.max(counts.leftovers, left.length);
    if (left.length > 0 && round % 10 === 0) await verifyUnseen(folder, round);
    if (round % 25 === 0) await verifySwept(folder, round);
    if (round % 50 === 0) process.stderr.write(`  ${counts.killed} of ${rounds} killed\n`);
  }
  await verifySwept(folder, round + 1);
  return `codetool-edit-kill: ${counts.killed} applies killed; ${counts.changed} files new, ${counts.unchanged} old, none mixed; at most ${counts.leftovers} files left over, all taken away`;
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
    "500",
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

/** @returns Whether a run has changed it. */
function verifyFile(
  folder: Folder,
  options: {
    readonly name: string;
    readonly candidates: readonly string[];
    readonly round: number;
  },
): boolean {
  const { name, candidates, round } = options;
  const path = join(folder.path, name);
  const text = readFileSync(path, "utf8");
  const old = folder.words.get(name) ?? "";
  const word = [old, ...candidates].find((each) => text === contentOf(name, each));
  assert.ok(word !== undefined, `round ${round}: "${name}" is neither old nor new`);
  assert.equal(statSync(path).mode & 0o777, mode, `round ${round}: mode of "${name}"`);
  folder.words.set(name, word);
  return word !== old;
}

function leftovers({ path }: Folder): string[] {
  return readdirSync(path).filter((name) => !names.includes(name));
}

/** Listings and searches do not show what killed runs have left. */
async function verifyUnseen({ path }: Folder, round: number): Promise<void> {
  const exit = await runProgram(command, [...firstArgs, "batch"], {
    workingDirectory: path,
    input: '{"cmd":"find"}\n{"cmd":"search","query":"value","mode":"literal","top_k":50}\n',
  });
  assert.equal(exit.code, 0);
  assert.doesNotMatch(exit.stdout, /codetool-edit/, `round ${round}`);
}

async function verifySwept(folder: Folder, round: number): Promise<void> {
  const [name = ""] = names;
  const next = `w${round}y0`;
  const args = [...firstArgs, "edit", name, "--regex", "--find", "\\bw\\w+\\b", "--replace", next];
  const exit = await runProgram(command, [...args, "--all", "--apply"], {
    workingDirectory: folder.path,
  });
  assert.equal(exit.code, 0, exit.stdout);
  verifyFile(folder, { name, candidates: [next], round });
  assert.deepEqual(leftovers(folder), [], `round ${round}: left behind`);
}
