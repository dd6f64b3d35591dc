import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { codetoolCommand, createTemporaryFolder, runProgram, startProgram } from "testkit";
import { makeRandom } from "./random.ts";
import { type Envelope } from "../../codetool/src/cli/test-support/codetool.ts";

const { command, args: firstArgs } = codetoolCommand();

const words = "retry queue index cursor budget watcher segment anchor lantern harbor".split(" ");
const fileCountMin = 150;

/** The tree whose index runs are killed, the same one with an index always built from nothing, and their files. */
interface Trees {
  readonly base: string;
  /** Both end with the same name: that of a project counts for its searches. */
  readonly roots: readonly [killed: string, rebuilt: string];
  readonly texts: Map<string, string>;
  readonly random: () => number;
}

/**
 * Kills index runs at random moments, one or two at once, the tree changed before each; then looks: every search says
 * what it says without an index, the next run brings the index up to date, and nothing half-written stays.
 *
 * @param rounds How many runs.
 * @returns What was done.
 * @throws Error that says which answer was wrong in which round.
 */
export async function soakCodetoolIndexKill(rounds: number): Promise<string> {
  using folder = createTemporaryFolder();
  const trees: Trees = {
    base: folder.path,
    roots: [join(folder.path, "killed/project"), join(folder.path, "rebuilt/project")],
    texts: new Map(),
    random: makeRandom(rounds),
  };
  for (let index = 0; index < fileCountMin; index += 1) write(trees, newPath(trees));
  const startMs = performance.now();
  await index(trees.roots[0]);
  // Runs take about so long; a kill may come at any moment of it, and after its end.
  let typicalMs = performance.now() - startMs;
  let killedCount = 0;
  let pairCount = 0;
  for (let round = 1; round <= rounds; round += 1) {
    change(trees);
    const isPair = trees.random() < 0.25;
    if (isPair) pairCount += 1;
    const runs = await Promise.all(
      Array.from({ length: isPair ? 2 : 1 }, async () => await killedRun(trees, typicalMs)),
    );
    killedCount += runs.filter(({ isKilled }) => isKilled).length;
    const slowestMs = Math.max(0, ...runs.filter(({ isKilled }) => !isKilled).map(({ ms }) => ms));
    if (slowestMs > 0) typicalMs = 0.7 * typicalMs + 0.3 * slowestMs;
    await verifySearches(trees, round);
    if (round % 5 === 0) await verifyIndex(trees, round);
    if (round % 20 === 0) process.stderr.write(`  round ${round} of ${rounds}\n`);
  }
  await verifyIndex(trees, rounds);
  return `codetool-index-kill: ${rounds} rounds, ${pairCount} of two writers; ${killedCount} runs killed, no answer was wrong`;
}

async function index(root: string, ...flags: string[]): Promise<Envelope> {
  const args = [...firstArgs, "index", ...flags];
  const exit = await runProgram(command, args, { workingDirectory: root });
  assert.equal(exit.stderr, "");
  return JSON.parse(exit.stdout) as Envelope;
}

async function killedRun(
  { roots, random }: Trees,
  typicalMs: number,
): Promise<{ readonly isKilled: boolean; readonly ms: number }> {
  const flags = random() < 0.2 ? ["--rebuild"] : [];
  const delayMs = random() * 1.2 * typicalMs;
  const startMs = performance.now();
  const program = startProgram(command, [...firstArgs, "index", ...flags], {
    workingDirectory: roots[0],
  });
  const timer = setTimeout(() => program.kill("SIGKILL"), delayMs);
  const exit = await program.exited();
  clearTimeout(timer);
  if (exit.signal === null && exit.code !== 0) {
    const { error } = JSON.parse(exit.stdout) as Envelope;
    assert.equal(error?.code, "index_busy", exit.stdout + exit.stderr);
  }
  return { isKilled: exit.signal === "SIGKILL", ms: performance.now() - startMs };
}

function word({ random }: Trees): string {
  return words[Math.floor(random() * words.length)] as string;
}

function newPath(trees: Trees): string {
  const { random } = trees;
  const ending = ["ts", "py", "md", "go", "txt"][Math.floor(random() * 5)] as string;
  return `${word(trees)}/${word(trees)}${Math.floor(random() * 1000)}.${ending}`;
}

function write(trees: Trees, path: string): void {
  const { random, texts, roots } = trees;
  const lines = Array.from({ length: 1 + Math.floor(random() * 30) }, () => {
    const name = `${word(trees)}_${word(trees)}`;
    const kinds = [
      `def ${name}():\n    return ${word(trees)}\n`,
      `export function ${name}() { return ${word(trees)}; }\n`,
      `// ${word(trees)} ${word(trees)} ${word(trees)}\n`,
      `${word(trees)} ${word(trees)}\n`,
    ];
    return kinds[Math.floor(random() * kinds.length)] as string;
  });
  texts.set(path, lines.join(""));
  for (const root of roots) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), lines.join(""));
  }
}

/** Some edits, new files, removals, and now and then a folder with another name. */
function change(trees: Trees): void {
  const { random, texts, roots } = trees;
  const count = 1 + Math.floor(random() ** 3 * 60);
  for (let edit = 0; edit < count; edit += 1) {
    const paths = [...texts.keys()];
    const path = paths[Math.floor(random() * paths.length)] as string;
    const what = random();
    if (what < 0.6) write(trees, path);
    else if (what < 0.8 || paths.length < fileCountMin) write(trees, newPath(trees));
    else {
      texts.delete(path);
      for (const root of roots) rmSync(join(root, path));
    }
  }
  if (random() < 0.1) {
    const path = [...texts.keys()][0] as string;
    const [from = ""] = path.split("/");
    const to = `${from}x`;
    for (const root of roots) renameSync(join(root, from), join(root, to));
    for (const [old, text] of texts)
      if (old.startsWith(`${from}/`)) {
        texts.delete(old);
        texts.set(`${to}/${old.slice(from.length + 1)}`, text);
      }
  }
}

/** Every answer is that of an index built from nothing, whatever generation the killed run has left. */
async function verifySearches(trees: Trees, round: number): Promise<void> {
  await index(trees.roots[1], "--rebuild");
  const queries = [
    { cmd: "search", mode: "bm25", query: `${word(trees)} ${word(trees)} ${word(trees)}` },
    { cmd: "search", mode: "semantic", query: `the ${word(trees)} of a ${word(trees)}` },
    { cmd: "search", query: `${word(trees)}_${word(trees)}` },
    { cmd: "exists", exact: true, pattern: `${word(trees)}_${word(trees)}` },
    { cmd: "exists", pattern: `${word(trees)} never ${word(trees)}` },
  ];
  const lines = trees.roots.flatMap((cwd) => queries.map((query) => ({ ...query, cwd })));
  const exit = await runProgram(command, [...firstArgs, "batch"], {
    workingDirectory: trees.base,
    input: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  assert.deepEqual([exit.code, exit.stderr], [0, ""]);
  const said = exit.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
  for (const [at, query] of queries.entries()) {
    const [killed, rebuilt] = [said[at], said[at + queries.length]].map(sayingOf);
    assert.deepEqual(killed, rebuilt, `round ${round}: ${JSON.stringify(query)}`);
  }
}

/** What an answer says; its continuation token names the path that was asked about. */
function sayingOf(envelope: Envelope | undefined): unknown {
  const { matches, total_matches: total, exists } = envelope?.data ?? {};
  return { matches, total, exists, warnings: envelope?.warnings ?? [] };
}

/** The index after one more run: that of the tree, and nothing besides. */
async function verifyIndex(trees: Trees, round: number): Promise<void> {
  const [root] = trees.roots;
  const { data } = await index(root);
  assert.equal(data?.["files_indexed"], trees.texts.size, `round ${round}`);
  const place = join(root, ".codetool/index");
  const others = readdirSync(place).filter(
    (name) => !/^(?:[a-z]+\.bin|meta\.json|segments)$/.test(name),
  );
  assert.deepEqual(others, [], `round ${round}: left behind`);
  const counts = await Promise.all(trees.roots.map(statsOf));
  assert.deepEqual(counts[0], counts[1], `round ${round}`);
}

async function statsOf(workingDirectory: string): Promise<unknown> {
  const exit = await runProgram(command, [...firstArgs, "index", "--stats"], { workingDirectory });
  const { data = {} } = JSON.parse(exit.stdout) as Envelope;
  return [data["files"], data["chunks"], data["symbols"], data["languages"]];
}
