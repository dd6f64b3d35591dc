import type { WalkedFile } from "../../files/index.ts";
import { FileReader } from "./file-reader.ts";
import { LineCounter } from "./line-scanner.ts";

/**
 * Counts the lines before places that are shown, of files that were read before: of thousands of hits a page shows ten.
 * A file may have changed since: who shows a place looks whether it is still there.
 */
export class LineNumbers {
  readonly #reader = new FileReader();
  #file: WalkedFile | undefined;
  #counter: LineCounter | undefined;
  /** The offset that was asked for last. */
  #offset = 0;

  /**
   * Counts the lines of a file up to an offset. Offsets of one file after the other, ascending, cost least.
   *
   * @returns The line that holds it, from 1; 0 where the file cannot be read any more.
   */
  lineAt(file: WalkedFile, offset: number): number {
    if (file !== this.#file || offset < this.#offset) {
      const text = this.#reader.readText(file);
      this.#counter = text && new LineCounter(text);
      this.#file = file;
    }
    this.#offset = offset;
    return this.#counter?.lineAt(offset) ?? 0;
  }
}
