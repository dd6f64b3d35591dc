import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { errors } from "../../envelope/index.ts";
import { findProjectRoot } from "../../files/index.ts";
import {
  findIndexRoot,
  IndexBusy,
  IndexFault,
  updateIndex,
  type UpdateOptions,
  type UpdateResult,
} from "../../store/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { resolveTarget } from "../paths.ts";
import type { IndexedPayload, LanguageCounts } from "./payload.ts";
import { readSettings } from "../settings.ts";
import { sleep, steadyMs, thisProcess } from "../../system/index.ts";

/** How long a run waits for another one to end: most updates of an index are done by then. */
const busyTimeoutMs = 2000;
const busyIntervalMs = 50;

/**
 * The folder that an index of a path covers: that of the index around it, else the git work tree, else the folder.
 *
 * @throws file_not_found.
 */
export function indexRootOf(argument: string, context: CommandContext): string {
  const target = resolveTarget(argument, context);
  const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
  const root = findIndexRoot(folder) ?? findProjectRoot(folder) ?? folder;
  // The root of the target is the highest folder that may be shown.
  return context.mayShow?.(root) === false ? target.root : root;
}

/** The options of one index run. */
export interface IndexOnceOptions extends Pick<
  UpdateOptions,
  "root" | "isRebuild" | "isTrusting" | "onFolders" | "signal"
> {
  readonly context: CommandContext;
}

/**
 * Brings an index up to date.
 *
 * @returns The payload, and what the run did.
 * @throws index_busy while another process writes it; permission_denied, disk_full or invalid_argument where it cannot
 *   be written; file_not_found for a root that is gone.
 */
export async function indexOnce({ context, ...options }: IndexOnceOptions): Promise<{
  readonly result: CommandResult<IndexedPayload>;
  readonly update: UpdateResult;
}> {
  const { root } = options;
  const settings = readSettings(context.environment);
  const startMs = steadyMs();
  const run = async (): Promise<UpdateResult> =>
    await updateIndex({
      ...options,
      environment: context.environment,
      chunkSizeCharacters: settings.chunkSizeCharacters,
      fileSizeBytesMax: settings.fileSizeBytesMax,
      nowMs: Date.now,
      process: thisProcess(),
      ...(context.onProgress === undefined ? {} : { onProgress: context.onProgress }),
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    });
  const update = await asCommandErrors(root, async () => await patiently(root, run));
  const result = {
    data: {
      path: root,
      generation: update.generation,
      files_indexed: update.filesIndexed,
      files_changed: update.filesChanged,
      files_unchanged: update.filesUnchanged,
      files_removed: update.filesRemoved,
      chunks: update.chunks,
      duration_ms: Math.round(steadyMs() - startMs),
      languages: byCount(update.languages),
    },
    ...(update.warnings.length === 0 ? {} : { warnings: update.warnings }),
  };
  return { result, update };
}

/** Languages by falling count, then by name. */
export function byCount(languages: ReadonlyMap<string, number>): LanguageCounts {
  const order = [...languages].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return Object.fromEntries(order);
}

/** Tries again while another process writes the index or removes it, for a while. */
async function patiently<Result>(root: string, run: () => Promise<Result>): Promise<Result> {
  const startMs = steadyMs();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isPassing = error instanceof IndexBusy || wasIndexRemoved(root, error);
      if (!isPassing || steadyMs() - startMs > busyTimeoutMs) throw error;
    }
    await sleep(busyIntervalMs);
  }
}

/** Whether somebody removed the index during a run while the root still exists. */
function wasIndexRemoved(root: string, error: unknown): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  const isOurs = code === "ENOENT" && path?.startsWith(join(root, ".codetool") + sep) === true;
  return isOurs && existsSync(root);
}

async function asCommandErrors<Result>(root: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof IndexBusy)
      throw new errors.index_busy({ path: root, holder: error.holder }, { cause: error });
    if (error instanceof IndexFault)
      throw new errors.invalid_argument(
        { argument: error.path, reason: `${error.reason}, and the index has to be written there` },
        { cause: error },
      );
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" && !existsSync(root))
      throw new errors.file_not_found({ path: root }, { cause: error });
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      throw new errors.permission_denied({ path: join(root, ".codetool") }, { cause: error });
    if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
      throw new errors.disk_full({ path: join(root, ".codetool") }, { cause: error });
    throw error;
  }
}
