import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type ChangeWatch,
  makeChangeWatch,
  outsideRules,
  userRuleVariables,
} from "../../files/index.ts";
import { steadyMs } from "../../system/index.ts";
import {
  type CorpusLook,
  type Look,
  type OpenCorpus,
  type OpenCorpusOptions,
  openLook,
} from "./open-corpus.ts";
import {
  indexFolder,
  type LookThread,
  type SeenStamps,
  type ThreadedLook,
} from "../folder/index.ts";

/** How many indexes are kept open; the least recently used is closed for the next. */
const keptCountMax = 4;
/** How often a tree is checked again when folders were added during the check. */
const lookCountMax = 3;
/**
 * How long events are trusted before all files are looked at again. A write through a memory map, or by a hard link that was
 * made outside of the tree meanwhile, is not reported.
 */
const trustedMs = 1000;
/** How old the last look is when another thread begins the next one, so that it is done before a question waits for it. */
const renewedMs = trustedMs / 2;

/**
 * Indexes that stay open from request to request, with the results that were computed over them. Before each answer they
 * are compared with the tree: by the events of its folders if the system reports them, else by the stamps of all files.
 */
export class ResidentCorpora implements Disposable {
  readonly #kept = new Map<string, ResidentCorpus>();

  /** See `openCorpus`; what is returned is shared, and closed when nobody uses it any more. */
  async open(options: OpenCorpusOptions): Promise<OpenCorpus | undefined> {
    const { root, environment, fileSizeBytesMax } = options;
    // Whose rules leave files out is kept apart: a service answers processes of several environments.
    const rules = userRuleVariables.map((name) => environment[name] ?? null);
    const key = JSON.stringify([root, fileSizeBytesMax, rules]);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const resident = known ?? new ResidentCorpus(options);
    this.#kept.set(key, resident);
    for (const [oldest, other] of this.#kept) {
      if (this.#kept.size <= keptCountMax) break;
      this.#kept.delete(oldest);
      other[Symbol.dispose]();
    }
    return await resident.open();
  }

  /** Closes all, as soon as nobody uses them. */
  [Symbol.dispose](): void {
    for (const resident of this.#kept.values()) resident[Symbol.dispose]();
    this.#kept.clear();
  }
}

/** What another thread sees of the tree while questions are answered. */
interface AheadLook {
  readonly look: ThreadedLook;
  readonly begunMs: number;
}

/** One generation of an index, open; closed when it is retired and the last user is done. */
interface Held {
  /** Tells one `meta.json` from another. */
  readonly stamp: string;
  readonly look: CorpusLook;
  userCount: number;
  isRetired: boolean;
}

class ResidentCorpus implements Disposable {
  readonly #options: OpenCorpusOptions;
  #held: Held | undefined;
  #current: Look | undefined;
  #watch: ChangeWatch | undefined;
  /** The folders of the index are watched, and no others were found since. */
  #isWatchedAsIndexed = false;
  /** `null` where there is none. */
  #thread: LookThread | null | undefined;
  #ahead: AheadLook | undefined;
  #isWatchTried = false;
  #lookedMs = -Infinity;
  /** Those of the last look. */
  #outsideRules = "";
  #isDisposed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: OpenCorpusOptions) {
    this.#options = options;
  }

  /** One request at a time checks that the corpus is fresh; then they use it in parallel. */
  async open(): Promise<OpenCorpus | undefined> {
    const opened = this.#turn.then(async () => await this.#open());
    this.#turn = opened.catch(() => undefined);
    return await opened;
  }

  async #open(): Promise<OpenCorpus | undefined> {
    const stamp = this.#readStamp();
    let isNew = false;
    if (this.#held === undefined || this.#held.stamp !== stamp || !this.#held.look.isWhole()) {
      this.#retire();
      const look = stamp === undefined ? undefined : openLook(this.#options);
      if (stamp === undefined || look === undefined) return undefined;
      this.#held = { stamp, look, userCount: 0, isRetired: false };
      isNew = true;
    }
    const held = this.#held;
    try {
      const current = isNew || (await this.#haveEventsCome()) ? undefined : this.#current;
      this.#current =
        current === undefined
          ? await this.#lookAgain(held.look)
          : await this.#renewed(held.look, current);
    } catch (error) {
      this.#retire();
      throw error;
    }
    return this.#share(held, this.#current);
  }

  /** A watch starts only with a second request of the same generation, so that a single request does not pay for it. */
  async #haveEventsCome(): Promise<boolean> {
    const { look } = this.#held as Held;
    if (!this.#isWatchTried) {
      this.#isWatchTried = true;
      this.#watch = makeChangeWatch(this.#options.root);
      if (this.#watch?.watch(look.folders()) === undefined) this.#endWatch();
      return true;
    }
    if (this.#watch === undefined || this.#current?.isAnyLinked === true) return true;
    if (await this.#watch.hasChanged()) return true;
    // No event of the tree tells of rules outside of it.
    return this.#readOutsideRules() !== this.#outsideRules;
  }

  /** Without events the look before holds for a while. The next one is mostly done by another thread when that is over. */
  async #renewed(corpusLook: CorpusLook, current: Look): Promise<Look> {
    const nowMs = steadyMs();
    const ageMs = nowMs - this.#lookedMs;
    if (this.#ahead === undefined && ageMs > renewedMs) this.#ahead = this.#begin(corpusLook);
    const ahead = this.#ahead;
    if (ageMs > trustedMs) {
      // It may have been begun long ago, behind the question before this one.
      const young =
        ahead !== undefined && nowMs - ahead.begunMs <= trustedMs ? ahead : this.#begin(corpusLook);
      return await this.#lookAgain(corpusLook, young && { ...young, seen: young.look.finish() });
    }
    const seen = ahead?.look.found();
    if (ahead === undefined || seen === undefined) return current;
    return await this.#lookAgain(corpusLook, { ...ahead, seen });
  }

  /** Has another thread look at the tree; `undefined` where there is none. */
  #begin(corpusLook: CorpusLook): AheadLook | undefined {
    if (this.#thread === undefined) this.#thread = corpusLook.startThread() ?? null;
    return this.#thread === null ? undefined : { begunMs: steadyMs(), look: this.#thread.begin() };
  }

  #readOutsideRules(): string {
    const { root, environment } = this.#options;
    return outsideRules(root, environment);
  }

  /**
   * Folders that were not watched when they were checked are checked again.
   *
   * @param ahead What another thread saw, no event having come since it began.
   */
  async #lookAgain(
    corpusLook: CorpusLook,
    ahead?: { readonly seen: SeenStamps; readonly begunMs: number },
  ): Promise<Look> {
    this.#ahead = undefined;
    this.#lookedMs = ahead?.begunMs ?? steadyMs();
    this.#outsideRules = this.#readOutsideRules();
    for (let count = 1; ; count += 1) {
      const look = await corpusLook.look(this.#current, count === 1 ? ahead?.seen : undefined);
      if (this.#watch === undefined) return look;
      // Where no event came, no watch has gone either.
      const isQuiet = ahead !== undefined && count === 1;
      if (isQuiet && look.folders === undefined && this.#isWatchedAsIndexed) return look;
      const addedCount = this.#watchFolders(look.folders, corpusLook);
      if (addedCount === undefined) this.#endWatch();
      if (addedCount === undefined || addedCount === 0 || count === lookCountMax) return look;
    }
  }

  /** See `ChangeWatch.watch`; `walked` are those of the tree where they may differ from the index. */
  #watchFolders(walked: readonly string[] | undefined, corpusLook: CorpusLook): number | undefined {
    this.#isWatchedAsIndexed = walked === undefined;
    return this.#watch?.watch(walked ?? corpusLook.folders());
  }

  #share(held: Held, look: Look): OpenCorpus {
    const { corpus, warnings, isWhole, leftOut, freshCount, mayHold, keep } = look;
    held.userCount += 1;
    let isDone = false;
    const close = (): void => {
      if (isDone) return;
      isDone = true;
      held.userCount -= 1;
      closeUnused(held);
    };
    const shared = { corpus, warnings, isWhole, leftOut, freshCount, mayHold, keep };
    return { ...shared, [Symbol.dispose]: close };
  }

  #readStamp(): string | undefined {
    const path = join(this.#options.root, indexFolder, "meta.json");
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined
      ? undefined
      : `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.size}`;
  }

  #retire(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#current = undefined;
    this.#isWatchedAsIndexed = false;
    this.#ahead = undefined;
    this.#thread?.[Symbol.dispose]();
    this.#thread = undefined;
    if (held === undefined) return;
    held.isRetired = true;
    closeUnused(held);
  }

  #endWatch(): void {
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#turn = this.#turn.then(() => {
      this.#retire();
      this.#endWatch();
    });
  }
}

function closeUnused(held: Held): void {
  if (held.isRetired && held.userCount === 0) held.look[Symbol.dispose]();
}
