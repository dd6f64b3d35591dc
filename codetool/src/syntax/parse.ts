import type { ImportCollector } from "./imports/index.ts";
import { syntaxOf } from "./languages/index.ts";
import { errorRule, type MatchedNodes, matchNodes } from "./matched-nodes.ts";
import { hasGrammar, nativeParser, type SyntaxNode } from "../native/index.ts";
import { isUnparseable } from "./unparseable.ts";
import { countParsedUnits } from "./release-trees.ts";
import type { LanguageSyntax, RepairedText } from "./rule.ts";

/** A tree and what it was made from. The tree lives in native memory: see `releaseTrees`. */
export interface ParsedTree {
  readonly root: SyntaxNode;
  /** The text as parsed: as long as the original, with byte-order mark and NUL characters replaced by spaces. */
  readonly text: string;
  /** The rules of the language it was read as. */
  readonly syntax: LanguageSyntax;
  /** Takes the statements of import; absent where nobody asked for them. */
  readonly imports: ImportCollector | undefined;
  /** The nodes that the rules name, and the imports; looked for once. */
  matches(): MatchedNodes;
}

/** Makes what takes the statements of import of a text. */
type CollectorOf = (syntax: LanguageSyntax, text: string) => ImportCollector | undefined;

/** A parsed text. */
export interface ParsedSource extends ParsedTree {
  /** True when the parser had to skip text or to invent a missing token. */
  readonly hasErrors: boolean;
}

/** UTF-16 units of the longest text that is parsed (16 Mi); a longer one has no tree and no symbols. */
export const sourceLengthMax = 16 * 1024 * 1024;

/** UTF-16 units of a line: no line written for a preprocessor is longer. */
const lineLengthMax = 5000;

/** Says whether a language has a grammar here, on this machine. */
export function isParseable(language: string | null): boolean {
  const syntax = language === null ? undefined : syntaxOf(language);
  return syntax !== undefined && (syntax.grammar === null || hasGrammar(syntax.grammar));
}

/**
 * Parses a text. Every text gives a tree; what is not a program has `hasErrors`.
 *
 * @param text The decoded source.
 * @param language A language for which `isParseable` is true.
 * @returns `null` when the language has no grammar, the text is longer than `sourceLengthMax`, or no parser would end.
 */
export function parseSource(text: string, language: string): ParsedSource | null {
  const syntax = syntaxFor(text, language);
  if (syntax === undefined || text.length > sourceLengthMax) return null;
  const sanitized = sanitize(text);
  if (isRefused(sanitized, syntax)) return null;
  const tree = parseOnce(sanitized, syntax);
  const { root } = tree;
  const hasErrors =
    hasErrorNodes(root) || (sanitized.trim() !== "" && inventedTokensOf(root).length > 0);
  return { ...tree, hasErrors };
}

function isRefused(text: string, syntax: LanguageSyntax): boolean {
  return syntax.isSenseless?.(text) === true || isUnparseable(text, syntax);
}

/** A text that structural patterns are looked for in. */
export interface PatternSource {
  /** The language it is read as: a header that is C++ is not read as C. */
  readonly language: string;
  /** The text as parsed: see `ParsedSource`. */
  readonly text: string;
  /** Its tree, by the name under which the native library knows the language; parsed again at every call. */
  parse(parserName: string): SyntaxNode;
}

/** The languages that texts of a language may be read as, those with a grammar here. */
export function languagesReadFrom(language: string): readonly string[] {
  const names = [language, syntaxOf(language)?.readAs?.language];
  return names.filter((name) => name !== undefined).filter((name) => isParseable(name));
}

/**
 * Opens a text for structural patterns: nothing is parsed before a pattern asks for it.
 *
 * @returns As `parseSource`.
 */
export function openForPatterns(text: string, language: string): PatternSource | null {
  const syntax = syntaxFor(text, language);
  if (syntax === undefined || text.length > sourceLengthMax) return null;
  const sanitized = sanitize(text);
  if (isRefused(sanitized, syntax)) return null;
  return {
    language: syntax.language,
    text: sanitized,
    parse: (parserName) => {
      countParsedUnits(sanitized.length);
      return nativeParser(syntax.grammar).parse(parserName, sanitized).root();
    },
  };
}

/** A text parsed for its symbols, and where it was rewritten another reading of it. */
export interface ParsedForSymbols extends ParsedTree {
  readonly alternative: (ParsedTree & { readonly droppedLines: ReadonlySet<number> }) | null;
}

/**
 * Parses a text so that most definitions are seen: where a language has a repair (C and C++, that a preprocessor
 * would have to read first), what was repaired is parsed, and the text as it is only when that has errors.
 *
 * @param importsOf Makes what takes the imports; default none.
 * @returns As `parseSource`; `text` is what was parsed, so signatures are free of macros.
 */
export function parseForSymbols(
  text: string,
  language: string,
  importsOf?: CollectorOf,
): ParsedForSymbols | null {
  const prepared = prepareForSymbols(text, language);
  if (prepared === null) return null;
  const readings = chooseReading(prepared);
  let next = readings.next();
  while (next.done !== true) {
    const { text: each, hasImports } = next.value;
    next = readings.next(parseOnce(each, prepared.syntax, hasImports ? importsOf : undefined));
  }
  return next.value;
}

/** The same as `parseForSymbols`, parsed in threads of the native library: others may be prepared, or read, meanwhile. */
export async function parseForSymbolsAhead(
  text: string,
  language: string,
): Promise<ParsedForSymbols | null> {
  const prepared = prepareForSymbols(text, language);
  if (prepared === null) return null;
  const { syntax } = prepared;
  const readings = chooseReading(prepared);
  let next = readings.next();
  while (next.done !== true) {
    const { text: each } = next.value;
    const parsed = await nativeParser(syntax.grammar).parseAsync(syntax.parserName, each);
    countParsedUnits(each.length);
    next = readings.next(treeOf(parsed.root(), { text: each, syntax, imports: undefined }));
  }
  return next.value;
}

/** A text that is about to be parsed for its symbols. */
interface PreparedText {
  readonly syntax: LanguageSyntax;
  readonly written: string;
  /** Absent where the language has no repair, or this text cannot have one. */
  readonly repaired: RepairedText | undefined;
}

function prepareForSymbols(text: string, language: string): PreparedText | null {
  const syntax = syntaxFor(text, language);
  if (syntax === undefined || text.length > sourceLengthMax) return null;
  const written = sanitize(text);
  if (isRefused(written, syntax)) return null;
  // What reads macros goes back and forth on a line; a line so long was written by a program.
  const repaired = hasLongLine(written) ? undefined : syntax.repair?.(written);
  return { syntax, written, repaired };
}

/** A text to be parsed next, and whether its imports count. */
interface WantedTree {
  readonly text: string;
  readonly hasImports: boolean;
}

/** Asks for one tree after the other, as many as it takes to choose between them. */
function* chooseReading({
  written,
  repaired,
}: PreparedText): Generator<WantedTree, ParsedForSymbols, ParsedTree> {
  const isRepaired = repaired !== undefined && repaired.text !== written;
  const best = yield { text: repaired?.text ?? written, hasImports: true };
  // Names are clearer in the repaired text, so it may have somewhat more errors.
  const slightLength = Math.max(slightErrorLength, written.length * slightErrorShare);
  const errors = isRepaired ? errorLength(best) : 0;
  const bound = errors > slightLength ? errors - slightErrorLength : 0;
  if (bound > 0) {
    const raw = yield { text: written, hasImports: true };
    if (2 * errorLength(raw) < bound) return { ...raw, alternative: null };
  }
  if (repaired === undefined || repaired.alternative === null) {
    return { ...best, alternative: null };
  }
  const { droppedLines } = repaired;
  const alternative = yield { text: repaired.alternative, hasImports: false };
  return { ...best, alternative: { ...alternative, droppedLines } };
}

/** Errors of this length in all, UTF-16 units, are not a reason to look for another reading. */
const slightErrorLength = 200;

/** The same as a share of a long text: another reading takes as long as the first. */
const slightErrorShare = 0.01;

function hasLongLine(text: string): boolean {
  for (let start = 0; start + lineLengthMax < text.length;) {
    const end = text.lastIndexOf("\n", start + lineLengthMax);
    if (end < start) return true;
    start = end + 1;
  }
  return false;
}

function syntaxFor(text: string, language: string): LanguageSyntax | undefined {
  const named = isParseable(language) ? syntaxOf(language) : undefined;
  if (named?.readAs === undefined || !named.readAs.when.test(text)) return named;
  return syntaxOf(named.readAs.language) ?? named;
}

/** Offsets stay: a byte-order mark and NUL, which parsers take for the end of a text, become spaces. */
function sanitize(text: string): string {
  return text.replace(/\0|^\uFEFF/g, " ");
}

function parseOnce(text: string, syntax: LanguageSyntax, importsOf?: CollectorOf): ParsedTree {
  const root = nativeParser(syntax.grammar).parse(syntax.parserName, text).root();
  countParsedUnits(text.length);
  return treeOf(root, { text, syntax, imports: importsOf?.(syntax, text) });
}

function treeOf(root: SyntaxNode, of: Pick<ParsedTree, "text" | "syntax" | "imports">): ParsedTree {
  const { syntax, imports } = of;
  let found: MatchedNodes | undefined;
  const match = (): MatchedNodes => {
    const rules = Object.keys(syntax.rules).map((kind) => ({ kind }));
    return matchNodes(root, [...rules, ...(imports?.queries ?? [])]);
  };
  return { root, ...of, matches: () => (found ??= match()) };
}

/** Says whether the parser had to skip text. Looks through the whole tree where it had not. */
export function hasErrorNodes(root: SyntaxNode): boolean {
  return root.find({ rule: errorRule }) !== null;
}

/** The leaves without text: tokens that the parser invented to go on, such as the brace that was not closed. */
export function inventedTokensOf(root: SyntaxNode): SyntaxNode[] {
  const hasChild = { has: { not: { kind: "ERROR" } } };
  const leaves = root.findAll({ rule: { all: [{ not: hasChild }, { regex: "^$" }] } });
  // The content of an empty string is a leaf without text too.
  return leaves.filter((leaf) => !leaf.kind().endsWith("_content"));
}

/** How much of a text lies in nodes of error, nested ones counted again. */
function errorLength(tree: ParsedTree): number {
  let length = 0;
  for (const node of tree.matches().errors) {
    const { start, end } = node.range();
    length += end.index - start.index + 1;
  }
  return length;
}
