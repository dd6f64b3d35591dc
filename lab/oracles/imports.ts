/**
 * Compares the files that imports are resolved to with what a language's own tool says:
 * `node lab/oracles/imports.ts <judge> <folder> [--impact] [--show N]`, where the judge is `tsc`, `modulefinder` (Python), `go`,
 * `gcc`, `rustc` or `jdeps`; `time` only measures. Prints how many of the judge's edges were found, how many of ours
 * the judge does not have, and the first N of both; exits 1 below 95 %.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { buildImportGraph, type ImportGraph } from "../../codetool/src/imports/index.ts";
import { folderOf } from "../../codetool/src/imports/tree/relative-path.ts";
import { impactEdges } from "./imports/impact-edges.ts";
import { judges } from "./imports/judges.ts";
import { readSourceTree, type SourceTree } from "./imports/source-tree.ts";

const agreementMin = 0.95;

/** Edges between numbers of files. */
interface NumberedEdges {
  readonly paths: readonly string[];
  readonly edges: readonly (readonly [from: number, to: number])[];
}

function edgesOfGraph({ imports }: ImportGraph, { tree }: SourceTree): NumberedEdges {
  const edges = tree.paths.flatMap((_, file) =>
    Array.from(
      imports.files.subarray(imports.starts[file], imports.starts[file + 1]),
      (target) => [file, target] as const,
    ),
  );
  return { paths: tree.paths, edges };
}

/** Edges as `from > to`, of files or of folders. */
function printedEdges({ paths, edges }: NumberedEdges, isByFolder: boolean): Set<string> {
  const named = (file: number): string => {
    const path = paths[file] ?? "";
    return isByFolder ? `${folderOf(path)}/` : path;
  };
  const printed = edges
    .filter(([from, to]) => named(from) !== named(to))
    .map(([from, to]) => `${named(from)} > ${named(to)}`);
  return new Set(printed);
}

/** Adds what can be reached over other files. */
function withReachable(edges: ReadonlySet<string>, roots: ReadonlySet<string>): Set<string> {
  const next = new Map<string, string[]>();
  for (const edge of edges) {
    const [from = "", to = ""] = edge.split(" > ");
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const reached = new Set<string>();
  for (const root of roots) {
    const seen = new Set([root]);
    for (const file of seen) for (const target of next.get(file) ?? []) seen.add(target);
    for (const file of seen) if (file !== root) reached.add(`${root} > ${file}`);
  }
  return reached;
}

function printTimes(source: SourceTree): ImportGraph {
  const { tree, files } = source;
  const megabytes = source.sizeBytes / 1e6;
  console.log(
    `${tree.paths.length} files, ${files.length} read, ${megabytes.toFixed(1)} MB: ` +
      `symbols and imports in ${(source.extractMs / 1000).toFixed(2)} s`,
  );
  const started = performance.now();
  const graph = buildImportGraph(tree, files);
  const builtMs = performance.now() - started;
  const importCount = files.reduce((sum, file) => sum + file.imports.length, 0);
  console.log(
    `${importCount} imports, ${graph.imports.files.length} edges: graph in ${builtMs.toFixed(0)} ms ` +
      `(${(megabytes / (builtMs / 1000)).toFixed(0)} MB/s), ${Math.round(process.memoryUsage().rss / 1e6)} MB resident`,
  );
  return graph;
}

function printMost(graph: ImportGraph, source: SourceTree): void {
  const ranked = [...graph.importance.entries()]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 8);
  for (const [file, weight] of ranked) {
    console.log(`  ${weight.toFixed(3)} ${source.tree.paths[file]}`);
  }
}

async function main(): Promise<number> {
  const [judgeName = "", folder, ...rest] = process.argv.slice(2);
  const judge = judges[judgeName];
  if (folder === undefined || (judge === undefined && judgeName !== "time")) {
    const names = Object.keys(judges).join("|");
    console.error(`usage: node lab/oracles/imports.ts <${names}|time> <folder> [--show N]`);
    return 2;
  }
  if (!existsSync(folder)) {
    console.error(`check-imports: there is no folder "${folder}"`);
    return 2;
  }
  const show = rest.indexOf("--show");
  const showCount = show < 0 ? 0 : Number(rest[show + 1]);
  const source = await readSourceTree(folder);
  const graph = printTimes(source);
  if (judge === undefined) {
    printMost(graph, source);
    return 0;
  }
  const { edges: wanted, isByFolder, isTransitive = false, hasAllOf } = judge(folder);
  const isImpact = rest.includes("--impact");
  const numbered = isImpact ? await impactEdges(folder) : edgesOfGraph(graph, source);
  const direct = printedEdges(numbered, isByFolder);
  const roots = new Set([...wanted].map((edge) => edge.split(" > ")[0] ?? ""));
  const found = isTransitive ? withReachable(direct, roots) : direct;
  const missing = [...wanted].filter((edge) => !found.has(edge)).sort();
  const beyond = [...found].filter((edge) => !wanted.has(edge) && hasAllOf(edge)).sort();
  for (const edge of missing.slice(0, showCount)) console.log(`missing ${edge}`);
  for (const edge of beyond.slice(0, showCount)) console.log(`beyond  ${edge}`);
  const agreement = wanted.size === 0 ? 0 : 1 - missing.length / wanted.size;
  console.log(
    `${judgeName}: ${wanted.size - missing.length} of ${wanted.size} edges found (${(agreement * 100).toFixed(1)} %), ` +
      `${beyond.length} beyond`,
  );
  return agreement >= agreementMin ? 0 : 1;
}

process.exit(await main());
