import { type CountTokens, fitBudget } from "../../envelope/index.ts";

/** A symbol with its rank. */
export interface RankedSymbol {
  /** Number of its file. */
  readonly file: number;
  /** Its place in the file's symbols. */
  readonly at: number;
  readonly line1: number;
  /** How many definitions are around it. */
  readonly depth: number;
  readonly signature: string;
  /** The type that it is in, which is shown above it. */
  readonly parent: RankedSymbol | undefined;
  readonly score: number;
}

/** The payload of `map`. */
export type MapPayload = {
  readonly root: string;
  readonly target: string;
  /** The files that the map is for; absent where none was given. */
  readonly focus?: readonly string[];
  /** The file with the symbol of the highest rank first; symbols in the order of their lines: `12 class Server`. */
  readonly files: readonly { readonly path: string; readonly symbols: readonly string[] }[];
  readonly stats: {
    /** Files with code below the target. */
    readonly files: number;
    /** Symbols that were ranked. */
    readonly symbols: number;
    readonly shown: number;
    readonly budget_used?: number;
  };
  readonly truncated: boolean;
};

/** What the payload is made from. */
export interface MapParts {
  readonly head: Pick<MapPayload, "root" | "target" | "focus">;
  /** Best first. */
  readonly symbols: readonly RankedSymbol[];
  readonly fileCount: number;
  readonly pathOf: (file: number) => string;
}

/** Makes the payload of the symbols that fit the budget, each with the types around it. */
export function mapPayload(
  { head, symbols, fileCount, pathOf }: MapParts,
  budget: {
    readonly budgetTokens: number;
    readonly countTokens: CountTokens;
    /** True when the caller gave no budget: then the payload does not say how much of it is used. */
    readonly isDefault: boolean;
  },
): MapPayload {
  const { budgetTokens, countTokens, isDefault } = budget;
  const opened = new Set<string>();
  const { data } = fitBudget({
    // A symbol costs more than one token: more candidates than tokens can never fit.
    items: symbols.slice(0, budgetTokens),
    budgetTokens,
    countTokens,
    render: (kept, budgetUsed, isTruncated): MapPayload => {
      const files = printedFiles(kept, pathOf);
      return {
        ...head,
        files,
        stats: {
          files: fileCount,
          symbols: symbols.length,
          shown: files.reduce((sum, each) => sum + each.symbols.length, 0),
          ...(isDefault ? {} : { budget_used: budgetUsed }),
        },
        truncated: isTruncated || symbols.length > budgetTokens,
      };
    },
    addedText: (symbol) => {
      const lines = withTypes(symbol).filter((each) => !opened.has(keyOf(each)));
      const path = opened.has(`${symbol.file}`)
        ? ""
        : `${JSON.stringify({ path: pathOf(symbol.file), symbols: [] })},`;
      return path + lines.map((each) => `${JSON.stringify(printed(each))},`).join("");
    },
    onKept: (symbol) => {
      opened.add(`${symbol.file}`);
      for (const each of withTypes(symbol)) opened.add(keyOf(each));
    },
  });
  return data;
}

/** The types around a symbol, the outermost first, and the symbol. */
function withTypes(symbol: RankedSymbol): RankedSymbol[] {
  return symbol.parent === undefined ? [symbol] : [...withTypes(symbol.parent), symbol];
}

function keyOf({ file, at }: RankedSymbol): string {
  return `${file} ${at}`;
}

function printedFiles(
  kept: readonly RankedSymbol[],
  pathOf: (file: number) => string,
): MapPayload["files"] {
  const byFile = new Map<number, Map<number, RankedSymbol>>();
  for (const symbol of kept) {
    const own = byFile.get(symbol.file) ?? new Map<number, RankedSymbol>();
    byFile.set(symbol.file, own);
    for (const each of withTypes(symbol)) own.set(each.at, each);
  }
  return [...byFile].map(([file, symbols]) => ({
    path: pathOf(file),
    symbols: [...symbols.values()].sort((one, other) => one.at - other.at).map(printed),
  }));
}

/** Where it is, and what it is, indented by what it is in. */
function printed({ line1, depth, signature }: RankedSymbol): string {
  return `${line1} ${"  ".repeat(depth)}${signature}`;
}
