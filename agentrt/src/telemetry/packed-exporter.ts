import type { SpanBlock } from "./span-block.ts";
import type { SpanExporter } from "./span-exporter.ts";

/** Under this name an exporter of ours takes blocks; no class of a user's has it. */
export const exportBlocks: unique symbol = Symbol("agentrt.exportBlocks");

/** An exporter that takes spans as they are packed: no record is made of them in this thread. */
export interface PackedExporter extends SpanExporter {
  /** Does what `export` does. The ids are those of the system that it was opened with. */
  [exportBlocks](blocks: readonly SpanBlock[]): Promise<void>;
}

/** @returns Whether an exporter takes blocks. */
export function takesBlocks(exporter: SpanExporter): exporter is PackedExporter {
  return exportBlocks in exporter;
}
