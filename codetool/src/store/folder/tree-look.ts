import type { StampColumns } from "../segment/index.ts";
import {
  anyFolderChanged,
  changedFiles,
  type StampedFiles,
  type StampedFolders,
} from "./changed-files.ts";

/** Files that are looked at by one thread before it takes the next ones. */
const filesAtOnce = 1024;
/** How long a part that another thread has taken is waited for, milliseconds. Then it is looked at once more. */
const patienceMs = 2000;

/** Numbers that the threads share: which part is taken next, and what was found. */
const nextAt = 0;
const folderChangedAt = 1;
const linkedAt = 2;
const partsAt = 3;

/** What becomes of a part; 0 where nobody has taken it yet. */
const isTaken = 1;
const isDone = 2;
/** Its thread failed. */
const isLeft = 3;

/** A tree to look at, in memory that threads share. It can be posted to a thread. */
export interface SharedTree {
  readonly root: string;
  readonly control: Int32Array;
  /** 1 for each file that is gone or has another stamp. */
  readonly isChanged: Uint8Array;
  readonly folders: StampedFolders;
  readonly files: StampedFiles;
}

/** What a look at all folders and files of a tree found. */
export interface SeenStamps {
  readonly isAnyFolderChanged: boolean;
  /** Numbers of files that are gone, or have another stamp; not all of them where a folder changed. */
  readonly changed: readonly number[];
  readonly isAnyLinked: boolean;
}

/** A look at the stamps of a tree by several threads: each takes a part after the other, the folders first. */
export class TreeLook {
  readonly shared: SharedTree;

  constructor(shared: SharedTree) {
    this.shared = shared;
  }

  /** Puts a tree into memory that threads share. */
  static of(root: string, folders: StampedFolders, files: StampedFiles): TreeLook {
    const { fileCount } = files;
    const partCount = 1 + Math.ceil(fileCount / filesAtOnce);
    return new TreeLook({
      root,
      folders: {
        folderCount: folders.folderCount,
        paths: sharedBytes(folders.paths),
        stamps: sharedStamps(folders.stamps),
      },
      files: {
        fileCount,
        paths: sharedBytes(files.paths),
        pathEnds: sharedEnds(files.pathEnds),
        sizes: sharedFloats(files.sizes),
        stamps: sharedStamps(files.stamps),
      },
      control: new Int32Array(new SharedArrayBuffer(4 * (partsAt + partCount))),
      isChanged: new Uint8Array(new SharedArrayBuffer(fileCount)),
    });
  }

  /** The same tree, of which nothing is looked at yet. */
  again(): TreeLook {
    const { control, isChanged } = this.shared;
    return new TreeLook({
      ...this.shared,
      control: new Int32Array(new SharedArrayBuffer(control.byteLength)),
      isChanged: new Uint8Array(new SharedArrayBuffer(isChanged.byteLength)),
    });
  }

  /** Looks at parts that nobody has taken until there are none. */
  work(): void {
    const { control } = this.shared;
    for (;;) {
      const at = partsAt + Atomics.add(control, nextAt, 1);
      if (at >= control.length) return;
      Atomics.store(control, at, isTaken);
      let state = isLeft;
      try {
        this.#look(at);
        state = isDone;
      } finally {
        Atomics.store(control, at, state);
        Atomics.notify(control, at);
      }
    }
  }

  /** What others found, once they have looked at all; `undefined` before, and where one of them failed. */
  found(): SeenStamps | undefined {
    const { control } = this.shared;
    for (let at = partsAt; at < control.length; at += 1)
      if (Atomics.load(control, at) !== isDone) return undefined;
    return this.#summary();
  }

  /** Looks at what is left, waits for what others have taken, and says what all of them found. */
  finish(): SeenStamps {
    const { control } = this.shared;
    this.work();
    for (let at = partsAt; at < control.length; at += 1) {
      Atomics.wait(control, at, isTaken, patienceMs);
      if (Atomics.load(control, at) !== isDone) this.#look(at);
    }
    return this.#summary();
  }

  #summary(): SeenStamps {
    const { control, isChanged } = this.shared;
    const changed: number[] = [];
    for (let file = isChanged.indexOf(1); file >= 0; file = isChanged.indexOf(1, file + 1))
      changed.push(file);
    return {
      isAnyFolderChanged: Atomics.load(control, folderChangedAt) === 1,
      changed,
      isAnyLinked: Atomics.load(control, linkedAt) === 1,
    };
  }

  #look(at: number): void {
    const { root, control, isChanged, folders, files } = this.shared;
    if (at === partsAt) {
      if (anyFolderChanged(root, folders)) Atomics.store(control, folderChangedAt, 1);
      return;
    }
    // Then the tree is walked, whatever became of its files.
    if (Atomics.load(control, folderChangedAt) === 1) return;
    const start = (at - partsAt - 1) * filesAtOnce;
    const range = { start, end: Math.min(files.fileCount, start + filesAtOnce) };
    const found = changedFiles(root, files, range);
    for (const file of found.changed) isChanged[file] = 1;
    if (found.isAnyLinked) Atomics.store(control, linkedAt, 1);
  }
}

function sharedStamps({ modifiedMs, changedMs, inodes }: StampColumns): StampColumns {
  return {
    modifiedMs: sharedFloats(modifiedMs),
    changedMs: sharedFloats(changedMs),
    inodes: sharedFloats(inodes),
  };
}

function sharedFloats(values: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}

function sharedBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function sharedEnds(ends: Uint32Array): Uint32Array {
  const shared = new Uint32Array(new SharedArrayBuffer(ends.byteLength));
  shared.set(ends);
  return shared;
}
