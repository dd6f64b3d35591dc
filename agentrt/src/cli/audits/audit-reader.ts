import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { createRealSystem } from "../../core/index.ts";

const lookMs = 200;

/** Reads the lines of a file that grows, and goes on with the next one when it is rotated. */
export class AuditReader {
  readonly #path: string;
  #file: number | undefined;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns The whole lines that came since the last call; undefined while there is no file. */
  read(): string[] | undefined {
    if (this.#file === undefined) {
      if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return undefined;
      this.#file = openSync(this.#path, "r");
      this.#offset = 0;
      this.#rest = Buffer.alloc(0);
    }
    const { size } = fstatSync(this.#file);
    if (size < this.#offset) this.#offset = 0;
    const bytes = Buffer.alloc(size - this.#offset);
    const count = readSync(this.#file, bytes, 0, bytes.byteLength, this.#offset);
    this.#offset += count;
    const whole = Buffer.concat([this.#rest, bytes.subarray(0, count)]);
    const end = whole.lastIndexOf(0x0a) + 1;
    this.#rest = whole.subarray(end);
    return whole.toString("utf8", 0, end).split("\n").slice(0, -1);
  }

  /** Calls `show` with each new line, for ever. */
  async follow(show: (lines: readonly string[]) => void): Promise<never> {
    const system = createRealSystem();
    for (;;) {
      show(this.read() ?? []);
      this.#leaveRotated();
      await new Promise<void>((resolve) => {
        system.setTimer(lookMs, resolve);
      });
    }
  }

  #leaveRotated(): void {
    if (this.#file === undefined) return;
    const now = statSync(this.#path, { throwIfNoEntry: false });
    if (now === undefined || now.ino === fstatSync(this.#file).ino) return;
    closeSync(this.#file);
    this.#file = undefined;
  }
}
