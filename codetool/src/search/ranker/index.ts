/**
 * The order of files for a query, learned from labelled queries: candidates out of a corpus, their features, and the
 * weights that make a score of them.
 *
 *   RankQuery ─ findCandidates ─▶ Candidates ─ featureRows ─▶ FeatureRow[] ─ rankFiles ─▶ RankedFile[]
 *
 * This folder must not know: which chunk of a file is shown, commands, how a corpus is kept.
 */
export { findCandidates } from "./candidates.ts";
export { DenseFiles } from "./dense-files.ts";
export { RankedCorpus } from "./feature-rows.ts";
export { rarityOf } from "./field-scores.ts";
export { NameMatcher, wordsOfName } from "./name-words.ts";
export { projectWordsOf } from "./project-words.ts";
export { isSmallWord, type RankQuery, readRankQuery } from "./query.ts";
export { explainFile, type RankedFile, rankFiles } from "./rank-files.ts";
