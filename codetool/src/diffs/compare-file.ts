import { areSameWords, lexemesOf } from "./lexemes.ts";
import { describeImportChange } from "./compare-imports.ts";
import { changeOf, type SymbolChange } from "./compare-symbol.ts";
import type { FileVersion } from "./file-version.ts";
import { type LoneSymbol, matchVersions, type SymbolMatch, withInner } from "./match-symbols.ts";
import type { NamedSymbol } from "./named-symbol.ts";
import { isSameTree } from "../syntax/index.ts";

/** How a symbol changed. */
export type ChangeKind = SymbolChange | "added" | "removed" | "renamed" | "moved";

/** The differences of two versions of a file, apart from lines. */
export interface FileComparison {
  /** How each changed symbol of both versions changed. */
  readonly kinds: ReadonlyMap<NamedSymbol, ChangeKind>;
  /** For each earlier symbol, its later one. */
  readonly successors: ReadonlyMap<NamedSymbol, NamedSymbol>;
  readonly matches: readonly SymbolMatch[];
  /** Changes of symbols that are in both versions. */
  readonly changes: readonly { readonly match: SymbolMatch; readonly change: SymbolChange }[];
  readonly removed: readonly LoneSymbol[];
  readonly added: readonly LoneSymbol[];
  /** New and removed imports; empty if there are none. */
  readonly imports: string;
  /** Set if only white space differs, or only white space and comments. */
  readonly only: "formatting" | "comments" | undefined;
}

/** Compares two versions of a file; a version is absent if the file did not exist or has no grammar. */
export function compareVersions(
  old: FileVersion | undefined,
  next: FileVersion | undefined,
): FileComparison {
  const { matches, removed, added } = matchVersions(old, next);
  const kinds = new Map<NamedSymbol, ChangeKind>();
  for (const { named } of removed) for (const each of withInner(named)) kinds.set(each, "removed");
  for (const { named } of added) for (const each of withInner(named)) kinds.set(each, "added");
  const successors = new Map(matches.map((match) => [match.old, match.new]));
  const only = old === undefined || next === undefined ? undefined : onlyFormatting(old, next);
  const changes: { match: SymbolMatch; change: SymbolChange }[] = [];
  for (const match of matches) {
    if (match.kind !== "same") kinds.set(match.new, match.kind);
    if (old === undefined || next === undefined) continue;
    const change = changeOf(match, { old, new: next });
    if (change === undefined) continue;
    changes.push({ match, change });
    if (match.kind === "same" || change !== "formatting") kinds.set(match.new, change);
  }
  const hasBoth = old !== undefined && next !== undefined;
  const imports = hasBoth ? describeImportChange(old.imports, next.imports) : "";
  return { kinds, successors, matches, changes, removed, added, imports, only };
}

function onlyFormatting(old: FileVersion, next: FileVersion): FileComparison["only"] {
  if (old.language !== next.language || old.text === next.text) return undefined;
  const before = lexemesOf(old.text, old.language);
  const after = lexemesOf(next.text, next.language);
  if (before === undefined || after === undefined) return undefined;
  if (!areSameWords(before.words, after.words)) return undefined;
  if (!isSameTree(old.text, next.text, next.language)) return undefined;
  return areSameWords(before.comments, after.comments) ? "formatting" : "comments";
}
