import { hashTerm, spreadHash } from "../../index/index.ts";
import type { CodeSymbol, SymbolKind } from "../../syntax/index.ts";
import {
  asBuffer,
  copyPlaces,
  copySections,
  GrowingBytes,
  GrowingColumn,
  lowerBound,
  orderByHash,
  type SectionFile,
  type SectionWriter,
} from "../sections/index.ts";

const kinds: readonly SymbolKind[] = [
  "function",
  "class",
  "method",
  "struct",
  "enum",
  "trait",
  "interface",
  "type",
  "const",
  "module",
];
const exportedBit = 0x80;
const noParent = 0xff_ff_ff_ff;

/** A definition as a segment holds it. */
export interface StoredSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly startLine1: number;
  readonly endLine1: number;
  readonly isExported: boolean;
  /** Number of its file. */
  readonly file: number;
  /** Number of the definition it is in, within the file; `null` for the outermost. */
  readonly parent: number | null;
}

/** A definition with its declaration, without the body. */
export interface ShownDefinition extends StoredSymbol {
  readonly signature: string;
}

/** The definitions of a segment while it is built, file after file, outer ones before those inside. */
export class SymbolColumns {
  readonly #fileEnds = new GrowingColumn();
  readonly #names = new GrowingBytes();
  readonly #nameEnds = new GrowingColumn();
  readonly #hashes = new GrowingColumn();
  readonly #kinds = new GrowingColumn();
  readonly #startLines = new GrowingColumn();
  readonly #endLines = new GrowingColumn();
  readonly #parents = new GrowingColumn();
  readonly #signatures = new GrowingBytes();
  readonly #signatureEnds = new GrowingColumn();
  readonly #containers = new GrowingBytes();
  readonly #containerEnds = new GrowingColumn();
  /** Three numbers each: where it begins, where its body begins, where it ends. */
  readonly #bytes = new GrowingColumn();

  /** Appends the definitions of the next file. */
  addFile(symbols: readonly CodeSymbol[]): void {
    this.#addAll(symbols, noParent);
    this.#fileEnds.push(this.#nameEnds.length);
  }

  #addAll(symbols: readonly CodeSymbol[], parent: number): void {
    for (const symbol of symbols) {
      const number = this.#nameEnds.length;
      const name = Buffer.from(symbol.name, "utf8");
      this.#names.append(name);
      this.#nameEnds.push(this.#names.length);
      this.#hashes.push(spreadHash(hashTerm(name, 0, name.length)) >>> 0);
      this.#kinds.push(kinds.indexOf(symbol.kind) | (symbol.isExported ? exportedBit : 0));
      this.#startLines.push(symbol.startLine1);
      this.#endLines.push(symbol.endLine1);
      this.#parents.push(parent);
      this.#signatures.append(Buffer.from(symbol.signature, "utf8"));
      this.#signatureEnds.push(this.#signatures.length);
      this.#containers.append(Buffer.from(symbol.container ?? "", "utf8"));
      this.#containerEnds.push(this.#containers.length);
      this.#bytes.push(symbol.startByte);
      this.#bytes.push(symbol.bodyStartByte);
      this.#bytes.push(symbol.endByte);
      this.#addAll(symbol.children, number);
    }
  }

  /** Writes the sections `symbols.*`; `order` lists the numbers by the hash of the name, letters of ASCII folded. */
  write(writer: SectionWriter): void {
    writeOrder(writer, this.#hashes.values());
    writer.section("symbols.fileEnds", this.#fileEnds.values());
    writer.section("symbols.names", this.#names.bytes());
    writer.section("symbols.nameEnds", this.#nameEnds.values());
    writer.section("symbols.kinds", this.#kinds.values());
    writer.section("symbols.startLines", this.#startLines.values());
    writer.section("symbols.endLines", this.#endLines.values());
    writer.section("symbols.parents", this.#parents.values());
    writer.section("symbols.signatures", this.#signatures.bytes());
    writer.section("symbols.signatureEnds", this.#signatureEnds.values());
    writer.section("symbols.containers", this.#containers.bytes());
    writer.section("symbols.containerEnds", this.#containerEnds.values());
    writer.section("symbols.bytes", this.#bytes.values());
  }
}

/** @param hashes Of the names, one a definition. */
function writeOrder(writer: SectionWriter, hashes: Uint32Array): void {
  const order = orderByHash(hashes);
  writer.section(
    "symbols.hashes",
    order.map((number) => hashes[number] as number),
  );
  writer.section("symbols.order", order);
}

/** Writes the sections `symbols.*` of several runs, one behind the other. */
export function mergeSymbols(writer: SectionWriter, runs: readonly SectionFile[]): void {
  const countOf = (run: SectionFile): number => run.lengthOf("symbols.kinds") / 4;
  const hashes = new Uint32Array(runs.reduce((sum, run) => sum + countOf(run), 0));
  let before = 0;
  for (const run of runs) {
    const sorted = run.array("symbols.hashes", Uint32Array);
    const order = run.array("symbols.order", Uint32Array);
    for (let place = 0; place < order.length; place += 1)
      hashes[before + (order[place] as number)] = sorted[place] as number;
    before += order.length;
  }
  writeOrder(writer, hashes);
  copyPlaces(writer, runs, { name: "symbols.fileEnds", placeCountOf: countOf });
  copySections(writer, runs, ["symbols.names"]);
  copyPlaces(writer, runs, {
    name: "symbols.nameEnds",
    placeCountOf: (run) => run.lengthOf("symbols.names"),
  });
  copySections(writer, runs, ["symbols.kinds", "symbols.startLines", "symbols.endLines"]);
  copyPlaces(writer, runs, {
    name: "symbols.parents",
    placeCountOf: countOf,
    noPlace: noParent,
  });
  for (const text of ["signature", "container"]) {
    copySections(writer, runs, [`symbols.${text}s`]);
    copyPlaces(writer, runs, {
      name: `symbols.${text}Ends`,
      placeCountOf: (run) => run.lengthOf(`symbols.${text}s`),
    });
  }
  copySections(writer, runs, ["symbols.bytes"]);
}

/** Reads the definitions of a segment: those of a name, or those of a file. */
export class SymbolTable {
  readonly #file: SectionFile;
  /** Number of the first definition behind those of each file. */
  readonly fileEnds: Uint32Array;
  /** Read once: commands ask for many names. */
  #hashes: Uint32Array | undefined;
  #order: Uint32Array | undefined;

  constructor(file: SectionFile) {
    this.#file = file;
    this.fileEnds = file.array("symbols.fileEnds", Uint32Array);
  }

  /** How many definitions there are. */
  get length(): number {
    return this.fileEnds.at(-1) ?? 0;
  }

  /** Definitions of a name, whatever the case of its ASCII letters, in the order of files and lines. */
  named(name: string): Omit<StoredSymbol, "parent">[] {
    const { low, end } = this.#placesOf(name);
    const order = this.#file.slice("symbols.order", Uint32Array, { start: low, end });
    const folded = foldAscii(name);
    return Array.from(order, (number) => {
      const range = { start: number, end: number + 1 };
      const owner = { file: this.#fileOf(number), firstSymbol: number };
      const { parent: _, ...symbol } = this.#reader(range, this.#namesOf(range), owner)(0);
      return symbol;
    }).filter((symbol) => foldAscii(symbol.name) === folded);
  }

  /** The files with definitions of a name, one for each definition; by its hash, so that a few may have another name. */
  filesDefining(name: string): number[] {
    const { low, end } = this.#placesOf(name);
    if (low === end) return [];
    this.#order ??= this.#file.array("symbols.order", Uint32Array);
    return Array.from(this.#order.subarray(low, end), (number) => this.#fileOf(number));
  }

  /** Where the definitions of a name are in the order by hashes. */
  #placesOf(name: string): { readonly low: number; readonly end: number } {
    const bytes = Buffer.from(name, "utf8");
    const hash = spreadHash(hashTerm(bytes, 0, bytes.length)) >>> 0;
    this.#hashes ??= this.#file.array("symbols.hashes", Uint32Array);
    const low = lowerBound(this.#hashes, hash);
    let end = low;
    while (end < this.#hashes.length && this.#hashes[end] === hash) end += 1;
    return { low, end };
  }

  /**
   * Definitions of a file, outer ones before those inside.
   *
   * @param number What they say is the number of their file.
   */
  inFile(file: number, number = file): StoredSymbol[] {
    const range = this.#rangeOf(file);
    if (range.start === range.end) return [];
    const names = this.#namesOf(range);
    const symbolAt = this.#reader(range, names, { file: number, firstSymbol: range.start });
    return Array.from(names.ends, (_, index) => symbolAt(index));
  }

  /** Of these the definitions whose names hold a match of a pattern with the flag `g`: the others are not read. */
  inFileHolding(file: number, pattern: RegExp, number = file): StoredSymbol[] {
    const range = this.#rangeOf(file);
    if (range.start === range.end) return [];
    const names = this.#namesOf(range);
    const { text, first, ends } = names;
    // The bytes of other letters are none that a pattern knows.
    if (text === undefined)
      return this.inFile(file, number).filter(({ name }) => hasMatch(name, pattern));
    const places: number[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const place = lowerBound(ends, first + match.index + 1);
      const nameEnd = (ends[place] as number) - first;
      const isInside = pattern.lastIndex <= nameEnd;
      // One that reaches into the next name may hide one that does not.
      if (isInside || hasMatch(text.slice(match.index, nameEnd), pattern)) places.push(place);
      pattern.lastIndex = nameEnd;
    }
    if (places.length === 0) return [];
    const symbolAt = this.#reader(range, names, { file: number, firstSymbol: range.start });
    return places.map(symbolAt);
  }

  /** The definitions around a line of a file, outermost first: that which begins last before it, and those it is in. */
  aroundLine(file: number, line1: number): ShownDefinition[] {
    const range = this.#rangeOf(file);
    if (range.start === range.end) return [];
    const startLines = this.#file.slice("symbols.startLines", Uint32Array, range);
    let last = -1;
    let lastStart1 = 0;
    for (let at = 0; at < startLines.length; at += 1) {
      const start1 = startLines[at] as number;
      if (start1 > line1 || start1 < lastStart1) continue;
      last = at;
      lastStart1 = start1;
    }
    if (last < 0) return [];
    const names = this.#namesOf(range);
    const symbolAt = this.#reader(range, names, { file, firstSymbol: range.start });
    const around: ShownDefinition[] = [];
    for (let at: number | null = last; at !== null;) {
      const symbol = symbolAt(at);
      if (line1 <= symbol.endLine1)
        around.unshift({ ...symbol, signature: this.#signatureOf(range.start + at) });
      at = symbol.parent;
    }
    return around;
  }

  #signatureOf(symbol: number): string {
    const { first, ends } = this.#endsOf("symbols.signatureEnds", {
      start: symbol,
      end: symbol + 1,
    });
    const range = { start: first, end: ends[0] as number };
    return asBuffer(this.#file.slice("symbols.signatures", Uint8Array, range)).toString("utf8");
  }

  #rangeOf(file: number): Range {
    const start = file === 0 ? 0 : (this.fileEnds[file - 1] as number);
    return { start, end: this.fileEnds[file] as number };
  }

  /** The declarations of a file's definitions without their bodies, each on one line, in the order of `inFile`. */
  signaturesIn(file: number): string[] {
    return this.#textsIn("signature", file);
  }

  /** For each definition of a file, the type that it belongs to if it is written outside of it, else empty; as in `inFile`. */
  containersIn(file: number): string[] {
    return this.#textsIn("container", file);
  }

  #textsIn(name: "signature" | "container", file: number): string[] {
    const own = this.#rangeOf(file);
    if (own.start === own.end) return [];
    const { first, ends } = this.#endsOf(`symbols.${name}Ends`, own);
    const range = { start: first, end: ends.at(-1) as number };
    const text = asBuffer(this.#file.slice(`symbols.${name}s`, Uint8Array, range));
    return Array.from(ends, (to, index) =>
      text.toString(
        "utf8",
        (index === 0 ? first : (ends[index - 1] as number)) - first,
        to - first,
      ),
    );
  }

  /** Where the definitions of a file begin, their bodies begin and they end, in the order of `inFile`. */
  bytesIn(file: number): Uint32Array {
    const { start, end } = this.#rangeOf(file);
    return this.#file.slice("symbols.bytes", Uint32Array, { start: 3 * start, end: 3 * end });
  }

  /** Where texts end that lie one after the other, and where the first of them begins. */
  #endsOf(
    section: string,
    { start, end }: Range,
  ): { readonly first: number; readonly ends: Uint32Array } {
    const range = { start: Math.max(0, start - 1), end };
    const all = this.#file.slice(section, Uint32Array, range);
    return start === 0
      ? { first: 0, ends: all }
      : { first: all[0] as number, ends: all.subarray(1) };
  }

  /** @param range Not empty. */
  #namesOf(range: Range): NamesOfRange {
    const { first, ends } = this.#endsOf("symbols.nameEnds", range);
    const places = { start: first, end: ends.at(-1) as number };
    const bytes = asBuffer(this.#file.slice("symbols.names", Uint8Array, places));
    const text = bytes.toString("latin1");
    return { bytes, text: beyondAscii.test(text) ? undefined : text, first, ends };
  }

  /** Reads definitions of a range by their places in it. */
  #reader(
    range: Range,
    { bytes, text, first, ends }: NamesOfRange,
    { file, firstSymbol }: { readonly file: number; readonly firstSymbol: number },
  ): (index: number) => StoredSymbol {
    const kindsOf = this.#file.slice("symbols.kinds", Uint32Array, range);
    const startLines = this.#file.slice("symbols.startLines", Uint32Array, range);
    const endLines = this.#file.slice("symbols.endLines", Uint32Array, range);
    const parents = this.#file.slice("symbols.parents", Uint32Array, range);
    return (index) => {
      const nameStart = (index === 0 ? first : (ends[index - 1] as number)) - first;
      const nameEnd = (ends[index] as number) - first;
      const kind = kindsOf[index] as number;
      const parent = parents[index] as number;
      return {
        name: text?.slice(nameStart, nameEnd) ?? bytes.toString("utf8", nameStart, nameEnd),
        kind: kinds[kind & ~exportedBit] ?? "function",
        startLine1: startLines[index] as number,
        endLine1: endLines[index] as number,
        isExported: (kind & exportedBit) !== 0,
        file,
        parent: parent === noParent ? null : parent - firstSymbol,
      };
    };
  }

  #fileOf(symbol: number): number {
    return lowerBound(this.fileEnds, symbol + 1);
  }
}

/** Numbers of definitions of a segment; the end is not included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Names one after the other, where the first begins and where each ends in its section. */
interface NamesOfRange {
  readonly bytes: Buffer;
  /** `undefined` where some letters are none of ASCII. */
  readonly text: string | undefined;
  readonly first: number;
  readonly ends: Uint32Array;
}

const beyondAscii = /[^\x00-\x7f]/;

function hasMatch(text: string, pattern: RegExp): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
