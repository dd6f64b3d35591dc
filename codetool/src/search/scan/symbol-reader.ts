import type { WalkedFile } from "../../files/index.ts";
import { type CodeSymbol, extractDefinitions, flattenSymbols } from "../../syntax/index.ts";
import { checksumOf } from "../../text/index.ts";
import { SymbolsAhead } from "./symbols-ahead.ts";

/** Lines from the beginning of a symbol to its name, at most. */
const headLinesMax = 10;

/** The definitions in a file as an index has them, if it is sure that the file is of that size still. */
export type KnownSymbols = (
  file: WalkedFile,
  sizeBytes: number,
) => readonly CodeSymbol[] | undefined;

/** The symbols of a file, and which text they are of. */
interface ReadSymbols {
  readonly symbols: readonly CodeSymbol[];
  readonly sizeBytes: number;
  /** `undefined` where an index knew them: it was asked only by the size. */
  readonly checksum: number | undefined;
}

/** Symbols of files, each text parsed once, or not at all where an index knows them. */
export class SymbolReader {
  readonly #known: KnownSymbols | undefined;
  readonly #ahead = new SymbolsAhead();
  readonly #symbols = new Map<string, ReadSymbols>();
  readonly #linesByName = new Map<string, Map<string, number[]>>();
  #parsedBytes = 0;
  #failure: string | undefined;

  /** @param known Asked before a file is parsed; absent where there is no index. */
  constructor(known?: KnownSymbols) {
    this.#known = known;
  }

  /** Why no symbols are known of any file, where the parser itself is not to be had; else `undefined`. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Bytes whose symbols were asked for so far, parsed or known: the callers' measure of what they spend. */
  get parsedBytes(): number {
    return this.#parsedBytes;
  }

  /** True when the file's symbols are known without parsing. */
  has(file: WalkedFile): boolean {
    return this.#symbols.has(file.absolutePath);
  }

  /** False where an index knows most symbols: then nothing is parsed ahead. */
  get isParsingAhead(): boolean {
    return this.#known === undefined && this.#failure === undefined;
  }

  /**
   * Begins to parse a text in another thread, because its symbols are about to be asked for: nothing else depends on it. Where
   * there is an index nothing is begun: that knows most of them.
   */
  parseAhead(file: WalkedFile, text: Buffer): void {
    if (!this.isParsingAhead) return;
    if (!this.hasOf(file, text)) this.#ahead.begin(file, text);
  }

  /** Waits for what `parseAhead` began: of a file, or all of it. */
  async parsedAhead(file?: WalkedFile): Promise<void> {
    await this.#ahead.wait(file);
  }

  /** True when the symbols of just this text are known without parsing. */
  hasOf(file: WalkedFile, text: Buffer): boolean {
    const read = this.#symbols.get(file.absolutePath);
    return read !== undefined && isOf(read, text);
  }

  /**
   * The symbols of a file; none for a language without syntax. Where an index knows those of a text of this size, they are
   * taken for those of this one: enough for an order.
   */
  symbolsOf(file: WalkedFile, text: Buffer): readonly CodeSymbol[] {
    const read = this.#symbols.get(file.absolutePath);
    if (read !== undefined && (isBySize(read, text) || isOf(read, text))) return read.symbols;
    const known = this.#known?.(file, text.length);
    if (known === undefined) return this.exactSymbolsOf(file, text);
    this.#parsedBytes += text.length;
    const { absolutePath } = file;
    this.#symbols.set(absolutePath, {
      symbols: known,
      sizeBytes: text.length,
      checksum: undefined,
    });
    return known;
  }

  /** The symbols of just this text: enough to name what is around a line of it. */
  exactSymbolsOf(file: WalkedFile, text: Buffer): readonly CodeSymbol[] {
    const read = this.#symbols.get(file.absolutePath);
    if (read !== undefined && isOf(read, text)) return read.symbols;
    const symbols = this.#ahead.take(file, text) ?? this.#extract(text, file.language);
    this.#parsedBytes += text.length;
    const checksum = checksumOf(text);
    this.#symbols.set(file.absolutePath, { symbols, sizeBytes: text.length, checksum });
    return symbols;
  }

  /**
   * Tells whether a symbol of a name begins at a line or shortly before it, where decorators and comments are.
   *
   * @param place Its line is only asked for where the file defines the name.
   * @param readText Called when the file was not parsed yet.
   */
  isDefinedAt(
    file: WalkedFile,
    place: { readonly name: string; readonly line1: number },
    readText: () => Buffer | undefined,
  ): boolean {
    let lines = this.#linesByName.get(file.absolutePath);
    if (lines === undefined) {
      const symbols =
        this.#symbols.get(file.absolutePath)?.symbols ?? this.#readSymbols(file, readText);
      if (symbols === undefined) return false;
      lines = new Map();
      for (const { name, startLine1 } of flattenSymbols(symbols)) {
        const known = lines.get(name);
        if (known === undefined) lines.set(name, [startLine1]);
        else known.push(startLine1);
      }
      this.#linesByName.set(file.absolutePath, lines);
    }
    const starts = lines.get(place.name);
    if (starts === undefined) return false;
    const { line1 } = place;
    return starts.some((start) => start <= line1 && line1 <= start + headLinesMax);
  }

  #readSymbols(
    file: WalkedFile,
    readText: () => Buffer | undefined,
  ): readonly CodeSymbol[] | undefined {
    const text = readText();
    return text === undefined ? undefined : this.symbolsOf(file, text);
  }

  #extract(text: Buffer, language: string | null): readonly CodeSymbol[] {
    if (language === null || this.#failure !== undefined) return [];
    try {
      return extractDefinitions(text.toString("utf8"), language);
    } catch (error) {
      // No text makes it throw: the parser cannot be loaded, and will not be for the next file either.
      this.#failure = error instanceof Error ? error.message : String(error);
      return [];
    }
  }
}

/** Whether symbols were read from just this text. */
function isOf({ sizeBytes, checksum }: ReadSymbols, text: Buffer): boolean {
  return checksum !== undefined && sizeBytes === text.length && checksum === checksumOf(text);
}

/** Whether symbols are those that an index knows of a text of this size. */
function isBySize({ sizeBytes, checksum }: ReadSymbols, text: Buffer): boolean {
  return checksum === undefined && sizeBytes === text.length;
}

/** A definition around a line, as far as showing it needs it. */
export type SymbolAround = Pick<
  CodeSymbol,
  "name" | "kind" | "startLine1" | "endLine1" | "signature"
>;

/** The same with those inside of it. */
type ShownSymbol = SymbolAround & { readonly children: readonly ShownSymbol[] };

interface Nested {
  readonly symbol: ShownSymbol;
  readonly parent: Nested | null;
}

/** Finds the symbols around lines of one file, in time that does not grow with the file. */
export class SymbolsByLine {
  /** In the order of their first lines, each after those it is in. */
  readonly #nested: Nested[] = [];

  constructor(symbols: readonly ShownSymbol[]) {
    const stack: Nested[] = symbols.toReversed().map((symbol) => ({ symbol, parent: null }));
    for (let nested = stack.pop(); nested !== undefined; nested = stack.pop()) {
      const parent = nested;
      this.#nested.push(parent);
      for (const symbol of parent.symbol.children.toReversed()) stack.push({ symbol, parent });
    }
    this.#nested.sort((a, b) => a.symbol.startLine1 - b.symbol.startLine1);
  }

  /** The symbols around a line, outermost first: that which begins last before it, and those it is in. */
  around(line1: number): SymbolAround[] {
    let low = 0;
    let high = this.#nested.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#nested[middle]?.symbol.startLine1 ?? Infinity) <= line1) low = middle + 1;
      else high = middle;
    }
    const around: SymbolAround[] = [];
    for (let nested = this.#nested[low - 1] ?? null; nested !== null; nested = nested.parent)
      if (line1 <= nested.symbol.endLine1) around.unshift(nested.symbol);
    return around;
  }
}
