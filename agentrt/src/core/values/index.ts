/**
 * Values and small algorithms: JSON, ids, rings, globs, error tables. Everything here is pure.
 *
 * It must not know agents, messages or time.
 */
export { copyJson } from "./copy-json.ts";
export { defineErrors, errorClassOf, TableError } from "./define-errors.ts";
export type {
  ErrorIn,
  ErrorRow,
  ErrorTable,
  ErrorTableEntry,
  TableErrorClass,
} from "./define-errors.ts";
export { errorCodeOf } from "./error-code.ts";
export { reasonOf } from "./fault-reason.ts";
export { matchesGlob } from "./glob.ts";
export { durationBounds, Histogram } from "./histogram.ts";
export type { HistogramValue } from "./histogram.ts";
export { IdSequence, type MessageIds } from "./id-sequence.ts";
export type { Json, JsonMembers, JsonObject, JsonValue, NotJson } from "./json.ts";
export { timeoutMsMax } from "./limits.ts";
export { didYouMean, nearestName } from "./nearest-name.ts";
export { printable } from "./printable.ts";
export { readableError } from "./readable-error.ts";
export { RecencyMap } from "./recency-map.ts";
export { RingBuffer } from "./ring-buffer.ts";
