import type { WalkedFile } from "../../files/index.ts";
import { checksumOf } from "../../text/index.ts";
import {
  chunkScorerFor,
  type RankedChunk,
  type RankedSearchOptions,
  structureOf,
  verbatimChunks,
  verbatimPlaces,
  withVerbatim,
} from "../ranked/index.ts";
import { type PipelineSources, rankChunks } from "./rank-chunks.ts";

/** What a search by the pipeline runs over. */
export interface PipelineSearch extends Omit<PipelineSources, "pathOf"> {
  readonly fileOf: (file: number) => WalkedFile;
  readonly topK: number;
  readonly alpha?: number;
}

/** Answers from an index by the pipeline: chunks by rank, each with the line to point at. */
export async function searchByPipeline(
  options: RankedSearchOptions,
  search: PipelineSearch,
): Promise<RankedChunk[]> {
  const { fileOf, ranked, topK, alpha } = search;
  const ranks = await rankChunks(
    { text: options.query, topK, ...(alpha === undefined ? {} : { alpha }) },
    { ...search, pathOf: (file) => fileOf(file).relativePath },
  );
  const { corpus } = ranked;
  const scorer = chunkScorerFor(options.query, ranked);
  const highest = ranks[0]?.score ?? 1;
  const found: RankedChunk[] = [];
  for (const { chunk: number, file, score, stages } of ranks) {
    const walked = fileOf(file);
    const text = options.reader.readText(walked);
    if (text === undefined) continue;
    const structure = await structureOf({ number: file, file: walked, text }, corpus, options);
    // A file that became shorter since may have fewer chunks.
    const at = number - (corpus.chunkStarts[file] as number);
    const chunk = structure.chunks[at] ?? structure.chunks.at(-1);
    if (chunk === undefined) continue;
    const [scored] = scorer.score(text, {
      chunks: [chunk],
      symbols: structure.symbols,
      isIndexed: structure.isIndexed,
    });
    found.push({
      file: walked,
      checksum: checksumOf(text),
      chunk,
      line1: scored?.line1 ?? chunk.startLine1,
      score,
      relevance: score / highest,
      ...(options.isExplained === true ? { features: stages } : {}),
    });
  }
  const searched = { ranked, fileOf };
  const verbatim = verbatimChunks(verbatimPlaces(options, searched), options, searched);
  return verbatim.length === 0 ? found : withVerbatim(verbatim, found);
}
