import { syntaxOf } from "./language-table.ts";
import { nativeParser, type SyntaxNode } from "./native.ts";
import { countParsedUnits } from "./release.ts";

/** A parsed text. The tree lives in native memory: see `releaseTrees`. */
export interface ParsedSource {
  readonly root: SyntaxNode;
  /** The text as parsed: as long as the original, with byte-order mark and NUL characters replaced by spaces. */
  readonly text: string;
  /** True when the parser had to skip text or to invent a missing token. */
  readonly hasErrors: boolean;
}

/** UTF-16 units of the longest text that is parsed (16 Mi); a longer one has no tree and no symbols. */
export const sourceLengthMax = 16 * 1024 * 1024;

/** Says whether a language has a grammar here. */
export function isParseable(language: string | null): boolean {
  return language !== null && syntaxOf(language) !== undefined;
}

/**
 * Parses a text. Every text gives a tree; what is no program has `hasErrors`.
 *
 * @param text The decoded source.
 * @param language A language for which `isParseable` is true.
 * @returns `null` when the language has no grammar or the text is longer than `sourceLengthMax`.
 */
export function parseSource(text: string, language: string): ParsedSource | null {
  const syntax = syntaxOf(language);
  if (syntax === undefined || text.length > sourceLengthMax) return null;
  const sanitized = text.replace(/\0|^\uFEFF/g, " ");
  const root = nativeParser(syntax.grammar).parse(syntax.parserName, sanitized).root();
  countParsedUnits(text.length);
  return { root, text: sanitized, hasErrors: hasErrorNodes(root) };
}

/** A node of error, or a leaf without text: a token the parser invented. */
function hasErrorNodes(root: SyntaxNode): boolean {
  const isError = { kind: "ERROR" };
  return root.find({ rule: isError }) !== null;
}
