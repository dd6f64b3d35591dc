import type { PipelineSearch } from "./pipeline/index.ts";
import type { RankedChunk, RankedSearchOptions } from "./ranked/index.ts";

/** Answers from an index by the pipeline. It is loaded only here: few searches ask for it. */
export async function searchByPipeline(
  options: RankedSearchOptions,
  search: PipelineSearch,
): Promise<RankedChunk[]> {
  const pipeline = await import("./pipeline/index.ts");
  return await pipeline.searchByPipeline(options, search);
}
