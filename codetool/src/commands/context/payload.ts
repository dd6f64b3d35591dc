import { type CountTokens, fitBudget } from "../../envelope/index.ts";
import type { ContextDoc } from "./doc.ts";
import type { ContextEdge, ContextEdges } from "./edges.ts";
import type { Entrypoint } from "./entrypoints.ts";

/** A definition in the skeleton of a file. */
export interface ContextSymbol {
  readonly line1: number;
  /** How many definitions are around it. */
  readonly depth: number;
  readonly signature: string;
  /** True when it is at file level and exported: such are shown first. */
  readonly isOffered: boolean;
}

/** A file with its skeleton. */
export interface ContextFileSymbols {
  readonly path: string;
  readonly lines: number;
  readonly language: string | null;
  readonly symbols: readonly ContextSymbol[];
}

/** All that a context may show, each part best first. */
export interface ContextParts {
  readonly root: string;
  readonly target: string;
  readonly kind: "file" | "directory";
  readonly stats: {
    readonly files: number;
    readonly lines: number;
    readonly symbols: number;
    readonly languages: { readonly [language: string]: number };
  };
  readonly doc: ContextDoc | undefined;
  readonly entrypoints: readonly Entrypoint[];
  readonly files: readonly ContextFileSymbols[];
  /** `undefined` when they are not asked for. */
  readonly edges: ContextEdges | undefined;
}

/** The documentation as it is printed. */
export interface PrintedDoc {
  readonly source: string;
  readonly text: string;
  readonly tokens: number;
  readonly truncated: boolean;
}

/** The payload of `context`. */
export type ContextPayload = {
  readonly root: string;
  readonly target: string;
  readonly kind: "file" | "directory";
  readonly stats: ContextParts["stats"] & { readonly budget_used?: number };
  readonly doc?: PrintedDoc | undefined;
  readonly entrypoints: readonly Entrypoint[];
  readonly files: readonly {
    readonly path: string;
    readonly lines: number;
    readonly language: string | null;
    readonly skeleton: readonly string[];
  }[];
  readonly edges?: {
    readonly imports_in: readonly ContextEdge[];
    readonly imports_out: readonly ContextEdge[];
  };
  readonly truncated: boolean;
};

/** Tokens of the documentation at most. */
const docTokensMax = 400;
/** The largest part of a budget that it may take. */
const docBudgetShare = 0.25;
/** Edges each way that come before the skeletons. */
const edgesFirstMax = 5;

type Item =
  | { readonly part: "doc" }
  | { readonly part: "entrypoint"; readonly value: Entrypoint }
  | { readonly part: "importsIn" | "importsOut"; readonly value: ContextEdge }
  | { readonly part: "file"; readonly file: number }
  | { readonly part: "symbol"; readonly file: number; readonly symbol: number };

/**
 * Makes the payload of what fits the budget, the most useful first: the documentation, the entrypoints, the first
 * edges, the exported definitions file by file, the other edges, and last the definitions that are not exported.
 */
export function contextPayload(
  parts: ContextParts,
  budget: {
    readonly budgetTokens: number;
    readonly countTokens: CountTokens;
    /** True when the caller gave no budget: then the payload does not say how much of it is used. */
    readonly isDefault: boolean;
  },
): ContextPayload {
  const { budgetTokens, countTokens, isDefault } = budget;
  const docMax = Math.min(docTokensMax, Math.floor(budgetTokens * docBudgetShare));
  const doc = parts.doc === undefined ? undefined : printedDoc(parts.doc, docMax, countTokens);
  const items = itemsOf(parts, doc !== undefined);
  const render = (
    kept: readonly Item[],
    budgetUsed: number,
    isTruncated: boolean,
  ): ContextPayload => ({
    root: parts.root,
    target: parts.target,
    kind: parts.kind,
    stats: isDefault ? parts.stats : { ...parts.stats, budget_used: budgetUsed },
    ...(kept.some(({ part }) => part === "doc") ? { doc } : {}),
    entrypoints: kept.flatMap((item) => (item.part === "entrypoint" ? [item.value] : [])),
    files: printedFiles(parts.files, kept),
    ...(parts.edges === undefined
      ? {}
      : {
          edges: {
            imports_in: kept.flatMap((item) => (item.part === "importsIn" ? [item.value] : [])),
            imports_out: kept.flatMap((item) => (item.part === "importsOut" ? [item.value] : [])),
          },
        }),
    truncated: isTruncated,
  });
  const opened = new Set<number>();
  const fit = fitBudget({
    items,
    budgetTokens,
    countTokens,
    render,
    addedText: (item) => `${addedText(item, { parts, doc, opened })},`,
    onKept: (item) => {
      if (item.part === "file" || item.part === "symbol") opened.add(item.file);
    },
  });
  return fit.data;
}

function itemsOf({ entrypoints, edges, files }: ContextParts, hasDoc: boolean): Item[] {
  const ways = (["importsIn", "importsOut"] as const).map((part) =>
    (edges?.[part] ?? []).map((value): Item => ({ part, value })),
  );
  const offered: Item[] = [];
  const kept: Item[] = [];
  for (const [file, { symbols }] of files.entries()) {
    offered.push({ part: "file", file });
    for (const [symbol, { isOffered }] of symbols.entries())
      (isOffered ? offered : kept).push({ part: "symbol", file, symbol });
  }
  return [
    ...(hasDoc ? [{ part: "doc" } as const] : []),
    ...entrypoints.map((value): Item => ({ part: "entrypoint", value })),
    ...ways.flatMap((way) => way.slice(0, edgesFirstMax)),
    ...offered,
    ...ways.flatMap((way) => way.slice(edgesFirstMax)),
    ...kept,
  ];
}

/** The files that were kept, in their order, each with what was kept of it in the order of its lines. */
function printedFiles(
  files: readonly ContextFileSymbols[],
  kept: readonly Item[],
): ContextPayload["files"] {
  const symbolsOf = new Map<number, number[]>();
  for (const item of kept) {
    if (item.part !== "file" && item.part !== "symbol") continue;
    const list = symbolsOf.get(item.file) ?? [];
    symbolsOf.set(item.file, list);
    if (item.part === "symbol") list.push(item.symbol);
  }
  return [...symbolsOf]
    .sort(([one], [other]) => one - other)
    .map(([file, symbols]) => {
      const { path, lines, language, symbols: all } = files[file] as ContextFileSymbols;
      const printed = symbols
        .sort((one, other) => one - other)
        .map((symbol) => printedSymbol(all[symbol] as ContextSymbol));
      return { path, lines, language, skeleton: printed };
    });
}

/** A line of the skeleton: where it is, and what it is, indented by what it is in. */
function printedSymbol({ line1, depth, signature }: ContextSymbol): string {
  return `${line1} ${"  ".repeat(depth)}${signature}`;
}

function addedText(
  item: Item,
  at: {
    readonly parts: ContextParts;
    readonly doc: PrintedDoc | undefined;
    readonly opened: ReadonlySet<number>;
  },
): string {
  const { parts, doc, opened } = at;
  switch (item.part) {
    case "doc":
      return `"doc":${JSON.stringify(doc)}`;
    case "entrypoint":
    case "importsIn":
    case "importsOut":
      return JSON.stringify(item.value);
    case "file":
    case "symbol": {
      const { path, lines, language, symbols } = parts.files[item.file] as ContextFileSymbols;
      const head = opened.has(item.file)
        ? ""
        : JSON.stringify({ path, lines, language, skeleton: [] });
      if (item.part === "file") return head;
      return head + JSON.stringify(printedSymbol(symbols[item.symbol] as ContextSymbol));
    }
  }
}

/** The documentation up to a number of tokens, cut after a line, else after a word. */
function printedDoc(
  { source, text }: ContextDoc,
  tokensMax: number,
  count: CountTokens,
): PrintedDoc | undefined {
  const whole = count(text);
  if (whole <= tokensMax) return { source, text, tokens: whole, truncated: false };
  let low = 0;
  let high = Math.min(text.length, tokensMax * 16);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(text.slice(0, middle)) <= tokensMax) low = middle;
    else high = middle - 1;
  }
  const cut = text.slice(0, low);
  const lineEnd = cut.lastIndexOf("\n");
  const wordEnd = cut.lastIndexOf(" ");
  const end = lineEnd > low / 2 ? lineEnd : wordEnd > 0 ? wordEnd : 0;
  const shown = cut.slice(0, end).trimEnd();
  if (shown === "") return undefined;
  return { source, text: shown, tokens: count(shown), truncated: true };
}
