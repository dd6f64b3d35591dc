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

/** Changes that come so close to each other make one generation. */
const quietMs = 100;
/** How long changes without a pause are gathered. */
const gatherMsMax = 1000;
/** How long git may take to change a tree before what it did so far is looked at. */
const gitMsMax = 10_000;
/**
 * A tree is looked at this often without a reason, and at least so many times as long as a look takes: systems lose
 * events, and some file systems tell of none. With all folders watched that is two hundredths of a core at most.
 */
const lookIntervalMsMin = 2000;
const watchedIntervalLooks = 50;
/** The same where folders are not watched. */
const blindIntervalLooks = 10;
/** After a run that failed; doubled up to the longest. */
const retryMsMin = 1000;
const retryMsMax = 30_000;
/** Failures one after the other that no error of the table explains. */
const strangeFailureCountMax = 5;

/**
 * Brings the index of a path's project up to date, and again whenever its files change. Each generation with other
 * files is an answer, the first one always.
 *
 * A change is only the reason to look at the whole tree: events that the system drops or doubles cost nothing but time.
 *
 * @throws file_not_found when the root is gone, and as `indexOnce` for a place where no index can be.
 */
export async function watchIndex(
  input: IndexInput,
  context: CommandContext,
  options: StreamOptions<IndexPayload>,
): Promise<void> {
  if (input.stats === true)
    throw new errors.invalid_argument({
      argument: "--stats and --watch",
      reason: "one says what there is, the other goes on changing it",
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
  /** As the last answer told. */
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
      // What came into a folder before it was watched was not told.
      if (this.#failureCount === 0 && this.#state.addedCount > 0) continue;
      await this.#nextReason();
    }
  }

  /** @returns False when there is nobody to go on for. */
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
      // An index that was removed knows of no files that went with it.
      update.filesIndexed === this.#fileCount;
    if (!isFirst && isAsTold) return undefined;
    this.#fileCount = update.filesIndexed;
    const { unwatchedCount } = this.#state;
    const warnings = [...(result.warnings ?? [])];
    if (unwatchedCount > 0)
      warnings.push(
        `The system watches no more folders: ${unwatchedCount} are looked at every ${Math.ceil(this.#intervalMs() / 1000)} s`,
      );
    return {
      data: { ...result.data, folders_watched: this.#watcher.folderCount },
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  /** Says a failure once; what no later run can mend ends the watching. */
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
    // Another writer ends some time, and what it wrote is as good.
    if (error.code === "index_busy" || error.code === this.#saidCode) return true;
    this.#saidCode = error.code;
    return await emit({ error });
  }

  /** Waits for a reason to look, and then until it is quiet. */
  async #nextReason(): Promise<void> {
    const { signal } = this.#options;
    if (this.#failureCount > 0) {
      const doubled = retryMsMin * 2 ** Math.min(10, this.#failureCount - 1);
      await this.#bell.wait(Math.min(retryMsMax, doubled), signal);
      // Changes alone mend nothing: not faster than that.
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
