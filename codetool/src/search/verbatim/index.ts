/**
 * Printed messages: the lines of a corpus that say a long part of a query as it is written, values between its parts.
 *
 *   query ─ words ─▶ chunks that hold most of them (index) ─ texts ─▶ runs of words ─▶ VerbatimPlace[]
 *
 * This folder must not know: other rankings, what is shown of a place.
 */
export { findVerbatim, type VerbatimPlace, type VerbatimSources } from "./find-verbatim.ts";
