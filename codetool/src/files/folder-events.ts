import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";

/** What this file uses of the runtime that the executable is built on: the C library, called directly. */
interface Runtime {
  readonly FFI: {
    dlopen(
      path: string,
      symbols: { readonly [name: string]: { readonly args: string[]; readonly returns: string } },
    ): { readonly symbols: { readonly [name: string]: (...values: unknown[]) => number | bigint } };
    ptr(bytes: Uint8Array): number;
  };
}

/** The system calls of Linux that report changes in folders, under their names in the C library. */
interface Inotify {
  create(flags: number): number;
  add(descriptor: number, path: number, mask: number): number;
  read(descriptor: number, bytes: number, sizeBytes: number): number;
}

const nonBlocking = 0o4000;
const closedByExec = 0o200_0000;
/**
 * Events: written, mode changed, closed after writing (so a write through a memory map is reported late), moved out or in, made,
 * removed, the folder itself removed or moved. Only folders; no unlinked files.
 */
const mask =
  0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800 | 0x100_0000 | 0x400_0000;
const bufferBytes = 64 * 1024;

/** Changes in folders as Linux queues them. Each call reads the queue to its end: a microsecond if it is empty. */
export class FolderEvents {
  readonly #root: string;
  readonly #inotify: Inotify;
  readonly #addressOf: (bytes: Uint8Array) => number;
  readonly #descriptor: number;
  readonly #watched = new Set<number>();
  readonly #buffer = new Uint8Array(bufferBytes);

  private constructor(
    root: string,
    queue: {
      readonly inotify: Inotify;
      readonly addressOf: (bytes: Uint8Array) => number;
      readonly descriptor: number;
    },
  ) {
    this.#root = root;
    this.#inotify = queue.inotify;
    this.#addressOf = queue.addressOf;
    this.#descriptor = queue.descriptor;
  }

  /** Opens a queue; `undefined` where the C library cannot be called. */
  static open(root: string): FolderEvents | undefined {
    const { Bun: runtime } = globalThis as { readonly Bun?: Runtime };
    if (runtime === undefined) return undefined;
    try {
      const inotify = loadInotify(runtime);
      const descriptor = inotify.create(nonBlocking | closedByExec);
      if (descriptor < 0) return undefined;
      const addressOf = (bytes: Uint8Array): number => runtime.FFI.ptr(bytes);
      return new FolderEvents(root, { inotify, addressOf, descriptor });
    } catch {
      // No C library under this name.
      return undefined;
    }
  }

  /** See `ChangeWatch.watch`. */
  watch(relativePaths: readonly string[]): number | undefined {
    let addedCount = 0;
    for (const relativePath of relativePaths) {
      const folder = join(this.#root, relativePath);
      const path = Buffer.from(`${folder}\0`, "utf8");
      const watched = this.#inotify.add(this.#descriptor, this.#addressOf(path), mask);
      if (watched < 0 && existsSync(folder)) return undefined;
      if (watched < 0 || this.#watched.has(watched)) continue;
      this.#watched.add(watched);
      addedCount += 1;
    }
    return addedCount;
  }

  /** See `ChangeWatch.hasChanged`. */
  async hasChanged(): Promise<boolean> {
    let hasChanged = false;
    const address = this.#addressOf(this.#buffer);
    while (this.#inotify.read(this.#descriptor, address, bufferBytes) > 0) hasChanged = true;
    return await Promise.resolve(hasChanged);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

function loadInotify({ FFI }: Runtime): Inotify {
  const { symbols } = FFI.dlopen("libc.so.6", {
    inotify_init1: { args: ["i32"], returns: "i32" },
    inotify_add_watch: { args: ["i32", "ptr", "u32"], returns: "i32" },
    read: { args: ["i32", "ptr", "u64"], returns: "i64" },
  });
  const call = (name: string, ...values: unknown[]): number => {
    const found = symbols[name];
    if (found === undefined) throw new Error(`no ${name}`);
    return Number(found(...values));
  };
  return {
    create: (flags) => call("inotify_init1", flags),
    add: (descriptor, path, bits) => call("inotify_add_watch", descriptor, path, bits),
    read: (descriptor, bytes, sizeBytes) => call("read", descriptor, bytes, sizeBytes),
  };
}
