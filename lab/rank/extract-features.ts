/**
 * `node lab/rank/extract-features.ts <folder of datasets> <folder of trees> <folder of features> [--whole] [name]…`:
 * writes the features of the candidates of each labelled query, for `train-ranker.ts`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { readDataset } from "../../codetool/src/quality/index.ts";
import { featureRows, RankedCorpus } from "../../codetool/src/search/ranker/feature-rows.ts";
import { features } from "../../codetool/src/search/ranker/features.ts";
import { readRankQuery } from "../../codetool/src/search/ranker/query.ts";
import { projectWordsOf } from "../../codetool/src/search/ranker/project-words.ts";
import { DenseFiles } from "../../codetool/src/search/ranker/dense-files.ts";
import { loadTokenTable, TextEmbedder } from "../../codetool/src/model/index.ts";
import { readTree } from "./read-tree.ts";

const [datasets = "", trees = "", target = "", ...rest] = process.argv.slice(2);
const embedder = new TextEmbedder(loadTokenTable());
const isWhole = rest.includes("--whole");
const names = rest.filter((word) => !word.startsWith("--"));
mkdirSync(target, { recursive: true });
for (const file of readdirSync(datasets).sort()) {
  const dataset = readDataset(readFileSync(join(datasets, file), "utf8"), file);
  if ("fault" in dataset) throw new Error(`${file}: ${dataset.fault}`);
  if (names.length > 0 && !names.includes(dataset.name)) continue;
  const prefix = isWhole ? "" : dataset.benchmarkRoot;
  if (isWhole && dataset.benchmarkRoot === "") continue;
  const startedMs = performance.now();
  const tree = await readTree(join(trees, dataset.name, prefix));
  const indexedMs = performance.now();
  const ranked = new RankedCorpus(tree.corpus);
  const projectWords = projectWordsOf([dataset.name, dataset.repository ?? ""]);
  const answering = dataset.queries.map(async (labelled) => {
    const query = readRankQuery(labelled.query, { projectWords });
    const nearness = await tree.corpus.nearness(embedder.embedText(labelled.query));
    const { rows } = featureRows(query, ranked, {
      readText: tree.readText,
      importance: tree.corpus.importGraph.importance,
      dense: new DenseFiles(tree.corpus, nearness),
      candidateCountMax: 120,
      textCountMax: 60,
    });
    return {
      query: labelled.query,
      category: labelled.category,
      isSymbol: query.symbolName !== null,
      gains: labelled.targets.map(({ grade }) => 2 ** grade - 1),
      rows: rows.map(({ candidate, values }) => {
        const own = tree.corpus.files[candidate.file]?.path ?? "";
        const path = prefix === "" ? own : `${prefix}/${own}`;
        const wanted = labelled.targets.find((one) => one.path === path);
        return {
          path,
          gain: wanted === undefined ? 0 : 2 ** wanted.grade - 1,
          values: Array.from(values, (value) => Math.round(value * 1e5) / 1e5),
        };
      }),
    };
  });
  const queries = await Promise.all(answering);
  const scope = isWhole ? "whole" : "root";
  const head = { repo: dataset.name, language: dataset.language, scope };
  writeFileSync(
    join(target, `${dataset.name}.${scope}.json`),
    JSON.stringify({ ...head, features: Object.keys(features), queries }),
  );
  const doneMs = performance.now();
  const counts = `${tree.files.length} files, ${tree.corpus.chunkCount} chunks`;
  const times = `index ${Math.round(indexedMs - startedMs)} ms, query ${((doneMs - indexedMs) / queries.length).toFixed(1)} ms`;
  process.stdout.write(`${dataset.name} ${scope}: ${counts}, ${times}\n`);
}
