import type { JsonObject } from "../values/index.ts";

/**
 * What the producer of a stream sends, in this order: chunks numbered from 0, then an end that carries their count, or
 * an error after which nothing comes. Inside one process the two ends hand each other these values; a transport to
 * another process carries them.
 */
export type StreamFrame =
  | { readonly kind: "chunk"; readonly seq: number; readonly payload: JsonObject }
  | { readonly kind: "end"; readonly seq: number }
  | { readonly kind: "error"; readonly error: Error };

/**
 * What the consumer sends back: that it has gone, late when a time limit was over, or that there is room for so many
 * chunks more.
 */
export type StreamControl =
  | { readonly kind: "cancel"; readonly reason: string; readonly isLate?: boolean }
  | { readonly kind: "credit"; readonly chunkCount: number };
