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
  onerror: ((event: { preventDefault(): void }) => void) | null;
}

/** A look at a tree that another thread has begun. */
export interface ThreadedLook {
  /** Helps with what is left of the look, and says what was found. */
  finish(): SeenStamps;
}

/** Fewer files are looked at in the time that a thread takes to start. */
const fileCountMin = 1000;

/**
 * Begins a look at the stamps of a tree in another thread. It starts in a millisecond, in the executable on Linux.
 *
 * @returns `undefined` where there is no such thread, or where it would not pay.
 */
export function lookWithThread(
  root: string,
  folders: StampedFolders,
  files: StampedFiles,
): ThreadedLook | undefined {
  const address = lookModule();
  const { Worker } = globalThis as unknown as Runtime;
  if (address === undefined || Worker === undefined || !QuickStat.isOffered()) return undefined;
  if (files.fileCount < fileCountMin) return undefined;
  const look = TreeLook.of(root, folders, files);
  try {
    const thread = new Worker(address.href);
    // What it does not look at is looked at by `finish`.
    thread.onerror = (event) => event.preventDefault();
    thread.postMessage(look.shared);
    // Its end is not waited for.
    thread.unref();
  } catch {
    return undefined;
  }
  return look;
}
