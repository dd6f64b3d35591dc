import type { WalkedFile } from "../../files/index.ts";
import {
  listOf,
  type Place,
  type PrintedCapture,
  type RankedList,
  readQuery,
  type SearchedCorpus,
  type SearchMode,
  type SymbolReader,
} from "../../search/index.ts";
import type { FilesHolding, NarrowFiles } from "./narrow-files.ts";
import { answerByFusion, answerByMeaning, answerByRank } from "./by-rank.ts";
import {
  findText,
  type FoundText,
  qualifiedDefinitions,
  withDefinitions,
  withNamedFiles,
} from "./by-text.ts";
import type { MeaningIndex } from "./index-by-meaning.ts";
import type { SearchRequest } from "./request.ts";
import { answerByStructure } from "./by-structure.ts";

/** All ranked places that answer a search. */
export interface Answer {
  readonly mode: SearchMode;
  /** Best first; matching lines or chunks, without those that are not ranked any more. */
  readonly places: RankedList<Place>;
  /** Matching lines, or chunks; those that are not ranked any more too. */
  readonly matchCount: number;
  /** Of the files that were read so far. */
  readonly unreadableCount: number;
  /** Of a search by structure: what the placeholders stand for in a file, by the line of the match. */
  readonly capturesIn?: (
    file: WalkedFile,
    text: Buffer,
    lines: ReadonlySet<number>,
  ) => ReadonlyMap<number, readonly PrintedCapture[]>;
}

/** What a search runs over. */
export interface Surroundings {
  /** The files to search, walked when they are asked for. */
  readonly walk: () => readonly WalkedFile[];
  /** Leaves out what an index knows to be in vain. */
  readonly narrow: NarrowFiles;
  /** The files to search, without those. */
  readonly filesHolding: FilesHolding;
  /** The index, where there is one. */
  readonly searched?: SearchedCorpus;
  /** The same for a search by meaning. */
  readonly meaning?: MeaningIndex;
  /** Words that name the project itself. */
  readonly projectWords: ReadonlySet<string>;
  readonly chunkSizeCharacters: number;
  /** Larger files are left out. */
  readonly fileSizeBytesMax: number;
  readonly symbols: SymbolReader;
  /** Remarks are added here. */
  readonly warnings: string[];
}

/**
 * Answers a search in the mode its flags say, else in the one its query suggests.
 *
 * @throws invalid_argument for a `--regex` that is no pattern.
 */
export async function answerQuery(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const reading = request.way === null ? readQuery(request.query) : null;
  const way = request.way ?? reading?.way ?? "literal";
  if (request.fusion !== null)
    return await answerByFusion({ request, fusion: request.fusion, surroundings });
  if (way === "structural") return await answerByStructureOrText(request, surroundings);
  if (way === "semantic") return await answerByMeaning(request, surroundings);
  if (way === "bm25" || way === "hybrid") return await answerByRank(request, surroundings);
  if (reading === null) return textAnswer(await findText(request, surroundings));
  // First, since what may be parsed for a search is better spent on these.
  const defined = await qualifiedDefinitions(request, surroundings);
  const found = withDefinitions(await findText(request, surroundings), defined);
  const named = withNamedFiles(found, request.query, surroundings.walk);
  if (named.matchCount > 0) return textAnswer(named);
  surroundings.warnings.push("The text occurs nowhere: what it is about was searched");
  return await answerByRank(request, surroundings);
}

/** What looks like a pattern may be text: a variable of a shell, a price. */
async function answerByStructureOrText(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const { narrow, walk, warnings } = surroundings;
  const found = await answerByStructure(request.query, { files: walk(), narrow, warnings });
  if (request.way !== null || found.matchCount > 0) return found;
  const asText = await findText({ ...request, way: "literal" }, surroundings);
  if (asText.matchCount === 0) return found;
  warnings.push("The query was taken as text: it occurs as it stands");
  return textAnswer(asText);
}

function textAnswer({ places, ...found }: FoundText): Answer {
  return { ...found, mode: "literal", places: listOf(places) };
}
