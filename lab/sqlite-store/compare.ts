/**
 * What would codetool's index cost, and what would it save, in SQLite (FTS5, or its own postings in a table) instead of
 * its own files? All stores get the same files, chunks, definitions and words, and the same ranker asks them: only the
 * storage differs. Decision and figures: docs/adr/0017-own-store.md.
 *
 *     node lab/sqlite-store/compare.ts TREE [ROUNDS]
 *
 * Each step runs in a separate process, compiled like codetool's executable, the stores in turn within each round. CPU is
 * user and system time; what the same step takes without a store (`none`) is taken off. Vectors and imports are left out.
 * Linux only: memory is read from /proc.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type DamageCount, damageOf } from "./damage.ts";
import type { StepResult } from "./measure-step.ts";
import { prepareTree } from "./prepare-tree.ts";
import { PreparedTree } from "./prepared-tree.ts";
import type { StoreName } from "./stores.ts";

const stores: readonly StoreName[] = ["own", "fts5", "postings", "fts5-trigram"];
const steps = ["build", "cold", "resident", "literals", "verify", "update", "after"] as const;
const defaultRounds = 9;
/** Steps that take long, or tell little new: rounds in which they run. */
const slowRoundsMax = 3;
const damageCount = 100;

type Step = (typeof steps)[number];

const repository = fileURLToPath(new URL("../..", import.meta.url));
const [given, rounds = String(defaultRounds)] = process.argv.slice(2);
if (given === undefined) throw new Error("usage: node lab/sqlite-store/compare.ts TREE [ROUNDS]");
const root = resolve(given);
const scratch = join(tmpdir(), "sqlite-store", basename(root));
const prepared = join(scratch, "prepared");
const program = join(scratch, "measure-step");

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Literals are for stores that can tell; trigrams change only them, the build and the update. */
function isMeasured(store: StoreName, step: Step, round: number): boolean {
  if (step === "after" && round >= slowRoundsMax) return false;
  if (store !== "fts5-trigram") return step !== "literals" || store === "own";
  return ["build", "literals", "update"].includes(step) && round < slowRoundsMax;
}

function run(store: StoreName, step: string, round: number): StepResult {
  const folder = join(scratch, store);
  mkdirSync(folder, { recursive: true });
  const args = [store, step, folder, root, prepared, String(round)];
  return JSON.parse(execFileSync(program, args, { encoding: "utf8" })) as StepResult;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

/** The medians of a step of a store, and how its time is to ours, round by round. */
function describe(
  results: readonly StepResult[],
  own: readonly StepResult[],
  base: number,
): string {
  const cpu = results.map(({ cpuMs }) => cpuMs - base);
  const ratios = cpu.map((value, round) => value / ((own[round]?.cpuMs ?? Number.NaN) - base));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const figures = [
    `${median(cpu).toFixed(0).padStart(7)} ms`,
    `×${median(ratios).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`.padEnd(19),
    `wall ${median(results.map(({ wallMs }) => wallMs)).toFixed(0)} ms`,
    `peak ${median(results.map(({ peakMb }) => peakMb)).toFixed(0)} MB`,
    `disk ${median(results.map(({ diskMb }) => diskMb)).toFixed(1)} MB`,
    `candidates ${results[0]?.candidateCount ?? 0}`,
    `answers ${[...new Set(results.map(({ digest }) => digest))].join(" ")}`,
  ];
  return figures.join("  ");
}

function printDamage(store: StoreName, count: DamageCount): void {
  const { seen, harmless, wrong, found } = count;
  const answers = `refused ${seen}, same answers ${harmless}, other answers ${wrong}`;
  print(`damage    ${store.padEnd(13)} ${answers}; found by a check of everything ${found}`);
}

/** How many files hold the literals indeed, whatever the case of ASCII letters, in all. */
function countHolders(tree: PreparedTree): number {
  const literals = tree.questions().literals.slice(10);
  const fold = (text: string): string =>
    text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const wanted = literals.map((text) => fold(Buffer.from(text).toString("latin1")));
  let count = 0;
  for (const batch of tree.batches())
    for (const { text } of batch) {
      const folded = text === null ? "" : fold(Buffer.from(text).toString("latin1"));
      count += wanted.filter((literal) => folded.includes(literal)).length;
    }
  return count;
}

await prepareTree(root, prepared);
const compiler = globSync("node_modules/@oven/bun-*/bin/bun*", { cwd: repository })[0] ?? "";
const entry = join(repository, "lab", "sqlite-store", "measure-step.ts");
const flags = ["build", "--compile", "--minify", "--bytecode", "--format=esm"];
execFileSync(join(repository, compiler), [...flags, entry, "--outfile", program], {
  stdio: "ignore",
});

const results = new Map<string, StepResult[]>();
for (let round = 0; round < Number(rounds); round += 1)
  for (const step of steps)
    for (const store of ["none", ...stores] as const) {
      if (!isMeasured(store, step, round)) continue;
      const key = `${step} ${store}`;
      results.set(key, [...(results.get(key) ?? []), run(store, step, round)]);
    }
print(`${root}, ${rounds} rounds`);
for (const step of steps) {
  const nothing = results.get(`${step} none`) ?? [];
  const base = nothing.length === 0 ? 0 : median(nothing.map(({ cpuMs }) => cpuMs));
  for (const store of stores) {
    const found = results.get(`${step} ${store}`);
    const own = results.get(`${step} own`) ?? [];
    if (found !== undefined)
      print(`${step.padEnd(9)} ${store.padEnd(13)} ${describe(found, own, base)}`);
  }
}
const tree = new PreparedTree(root, prepared);
const { ranked } = tree.questions();
print(`literals  ${"held by".padEnd(13)} ${countHolders(tree)} files`);
for (const store of stores.slice(0, 3))
  printDamage(
    store,
    damageOf(store, { folder: join(scratch, store), questions: ranked, damageCount }),
  );
