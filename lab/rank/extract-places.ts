/**
 * `node lab/rank/extract-places.ts <sources> <folder of places> [name]…`: writes the features of the places
 * that may answer each labelled question of the part to fit on, for `train-places.ts`. Sources as `lab/labels/judge.ts`
 * has them.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { loadTokenTable, TextEmbedder } from "../../codetool/src/model/index.ts";
import { DenseFiles } from "../../codetool/src/search/ranker/dense-files.ts";
import { RankedCorpus } from "../../codetool/src/search/ranker/feature-rows.ts";
import { projectWordsOf } from "../../codetool/src/search/ranker/project-words.ts";
import { readRankQuery } from "../../codetool/src/search/ranker/query.ts";
import { rankFiles } from "../../codetool/src/search/ranker/rank-files.ts";
import { placeFeatureNames, placeRows } from "../../codetool/src/search/places/place-features.ts";
import { type LabelFile, plusName } from "../labels/label-file.ts";
import { readLabelFiles } from "../labels/read-labels.ts";
import { openCorpus } from "../../codetool/src/store/index.ts";

const fileCountMax = 20;
const [sources = "", target = "", ...names] = process.argv.slice(2);
const labels = join(import.meta.dirname, "../labels");
const { fit } = JSON.parse(readFileSync(join(labels, "split.json"), "utf8")) as {
  readonly fit: readonly string[];
};
const embedder = new TextEmbedder(loadTokenTable());
mkdirSync(target, { recursive: true });

async function extract(file: LabelFile): Promise<void> {
  const root = join(sources, plusName(file));
  const open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1 << 20 });
  if (open === undefined) throw new Error(`${root} has no index`);
  const { corpus } = open;
  const ranked = new RankedCorpus(corpus);
  const projectWords = projectWordsOf([file.repository]);
  const readText = (number: number): Buffer | undefined => {
    if (!corpus.isTextAt(number)) return undefined;
    const text = readFileSync(join(root, corpus.pathOf(number)));
    return text;
  };
  const questions = [];
  for (const question of file.questions) {
    const query = readRankQuery(question.text, { projectWords });
    const queryVector = embedder.embedText(question.text);
    const nearness = await corpus.nearness(queryVector);
    const { files, matcher } = rankFiles(query, ranked, {
      importance: corpus.importGraph.importance,
      dense: new DenseFiles(corpus, nearness),
    });
    const nearest = nearness.reduce((most, value) => Math.max(most, value), 0);
    const best = files[0]?.score ?? 0;
    const rows = files.slice(0, fileCountMax).flatMap((entry, rank) => {
      const { path, firstChunk, chunkEnd } = corpus.file(entry.file);
      const text = readText(entry.file);
      if (text === undefined) return [];
      const answers = question.answers.filter((answer) => answer.path === path);
      return placeRows(query, matcher, {
        path,
        text,
        symbols: corpus.symbolsOf(entry.file),
        chunks: corpus.chunksOf(entry.file),
        nearness: nearness.subarray(firstChunk, chunkEnd),
        nearest,
        below: best - entry.score,
        rank,
      }).map(({ line1, values }) => {
        const hit = (line1: number, last1: number): number[] =>
          question.answers.flatMap((answer, at) =>
            answers.includes(answer) && answer.from <= last1 && line1 <= answer.to ? [at] : [],
          );
        return {
          file: rank,
          answersHere: question.answers.flatMap((answer, at) =>
            answers.includes(answer) ? [at] : [],
          ),
          shown: hit(line1(), line1() + 9),
          values: Array.from(values, (value) => Math.round(value * 1e4) / 1e4),
        };
      });
    });
    questions.push({
      id: question.id,
      category: question.category,
      answerCount: question.answers.length,
      paths: question.answers.map(({ path }) => path),
      isSymbol: query.symbolName !== null,
      rows,
    });
  }
  open[Symbol.dispose]();
  writeFileSync(
    join(target, `${plusName(file)}.json`),
    JSON.stringify({ repository: file.repository, features: placeFeatureNames, questions }),
  );
}

for (const { file } of readLabelFiles(labels)) {
  if (!fit.includes(file.repository)) continue;
  if (names.length > 0 && !names.includes(file.repository)) continue;
  const startedMs = performance.now();
  await extract(file);
  process.stdout.write(`${file.repository}: ${Math.round(performance.now() - startedMs)} ms\n`);
}
