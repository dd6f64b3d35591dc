import { areSameWords, lexemesOf } from "./lexemes.ts";
import type { FileVersion } from "./file-version.ts";
import { isDataFormat, isSameTree } from "../syntax/index.ts";
import type { SymbolMatch } from "./match-symbols.ts";
import type { NamedSymbol } from "./named-symbol.ts";
import { isSameSignature, ownStretches, ownWords } from "./symbol-text.ts";

/** How a symbol of both versions changed, without the symbols inside of it. */
export type SymbolChange =
  | "signature"
  | "body"
  | "signature and body"
  /** Of a constant, a field or a type without a body. */
  | "definition"
  | "comments"
  | "formatting";

/** Two versions of a file. */
export interface VersionPair {
  readonly old: FileVersion;
  readonly new: FileVersion;
}

/** Says how a symbol changed; `undefined` when it is the same, letter by letter. */
export function changeOf(match: SymbolMatch, versions: VersionPair): SymbolChange | undefined {
  const oldTexts = textsOf(versions.old, match.old);
  const newTexts = textsOf(versions.new, match.new);
  if (areSameWords(oldTexts, newTexts)) return undefined;
  const { language } = versions.new;
  const oldWords = ownWords(versions.old, match.old);
  const newWords = ownWords(versions.new, match.new);
  const name = match.old.symbol.name;
  const newName = match.new.symbol.name;
  const renamed = oldWords.words.map((word) => (word === name ? newName : word));
  if (oldTexts.length !== newTexts.length) {
    // A symbol inside was added or removed, together with its separator.
    const isSame = areSameWords(
      renamed.filter(isNoSeparator),
      newWords.words.filter(isNoSeparator),
    );
    if (isSame) return undefined;
  } else if (areSameWords(renamed, newWords.words)) {
    if (name !== newName) return undefined;
    if (!isFormattingAlone(match, versions, oldTexts))
      return isDefinition(match.new, language) ? "definition" : "body";
    return areSameWords(oldWords.comments, newWords.comments) ? "formatting" : "comments";
  }
  if (isDefinition(match.new, language)) return "definition";
  if (!hasBody(match.old) && !hasBody(match.new)) return "signature";
  if (isSameSignature(match.old, match.new, language)) return "body";
  const isSameBody = areSameWords(
    bodyWords(versions.old, match.old),
    bodyWords(versions.new, match.new),
  );
  return isSameBody ? "signature" : "signature and body";
}

/** Whether a symbol has no separate body: a constant, a key with its value. */
function isDefinition(named: NamedSymbol, language: string): boolean {
  if (named.isCallable) return false;
  return !hasBody(named) || (named.kind === "const" && isDataFormat(language));
}

function hasBody({ symbol }: NamedSymbol): boolean {
  return symbol.bodyStartByte < symbol.endByte;
}

function textsOf(version: FileVersion, named: NamedSymbol): string[] {
  return ownStretches(named).map(([start, end]) => version.slice(start, end));
}

function bodyWords(version: FileVersion, named: NamedSymbol): readonly string[] {
  const { bodyStartByte } = named.symbol;
  const text = ownStretches(named)
    .map(([start, end]) =>
      version.slice(Math.max(start, bodyStartByte), Math.max(end, bodyStartByte)),
    )
    .join("\n");
  return lexemesOf(text, version.language)?.words ?? [text];
}

function isNoSeparator(word: string): boolean {
  return word !== "," && word !== ";";
}

/** Asks the parser whether the new file has the same tree with the earlier text of the symbol. */
function isFormattingAlone(
  match: SymbolMatch,
  versions: VersionPair,
  oldTexts: readonly string[],
): boolean {
  const { text, language } = versions.new;
  const parts: string[] = [];
  let at = 0;
  for (const [index, [start, end]] of ownStretches(match.new).entries()) {
    parts.push(versions.new.slice(at, start), oldTexts[index] ?? "");
    at = end;
  }
  parts.push(versions.new.slice(at, Buffer.byteLength(text)));
  return isSameTree(parts.join(""), text, language);
}
