/**
 * The ranking pipeline of fixed stages (docs/adr/0010): chosen by `--alpha` or `--ranker rrf`; without them the ranker
 * answers. `searchByPipeline` is all that the rest of codetool may use of it.
 *
 *   query ┬─ scoreLexically ─ bestChunks ─┐                        coherence ─ definition ─ imports ─ path
 *         ├─ nearness ─────── bestChunks ─┴ fuseRanks ─▶ hits ─▶   ─ noise ─ saturation ─ symbol ─▶ PipelineRank[]
 *         └─ lookUpSymbol (names of symbols) ────────────┘
 *
 * Hits are chunks. Each stage is a function of hits and scores in its own file that gives one value a hit; its
 * formula and its constants are there. Boosts add `highest · weight · value`, penalties multiply, each on what the
 * stage before left. The constants are given: nothing here is fitted to labels.
 *
 * Choices made here: the symbols of the index say what is a definition; a name that the symbol index knows has its definitions before all else, in the order that the stages give them; keywords are
 * the query's words except those of the question, from three letters on; meaning is measured on what the index
 * holds: the weighted mean of the vectors of a chunk's words, its path and its names, 8 bits an axis.
 *
 * Ties are broken by path and place: the same tree gives the same order, with an index on the disk and without.
 *
 * This folder must not know: commands, how an index is stored, the labels of any benchmark.
 */
export { type PipelineSearch, searchByPipeline } from "./search-by-pipeline.ts";
