import type { WalkedFile } from "../files/index.ts";
import { type CodeSymbol, extractSymbols } from "../syntax/index.ts";

/** Symbols of files, each file parsed once. */
export class SymbolReader {
  readonly #symbols = new Map<string, readonly CodeSymbol[]>();
  #parsedBytes = 0;

  /** Bytes parsed so far: the callers' measure of what they spend. */
  get parsedBytes(): number {
    return this.#parsedBytes;
  }

  /** True when the file's symbols are known without parsing. */
  has(file: WalkedFile): boolean {
    return this.#symbols.has(file.absolutePath);
  }

  /** The symbols of a file; none for a language without syntax. */
  symbolsOf(file: WalkedFile, text: Buffer): readonly CodeSymbol[] {
    const known = this.#symbols.get(file.absolutePath);
    if (known !== undefined) return known;
    const symbols =
      file.language === null ? [] : extractSymbols(text.toString("utf8"), file.language).symbols;
    this.#parsedBytes += text.length;
    this.#symbols.set(file.absolutePath, symbols);
    return symbols;
  }
}

/** All symbols, those inside of others too, outer ones first. */
export function flattenSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const all: CodeSymbol[] = [];
  const stack = symbols.toReversed();
  for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
    all.push(symbol);
    stack.push(...symbol.children.toReversed());
  }
  return all;
}

/** The symbols around a line, outermost first. */
export function symbolsAround(symbols: readonly CodeSymbol[], line1: number): CodeSymbol[] {
  return flattenSymbols(symbols).filter(
    (symbol) => symbol.startLine1 <= line1 && line1 <= symbol.endLine1,
  );
}
