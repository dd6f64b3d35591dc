/**
 * `npm run bench:search -- <folder of datasets> <folder of trees>`: NDCG@10 of search in its default mode, per
 * repository, category and language; see bench/README.md. Datasets are JSON files; the tree of one lies in
 * `<folder of trees>/<name>`. With `--fetch`, trees that are not there are fetched by git at the commits that the
 * datasets name. With `--variant "<flags>"`, repeatable, searches with these flags are compared;
 * `--pipeline` stands for the default and the pipeline of fused ranks with several alphas. Further flags go to
 * `codetool bench-ndcg`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../codetool/bin/codetool.cjs", import.meta.url));
const answerBytesMax = 256 * 1024 * 1024;

interface DatasetHead {
  readonly name: string;
  readonly repo: string;
  readonly commit: string;
}

function readHead(path: string): DatasetHead {
  return JSON.parse(readFileSync(path, "utf8")) as DatasetHead;
}

/** Fetches one commit of a public repository into a folder, which appears when it is whole. */
function fetchTree({ name, repo, commit }: DatasetHead, trees: string): void {
  const folder = join(trees, name);
  if (existsSync(folder)) return;
  const part = `${folder}.part`;
  mkdirSync(part, { recursive: true });
  const git = (...args: string[]): void => {
    execFileSync("git", ["-C", part, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  };
  git("init", "--quiet");
  git("fetch", "--quiet", "--depth=1", `https://github.com/${repo}.git`, commit);
  git("checkout", "--quiet", "--detach", "FETCH_HEAD");
  renameSync(part, folder);
}

interface Score {
  readonly ndcg10: number;
  readonly strict_ndcg10: number;
}

/** What `bench-ndcg` says of all sets together. */
interface Scores extends Score {
  readonly by_category: { readonly [category: string]: Score };
  readonly by_language: { readonly [language: string]: Score };
}

/** The flags of a variant, and how search did with them. */
interface Variant {
  readonly flags: string;
  readonly scores: Scores;
}

/** The default ranker and the pipeline of fused ranks. */
const pipelineVariants = [
  "",
  "--ranker rrf",
  ...[0, 0.25, 0.5, 0.75, 1].map((alpha) => `--alpha ${alpha}`),
];

/** Takes the flags of variants out of the command line. */
function readVariants(flags: readonly string[]): { variants: string[]; rest: string[] } {
  const variants: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < flags.length; index += 1) {
    const flag = flags[index] as string;
    if (flag === "--pipeline") variants.push(...pipelineVariants);
    else if (flag.startsWith("--variant=")) variants.push(flag.slice("--variant=".length));
    else if (flag === "--variant") {
      index += 1;
      variants.push(flags[index] ?? "");
    } else rest.push(flag);
  }
  return { variants, rest };
}

/** Measures one variant; ends the program with the command's own words when that fails. */
function measure(flags: string, command: readonly string[]): Variant {
  const own = flags.split(/\s+/).filter((word) => word !== "");
  const { status, stdout } = spawnSync(process.execPath, [launcher, ...command, ...own], {
    encoding: "utf8",
    maxBuffer: answerBytesMax,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const answer = status === 2 ? undefined : (JSON.parse(stdout) as { readonly data?: Scores });
  if (answer?.data === undefined) {
    process.stderr.write(stdout);
    process.exit(status ?? 1);
  }
  return { flags, scores: answer.data };
}

/** The variants side by side: the files found and, after the stroke, the places, first by category, then by language. */
function drawVariants(variants: readonly Variant[]): string {
  const draw = (group: "by_category" | "by_language"): string => {
    const names = Object.keys(variants[0]?.scores[group] ?? {});
    const rows = [
      ["search", "all", ...names],
      ...variants.map(({ flags, scores }) => [
        flags === "" ? "(default)" : flags,
        cell(scores),
        ...names.map((name) => cell(scores[group][name])),
      ]),
    ];
    return align(rows);
  };
  return `NDCG@10 / strict\n\n${draw("by_category")}\n\n${draw("by_language")}\n`;
}

function cell(score: Score | undefined): string {
  return score === undefined
    ? "-"
    : `${score.ndcg10.toFixed(3)} / ${score.strict_ndcg10.toFixed(3)}`;
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

const [first, second, ...given] = process.argv.slice(2);
if (first === undefined || second === undefined) {
  process.stderr.write(
    'Usage: npm run bench:search -- <folder of datasets> <folder of trees> [--fetch] [--pipeline] [--variant "<flags>"] [flags of codetool bench-ndcg]\n',
  );
  process.exit(2);
}
const trees = resolve(second);
const datasets = readdirSync(first)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => resolve(first, name));
if (given.includes("--fetch")) for (const path of datasets) fetchTree(readHead(path), trees);
const { variants, rest } = readVariants(given.filter((flag) => flag !== "--fetch"));
const isJson = rest.includes("--json");
const command = ["bench-ndcg", ...datasets, "--repositories", trees];
if (variants.length > 0) {
  const shared = [...command, ...rest.filter((flag) => flag !== "--plain")];
  const measured = variants.map((flags) => measure(flags, shared));
  process.stdout.write(
    isJson ? `${JSON.stringify({ variants: measured })}\n` : drawVariants(measured),
  );
} else {
  const shape = isJson ? [] : ["--plain"];
  const { status } = spawnSync(process.execPath, [launcher, ...command, ...shape, ...rest], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}
