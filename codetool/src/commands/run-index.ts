import { join } from "node:path";
import { errors } from "../envelope/index.ts";
import { IndexFault, indexFolder, openGeneration, type OpenGeneration } from "../store/index.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { byCount, indexOnce, indexRootOf } from "./index-once.ts";

/**
 * Builds the index of a path's project, or brings it up to date; with `stats` says what it holds.
 *
 * @throws file_not_found; index_missing for `stats` without an index; index_busy while another process writes it;
 *   permission_denied where it cannot be written.
 */
export async function runIndex(
  input: CommandInput,
  context: CommandContext,
): Promise<CommandResult> {
  const argument = typeof input["path"] === "string" ? input["path"] : ".";
  const root = indexRootOf(argument, context);
  if (input["stats"] === true) return statsOf(root, argument);
  const isRebuild = input["rebuild"] === true;
  return (await indexOnce({ root, context, isRebuild })).result;
}

function statsOf(root: string, argument: string): CommandResult {
  const open = openForStats(root, argument);
  const { meta, segments } = open;
  const languages = new Map<string, number>();
  const counts = { files: 0, chunks: 0, symbols: 0 };
  for (const segment of segments) {
    const { files, isRemoved, symbols } = segment;
    for (const [file] of files.paths.entries()) {
      if (isRemoved[file] === 1) continue;
      counts.files += 1;
      counts.chunks += countIn(files.chunkEnds, file);
      counts.symbols += countIn(symbols.fileEnds, file);
      const language = files.languageOf(file);
      if (language !== null) languages.set(language, (languages.get(language) ?? 0) + 1);
    }
  }
  const data = {
    path: root,
    index_exists: true,
    generation: meta.generation,
    timestamp: meta.timestamp,
    ...counts,
    terms: Math.max(...segments.map((segment) => segment.field("body").termCount)),
    segments: segments.length,
    size_bytes: segments.reduce((sum, segment) => sum + segment.sizeBytes, 0),
    chunk_size: meta.chunk_size,
    languages: byCount(languages),
  };
  close(open);
  return { data };
}

/** @throws index_missing where there is none that can be read. */
function openForStats(root: string, argument: string): OpenGeneration {
  let open: OpenGeneration | undefined;
  try {
    open = openGeneration(join(root, indexFolder));
  } catch (error) {
    if (!(error instanceof IndexFault)) throw error;
    const reason = `"${error.path}": ${error.reason}`;
    throw new errors.index_missing({ path: argument, reason }, { cause: error });
  }
  if (open === undefined) throw new errors.index_missing({ path: argument });
  return open;
}

function close({ segments }: OpenGeneration): void {
  for (const segment of segments) segment.close();
}

function countIn(ends: Uint32Array, index: number): number {
  return (ends[index] as number) - (index === 0 ? 0 : (ends[index - 1] as number));
}
