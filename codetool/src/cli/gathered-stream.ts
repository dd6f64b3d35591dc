import type { OutputStream } from "./output.ts";

/** A stream that keeps what is written to it, for a command line whose output is given on as a whole. */
export class GatheredStream implements OutputStream {
  readonly isTTY: boolean;
  readonly #parts: Uint8Array[] = [];

  /** @param isTTY Whether it passes for a terminal. Default false. */
  constructor(isTTY = false) {
    this.isTTY = isTTY;
  }

  /** {@inheritDoc OutputStream.write} */
  write(text: string | Uint8Array, done?: (error?: null) => void): boolean {
    this.#parts.push(Buffer.from(text));
    done?.(null);
    return true;
  }

  /** {@inheritDoc OutputStream.on} */
  on(): this {
    return this;
  }

  /** All that was written. */
  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
