import { type FSWatcher, type Stats, statSync, watch } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** How well a tree is watched. */
export interface WatchState {
  /** Folders that were not watched before: what came into them until now was not told. */
  readonly addedCount: number;
  /** Folders that the system does not watch: it has a limit. */
  readonly unwatchedCount: number;
}

/** What watching a tree takes. */
export interface TreeWatcherOptions {
  /** Absolute path of a folder. */
  readonly root: string;
  /** Something may have changed. Not told what: events come twice, late, or by another name, and some are lost. */
  readonly onChange: () => void;
  /** Folders that are watched at most; default 50 000. */
  readonly folderCountMax?: number;
  /** Whether one watcher sees the whole tree; default where the system offers it (macOS, Windows). */
  readonly isRecursive?: boolean;
}

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Which folder it is, whatever its name: one that was made again is another. */
  readonly inode: number;
}

const folderCountMaxDefault = 50_000;
/** Never told of: what git and we write ourselves. */
const ownPattern = /(?:^|[/\\])\.(?:git|codetool)[/\\]/;

/**
 * Tells when something in a tree may have changed.
 *
 * Where the system watches folders one by one (Linux), those that a walk entered are watched, and no ignored ones; the
 * caller says after each walk which they are. What changed is found by looking: an event is only the reason to look.
 */
export class TreeWatcher implements Disposable {
  readonly #options: TreeWatcherOptions;
  readonly #isRecursive: boolean;
  readonly #folders = new Map<string, WatchedFolder>();

  constructor(options: TreeWatcherOptions) {
    this.#options = options;
    this.#isRecursive =
      options.isRecursive ?? (process.platform === "darwin" || process.platform === "win32");
  }

  /** How many folders are watched, each by itself. */
  get folderCount(): number {
    return this.#folders.size;
  }

  /**
   * Watches the folders given and no others.
   *
   * @param relativePaths With forward slashes; the root is the empty one. Folders that are gone are left out.
   */
  watch(relativePaths: readonly string[]): WatchState {
    const { folderCountMax = folderCountMaxDefault } = this.#options;
    const all = this.#isRecursive ? [""] : relativePaths;
    const wanted = all.slice(0, folderCountMax);
    const before = new Map(this.#folders);
    let addedCount = 0;
    let unwatchedCount = all.length - wanted.length;
    for (const path of wanted) {
      const inode = this.#stat(path)?.ino;
      const known = before.get(path);
      before.delete(path);
      if (known !== undefined && known.inode === inode) continue;
      this.#end(path);
      if (inode === undefined) continue;
      if (this.#begin(path, inode)) addedCount += 1;
      else unwatchedCount += 1;
    }
    for (const path of before.keys()) this.#end(path);
    return { addedCount, unwatchedCount };
  }

  /** Ends all watching. */
  [Symbol.dispose](): void {
    for (const path of this.#folders.keys()) this.#end(path);
  }

  #stat(path: string): Stats | undefined {
    try {
      return statSync(join(this.#options.root, path), { throwIfNoEntry: false });
    } catch {
      // Closed to us since the walk.
      return undefined;
    }
  }

  #begin(path: string, inode: number): boolean {
    const { root, onChange } = this.#options;
    try {
      const watcher = watch(join(root, path), { recursive: this.#isRecursive });
      watcher.on("change", (_event, name) => {
        if (typeof name === "string" && ownPattern.test(name)) return;
        onChange();
      });
      watcher.on("error", () => {
        // The folder is gone, or was never ours to watch: the next walk tells.
        this.#end(path);
        onChange();
      });
      this.#folders.set(path, { watcher, inode });
      return true;
    } catch {
      // The system watches no more folders, or this one not.
      return false;
    }
  }

  #end(path: string): void {
    this.#folders.get(path)?.watcher.close();
    this.#folders.delete(path);
  }
}
