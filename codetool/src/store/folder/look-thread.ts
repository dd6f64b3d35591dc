import { QuickStat } from "../../files/index.ts";
import { lookModule } from "../../system/index.ts";
import type { StampedFiles, StampedFolders } from "./changed-files.ts";
import { type SeenStamps, type SharedTree, TreeLook } from "./tree-look.ts";

/** What this file uses of the runtime that the executable is built on. */
interface Runtime {
  readonly Worker?: new (address: string) => Thread;
}

interface Thread {
  postMessage(tree: SharedTree): void;
  unref(): void;
  terminate(): void;
  onerror: ((event: { preventDefault(): void }) => void) | null;
}

/** A look at a tree that another thread has begun. */
export interface ThreadedLook {
  /** What was found, once the other thread has looked at all; `undefined` before. */
  found(): SeenStamps | undefined;
  /** Helps with what is left of the look, and says what was found. */
  finish(): SeenStamps;
}

/** Fewer files are looked at in the time that a thread takes to start. */
const fileCountMin = 1000;

/** A thread that looks at the stamps of a tree. It starts in a millisecond, in the executable on Linux. */
export class LookThread implements Disposable {
  readonly #thread: Thread;
  readonly #tree: TreeLook;

  private constructor(thread: Thread, tree: TreeLook) {
    this.#thread = thread;
    this.#tree = tree;
  }

  /** Whether there is such a thread, and it would pay for so many files. */
  static isOffered(fileCount: number): boolean {
    const { Worker } = globalThis as unknown as Runtime;
    return (
      fileCount >= fileCountMin &&
      lookModule() !== undefined &&
      Worker !== undefined &&
      QuickStat.isOffered()
    );
  }

  /** @returns `undefined` where it does not start. Ask `isOffered` first. */
  static start(root: string, folders: StampedFolders, files: StampedFiles): LookThread | undefined {
    const address = lookModule();
    const { Worker } = globalThis as unknown as Runtime;
    if (address === undefined || Worker === undefined) return undefined;
    try {
      const thread = new Worker(address.href);
      // What it does not look at is looked at by `finish`.
      thread.onerror = (event) => event.preventDefault();
      // Its end is not waited for.
      thread.unref();
      return new LookThread(thread, TreeLook.of(root, folders, files));
    } catch {
      return undefined;
    }
  }

  /** Begins a look at the whole tree. */
  begin(): ThreadedLook {
    const look = this.#tree.again();
    try {
      this.#thread.postMessage(look.shared);
    } catch {
      // `finish` looks at all of it.
    }
    return look;
  }

  /** Ends the thread, whatever it does. */
  [Symbol.dispose](): void {
    this.#thread.terminate();
  }
}
