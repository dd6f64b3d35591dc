/**
 * `node lab/rank/cross-validate.ts <folder of features> <folder of datasets> <folder of trees> [--lexical]
 * [--no=feature,…] [flags of codetool bench-ndcg]`: NDCG@10 through the real command, each repository ranked by weights
 * that were trained on others. In each of five folds the weights are trained without the fold's repositories and
 * written into a copy of codetool, whose `bench-ndcg` answers their queries.
 *
 * Prints the means over repositories, by category and by language; strict figures count places and the lines shown.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bootstrapInterval, meanOf } from "../../codetool/src/quality/index.ts";

const foldCount = 5;
const repository = fileURLToPath(new URL("../..", import.meta.url));
const [features = "", datasets = "", trees = "", ...flags] = process.argv.slice(2);
const isLexical = flags.includes("--lexical");
const omitted = flags.find((flag) => flag.startsWith("--no="))?.slice(5) ?? "";
const further = flags.filter((flag) => flag !== "--lexical" && !flag.startsWith("--no="));

interface QueryRow {
  readonly category: string;
  readonly ndcg10: number;
  readonly strict_ndcg10: number;
}

interface RepositoryRow {
  readonly repo: string;
  readonly language: string | null;
  readonly ndcg10: number;
  readonly strict_ndcg10: number;
  readonly per_query: readonly QueryRow[];
}

/** What is left out of training where vectors are not known. */
const vectorFeatures = "denseShare,denseRank,importance";

function measureFold(names: readonly string[], copy: string): readonly RepositoryRow[] {
  cpSync(join(repository, "codetool"), join(copy, "codetool"), { recursive: true });
  const ranker = join(copy, "codetool/src/search/ranker");
  for (const isHybrid of [true, false]) {
    const without = isHybrid ? omitted : `${vectorFeatures},${omitted}`;
    const options = [`--without=${names.join(",")}`, `--no=${without}`, `--into=${ranker}`];
    if (isHybrid) options.push("--hybrid");
    run(join(repository, "lab/rank/train-ranker.ts"), [features, ...options]);
  }
  const sets = names.map((name) => resolve(datasets, `${name}.json`));
  const mode = isLexical ? ["--mode", "bm25"] : [];
  const shape = ["--repositories", resolve(trees), "--json", "--per-query", ...mode, ...further];
  const answer = run(join(copy, "codetool/bin/codetool.cjs"), ["bench-ndcg", ...sets, ...shape]);
  return (JSON.parse(answer) as { data: { repos: RepositoryRow[] } }).data.repos;
}

function run(script: string, args: readonly string[]): string {
  return execFileSync(process.execPath, [script, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Means over repositories of what is counted of each. */
function line(title: string, groups: readonly (readonly QueryRow[])[]): string {
  const counted = groups.filter((rows) => rows.length > 0);
  const ofFiles = counted.map((rows) => meanOf(rows.map(({ ndcg10 }) => ndcg10)));
  const strict = counted.map((rows) => meanOf(rows.map((row) => row.strict_ndcg10)));
  const [low, high] = bootstrapInterval(strict);
  const queryCount = counted.reduce((sum, rows) => sum + rows.length, 0);
  return `${title.padEnd(16)} ${counted.length.toString().padStart(3)} repositories ${queryCount.toString().padStart(4)} queries  file ${meanOf(ofFiles).toFixed(4)}  strict ${meanOf(strict).toFixed(4)} (${low.toFixed(3)}-${high.toFixed(3)})\n`;
}

const all = readdirSync(datasets)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -5))
  .sort();
const parent = mkdtempSync(join(tmpdir(), "codetool-folds-"));
try {
  symlinkSync(join(repository, "node_modules"), join(parent, "node_modules"));
  const rows: RepositoryRow[] = [];
  for (let fold = 0; fold < foldCount; fold += 1) {
    const copy = join(parent, String(fold));
    const names = all.filter((_, index) => index % foldCount === fold);
    rows.push(...measureFold(names, copy));
    rmSync(copy, { recursive: true });
  }
  process.stdout.write(
    line(
      "all",
      rows.map((row) => row.per_query),
    ),
  );
  const categories = [...new Set(rows.flatMap((row) => row.per_query.map((one) => one.category)))];
  for (const category of categories.sort())
    process.stdout.write(
      line(
        category,
        rows.map((row) => row.per_query.filter((one) => one.category === category)),
      ),
    );
  const byLanguage = Map.groupBy(rows, ({ language }) => language ?? "unknown");
  for (const [language, members] of [...byLanguage].sort(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(
      line(
        language,
        members.map((row) => row.per_query),
      ),
    );
} finally {
  rmSync(parent, { recursive: true, force: true });
}
