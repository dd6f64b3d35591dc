import { syntaxOf } from "./language-table.ts";
import { nativeParser, type SyntaxNode } from "./native.ts";
import { countParsedUnits } from "./release.ts";
import type { LanguageSyntax } from "./rule.ts";

/** A parsed text. The tree lives in native memory: see `releaseTrees`. */
export interface ParsedSource {
  readonly root: SyntaxNode;
  /** The text as parsed: as long as the original, with byte-order mark and NUL characters replaced by spaces. */
  readonly text: string;
  /** The rules of the language it was read as. */
  readonly syntax: LanguageSyntax;
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
  const named = syntaxOf(language);
  if (named === undefined || text.length > sourceLengthMax) return null;
  const sanitized = text.replace(/\0|^\uFEFF/g, " ");
  const syntax =
    named.readAs?.when.test(sanitized) === true
      ? (syntaxOf(named.readAs.language) ?? named)
      : named;
  const parsed = parseOnce(sanitized, syntax);
  if (!parsed.hasErrors || syntax.repair === undefined) return parsed;
  const repaired = parseOnce(syntax.repair(sanitized), syntax);
  // Signatures are cut from the text as it is written, whatever was parsed.
  return errorLength(repaired.root) < errorLength(parsed.root)
    ? { ...repaired, text: sanitized, hasErrors: true }
    : parsed;
}

function parseOnce(text: string, syntax: LanguageSyntax): ParsedSource {
  const root = nativeParser(syntax.grammar).parse(syntax.parserName, text).root();
  countParsedUnits(text.length);
  return { root, text, syntax, hasErrors: root.find({ rule: isError }) !== null };
}

const isError = { kind: "ERROR" };

/** How much of a text lies in nodes of error, nested ones counted again. */
function errorLength(root: SyntaxNode): number {
  let length = 0;
  for (const node of root.findAll({ rule: isError })) {
    const { start, end } = node.range();
    length += end.index - start.index + 1;
  }
  return length;
}
