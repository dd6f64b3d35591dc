import { join } from "node:path";
import { errors } from "../../envelope/index.ts";
import {
  countStanding,
  countStandingSymbols,
  IndexFault,
  indexFolder,
  openGeneration,
  type OpenGeneration,
} from "../../store/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import type { IndexInput } from "./input.ts";
import type { IndexPayload, IndexStatsPayload } from "./payload.ts";
import { byCount, indexOnce, indexRootOf } from "./index-once.ts";

/**
 * Builds the index of a path's project, or brings it up to date; with `stats` says what it holds.
 *
 * @throws file_not_found; index_missing for `stats` without an index; index_busy while another process writes it;
 *   permission_denied where it cannot be written.
 */
export async function runIndex(
  input: IndexInput,
  context: CommandContext,
): Promise<CommandResult<IndexPayload>> {
  const { path: argument = "." } = input;
  const root = indexRootOf(argument, context);
  if (input.stats === true) return statsOf(root, argument);
  const isRebuild = input.rebuild === true;
  return (await indexOnce({ root, context, isRebuild })).result;
}

function statsOf(root: string, argument: string): CommandResult<IndexStatsPayload> {
  const open = openForStats(root, argument);
  const { meta, segments } = open;
  const { files, chunks, languages } = countStanding(segments);
  const data: IndexStatsPayload = {
    path: root,
    index_exists: true,
    generation: meta.generation,
    timestamp: meta.timestamp,
    files,
    chunks,
    symbols: countStandingSymbols(segments),
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
