import type { openSync as open } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

/** Counts the openings of one file by this process, and runs something just before one of them. */
export class ChangeAtOpening implements Disposable {
  readonly #openSync: typeof open;
  #count = 0;

  /**
   * @param path Absolute path of the file.
   * @param change Called with the number of the opening, from 1, before the file is opened.
   */
  constructor(path: string, change: (count: number) => void) {
    const files = process.getBuiltinModule("node:fs");
    const { openSync } = files;
    this.#openSync = openSync;
    files.openSync = (...words) => {
      if (words[0] === path) {
        this.#count += 1;
        change(this.#count);
      }
      return openSync(...words);
    };
    syncBuiltinESMExports();
  }

  /** How often the file was opened until now. */
  get count(): number {
    return this.#count;
  }

  /** Ends it. */
  [Symbol.dispose](): void {
    process.getBuiltinModule("node:fs").openSync = this.#openSync;
    syncBuiltinESMExports();
  }
}
