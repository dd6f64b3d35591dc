/**
 * Places: which part of a file answers a question. A file is cut into units (definitions, and what lies between them), and
 * each has features: the words in it, its name, the comment above it, its nearness by the vectors, and how the
 * ranker sees its file. The weights are learned from labelled places.
 *
 * This folder must not know: how files are chosen, what is shown of a place.
 */
export { type PlacedFile, type PlaceFeature, placeFeatureNames } from "./place-features.ts";
export { explainPlace, PlaceScorer, type ScoredPlace } from "./place-scorer.ts";
export type { UnitSymbol } from "./units.ts";
