import type { FlatSymbol } from "./flat-symbols.ts";
import type { LineRange } from "./line-range.ts";

/** What an answer says of a file in addition to its text. */
export interface Meta {
  readonly language: string | null;
  readonly lines: number;
  readonly bytes: number;
  /** Seconds since 1970. */
  readonly modified: number;
  readonly hash: string;
}

/** The text that is shown. */
export interface Content {
  readonly range: LineRange;
  readonly snap: string | null;
  readonly snap_reason: string | null;
  readonly text: string;
  readonly tokens: number;
}

/** The payload of `read`. */
export type FilePayload = {
  readonly root: string;
  readonly file: string;
  readonly meta: Meta;
  readonly content: Content | null;
  readonly outline: readonly FlatSymbol[] | null;
  readonly truncated?: true;
};

/** The stub for a file that still has the hash of `--if-changed`. */
export type UnchangedPayload = { readonly cached: true; readonly meta: { readonly hash: string } };

/** What `read` answers with. */
export type ReadPayload = FilePayload | UnchangedPayload;
