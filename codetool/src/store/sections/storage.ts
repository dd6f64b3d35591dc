import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { openOwnFile } from "../own-files.ts";

/** Where the sections of a file are written. */
export interface SectionSink {
  /** Writes all of the bytes at a position. */
  write(bytes: Uint8Array, position: number): void;
  /** Makes what was written last. */
  sync(): void;
  close(): void;
}

/** Where the sections of a file are read. */
export interface SectionSource {
  /** For faults. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Fills the bytes from a position on; says how many there were. */
  read(bytes: Uint8Array, position: number): number;
  /** The bytes from a position on, directly in memory and read-only; absent if they have to be read. */
  readonly view?: (position: number, sizeBytes: number) => Uint8Array;
  /** Whether the file is still as long as it was. */
  isWhole(): boolean;
  close(): void;
}

/**
 * Opens a new file for sections.
 *
 * @param path Must not exist; made with mode 0600.
 * @param options.isLasting False for a file that is read in this run and then removed; default true.
 * @throws the file system's error.
 */
export function createFileSink(
  path: string,
  { isLasting = true }: { readonly isLasting?: boolean } = {},
): SectionSink {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openSync(path, flags, 0o600);
  return {
    write: (bytes, position) => {
      let written = 0;
      while (written < bytes.length) {
        const rest = bytes.length - written;
        written += writeSync(descriptor, bytes, written, rest, position + written);
      }
    },
    sync: () => {
      if (isLasting) fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

/**
 * Opens a file of sections.
 *
 * @param options.isMapped False for one that is read once: mapped bytes count as memory of the process. Default true.
 * @throws the file system's error.
 */
export function openFileSource(
  path: string,
  { isMapped = true }: { readonly isMapped?: boolean } = {},
): SectionSource {
  const { descriptor, sizeBytes } = openOwnFile(path);
  const view = isMapped ? mapFile(descriptor) : undefined;
  return {
    name: path,
    sizeBytes,
    ...(view === undefined ? {} : { view }),
    isWhole: () => fstatSync(descriptor).size === sizeBytes,
    read: (bytes, position) => {
      let filled = 0;
      while (filled < bytes.length) {
        const rest = bytes.length - filled;
        const count = readSync(descriptor, bytes, filled, rest, position + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    },
    close: () => closeSync(descriptor),
  };
}

/** What this file uses of the runtime that the executable is built on. */
interface Runtime {
  readonly mmap: (path: string, options: { readonly shared: boolean }) => Uint8Array;
}

/** Maps a file into memory, if the runtime can: then reads do not copy. It opens for writing what it maps. */
function mapFile(descriptor: number): SectionSource["view"] {
  const { Bun: runtime } = globalThis as { readonly Bun?: Runtime };
  // Only Linux gives an open file such a name.
  const path = `/proc/self/fd/${descriptor}`;
  if (runtime === undefined || !isWritable(path)) return undefined;
  let bytes: Uint8Array | undefined;
  return (position, sizeBytes) => {
    bytes ??= runtime.mmap(path, { shared: false });
    return bytes.subarray(position, position + sizeBytes);
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    // Not there, of another user, or on a read-only file system.
    return false;
  }
}

/** Sections in memory: written once, then read. */
export class MemoryStorage implements SectionSink, SectionSource {
  readonly name = "memory";
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  get sizeBytes(): number {
    return this.#length;
  }

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, position);
    this.#length = Math.max(this.#length, end);
  }

  read(bytes: Uint8Array, position: number): number {
    const part = this.#bytes.subarray(position, Math.min(this.#length, position + bytes.length));
    bytes.set(part);
    return part.length;
  }

  /** See `SectionSource.isWhole`. */
  isWhole(): boolean {
    return true;
  }

  /** Nothing to do: there is no disk. */
  sync(): void {}

  /** Nothing to do: the memory is freed with the object. */
  close(): void {}
}
