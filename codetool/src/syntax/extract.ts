import { byteOffsetsOf } from "./byte-offsets.ts";
import { formatOf, symbolsOfFormat } from "./formats/index.ts";
import type { FileImports } from "./import-reference.ts";
import { ImportCollector, importSyntaxOf, noImports } from "./imports/index.ts";
import {
  isParseable,
  type ParsedForSymbols,
  parseForSymbols,
  parseForSymbolsAhead,
  sourceLengthMax,
} from "./parse.ts";
import type { CodeSymbol } from "./symbol.ts";
import { pythonHeader } from "./python-header.ts";
import { type DraftSymbol, type WalkedTree, walkTree } from "./walk.ts";

/** What extraction found in one text. */
export interface ExtractedSymbols {
  readonly symbols: readonly CodeSymbol[];
  /** True when the parser had to skip or invent something; the symbols around are there all the same. */
  readonly hasErrors: boolean;
  /** False when a limit (`sourceLengthMax`, `matchedNodeCountMax`, `symbolDepthMax`) left something out. */
  readonly isComplete: boolean;
  /** Why the text was not parsed, said of the file ("it has …"); then nothing is known of its symbols and errors. */
  readonly unparsed?: string;
}

const signatureLengthMax = 300;

/**
 * Finds the definitions of a source text, nested, in document order: of a data format its headings, keys, rules and the
 * like (`formats/index.ts`). Never throws for a text.
 *
 * @param text The source, decoded; a byte-order mark, CRLF and NUL characters are all right.
 * @param language The language's name as file detection gives it, for example `"python"`.
 * @returns No symbols for a language for which `hasSymbols` is false, and for a text that is not parsed (`unparsed`).
 */
export function extractSymbols(text: string, language: string): ExtractedSymbols {
  const format = formatOf(language);
  if (format !== undefined)
    return text.length > sourceLengthMax ? notParsed(text) : symbolsOfFormat(text, format);
  if (!isParseable(language)) return notParseable;
  const parsed = parseForSymbols(text, language);
  if (parsed === null) return notParsed(text);
  return { ...symbolsOf(parsed, text), hasErrors: parsed.matches().errors.length > 0 };
}

/** Says whether the definitions of a language are known here: it has a grammar on this machine, or is a data format. */
export function hasSymbols(language: string | null): boolean {
  return language !== null && (formatOf(language) !== undefined || isParseable(language));
}

/** Says whether a language is a data format: its symbols are headings, keys and the like, which code does not name. */
export function isDataFormat(language: string | null): boolean {
  return language !== null && formatOf(language) !== undefined;
}

/**
 * Finds what a search takes for definitions: as `extractSymbols`, without what only marks a place. Generated pages have
 * hundreds of ids, which nobody looks for by name; their headings stay.
 */
export function extractDefinitions(text: string, language: string): readonly CodeSymbol[] {
  const { symbols } = extractSymbols(text, language);
  return language === "html" ? withoutIds(symbols) : symbols;
}

/**
 * Finds the same as `extractDefinitions`, the text parsed in a thread of the native library.
 *
 * @returns `undefined` where no other thread would help: for a data format, and a language that is not parsed.
 */
export async function extractDefinitionsAhead(
  text: string,
  language: string,
): Promise<readonly CodeSymbol[] | undefined> {
  if (formatOf(language) !== undefined || !isParseable(language)) return undefined;
  const parsed = await parseForSymbolsAhead(text, language);
  return parsed === null ? [] : symbolsOf(parsed, text).symbols;
}

function withoutIds(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => {
    const children = withoutIds(symbol.children);
    return symbol.kind === "const" ? children : [{ ...symbol, children }];
  });
}

/** The definitions and the imports of one text; whether it had errors takes another look at the whole tree. */
export interface ExtractedSource extends Omit<ExtractedSymbols, "hasErrors">, FileImports {}

/**
 * Finds the definitions of a source text as `extractDefinitions` does, and from the same parse what it imports.
 *
 * @param text The source, decoded.
 * @param language The language's name as file detection gives it.
 * @returns No imports for a language whose imports are not known here, or where the text was not parsed.
 */
export function extractSource(text: string, language: string): ExtractedSource {
  const format = formatOf(language);
  if (format !== undefined) {
    const isComplete = text.length <= sourceLengthMax;
    return { symbols: extractDefinitions(text, language), isComplete, ...noImports };
  }
  if (!isParseable(language)) return { ...notParseable, ...noImports };
  const parsed = parseForSymbols(text, language, (syntax, source) => {
    const importSyntax = importSyntaxOf(syntax.language);
    return importSyntax === undefined ? undefined : new ImportCollector(importSyntax, source);
  });
  if (parsed === null) return { ...notParsed(text), ...noImports };
  const found = symbolsOf(parsed, text);
  return { ...found, ...(parsed.imports?.finish(text) ?? noImports) };
}

const notParseable: ExtractedSymbols = { symbols: [], hasErrors: false, isComplete: true };

function notParsed(text: string): ExtractedSymbols {
  const unparsed =
    text.length > sourceLengthMax
      ? `it has ${text.length} characters, and at most ${sourceLengthMax} are parsed`
      : "it has a form that no program has, and a parser would take minutes";
  return { symbols: [], hasErrors: false, isComplete: false, unparsed };
}

function symbolsOf(parsed: ParsedForSymbols, text: string): Omit<ExtractedSymbols, "hasErrors"> {
  const toBytes = byteOffsetsOf(text);
  const walked = walkTree(parsed);
  const symbols = finishSymbols(walked, { text: parsed.text, toBytes });
  return {
    symbols:
      parsed.alternative === null ? symbols : withDropped(symbols, parsed.alternative, toBytes),
    isComplete: walked.isComplete,
  };
}

interface FinishOptions {
  readonly text: string;
  readonly toBytes: (unitOffset: number) => number;
}

function finishSymbols(walked: WalkedTree, options: FinishOptions): CodeSymbol[] {
  const { text, toBytes } = options;
  const finish = (draft: DraftSymbol, isParentExported: boolean): CodeSymbol => {
    const { definition } = draft;
    const isExported =
      draft.isWrapperExported ||
      definition.visibility === "exported" ||
      (definition.visibility === "inherited" && isParentExported) ||
      (definition.visibility === "listed" &&
        walked.exportedNames.has(definition.listedAs ?? definition.name));
    return {
      // The backticks of names such as `default` in Kotlin, Scala and Swift are not part of the name.
      name: definition.name.replace(/^`(.*)`$/, "$1"),
      kind: definition.kind,
      startLine1: draft.startLine1,
      endLine1: draft.endLine1,
      startByte: toBytes(draft.start),
      endByte: toBytes(draft.end),
      bodyStartByte: toBytes(draft.bodyStart),
      signature: signatureOf(draft, text),
      isExported,
      ...(definition.container === undefined ? {} : { container: definition.container }),
      children: draft.children.map((child) => finish(child, isExported)),
    };
  };
  return walked.symbols.map((draft) => finish(draft, true));
}

/** Adds the outermost symbols that begin in lines the first reading dropped. */
function withDropped(
  symbols: readonly CodeSymbol[],
  alternative: NonNullable<ParsedForSymbols["alternative"]>,
  toBytes: (unitOffset: number) => number,
): CodeSymbol[] {
  const dropped = finishSymbols(walkTree(alternative), { text: alternative.text, toBytes }).filter(
    (symbol) => alternative.droppedLines.has(symbol.startLine1 - 1),
  );
  return [...symbols, ...dropped].sort((left, right) => left.startByte - right.startByte);
}

/** One line without body: white space folded, the opening of the body cut, at most 300 characters. */
function signatureOf(draft: DraftSymbol, text: string): string {
  const { definition, signatureStart, bodyStart, signatureBound } = draft;
  // A longer declaration is cut anyway; the bound keeps a data table of a megabyte from being folded.
  const bound = Math.min(
    definition.body === null ? signatureBound : bodyStart,
    signatureStart + 4 * signatureLengthMax,
  );
  let declaration = definition.signature ?? text.slice(signatureStart, bound);
  if (definition.signatureEnd === "line") declaration = declaration.split("\n", 1)[0] ?? "";
  // Comments in and after a header are not part of it.
  if (definition.signatureEnd === "python" && declaration.includes("#"))
    declaration = pythonHeader(declaration);
  let folded = declaration
    // Single spaces are most of all white space, and stay.
    .replace(/[^\S ]\s*| \s+/g, " ")
    .trim()
    .replace(definition.body === null ? /\s*;$/ : /\s*[:;]?$/, "");
  if (folded.endsWith("\\")) folded = folded.replace(/\s*\\$/, "");
  if (/[([<] /.test(folded)) folded = folded.replace(/([([]|(?<=\S)<) /g, "$1");
  if (/ [)\]]/.test(folded)) folded = folded.replace(/,? ([)\]])/g, "$1");
  if (folded.includes(" >")) folded = folded.replace(/(?<=<[^<>]*),? (?=>)/g, "");
  if (folded.length <= signatureLengthMax) return folded;
  return `${folded.slice(0, signatureLengthMax - 1).trimEnd()}…`;
}
