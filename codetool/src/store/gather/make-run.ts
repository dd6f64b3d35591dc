import type { WalkedFile } from "../../files/index.ts";
import type { TextEmbedder } from "../../model/index.ts";
import { type GatheredFile, type GatherOptions, gatherBatch } from "./batch.ts";
import { writeRun } from "./write-run.ts";

/**
 * Gathers files and writes them into a new folder, as a run.
 *
 * @returns What was read of each file, in order; `null` for one that could not be.
 */
export async function makeRun(
  files: readonly WalkedFile[],
  options: GatherOptions & { readonly embedder: TextEmbedder; readonly directory: string },
): Promise<(GatheredFile | null)[]> {
  const gathered: (GatheredFile | null)[] = [];
  const builder = await gatherBatch(files, options, (_file, result) => {
    gathered.push(result ?? null);
  });
  writeRun(options.directory, builder);
  return gathered;
}
