import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { createRealSystem } from "../../core/index.ts";

const lookMs = 200;

/** Reads the lines of a file that grows, and goes on with the next one when it is rotated. */
export class AuditReader {
  readonly #path: string;
  #file: number | undefined;
  /** Behind the last whole line. What follows may be cut off again: a writer whose disk is full does so. */
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns The whole lines that came since the last call; undefined while there is no file. */
  read(): string[] | undefined {
    if (this.#file === undefined) {
      if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return undefined;
      this.#file = openSync(this.#path, "r");
      this.#offset = 0;
    }
    const { size } = fstatSync(this.#file);
    if (size < this.#offset) this.#offset = 0;
    const bytes = Buffer.alloc(size - this.#offset);
    const count = readSync(this.#file, bytes, 0, bytes.byteLength, this.#offset);
    const end = bytes.subarray(0, count).lastIndexOf(0x0a) + 1;
    this.#offset += end;
    return bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  }

  /** Calls `show` with each new line, for ever. */
  async follow(show: (lines: readonly string[]) => void): Promise<never> {
    const system = createRealSystem();
    for (;;) {
      show(this.read() ?? []);
      if (this.#isRotated()) {
        // What came since the look before, into the file that nobody writes to any more.
        show(this.read() ?? []);
        this.#leave();
        continue;
      }
      await new Promise<void>((resolve) => {
        system.setTimer(lookMs, resolve);
      });
    }
  }

  /** A new file may be there before its writer opens it: until it holds something, the old one is written to. */
  #isRotated(): boolean {
    if (this.#file === undefined) return false;
    const now = statSync(this.#path, { throwIfNoEntry: false });
    return now !== undefined && now.size > 0 && now.ino !== fstatSync(this.#file).ino;
  }

  #leave(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
