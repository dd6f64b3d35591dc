import type { WalkedFile } from "../../files/index.ts";
import { flattenSymbols, type CodeSymbol } from "../../syntax/index.ts";
import type { RankedHit, RankedHits } from "../scan/index.ts";

/** Files at the top of the list that are looked into. */
const fileCountMax = 20;

/** Lines from the beginning of a symbol to its name, at most. */
const headLinesMax = 10;

/** A body that does nothing: empty, or what Python has to write for that, behind its documentation. */
const emptyBody = /^[\s:{}=;]*(?:("""|''')[^]*?\1\s*)?(?:\.\.\.|pass)?[\s};]*$/;

/**
 * Where a file defines a name more than once, shows the first definition with a body before those without: overloads,
 * protocols, forward declarations. Hits change places only within their file.
 *
 * @param readFile The text and the symbols of a file; `undefined` where they are not to be had.
 */
export function putBodiesFirst(
  hits: RankedHits,
  readFile: (
    file: WalkedFile,
  ) => { readonly text: Buffer; readonly symbols: readonly CodeSymbol[] } | undefined,
): RankedHits {
  let ordered = hits;
  for (const [index, hit] of hits.firsts.slice(0, fileCountMax).entries()) {
    const rivals = hit.isDefinition ? hits.otherDefinitionsIn(hit.file) : [];
    const read = rivals.length === 0 ? undefined : readFile(hit.file);
    if (read === undefined) continue;
    const symbols = byFirstLine(flattenSymbols(read.symbols));
    const own = symbolOf(hit, symbols, read.text);
    if (own === undefined || hasBody(own, read.text)) continue;
    const better = rivals.find((rival) => {
      const symbol = symbolOf(rival, symbols, read.text);
      return symbol?.name === own.name && hasBody(symbol, read.text);
    });
    if (better !== undefined) ordered = ordered.exchange(index, better);
  }
  return ordered;
}

interface OrderedSymbol {
  readonly symbol: CodeSymbol;
  readonly order: number;
}

/** Symbols by the line where they begin: a file may define thousands, and each is looked for. */
type SymbolsByLine = ReadonlyMap<number, readonly OrderedSymbol[]>;

function byFirstLine(symbols: readonly CodeSymbol[]): SymbolsByLine {
  const byLine = new Map<number, OrderedSymbol[]>();
  for (const [order, symbol] of symbols.entries()) {
    const begun = byLine.get(symbol.startLine1);
    if (begun === undefined) byLine.set(symbol.startLine1, [{ symbol, order }]);
    else begun.push({ symbol, order });
  }
  return byLine;
}

/** The innermost symbol that begins at the hit or shortly before it, and whose name is in the hit's line. */
function symbolOf(
  { line1, lineStart }: RankedHit,
  symbols: SymbolsByLine,
  text: Buffer,
): CodeSymbol | undefined {
  const end = text.indexOf(0x0a, lineStart);
  const line = text.toString("utf8", lineStart, end < 0 ? text.length : end);
  let innermost: OrderedSymbol | undefined;
  for (let first1 = line1 - headLinesMax; first1 <= line1; first1 += 1)
    for (const begun of symbols.get(first1) ?? [])
      if (
        line1 <= begun.symbol.endLine1 &&
        line.includes(begun.symbol.name) &&
        begun.order > (innermost?.order ?? -1)
      )
        innermost = begun;
  return innermost?.symbol;
}

function hasBody({ bodyStartByte, endByte }: CodeSymbol, text: Buffer): boolean {
  return !emptyBody.test(text.toString("utf8", bodyStartByte, Math.min(endByte, text.length)));
}
