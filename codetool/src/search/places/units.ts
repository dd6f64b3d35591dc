import type { Chunk } from "../../index/index.ts";
import type { SymbolKind } from "../../syntax/index.ts";
import { isCommentLine } from "../scan/index.ts";
import type { TextLines } from "./text-lines.ts";

/** A definition as far as places need it; outer ones before those inside. */
export interface UnitSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly startLine1: number;
  readonly endLine1: number;
  readonly isExported: boolean;
  /** Its place in the list. */
  readonly parent: number | null;
}

/** A stretch of a file that can answer a question: a definition, or what lies between definitions. */
export interface Unit {
  /** With the comment directly above it. */
  readonly commentLine1: number;
  readonly startLine1: number;
  readonly endLine1: number;
  /** `null` between definitions. */
  readonly symbol: UnitSymbol | null;
  /** The definitions around it, the outermost first. */
  readonly around: readonly UnitSymbol[];
  /** True of a definition that holds others, except a function: its lines end before the first of them. */
  readonly isHeader: boolean;
}

/** Lines of comment above a definition that go with it. */
const commentLinesMax = 40;
/** Definitions of a file that are looked at. */
const symbolCountMax = 2000;

const functionKinds: ReadonlySet<string> = new Set(["function", "method"]);

/** Whether something of this kind is run. */
export function isFunctionKind(kind: SymbolKind): boolean {
  return functionKinds.has(kind);
}

/**
 * Cuts a file into units: each definition, without those inside of it where it is a class or a module, and the rest by
 * the chunks of the file.
 *
 * @param file.symbols In the order of their beginnings, outer ones first.
 */
export function unitsOf(
  text: Buffer,
  lines: TextLines,
  file: { readonly symbols: readonly UnitSymbol[]; readonly chunks: readonly Chunk[] },
): Unit[] {
  const symbols = file.symbols.slice(0, symbolCountMax);
  const firstChild = new Map<number, number>();
  for (const { parent, startLine1 } of symbols)
    if (parent !== null)
      firstChild.set(parent, Math.min(firstChild.get(parent) ?? Infinity, startLine1));
  const covered = new Uint8Array(lines.count + 2);
  const units: Unit[] = [];
  const chains = new Map<number, readonly UnitSymbol[]>();
  for (const [index, symbol] of symbols.entries()) {
    const { startLine1, kind } = symbol;
    const endLine1 = Math.min(symbol.endLine1, lines.count);
    if (startLine1 > endLine1) continue;
    const around = chainOf(symbols, symbol.parent, chains);
    // What is inside of a function belongs to it; only named parts of some length are places of their own.
    if (around.some((outer) => isFunctionKind(outer.kind)) && endLine1 - startLine1 < 3) continue;
    const child = firstChild.get(index);
    const isHeader = child !== undefined && !isFunctionKind(kind);
    const ownEnd1 = isHeader ? Math.max(startLine1, child - 1) : endLine1;
    const floor = covered[startLine1 - 1] === 1 ? startLine1 : 1;
    const commentLine1 = startOfComment(text, lines, { line1: startLine1, floor });
    covered.fill(1, commentLine1, ownEnd1 + 1);
    units.push({ commentLine1, startLine1, endLine1: ownEnd1, symbol, around, isHeader });
  }
  for (const { startLine1, endLine1 } of file.chunks) {
    let from = startLine1;
    for (let line1 = startLine1; line1 <= Math.min(endLine1, lines.count) + 1; line1 += 1) {
      if (line1 <= Math.min(endLine1, lines.count) && covered[line1] === 0) continue;
      if (from < line1 && hasText(text, lines, from, line1 - 1))
        units.push({
          commentLine1: from,
          startLine1: from,
          endLine1: line1 - 1,
          symbol: null,
          around: noSymbols,
          isHeader: false,
        });
      from = line1 + 1;
    }
  }
  return units;
}

const noSymbols: readonly UnitSymbol[] = [];

/** The definitions around those with a parent, one list for all of these. */
function chainOf(
  symbols: readonly UnitSymbol[],
  parent: number | null,
  known: Map<number, readonly UnitSymbol[]>,
): readonly UnitSymbol[] {
  const symbol = parent === null ? undefined : symbols[parent];
  if (parent === null || symbol === undefined) return noSymbols;
  let chain = known.get(parent);
  if (chain === undefined) {
    chain = [...chainOf(symbols, symbol.parent, known), symbol];
    known.set(parent, chain);
  }
  return chain;
}

function startOfComment(
  text: Buffer,
  lines: TextLines,
  { line1, floor }: { readonly line1: number; readonly floor: number },
): number {
  let at = line1;
  while (at > floor && line1 - at < commentLinesMax && isCommentLine(text, lines.startOf(at - 1)))
    at -= 1;
  return at;
}

// oxlint-disable-next-line max-params -- called for each stretch of a file
function hasText(text: Buffer, lines: TextLines, first1: number, last1: number): boolean {
  const end = lines.startOf(last1 + 1);
  for (let at = lines.startOf(first1); at < end; at += 1) {
    const byte = text[at] as number;
    if (byte > 0x20 && byte !== 0x7d && byte !== 0x29 && byte !== 0x3b && byte !== 0x5d)
      return true;
  }
  return false;
}
