import type { SpanBlock } from "../span-block.ts";
import type { FoundSpans, TraceList, TraceQuery } from "../trace-list.ts";
import type { SpanFilesOptions } from "./span-files.ts";

/** What the thread begins with. */
export interface WriterData extends SpanFilesOptions {
  /** What ids of this process are made of. */
  readonly words: Uint32Array;
}

/** What the thread is asked for; it answers in order. */
export type WriterRequest =
  | { readonly type: "write"; readonly blocks: readonly SpanBlock[]; readonly nowMs: number }
  | { readonly type: "spansOf"; readonly traceId: string; readonly limit: number }
  | { readonly type: "traces"; readonly query: TraceQuery }
  | { readonly type: "close" };

/** What the thread answers. */
export interface WriterAnswer {
  /** What failed; undefined when nothing did. */
  readonly failure?: string | undefined;
  readonly found?: FoundSpans | undefined;
  readonly list?: TraceList | undefined;
}
