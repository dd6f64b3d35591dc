/**
 * The model: a text in, a vector out, so that texts about the same thing lie near each other without sharing a word.
 *
 *   text ─ scanTokens ─▶ token ─ stemInPlace, tokenHash ─▶ row of the TokenTable ─┐ times weight, times saturated count
 *                                                                                 ▼
 *                     QuantisedVectors ◀─ quantise ─ vector of length one ◀─ sum of rows (TextEmbedder)
 *
 * There is no network to run: a token has one vector wherever it occurs, and what was learnt lies in the table, a file
 * of at most 62,500 rows of 256 half-precision numbers made by `lab/training`. Tokens are the parts of
 * identifiers with their common endings off. The table is used as it lies in the file: opening it makes views, not
 * objects, and a token is found by its hash, by which the rows are sorted.
 *
 * Vectors are the same bits on every machine: single-precision sums in the order in which tokens first occur, and
 * nothing but additions, products, divisions and square roots, which every processor rounds alike.
 *
 * This folder must not know: files, queries' meaning, ranking.
 */
export { ChunkEmbedder } from "./chunk-embedder.ts";
export { type ChunkPlace, countNames, embedFile, type FileText, joinFile } from "./embed-file.ts";
export {
  embedShortText,
  loadTokenTable,
  openEmbedder,
  sharedTokenTable,
} from "./load-token-table.ts";
export { CodeScanner } from "./code-scanner.ts";
export {
  dotProduct,
  nearestVectors,
  type NearVector,
  quantise,
  type QuantisedVectors,
} from "./quantise.ts";
export { type CountedTokens, TextEmbedder } from "./text-embedder.ts";
export {
  BadTokenTable,
  buildTokenTable,
  isWholeTable,
  sealTokenTable,
  TokenTable,
} from "./token-table.ts";
