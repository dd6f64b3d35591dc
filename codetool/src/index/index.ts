/**
 * The index: text in, chunks and an index of terms over them out.
 *
 *   text, symbols ─ chunkText ─▶ Chunk[] ─ PostingsBuilder.addDocument ─▶ … finish ─▶ Postings ─ score ─▶ BM25
 *                                               │
 *                       scanTerms ─▶ TermTable ─┘   bytes become numbers, no string is made on the way
 *
 * A chunk is a stretch of whole lines, cut between definitions where they are known. A term is a word or a part of a
 * compound word, lower-cased, neither stemmed nor translated: `parseHttpRequest` gives itself, `parse`, `http`,
 * `request`. A document is whatever the caller adds, here a chunk with the words of its path.
 *
 * Occurrences lie in typed arrays, first in the order of documents, then turned to lie term by term; a search over
 * ten thousand files so costs the collector nothing. Documents are numbered in the order they were added, and equal
 * scores are ordered by that number: by path and offset, when files are added in the order of a walk.
 *
 * In this version an index lives in memory and dies with the process; the persistent one will be these arrays on disk.
 *
 * This folder must not know: queries and their meaning, ranking beyond BM25, commands, budgets.
 */
export { chunkText, type Chunk } from "./chunk.ts";
export {
  Postings,
  PostingsBuilder,
  type PostingsParts,
  saturate,
  type TermListener,
  type TermPostings,
} from "./postings.ts";
export { spreadHash } from "./term-table.ts";
export { hashTerm, isWordByte, scanTerms, termsOf, wordBytesMax } from "./term-scanner.ts";
