/**
 * Quality: how good a ranking is, measured against labels.
 *
 *   JSON text ─ readDataset ─▶ Dataset ─ queries ─▶ a search ─ RankedPlace[] ─ scoreQuery ─▶ QueryScore
 *                                                                                             │
 *                                                               meanOf, bootstrapInterval ◀───┘
 *
 * The measure is NDCG@10 over files: places are reduced to their files in the order of their ranks, and what counts is
 * how high those come that a person said were wanted. Where a label names lines, a second, strict figure asks that a
 * place within the first ten shows some of them.
 *
 * Labels come in three dialects, told apart by their keys: one with `relevant_files` and `query_type`, one
 * with `relevant` and `secondary` lists of paths or line spans, and one with grades 0 to 3. All become one type.
 *
 * This folder must not know: how a search works, files on disk, commands, the envelope. It is arithmetic, and the same
 * labels and places give the same figures to the last digit: random numbers come from a generator with a fixed seed.
 */
export { bootstrapInterval, meanOf } from "./bootstrap.ts";
export { type Dataset, type LabelledQuery, readDataset } from "./dataset.ts";
export { type QueryScore, type RankedPlace, scoreQuery } from "./ndcg.ts";
