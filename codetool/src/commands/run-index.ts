import { dirname, join } from "node:path";
import { errors } from "../envelope/index.ts";
import { findProjectRoot } from "../files/index.ts";
import {
  findIndexRoot,
  IndexBusy,
  IndexFault,
  indexFolder,
  openGeneration,
  type OpenGeneration,
  updateIndex,
} from "../store/index.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { thisProcess } from "./this-process.ts";
import { resolveTarget } from "./paths.ts";
import { readSettings } from "./settings.ts";

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
  const target = resolveTarget(argument, context);
  const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
  const root = findIndexRoot(folder) ?? findProjectRoot(folder) ?? folder;
  if (input["stats"] === true) return statsOf(root, argument);
  const settings = readSettings(context.environment);
  const startMs = performance.now();
  const result = await asCommandErrors(root, () =>
    updateIndex({
      root,
      environment: context.environment,
      chunkSizeCharacters: settings.chunkSizeCharacters,
      fileSizeBytesMax: settings.fileSizeBytesMax,
      isRebuild: input["rebuild"] === true,
      nowMs: Date.now,
      process: thisProcess(),
      ...(context.onProgress === undefined ? {} : { onProgress: context.onProgress }),
    }),
  );
  return {
    data: {
      path: root,
      files_indexed: result.filesIndexed,
      files_changed: result.filesChanged,
      files_unchanged: result.filesUnchanged,
      files_removed: result.filesRemoved,
      chunks: result.chunks,
      duration_ms: Math.round(performance.now() - startMs),
      languages: sorted(result.languages),
    },
    ...(result.warnings.length === 0 ? {} : { warnings: result.warnings }),
  };
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
    languages: sorted(languages),
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

/** Languages by falling count, then by name. */
function sorted(languages: ReadonlyMap<string, number>): { readonly [name: string]: number } {
  const order = [...languages].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return Object.fromEntries(order);
}

async function asCommandErrors<Result>(root: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof IndexBusy)
      throw new errors.index_busy({ path: root, holder: error.holder }, { cause: error });
    if (error instanceof IndexFault)
      throw new errors.invalid_argument(
        { argument: error.path, reason: `${error.reason}, and an index is to be written there` },
        { cause: error },
      );
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      throw new errors.permission_denied({ path: join(root, ".codetool") }, { cause: error });
    if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
      throw new errors.disk_full({ path: join(root, ".codetool") }, { cause: error });
    throw error;
  }
}
