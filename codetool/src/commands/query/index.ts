/**
 * Answering a query: what `search`, `find_files --related` and `bench-ndcg` share.
 *
 *   request + opened files ─▶ answerQuery ─▶ by text | by rank | by structure ─▶ matches, best first
 *
 * `open-searched.ts` opens the index that covers a target; `index-by-meaning.ts` makes one in memory where there is none.
 *
 * Importing this door loads the search engine: a command's definition must not do so, its `run.ts` may.
 *
 * It must not know pages, budgets or payloads.
 */
export type { Answer, LeftOutFiles, SearchedFiles, SearchedIndex, Surroundings } from "./answer.ts";
export { answerQuery } from "./answer-query.ts";
export { type AnyStructure, existsByStructure } from "./by-structure.ts";
export { scannerOf, withinCost } from "./by-text.ts";
export { embedQuery } from "./embed-query.ts";
export { indexByMeaning, type MeaningIndex } from "./index-by-meaning.ts";
export { narrowerFor } from "./narrow-files.ts";
export { openSearched, type OpenSearched } from "./open-searched.ts";
export { projectWordsAt } from "./project-words-at.ts";
export { resolvePlace, type SearchPlace, wholePlace } from "./search-place.ts";
export { readSearchRequest, type SearchRequest } from "./request.ts";
