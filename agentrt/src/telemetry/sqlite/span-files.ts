import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SpanFile } from "./span-file.ts";
import type { SpanRow } from "./span-row.ts";
import { beginOfFile, fileNameOf, windowOf } from "./window-names.ts";

/** Where spans are kept, and for how long. */
export interface SpanFilesOptions {
  /** The folder; it is made with mode 0700 where it is not there. */
  readonly directory: string;
  /** Days whose spans are in one file, 1 or more. */
  readonly windowDays: number;
  /** Windows that are kept besides the current one, 0 or more. */
  readonly retentionWindowCount: number;
}

/** Files that are open at a time: the current one, and one for what began before the window did. */
const openCountMax = 2;
const dayMs = 86_400_000;

/** The files of a folder while spans are written. All of it blocks: it is for a separate thread. */
export class SpanFiles {
  readonly #options: SpanFilesOptions;
  /** By window, the latest used last. */
  readonly #open = new Map<number, SpanFile>();
  #prunedWindow: number | undefined;

  /** Makes the folder. Throws what the file system throws. */
  constructor(options: SpanFilesOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  }

  /**
   * Writes a batch, in one transaction a file; when it returns, the batch survives the death of the process.
   *
   * @param rows The spans.
   * @param nowMs Wall-clock time, which says what is old.
   */
  write(rows: readonly SpanRow[], nowMs: number): void {
    const { windowDays } = this.#options;
    this.#prune(windowOf(nowMs, windowDays));
    const windows = Map.groupBy(rows, (row) => windowOf(row.startTime * 1000, windowDays));
    for (const [window, found] of windows) this.#writeTo(window, found);
  }

  /** Closes the files. */
  close(): void {
    for (const window of this.#open.keys()) this.#close(window);
  }

  #writeTo(window: number, rows: readonly SpanRow[]): void {
    const file = this.#fileOf(window);
    try {
      file.write(rows);
    } catch (error) {
      // It is opened again with the next batch: the file may be there again by then, or the disk have room.
      this.#close(window);
      throw error;
    }
  }

  #fileOf(window: number): SpanFile {
    const known = this.#open.get(window);
    if (known !== undefined) {
      this.#open.delete(window);
      this.#open.set(window, known);
      return known;
    }
    const name = fileNameOf(window, this.#options.windowDays);
    const made = new SpanFile(join(this.#options.directory, name));
    this.#open.set(window, made);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= openCountMax) break;
      this.#close(oldest);
    }
    return made;
  }

  #close(window: number): void {
    const file = this.#open.get(window);
    this.#open.delete(window);
    try {
      // What is not committed is undone, and the write-ahead file goes into the file itself.
      file?.close();
    } catch {
      // A file that cannot be closed cannot be written either: that was said.
    }
  }

  /** Deletes the files of windows that are over for long. Looked at when a window begins. */
  #prune(current: number): void {
    if (this.#prunedWindow === current) return;
    const { directory, windowDays, retentionWindowCount } = this.#options;
    const firstKeptMs = (current - retentionWindowCount) * windowDays * dayMs;
    for (const name of readdirSync(directory)) {
      const beginMs = beginOfFile(name);
      if (beginMs === undefined || beginMs >= firstKeptMs) continue;
      this.#close(windowOf(beginMs, windowDays));
      for (const suffix of ["", "-wal", "-shm"])
        rmSync(join(directory, `${name}${suffix}`), { force: true });
    }
    this.#prunedWindow = current;
  }
}
