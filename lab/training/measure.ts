/**
 * Measures a table on labelled repositories with the program's own code, only by vectors: a file is as near to a
 * query as the nearest of its chunks.
 *
 *     node lab/training/measure.ts <table> <labels> <trees> [--json]
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { readFileBytes, walkFiles } from "../../codetool/src/files/index.ts";
import { chunkText } from "../../codetool/src/index/index.ts";
import {
  dotProduct,
  embedFile,
  nearestVectors,
  quantise,
  TextEmbedder,
  TokenTable,
} from "../../codetool/src/model/index.ts";
import {
  type Dataset,
  meanOf,
  type RankedPlace,
  readDataset,
  scoreQuery,
} from "../../codetool/src/quality/index.ts";
import { type CodeSymbol, extractSymbols, releaseTrees } from "../../codetool/src/syntax/index.ts";
import { isBinary } from "../../codetool/src/text/index.ts";

const chunkSizeCharacters = 1500;
const sizeBytesMax = 1_000_000;
const candidateCount = 200;

/** The chunks of a tree: where they lie, and their vectors, exact and in 8 bits. */
interface EmbeddedTree {
  readonly places: readonly RankedPlace[];
  readonly vectors: readonly Float32Array[];
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}

/** What makes vectors, and how many numbers a vector has. */
interface Model {
  readonly embedder: TextEmbedder;
  readonly dimensions: number;
}

async function embedTree(
  root: string,
  prefix: string,
  { embedder, dimensions }: Model,
): Promise<EmbeddedTree> {
  const places: RankedPlace[] = [];
  const vectors: Float32Array[] = [];
  for (const file of walkFiles({ root, environment: {}, sizeBytesMax }).files) {
    const content = readFileBytes(file.absolutePath, { sizeBytesMax });
    if (content.kind !== "file" || isBinary(content.bytes)) continue;
    const text = content.bytes;
    const path = prefix === "" ? file.relativePath : `${prefix}/${file.relativePath}`;
    const { symbols } = extractSymbols(text.toString("utf8"), file.language ?? "");
    await releaseTrees();
    const starts = definitionsOf(symbols);
    const chunks = chunkText(text, symbols, chunkSizeCharacters).map((chunk) => ({
      ...chunk,
      names: starts
        .filter(({ startLine1: line1 }) => line1 >= chunk.startLine1 && line1 <= chunk.endLine1)
        .map(({ name }) => name),
    }));
    vectors.push(...embedFile(embedder, { text, path: file.relativePath, chunks }));
    for (const { startLine1, endLine1 } of chunks) places.push({ path, startLine1, endLine1 });
  }
  const codes = new Int8Array(vectors.length * dimensions);
  const scales = Float32Array.from(vectors, (vector, index) =>
    quantise(vector, codes.subarray(index * dimensions, (index + 1) * dimensions)),
  );
  return { places, vectors, codes, scales };
}

/** All definitions, those inside of others too. */
function definitionsOf(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...definitionsOf(symbol.children)]);
}

function measure(dataset: Dataset, tree: EmbeddedTree, { embedder, dimensions }: Model) {
  const scores = dataset.queries.map((query) => {
    const vector = embedder.embedText(query.query);
    const exact = tree.vectors
      .map((other, index) => ({ index, score: dotProduct(vector, other) }))
      .sort((left, right) => right.score - left.score || left.index - right.index);
    const near = nearestVectors(
      vector,
      { dimensions, codes: tree.codes, scales: tree.scales },
      {
        count: candidateCount,
        candidateCount,
        exactOf: (index) => tree.vectors[index] as Float32Array,
      },
    );
    const scoreOf = (list: readonly { readonly index: number }[]): number =>
      scoreQuery(
        query,
        list.map(({ index }) => tree.places[index] as RankedPlace),
      ).ndcg10;
    return { category: query.category, exact: scoreOf(exact), quantised: scoreOf(near) };
  });
  return scores;
}

async function main(): Promise<number> {
  const [tablePath, labels, trees] = process.argv.slice(2);
  if (tablePath === undefined || labels === undefined || trees === undefined) {
    process.stderr.write("usage: node lab/training/measure.ts <table> <labels> <trees>\n");
    return 2;
  }
  const table = new TokenTable(new Uint8Array(readFileSync(tablePath)));
  const model = { embedder: new TextEmbedder(table), dimensions: table.dimensions };
  const means: { exact: number; quantised: number }[] = [];
  const byCategory = new Map<string, number[]>();
  for (const file of readdirSync(labels).sort()) {
    const name = basename(file, ".json");
    const dataset = readDataset(readFileSync(join(labels, file), "utf8"), name);
    if ("fault" in dataset) throw new Error(`${file}: ${dataset.fault}`);
    const root = join(trees, name, dataset.benchmarkRoot);
    const tree = await embedTree(root, dataset.benchmarkRoot, model);
    const scores = measure(dataset, tree, model);
    const exact = meanOf(scores.map((score) => score.exact));
    const quantised = meanOf(scores.map((score) => score.quantised));
    means.push({ exact, quantised });
    for (const { category, exact: value } of scores)
      byCategory.set(category, [...(byCategory.get(category) ?? []), value]);
    process.stdout.write(
      `${name.padEnd(22)} ${(dataset.language ?? "").padEnd(11)} ${exact.toFixed(3)} ${quantised.toFixed(3)} ${tree.places.length} chunks\n`,
    );
  }
  for (const [category, values] of byCategory)
    process.stdout.write(
      `${category.padEnd(34)} ${meanOf(values).toFixed(3)} of ${values.length} queries\n`,
    );
  const mean = (key: "exact" | "quantised"): string =>
    meanOf(means.map((score) => score[key])).toFixed(4);
  process.stdout.write(
    `mean of repositories: exact ${mean("exact")}, quantised ${mean("quantised")}\n`,
  );
  return 0;
}

process.exitCode = await main();
