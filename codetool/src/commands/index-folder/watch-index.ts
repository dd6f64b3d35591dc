import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandError, errors } from "../../envelope/index.ts";
import { TreeWatcher, type WatchState } from "../../files/index.ts";
import { ChangeBell } from "./change-bell.ts";
import type { CommandContext, CommandResult, StreamOptions } from "../command.ts";
import type { IndexInput } from "./input.ts";
import type { IndexedPayload, IndexPayload } from "./payload.ts";
import { indexOnce, indexRootOf } from "./index-once.ts";
import { steadyMs } from "../../system/index.ts";

/** Changes that are at most this far apart become one generation. */
const quietMs = 100;
/** How long changes are gathered when they come without a pause. */
const gatherMsMax = 1000;
/** How long git may take to change a tree before what it did so far is looked at. */
const gitMsMax = 10_000;
/**
 * How often the tree is checked without an event; the pause is also at least this many times as long as a check takes.
 * Systems lose events, and some file systems send none. With all folders watched, this takes at most 2 % of a core.
 */
const lookIntervalMsMin = 2000;
const watchedIntervalLooks = 50;
/** The same when some folders are not watched. */
const blindIntervalLooks = 10;
/** The pause after a failed run; it doubles up to the longest. */
const retryMsMin = 1000;
const retryMsMax = 30_000;
/** How many unexplained failures in a row end the watching. */
const strangeFailureCountMax = 5;

/**
 * Brings the index of a path's project up to date, and again whenever its files change. Each generation with other
 * files is an answer, the first one always.
 *
 * An event only triggers a check of the whole tree, so a dropped or doubled event costs only time.
 *
 * @throws file_not_found when the root is gone, and the errors of `indexOnce` where no index can be written.
 */
export async function watchIndex(
  input: IndexInput,
  context: CommandContext,
  options: StreamOptions<IndexPayload>,
): Promise<void> {
  if (input.stats === true)
    throw new errors.invalid_argument({
      argument: "--stats and --watch",
      reason: "--stats gives one answer, --watch keeps running",
    });
  const root = indexRootOf(input.path ?? ".", context);
  const isRebuild = input.rebuild === true;
  using run = new WatchRun({ root, context, isRebuild, ...options });
  await run.run();
}

interface WatchOptions extends StreamOptions<IndexPayload> {
  readonly root: string;
  readonly context: CommandContext;
  readonly isRebuild: boolean;
}

class WatchRun implements Disposable {
  readonly #options: WatchOptions;
  readonly #bell = new ChangeBell();
  readonly #watcher: TreeWatcher;
  #state: WatchState = { addedCount: 0, unwatchedCount: 0 };
  #answerCount = 0;
  /** As in the last answer. */
  #fileCount = 0;
  #lookMs = 0;
  /** Of the error that was answered last, until a run succeeds. */
  #saidCode: string | undefined;
  #failureCount = 0;
  #strangeFailureCount = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#watcher = new TreeWatcher({ root: options.root, onChange: () => this.#bell.ring() });
  }

  [Symbol.dispose](): void {
    this.#watcher[Symbol.dispose]();
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      if (!(await this.#look())) return;
      // There was no event for files that came into a folder before it was watched.
      if (this.#failureCount === 0 && this.#state.addedCount > 0) continue;
      await this.#nextReason();
    }
  }

  /** @returns False when nobody reads the answers any more. */
  async #look(): Promise<boolean> {
    const { signal, emit } = this.#options;
    try {
      const answer = await this.#update();
      this.#failureCount = 0;
      this.#strangeFailureCount = 0;
      this.#saidCode = undefined;
      if (answer === undefined) return true;
      this.#answerCount += 1;
      return await emit(answer);
    } catch (error) {
      if (signal.aborted) return false;
      this.#failureCount += 1;
      return await this.#answerFailure(error);
    }
  }

  /** @returns The answer to give, if there is something to say. */
  async #update(): Promise<CommandResult<IndexedPayload> | undefined> {
    const { root, context, signal, isRebuild } = this.#options;
    const isFirst = this.#answerCount === 0;
    const startMs = steadyMs();
    let folders: readonly string[] = [""];
    const { result, update } = await indexOnce({
      root,
      context,
      signal,
      isRebuild: isRebuild && isFirst,
      isTrusting: !isFirst && this.#failureCount === 0,
      onFolders: (found) => {
        folders = found;
      },
    });
    this.#state = this.#watcher.watch(folders);
    this.#lookMs = steadyMs() - startMs;
    const isAsTold =
      update.filesChanged === 0 &&
      update.filesRemoved === 0 &&
      // When the index itself was removed, it cannot say which files are gone.
      update.filesIndexed === this.#fileCount;
    if (!isFirst && isAsTold) return undefined;
    this.#fileCount = update.filesIndexed;
    const { unwatchedCount } = this.#state;
    const warnings = [...(result.warnings ?? [])];
    if (unwatchedCount > 0)
      warnings.push(
        `The system watches no more folders: ${unwatchedCount} are checked every ${Math.ceil(this.#intervalMs() / 1000)} s`,
      );
    return {
      data: { ...result.data, folders_watched: this.#watcher.folderCount },
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  /** Reports a failure once; a failure that no later run can mend ends the watching. */
  async #answerFailure(error: unknown): Promise<boolean> {
    const { context, emit } = this.#options;
    if (!(error instanceof CommandError)) {
      this.#strangeFailureCount += 1;
      if (this.#strangeFailureCount === strangeFailureCountMax) throw error;
      context.log?.(
        "error",
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      return true;
    }
    if (error.code === "file_not_found" || error.code === "invalid_argument") throw error;
    context.log?.("warn", error.message);
    // Another writer ends at some time, and its result is as good as ours.
    if (error.code === "index_busy" || error.code === this.#saidCode) return true;
    this.#saidCode = error.code;
    return await emit({ error });
  }

  /** Waits for an event or the time of the next check, and then until no more events come. */
  async #nextReason(): Promise<void> {
    const { signal } = this.#options;
    if (this.#failureCount > 0) {
      const doubled = retryMsMin * 2 ** Math.min(10, this.#failureCount - 1);
      await this.#bell.wait(Math.min(retryMsMax, doubled), signal);
      // Changes do not mend the failure: do not retry earlier because of them.
      return;
    }
    await this.#bell.wait(this.#intervalMs(), signal);
    const startMs = steadyMs();
    for (;;) {
      const isQuiet = !(await this.#bell.wait(quietMs, signal));
      const waitedMs = steadyMs() - startMs;
      if (signal.aborted) return;
      if (this.#isGitAtWork() ? waitedMs > gitMsMax : isQuiet || waitedMs > gatherMsMax) return;
    }
  }

  #isGitAtWork(): boolean {
    return existsSync(join(this.#options.root, ".git", "index.lock"));
  }

  #intervalMs(): number {
    const { unwatchedCount } = this.#state;
    const looks = unwatchedCount > 0 ? blindIntervalLooks : watchedIntervalLooks;
    return Math.max(lookIntervalMsMin, looks * this.#lookMs);
  }
}
