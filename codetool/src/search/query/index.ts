/**
 * What a query says: which way of searching it asks for, its words, the qualified name in it, and where in a text its
 * words may occur.
 *
 * This folder must not know: files, indexes, ranking.
 */
export { isQualifiedBy, readQualifiedName } from "./qualified-name.ts";
export { readQuery, type SearchMode } from "./read-query.ts";
export { QuerySpots } from "./spots.ts";
export { type QueryTerms, readQueryTerms, rootOf } from "./terms.ts";
