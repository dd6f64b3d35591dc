import { readQueryTerms } from "../query/index.ts";
import type { ExplainedFeature } from "../ranked/index.ts";
import type { RankedCorpus } from "../ranker/index.ts";
import { coherenceOf, coherenceWeight } from "./coherence.ts";
import { definitionsAskedFor, definitionWeights } from "./definition.ts";
import { alphaDefaults, type FusedChunk, fuseRanks } from "./fuse.ts";
import { HitFacts } from "./hit-facts.ts";
import { highestOf, orderOf, type PipelineHit, raise, scale } from "./hits.ts";
import { pathMatchOf, pathMatchWeight } from "./path-match.ts";
import { proximityOf, proximityWeight } from "./proximity.ts";
import { bestChunks, scoreLexically } from "./retrieve.ts";
import { saturationOf } from "./saturation.ts";
import { symbolNameOf } from "./symbol-query.ts";

/** What the pipeline is asked. */
export interface PipelineQuery {
  readonly text: string;
  /** How many hits one answer shows: each retriever finds five times as many. */
  readonly topK: number;
  /** 0 for only words to 1 for only meaning; by default 0.3 for the name of a symbol and 0.5 for words. */
  readonly alpha?: number;
}

/** What the pipeline runs over. */
export interface PipelineSources {
  readonly ranked: RankedCorpus;
  /** Gives how near each chunk is to the query, about the cosine. Not called where alpha is 0. */
  readonly nearness: () => Promise<Float32Array>;
  /** The path of a file, relative to what is searched. */
  readonly pathOf: (file: number) => string;
}

/** A chunk with its place in the answer. */
export interface PipelineRank extends PipelineHit {
  readonly score: number;
  /** What the stages said of it, in their order; those that said nothing are left out. */
  readonly stages: readonly ExplainedFeature[];
}

const keywordLengthMin = 3;
const retrievedPerShown = 5;

/** One stage: its values, and which value says nothing. */
interface Stage extends Omit<ExplainedFeature, "value"> {
  readonly values: Float64Array;
  readonly neutral: 0 | 1;
}

/** Runs the pipeline over a corpus: best chunk first, equal ones in the order of paths and places. */
export async function rankChunks(
  query: PipelineQuery,
  sources: PipelineSources,
): Promise<PipelineRank[]> {
  const symbolName = symbolNameOf(query.text);
  const facts = new HitFacts(sources.ranked, sources.pathOf);
  const defining =
    symbolName === null ? new Set<number>() : facts.chunksDefining(symbolName, query.text);
  const alpha = query.alpha ?? alphaDefaults[symbolName === null ? "question" : "symbol"];
  const fused = await retrieve(query, alpha, sources);
  const hits = [...new Set([...fused.keys(), ...defining])]
    .sort((a, b) => a - b)
    .map((chunk) => ({ chunk, file: facts.fileOf(chunk) }));
  const start = Float64Array.from(hits, ({ chunk }) => fused.get(chunk)?.score ?? 0);
  // When only the symbol index found something, all its hits begin with the same score.
  if (highestOf(start) === 0) start.fill(1);
  const keywords = readQueryTerms(query.text).words.filter(
    ({ length }) => length >= keywordLengthMin,
  );
  const asked = { keywords, symbolName, defining };
  const { scores, stages } = rerank({ hits, start, asked, facts });
  return orderOf(hits, scores).map((index) => {
    const hit = hits[index] as PipelineHit;
    const said = stages.filter(({ values, neutral }) => values[index] !== neutral);
    return {
      ...hit,
      score: scores[index] as number,
      stages: [
        ...explainRanks(fused.get(hit.chunk), alpha),
        ...said.map(({ feature, weight, values }) => ({
          feature,
          value: values[index] as number,
          weight,
        })),
      ],
    };
  });
}

/** Asks both retrievers, except one that counts nothing, and fuses their lists. */
async function retrieve(
  query: PipelineQuery,
  alpha: number,
  { ranked, nearness }: PipelineSources,
): Promise<ReadonlyMap<number, FusedChunk>> {
  const { corpus, facts } = ranked;
  const limits = {
    countMax: query.topK * retrievedPerShown,
    isIncluded: (chunk: number) =>
      ranked.isIncluded?.(facts.fileOfChunk[chunk] as number) !== false,
  };
  const lexical =
    alpha === 1
      ? []
      : bestChunks(scoreLexically(query.text, corpus, facts.lengthMeanOf("body")), limits);
  const semantic = alpha === 0 ? [] : bestChunks(await nearness(), limits);
  return new Map(fuseRanks({ lexical, semantic, alpha }).map((entry) => [entry.chunk, entry]));
}

/** The stages in their fixed order; what the symbol index says comes last and above all. */
function rerank(given: {
  readonly hits: readonly PipelineHit[];
  readonly start: Float64Array;
  readonly asked: {
    readonly keywords: readonly string[];
    readonly symbolName: string | null;
    readonly defining: ReadonlySet<number>;
  };
  readonly facts: HitFacts;
}): { readonly scores: Float64Array; readonly stages: readonly Stage[] } {
  const { hits, asked, facts } = given;
  const { keywords, symbolName, defining } = asked;
  const stages: Stage[] = [];
  let scores = given.start;
  const boost = (feature: string, weight: number, values: Float64Array): void => {
    scores = raise(scores, { weight, values });
    stages.push({ feature, weight, values, neutral: 0 });
  };
  const damp = (feature: string, values: Float64Array): void => {
    scores = scale(scores, values);
    stages.push({ feature, weight: 1, values, neutral: 1 });
  };
  boost("coherence", coherenceWeight, coherenceOf(hits, scores));
  const definitions = definitionsAskedFor(hits, {
    keywords,
    symbolName,
    definitionsOf: (hit) => facts.definitionsIn(hit),
    stemOf: ({ file }) => facts.stemOf(file),
  });
  boost("definition", definitionWeights[symbolName === null ? "question" : "symbol"], definitions);
  const proximity = proximityOf(hits, scores, (file) => facts.neighboursOf(file));
  boost("imports", proximityWeight, proximity);
  const pathMatch = pathMatchOf(hits, keywords, ({ file }) => facts.pathPartsOf(file));
  boost("path", pathMatchWeight, pathMatch);
  damp(
    "noise",
    Float64Array.from(hits, ({ file }) => facts.noiseFactorOf(file)),
  );
  damp("saturation", saturationOf(hits, scores));
  const isDefining = ({ chunk }: PipelineHit): number => (defining.has(chunk) ? 1 : 0);
  boost("symbol", 1, Float64Array.from(hits, isDefining));
  return { scores, stages };
}

/** The ranks that were fused, each with what its list counts. */
function explainRanks(entry: FusedChunk | undefined, alpha: number): ExplainedFeature[] {
  if (entry === undefined) return [];
  const ranks = [
    { feature: "lexicalRank", value: entry.lexicalRank, weight: 1 - alpha },
    { feature: "semanticRank", value: entry.semanticRank, weight: alpha },
  ];
  return ranks.filter(({ value }) => value > 0);
}
