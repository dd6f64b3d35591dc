import {
  DenseFiles,
  FileReader,
  listOf,
  mapList,
  nearestChunks,
  type Place,
  type RankedChunk,
  RankedCorpus,
  type RankedSearchOptions,
  type RankedList,
  searchByPipeline,
  searchCorpus,
  type SearchedCorpus,
  searchFiles,
  verbatimPlaces,
} from "../../search/index.ts";
import { embedQuery } from "./embed-query.ts";
import type { Answer, Surroundings } from "./answer.ts";
import { indexByMeaning, type MeaningIndex } from "./index-by-meaning.ts";
import type { SearchRequest } from "./request.ts";

const windowLines = 10;
/** A shorter place shows what follows it, too. */
const linesMin = 4;

/** Ranks by words; also by meaning in mode `hybrid`, and by default when there is an index. */
export async function answerByRank(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const options = optionsOf(request, surroundings);
  const index = (await hybridIndexOf(request, surroundings)) ?? surroundings.index?.searched;
  if (surroundings.index === undefined) sayInMemory(surroundings);
  const chunks =
    index === undefined
      ? await searchFiles({ ...options, files: surroundings.files.walk() })
      : searchCorpus(options, index);
  return rankedAnswer(chunks, {
    mode: index?.dense === undefined ? "bm25" : "hybrid",
    reader: options.reader,
  });
}

/** Fuses the ranks by words and by meaning, then ranks again in stages. */
export async function answerByFusion(given: {
  readonly request: SearchRequest;
  readonly fusion: NonNullable<SearchRequest["fusion"]>;
  readonly surroundings: Surroundings;
}): Promise<Answer> {
  const { request, fusion, surroundings } = given;
  const { query, topK, way } = request;
  const { corpus, fileOf, isIncluded } = await meaningIndexOf(surroundings);
  if (surroundings.index === undefined) sayInMemory(surroundings);
  const options = optionsOf(request, surroundings);
  const chunks = await searchByPipeline(options, {
    ...fusion,
    topK,
    ranked: surroundings.index?.searched.ranked ?? new RankedCorpus(corpus, isIncluded),
    fileOf,
    nearness: async () => await corpus.nearness(await embedQuery(query)),
  });
  return rankedAnswer(listOf(chunks), {
    mode: way === "bm25" || way === "semantic" ? way : "hybrid",
    reader: options.reader,
  });
}

/** Ranks only by the nearness of the chunks' vectors. */
export async function answerByMeaning(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const query = await embedQuery(request.query);
  const { corpus, fileOf, isIncluded } = await meaningIndexOf(surroundings);
  if (surroundings.index === undefined) sayInMemory(surroundings);
  const ranked = surroundings.index?.searched.ranked ?? new RankedCorpus(corpus, isIncluded);
  const ahead = verbatimPlaces(optionsOf(request, surroundings), { ranked, fileOf });
  const hits = nearestChunks(corpus, await corpus.nearness(query), { isIncluded, ahead });
  const places = mapList(hits, ({ file, why, ...hit }) => ({
    ...placeOfChunk({ file: fileOf(file), ...hit, ...(request.isExplained ? { why } : {}) }),
    evidence: { kind: "file" as const, hash: corpus.hashOf(file) },
  }));
  return { mode: "semantic", places, matchCount: places.count, unreadableCount: 0 };
}

function optionsOf(
  { query, isExplained }: SearchRequest,
  { symbols, projectWords, sizes }: Surroundings,
): RankedSearchOptions {
  const { chunkSizeCharacters } = sizes;
  const reader = new FileReader();
  return { query, isExplained, reader, symbols, projectWords, chunkSizeCharacters };
}

function sayInMemory({ warnings }: Surroundings): void {
  warnings.push("No index: one was built in memory for this search, nothing was written");
}

function rankedAnswer(
  chunks: RankedList<RankedChunk>,
  { mode, reader }: { readonly mode: Answer["mode"]; readonly reader: FileReader },
): Answer {
  return {
    mode,
    places: mapList(chunks, (chunk) => ({
      ...placeOfChunk(chunk),
      evidence: { kind: "text" as const, checksum: chunk.checksum },
    })),
    matchCount: chunks.count,
    get unreadableCount() {
      return reader.unreadableCount;
    },
  };
}

/** The index that there is, else one made in memory. */
async function meaningIndexOf(surroundings: Surroundings): Promise<MeaningIndex> {
  const { index, files, sizes } = surroundings;
  return index?.meaning ?? (await indexByMeaning(files.walk(), sizes));
}

/** An index with the nearness of its files; `undefined` when only words count. */
async function hybridIndexOf(
  { way, query }: SearchRequest,
  surroundings: Surroundings,
): Promise<SearchedCorpus | undefined> {
  const { index } = surroundings;
  if (way === "bm25" || (index === undefined && way !== "hybrid")) return undefined;
  const { corpus, fileOf, isIncluded } = await meaningIndexOf(surroundings);
  const nearness = await corpus.nearness(await embedQuery(query));
  const dense = new DenseFiles(corpus, nearness, isIncluded);
  const ranked = index?.searched.ranked ?? new RankedCorpus(corpus, isIncluded);
  return { ranked, fileOf, dense };
}

/** Shows ten lines of a chunk from the one that matched on; of a place, as many as it has. */
function placeOfChunk({
  file,
  chunk,
  line1,
  endLine1: end = chunk.endLine1,
  relevance,
  isBrief = false,
  features,
  why,
}: Omit<RankedChunk, "score" | "checksum">): Place {
  const endLine1 = isBrief
    ? line1
    : Math.min(Math.max(end, line1 + linesMin - 1), line1 + windowLines - 1);
  const window = { startLine1: line1, endLine1 };
  const explained = {
    ...(features === undefined ? {} : { features }),
    ...(why === undefined ? {} : { why }),
  };
  return { file, line1, window, relevance, ...explained };
}
