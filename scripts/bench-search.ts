/**
 * `npm run bench:search -- <folder of datasets> <folder of trees>`: NDCG@10 of search in its default mode, per
 * repository, category and language; see bench/README.md. Datasets are JSON files; the tree of one lies in
 * `<folder of trees>/<name>`. With `--fetch`, trees that are not there are fetched by git at the commits that the
 * datasets name. Further flags go to `codetool bench-ndcg`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../codetool/bin/codetool.cjs", import.meta.url));

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

const [first, second, ...rest] = process.argv.slice(2);
if (first === undefined || second === undefined) {
  process.stderr.write(
    "Usage: npm run bench:search -- <folder of datasets> <folder of trees> [--fetch] [flags of codetool bench-ndcg]\n",
  );
  process.exit(2);
}
const trees = resolve(second);
const datasets = readdirSync(first)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => resolve(first, name));
if (rest.includes("--fetch")) for (const path of datasets) fetchTree(readHead(path), trees);
const flags = rest.filter((flag) => flag !== "--fetch");
const shape = flags.includes("--json") ? [] : ["--plain"];
const { status } = spawnSync(
  process.execPath,
  [launcher, "bench-ndcg", ...datasets, "--repositories", trees, ...shape, ...flags],
  { stdio: "inherit" },
);
process.exit(status ?? 1);
