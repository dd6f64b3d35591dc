import { readFileSync } from "node:fs";
import {
  type CodeSymbol,
  extractSymbols,
  releaseTrees,
} from "../../../codetool/src/syntax/index.ts";
import type { ComparedLanguage } from "./languages.ts";
import type { Tag } from "./tags.ts";

/** What the two programs do not agree on: a tag that is not a symbol, or a symbol that is not a tag. */
export interface Disagreement {
  readonly side: "missing" | "extra";
  /** The label of the compared language. */
  readonly label: string;
  readonly file: string;
  readonly line1: number;
  readonly name: string;
  /** The kind that the program which has it gives. */
  readonly kind: string;
  /** The line, as it is in the file. */
  readonly text: string;
}

/** How the two saw one file. */
export interface Comparison {
  readonly tagCount: number;
  readonly symbolCount: number;
  readonly agreedCount: number;
  readonly disagreements: readonly Disagreement[];
}

/** A symbol, or one of the parts it is compared by. */
interface Named {
  readonly name: string;
  readonly symbol: CodeSymbol;
}

/** Compares the outline of one file with its tags. */
export async function compareFile(
  compared: ComparedLanguage,
  file: string,
  allTags: readonly Tag[],
): Promise<Comparison> {
  const text = readFileSync(file, "utf8");
  const { symbols } = extractSymbols(text, compared.language);
  await releaseTrees();
  const lines = text.split("\n");
  const tags = allTags.filter((tag) => isWithin(tag, compared));
  const named = namedSymbols(symbols, { compared, bytes: Buffer.from(text) });
  const left = new Set(named);
  const disagreements: Disagreement[] = [];
  const remark = (each: Pick<Disagreement, "side" | "name" | "kind" | "line1">): void => {
    const { side, name, kind, line1 } = each;
    const text = lines[line1 - 1] ?? "";
    disagreements.push({ side, name, kind, line1, label: compared.label, file, text });
  };
  const byName = Map.groupBy(named, ({ name }) => name);
  let agreedCount = 0;
  let optionalCount = 0;
  // What must agree is paired first.
  const isOptional = (tag: Tag): boolean => !compared.ctagsKinds.includes(tag.kind);
  for (const tag of [...tags.filter((each) => !isOptional(each)), ...tags.filter(isOptional)]) {
    const found = nearest(byName.get(simple(tag.name, compared)) ?? [], { tag, left });
    if (found === undefined && isOptional(tag)) optionalCount += 1;
    else if (found === undefined) remark({ side: "missing", ...tag });
    else {
      agreedCount += 1;
      left.delete(found);
    }
  }
  const extra = [...left].filter(({ symbol }) => compared.kinds.includes(symbol.kind));
  for (const { name, symbol } of extra)
    remark({ side: "extra", name, kind: symbol.kind, line1: symbol.startLine1 });
  const symbolCount = agreedCount + extra.length;
  return { tagCount: tags.length - optionalCount, symbolCount, agreedCount, disagreements };
}

/** Of JSON, ctags lists every depth, and items of arrays by their numbers; outlines two keys deep. */
function isWithin(tag: Tag, { label }: ComparedLanguage): boolean {
  if (label !== "json") return true;
  const isItem = /^\d+$/.test(tag.name) || /^\d+$/.test(tag.scope);
  return !tag.scope.includes(".") && !isItem && tag.scopeKind !== "array";
}

function simple(name: string, { simpleName, label }: ComparedLanguage): string {
  // Of a path of names the last counts; of a selector the whole.
  const last = label === "css" ? name : name.replace(/^.*::(?=[^:])/, "");
  const own = last.replace(/\s+/g, "");
  return simpleName === undefined ? own : simpleName(own);
}

function namedSymbols(
  symbols: readonly CodeSymbol[],
  { compared, bytes }: { readonly compared: ComparedLanguage; readonly bytes: Buffer },
): Named[] {
  const named: Named[] = [];
  const stack = [...symbols];
  for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
    const { startByte, bodyStartByte } = symbol;
    const parts = compared.parts?.(bytes.toString("utf8", startByte, bodyStartByte)) ?? [
      symbol.name,
    ];
    for (const part of parts) named.push({ name: simple(part, compared), symbol });
    stack.push(...symbol.children);
  }
  return named;
}

/** The innermost symbol of the name that has the tag's line in its own and is not spoken for. */
function nearest(
  candidates: readonly Named[],
  { tag, left }: { readonly tag: Tag; readonly left: ReadonlySet<Named> },
): Named | undefined {
  let best: Named | undefined;
  for (const each of candidates) {
    const { startLine1, endLine1 } = each.symbol;
    if (!left.has(each) || tag.line1 < startLine1 || tag.line1 > endLine1) continue;
    if (best === undefined || startLine1 > best.symbol.startLine1) best = each;
  }
  return best;
}
