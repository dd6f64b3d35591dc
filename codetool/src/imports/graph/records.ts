import type { ImportKind, ImportReference } from "../../syntax/index.ts";
import type { ImportingFile } from "../tree/index.ts";

const kinds: readonly ImportKind[] = ["static", "dynamic", "reexport", "type", "include"];

/** The content of a record: everything except path and language. */
type ImportFacts = Omit<ImportingFile, "path" | "language">;

/**
 * Packs what is known of a file's imports into bytes, for an index. The same facts give the same bytes. They have no
 * version: the file that holds them has one.
 */
export function packImports(facts: ImportFacts): Uint8Array {
  const writer = new RecordWriter();
  writer.number(facts.imports.length);
  let line1 = 0;
  for (const each of facts.imports) {
    writer.number(each.line1 - line1);
    line1 = each.line1;
    writer.number(kinds.indexOf(each.kind));
    writer.text(each.specifier);
    writer.texts(each.names);
  }
  writer.texts(facts.namespaces);
  writer.texts(facts.definedNames);
  writer.number(facts.usedNames.length);
  let last = 0;
  for (const hash of facts.usedNames) {
    writer.number(hash - last);
    last = hash;
  }
  return writer.bytes();
}

/**
 * Reads what `packImports` wrote. The record is unpacked when it is first used: most files are needed
 * only after a change in a file of their language.
 *
 * @returns A file without imports where the bytes are not such a record.
 */
export function unpackImports(
  bytes: Uint8Array,
  { path, language }: Pick<ImportingFile, "path" | "language">,
): ImportingFile {
  return new PackedFile(path, language, bytes);
}

class PackedFile implements ImportingFile {
  readonly path: string;
  readonly language: string | null;
  readonly #bytes: Uint8Array;
  #facts: ImportFacts | null = null;

  constructor(path: string, language: string | null, bytes: Uint8Array) {
    this.path = path;
    this.language = language;
    this.#bytes = bytes;
  }

  get imports(): readonly ImportReference[] {
    return this.#read().imports;
  }

  get namespaces(): readonly string[] {
    return this.#read().namespaces;
  }

  get definedNames(): readonly string[] {
    return this.#read().definedNames;
  }

  get usedNames(): Uint32Array {
    return this.#read().usedNames;
  }

  #read(): ImportFacts {
    this.#facts ??= readFacts(this.#bytes);
    return this.#facts;
  }
}

const noFacts: ImportFacts = {
  imports: [],
  namespaces: [],
  definedNames: [],
  usedNames: new Uint32Array(0),
};

function readFacts(bytes: Uint8Array): ImportFacts {
  const reader = new RecordReader(bytes);
  const imports: ImportReference[] = [];
  let line1 = 0;
  for (let left = reader.count(); left > 0; left -= 1) {
    line1 += reader.number();
    const kind = kinds[reader.number()] ?? "static";
    const specifier = reader.text();
    imports.push({ specifier, names: reader.texts(), line1, kind });
  }
  const namespaces = reader.texts();
  const definedNames = reader.texts();
  const usedNames = new Uint32Array(reader.count());
  let hash = 0;
  for (let index = 0; index < usedNames.length; index += 1) {
    hash += reader.number();
    usedNames[index] = hash;
  }
  return reader.isWhole ? { imports, namespaces, definedNames, usedNames } : noFacts;
}

/** Numbers of seven bits a byte, texts with their length before them. */
class RecordWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  number(value: number): void {
    let rest = value;
    this.#reserve(8);
    while (rest >= 0x80) {
      this.#bytes[this.#length] = (rest % 0x80) | 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  text(value: string): void {
    const encoded = Buffer.from(value, "utf8");
    this.number(encoded.length);
    this.#reserve(encoded.length);
    this.#bytes.set(encoded, this.#length);
    this.#length += encoded.length;
  }

  texts(values: readonly string[]): void {
    this.number(values.length);
    for (const value of values) this.text(value);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + size);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;
  #isBroken = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** False when the bytes ended early or something was left. */
  get isWhole(): boolean {
    return !this.#isBroken && this.#at === this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; factor <= 0x80 ** 7; factor *= 0x80) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    this.#isBroken = true;
    return 0;
  }

  /** A number of things that follow, of which each takes a byte at least. */
  count(): number {
    const count = this.number();
    if (count <= this.#bytes.length - this.#at) return count;
    this.#isBroken = true;
    return 0;
  }

  text(): string {
    const size = this.count();
    const start = this.#at;
    this.#at += size;
    return this.#bytes.toString("utf8", start, this.#at);
  }

  texts(): string[] {
    const values: string[] = [];
    for (let left = this.count(); left > 0 && !this.#isBroken; left -= 1) values.push(this.text());
    return values;
  }
}
