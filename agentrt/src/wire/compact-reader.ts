import { codes, textLengthMax } from "./compact-writer.ts";
import { wireErrors } from "./errors.ts";
import { type IdForm, uuidForm } from "./id-form.ts";

/** Throws where bytes are none: texts that are not UTF-8 are refused, never mended. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the head of a message that a `CompactWriter` wrote. What is anything else is refused, with the name of the field. */
export class CompactReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** @returns Whether there are so many values; they come next. */
  begin(valueCount: number): boolean {
    this.#at = 3;
    const [first, high = 0, low = 0] = this.#bytes;
    return first === codes.array16 && high * 256 + low === valueCount;
  }

  /** Reads a whole number from 0 to 127. */
  small(name: string): number {
    const value = this.#next();
    if (value > 127) throw wrong(name);
    return value;
  }

  double(name: string): number {
    const value = this.doubleOrNull(name);
    if (value === null) throw wrong(name);
    return value;
  }

  doubleOrNull(name: string): number | null {
    const code = this.#next();
    if (code === codes.null) return null;
    if (code !== codes.double) throw wrong(name);
    const value = this.#bytes.readDoubleBE(this.#take(8));
    if (!Number.isFinite(value)) throw wrong(name);
    return value;
  }

  /** Reads a whole number from 0. */
  countOrNull(name: string): number | null {
    const code = this.#bytes[this.#at] ?? codes.null;
    let value: number | null = code;
    if (code < 128) this.#at += 1;
    else if (code === codes.uint32) value = this.#bytes.readUInt32BE(this.#take(5) + 1);
    else value = this.doubleOrNull(name);
    if (value !== null && (!Number.isSafeInteger(value) || value < 0)) throw wrong(name);
    return value;
  }

  textOrNull(name: string): string | null {
    const code = this.#next();
    if (code === codes.null) return null;
    if (code >= codes.shortText && code < codes.shortText + 32)
      return this.#plain(code - codes.shortText, name);
    if (code === codes.text16) return this.#plain(this.#bytes.readUInt16BE(this.#take(2)), name);
    if (code !== codes.bytes) throw wrong(name);
    const byteCount = this.#next();
    if (byteCount < uuidForm.byteCount) throw wrong(name);
    const prefix = this.#plain(byteCount - uuidForm.byteCount, name);
    return prefix + uuidForm.read(this.#bytes, this.#take(uuidForm.byteCount));
  }

  idOrNull(name: string, form: IdForm): string | null {
    const code = this.#next();
    if (code === codes.null) return null;
    if (code !== codes.bytes || this.#next() !== form.byteCount) throw wrong(name);
    return form.read(this.#bytes, this.#take(form.byteCount));
  }

  /** @returns What is left. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** @returns Where so many bytes are, which are read with that. */
  #take(byteCount: number): number {
    const at = this.#at;
    this.#at = at + byteCount;
    if (this.#at > this.#bytes.length)
      throw new wireErrors.UNREADABLE({ reason: "it is cut short" });
    return at;
  }

  #next(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  #plain(byteCount: number, name: string): string {
    const from = this.#take(byteCount);
    const to = from + byteCount;
    for (let at = from; at < to; at += 1) {
      if ((this.#bytes[at] ?? 0) < 128) continue;
      return checked(this.#decoded(from, to, name), name);
    }
    return checked(this.#bytes.toString("latin1", from, to), name);
  }

  #decoded(from: number, to: number, name: string): string {
    try {
      return utf8.decode(this.#bytes.subarray(from, to));
    } catch {
      throw wrong(name);
    }
  }
}

function checked(text: string, name: string): string {
  if (text.length > textLengthMax) throw wrong(name);
  return text;
}

function wrong(name: string): Error {
  return new wireErrors.UNREADABLE({ reason: `${name} is wrong` });
}
