import process from "node:process";
import { FolderEvents } from "./folder-events.ts";
import { TreeWatcher } from "./tree-watcher.ts";
import { nextTurn } from "../system/index.ts";

/** Says whether anything in a tree changed since the last call. */
export interface ChangeWatch extends Disposable {
  /**
   * Watches the folders given.
   *
   * @param relativePaths With forward slashes; the root is the empty one. Folders that are gone are left out.
   * @returns How many were not watched before; `undefined` if not all can be watched: then it is of no more use.
   */
  watch(relativePaths: readonly string[]): number | undefined;
  /** Whether an entry was made, removed or written since the last call; changes up to the moment of the call count. */
  hasChanged(): Promise<boolean>;
}

/**
 * Makes a watch that misses no write from before a call, on systems where that is possible: on Linux, whose queue of
 * events is in order and is read to its end. Linux does not report writes through a memory map.
 *
 * @param root Absolute path of a folder.
 * @returns `undefined` on others.
 */
export function makeChangeWatch(root: string): ChangeWatch | undefined {
  if (process.platform !== "linux") return undefined;
  return FolderEvents.open(root) ?? new NodeWatch(root);
}

/** The same by the watchers of Node. */
class NodeWatch implements ChangeWatch {
  readonly #watcher: TreeWatcher;
  #hasChanged = false;

  constructor(root: string) {
    this.#watcher = new TreeWatcher({ root, onChange: () => (this.#hasChanged = true) });
  }

  watch(relativePaths: readonly string[]): number | undefined {
    const { addedCount, unwatchedCount } = this.#watcher.watch(relativePaths);
    return unwatchedCount > 0 ? undefined : addedCount;
  }

  async hasChanged(): Promise<boolean> {
    // Two turns of the event loop: in the second it has read all that the system had queued before the first.
    await nextTurn();
    await nextTurn();
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  [Symbol.dispose](): void {
    this.#watcher[Symbol.dispose]();
  }
}
