import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { AuditSink, AuditTail } from "./audit-sink.ts";

/** Longest line that is looked for at the end of a file, bytes. */
const tailSizeBytesMax = 1_048_576;
const newline = 0x0a;

/** A file with a record a line, made with mode 0600. */
export class FileSink implements AuditSink {
  readonly name = "jsonl";
  readonly place: string;
  readonly #isSynced: boolean;
  #handle: FileHandle | undefined;
  /** As far as whole lines go. */
  #sizeBytes = 0;

  /**
   * @param path Of the file.
   * @param options.isSynced Whether each write waits until the disk has it.
   */
  constructor(path: string, options: { readonly isSynced: boolean }) {
    this.place = path;
    this.#isSynced = options.isSynced;
  }

  get isUntouched(): boolean {
    return statSync(this.place, { throwIfNoEntry: false }) === undefined;
  }

  async open(): Promise<AuditTail> {
    await this.release();
    const handle = await open(this.place, "a+", 0o600);
    try {
      const found = await handle.stat();
      // What is no file has no end that could be looked at.
      if (!found.isFile()) {
        this.#sizeBytes = -1;
        this.#handle = handle;
        return { kind: "none" };
      }
      const tail = await readTail(handle, found.size);
      this.#sizeBytes = tail.endBytes;
      if (tail.endBytes < found.size) await handle.truncate(tail.endBytes);
      this.#handle = handle;
      if (tail.text === undefined) return { kind: "empty" };
      return { kind: "line", text: tail.text, tornSizeBytes: found.size - tail.endBytes };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async write(lines: readonly string[]): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined) throw new Error("it is not open");
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    try {
      let written = 0;
      while (written < bytes.byteLength) {
        written += (await handle.write(bytes, written)).bytesWritten;
      }
      if (this.#isSynced) await handle.datasync();
    } catch (error) {
      await this.#cutOff(handle);
      throw error;
    }
    if (this.#sizeBytes >= 0) this.#sizeBytes += bytes.byteLength;
  }

  /** Part of a line may be on the disk. */
  async #cutOff(handle: FileHandle): Promise<void> {
    if (this.#sizeBytes < 0) return;
    try {
      await handle.truncate(this.#sizeBytes);
    } catch {
      await this.release(); // The next open cuts it off.
    }
  }

  async release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

/** Finds the last whole line, and where it ends. */
async function readTail(
  handle: FileHandle,
  sizeBytes: number,
): Promise<{ readonly text: string | undefined; readonly endBytes: number }> {
  const from = Math.max(0, sizeBytes - tailSizeBytesMax);
  const bytes = Buffer.alloc(sizeBytes - from);
  await handle.read(bytes, 0, bytes.byteLength, from);
  const end = bytes.lastIndexOf(newline);
  if (end < 0) return { text: undefined, endBytes: 0 };
  const begin = end === 0 ? 0 : bytes.lastIndexOf(newline, end - 1) + 1;
  return { text: bytes.toString("utf8", begin, end), endBytes: from + end + 1 };
}
