import { fitBudget, type CountTokens } from "../../envelope/index.ts";
import type { CodeSymbol } from "../../syntax/index.ts";

/** A symbol as `outline` prints it. */
export interface OutlineEntry {
  readonly name: string;
  readonly kind: string;
  /** 1-based, inclusive. */
  readonly lines: { readonly start: number; readonly end: number };
  readonly signature: string;
  /** The type or symbol it belongs to, where the nesting does not show it. */
  readonly container?: string;
  readonly children: readonly OutlineEntry[];
  /** In the outline of a directory. */
  readonly file?: string;
  readonly line?: number;
  readonly exported?: boolean;
}

/** The payload of `outline`. */
export type OutlinePayload = {
  readonly root: string;
  readonly file: string;
  /** `null` for a directory, and for a file of no known language. */
  readonly language: string | null;
  readonly symbols: readonly OutlineEntry[];
  /** Only with a budget, like the fields below. */
  readonly total_symbols?: number;
  readonly returned?: number;
  readonly truncated?: boolean;
};

/** The symbols of one file. */
export interface FileSymbols {
  /** As the answer shows it; absent in the outline of one file, which says it once. */
  readonly file?: string;
  readonly symbols: readonly CodeSymbol[];
}

/** Which symbols are wanted. */
export interface OutlineSelection {
  readonly kind?: string;
  /** Levels of nesting; 1 is only the outermost. */
  readonly nestingMax?: number;
}

/** A wanted symbol, apart from its tree. */
export interface FlatSymbol {
  readonly symbol: CodeSymbol;
  readonly file: string | undefined;
  /** The nearest wanted symbol around it. */
  readonly parent: FlatSymbol | null;
  /** The name of the nearest symbol around it, when that one is not wanted. */
  readonly container: string | undefined;
  /** How many wanted symbols are around it. */
  readonly depth: number;
  /** Its place in the order of the files. */
  readonly position: number;
}

/** Takes the wanted symbols out of their trees, in the order of the files. */
export function selectSymbols(
  files: readonly FileSymbols[],
  selection: OutlineSelection,
): FlatSymbol[] {
  const flat: FlatSymbol[] = [];
  const visit = (
    symbol: CodeSymbol,
    around: {
      file: string | undefined;
      parent: FlatSymbol | null;
      outer: CodeSymbol | null;
      level: number;
    },
  ): void => {
    if (selection.nestingMax !== undefined && around.level > selection.nestingMax) return;
    const isWanted = selection.kind === undefined || symbol.kind === selection.kind;
    let own = around.parent;
    if (isWanted) {
      const isNested = around.outer !== null && around.outer !== around.parent?.symbol;
      own = {
        symbol,
        file: around.file,
        parent: around.parent,
        container: symbol.container ?? (isNested ? around.outer?.name : undefined),
        depth: around.parent === null ? 0 : around.parent.depth + 1,
        position: flat.length,
      };
      flat.push(own);
    }
    for (const child of symbol.children) {
      visit(child, { file: around.file, parent: own, outer: symbol, level: around.level + 1 });
    }
  };
  for (const { file, symbols } of files) {
    for (const symbol of symbols) visit(symbol, { file, parent: null, outer: null, level: 1 });
  }
  return flat;
}

/** Puts symbols back into trees: each under the nearest one around it that was kept. */
export function nestSymbols(kept: readonly FlatSymbol[]): OutlineEntry[] {
  const roots: OutlineEntry[] = [];
  const childrenOf = new Map<FlatSymbol, OutlineEntry[]>();
  for (const flat of kept.toSorted((left, right) => left.position - right.position)) {
    let parent = flat.parent;
    while (parent !== null && !childrenOf.has(parent)) parent = parent.parent;
    const children: OutlineEntry[] = [];
    childrenOf.set(flat, children);
    const isLifted = parent !== flat.parent;
    const entry = entryOf(flat, isLifted ? flat.parent?.symbol.name : undefined, children);
    (parent === null ? roots : (childrenOf.get(parent) ?? roots)).push(entry);
  }
  return roots;
}

function entryOf(
  flat: FlatSymbol,
  liftedFrom: string | undefined,
  children: readonly OutlineEntry[],
): OutlineEntry {
  const { symbol, file } = flat;
  const container = flat.container ?? liftedFrom;
  return {
    name: symbol.name,
    kind: symbol.kind,
    lines: { start: symbol.startLine1, end: symbol.endLine1 },
    signature: symbol.signature,
    ...(container === undefined ? {} : { container }),
    children,
    ...(file === undefined ? {} : { file, line: symbol.startLine1, exported: symbol.isExported }),
  };
}

/**
 * Makes the payload that fits a budget: see `byImportance` for what comes first.
 *
 * @param head The fields before `symbols`.
 */
export function budgetedPayload(
  head: Pick<OutlinePayload, "root" | "file" | "language">,
  flat: readonly FlatSymbol[],
  budget: { readonly budgetTokens: number; readonly countTokens: CountTokens },
): OutlinePayload {
  // A symbol costs more than one token: more candidates than tokens can never fit.
  const items = byImportance(flat).slice(0, budget.budgetTokens);
  const { data } = fitBudget({
    items,
    ...budget,
    render: (kept, _budgetUsed, isTruncated) => ({
      ...head,
      symbols: nestSymbols(kept),
      total_symbols: flat.length,
      returned: kept.length,
      truncated: isTruncated,
    }),
    addedText: (item) => `${JSON.stringify(entryOf(item, undefined, []))},`,
  });
  return data;
}

const kindRanks: { readonly [kind: string]: number } = {
  const: 2,
  function: 1,
  method: 1,
  type: 1,
};

/**
 * Outer symbols before inner ones, exported before others, types before functions before constants; among equals the
 * first of each file, then the second of each, so that a budget shows all files a little and not one file whole.
 */
function byImportance(flat: readonly FlatSymbol[]): FlatSymbol[] {
  const counts = new Map<string, number>();
  const keyed = flat.map((each) => {
    const { depth, symbol, file, position } = each;
    const rank = kindRanks[symbol.kind] ?? 0;
    const group = `${depth} ${symbol.isExported} ${rank} ${file}`;
    const ordinal = counts.get(group) ?? 0;
    counts.set(group, ordinal + 1);
    return { each, key: [depth, symbol.isExported ? 0 : 1, rank, ordinal, position] };
  });
  return keyed.toSorted((left, right) => compareKeys(left.key, right.key)).map(({ each }) => each);
}

function compareKeys(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
