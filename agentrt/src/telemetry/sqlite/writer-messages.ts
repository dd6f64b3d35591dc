import type { SpanRecord } from "../span-record.ts";
import type { SpanFilesOptions } from "./span-files.ts";
import type { SpanRow } from "./span-row.ts";

/** What the thread begins with. */
export type WriterData = SpanFilesOptions;

/** What the thread is asked for; it answers in order. */
export type WriterRequest =
  | { readonly type: "write"; readonly rows: readonly SpanRow[]; readonly nowMs: number }
  | { readonly type: "spansOf"; readonly traceId: string; readonly limit: number }
  | { readonly type: "close" };

/** What the thread answers. */
export interface WriterAnswer {
  /** What failed; undefined when nothing did. */
  readonly failure?: string | undefined;
  readonly spans?: readonly SpanRecord[] | undefined;
}
