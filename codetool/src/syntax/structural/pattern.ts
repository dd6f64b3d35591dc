import { syntaxOf } from "../languages/index.ts";
import { patternParsersOf, type SyntaxNode } from "../../native/index.ts";
import { isParseable, type PatternSource } from "../parse.ts";
import { patternPlacesOf } from "./places.ts";
import { type StructuralReading, type PatternText, readPattern } from "./reading.ts";

/** A piece of code with placeholders, made ready for one language. */
export interface StructuralPattern {
  /** Finds the places of a text that match, outer ones before those inside, in the order of the text. */
  findAll(source: PatternSource): StructuralMatch[];
  /** Groups of texts: every text with a match holds all of one group. */
  readonly required: readonly (readonly Buffer[])[];
  /** False where a text surely holds no match: what every match must hold is not in it. */
  mayMatch(text: Buffer): boolean;
}

/** One match; offsets are UTF-16 units of the parsed text. */
export interface StructuralMatch {
  readonly start: number;
  readonly end: number;
  readonly line1: number;
  readonly endLine1: number;
  /** What the placeholders mean, in the order in which the pattern names them; asks the tree. */
  readonly captures: () => StructuralCapture[];
}

/** What a placeholder means. */
export interface StructuralCapture {
  /** Without its `$`. */
  readonly name: string;
  readonly text: string;
  /** `null` for a list of nothing. */
  readonly lines: { readonly start: number; readonly end: number } | null;
  /** Where it is, in UTF-16 units of the parsed text; `null` for a list of nothing. */
  readonly range: { readonly start: number; readonly end: number } | null;
}

/** Characters of the longest pattern. */
export const patternCharactersMax = 4000;
/** Brackets inside of one another in a pattern. */
const patternNestingMax = 100;
const placeholderCountMax = 64;

const placeholder = /\$\$\$(?:[A-Z_][A-Z0-9_]*)?|\$\$?[A-Z_][A-Z0-9_]*/g;

/** Says why a text is not a pattern in any language; `null` when it may be one. */
export function faultOfPattern(pattern: string): string | null {
  if (pattern.length > patternCharactersMax)
    return `it has ${pattern.length} characters, wanted at most ${patternCharactersMax}`;
  const count = pattern.match(placeholder)?.length ?? 0;
  if (count > placeholderCountMax)
    return `it has ${count} placeholders, wanted at most ${placeholderCountMax}`;
  if (!/[^\s;]/.test(pattern.replace(placeholder, "")))
    return "it is nothing but placeholders and would match everything";
  let depth = 0;
  for (const [bracket] of pattern.matchAll(/[()[\]{}]/g)) {
    depth += /[([{]/.test(bracket) ? 1 : -1;
    if (depth > patternNestingMax) return `its brackets nest deeper than ${patternNestingMax}`;
  }
  return null;
}

/**
 * Makes a pattern ready for a language: parsed once, in the first place where it is a whole piece of code.
 *
 * A pattern is code with placeholders: `$NAME` one node (the same name twice: the same text), `$_` any node, `$$NAME` a
 * node or a token, `$$$` and `$$$ARGS` any sequence of siblings.
 *
 * @param language A language as a `PatternSource` names it.
 * @returns `null` when it is not code of that language, or the language has no grammar here.
 */
export function compilePattern(pattern: string, language: string): StructuralPattern | null {
  const syntax = isParseable(language) ? syntaxOf(language) : undefined;
  if (syntax === undefined || faultOfPattern(pattern) !== null) return null;
  const names = namesOf(pattern);
  for (const parser of patternParsersOf(syntax)) {
    const text = writtenFor(pattern, { language, letter: parser.letter });
    const readings = readingsOf({ text, parser, syntax });
    if (readings.length > 0) return makePattern(distinct(readings), names);
  }
  return null;
}

/** Parses a pattern by itself and, if that fails or is doubtful, in the first place of a program where it fits. */
function readingsOf(written: PatternText): StructuralReading[] {
  const {
    places,
    doubtfulKinds = [],
    isTextAlone = false,
  } = patternPlacesOf(written.syntax.language);
  const alone = isTextAlone ? null : readPattern("PATTERN", written);
  if (alone !== null && !doubtfulKinds.includes(alone.kind)) return [alone];
  const placed = places
    .values()
    .map((place) => readPattern(place, written))
    .find((reading) => reading !== null);
  return [alone, placed ?? null].filter((reading) => reading !== null);
}

/** Readings with the same tree match the same: one of them is enough. */
function distinct(readings: readonly StructuralReading[]): StructuralReading[] {
  return [...new Map(readings.map((reading) => [reading.shape, reading])).values()];
}

/** The pattern as it is put into its places. */
function writtenFor(
  pattern: string,
  { language, letter }: { readonly language: string; readonly letter: string },
): string {
  const text = pattern.trim();
  if (language !== "php") return text;
  const code = text.replace(/^<\?(?:php\b|=)\s*/i, "");
  // Where `$` is part of variable names, `$$$` by itself is not a variable.
  return letter === "$" ? code.replace(/\$\$\$(?![A-Z_])/g, "$$$$$$_") : code;
}

interface PlaceholderName {
  readonly name: string;
  readonly isList: boolean;
}

/** The placeholders that are reported, each once; those that begin with an underscore only match. */
function namesOf(pattern: string): PlaceholderName[] {
  const found = new Map<string, PlaceholderName>();
  for (const [written] of pattern.matchAll(placeholder)) {
    const name = written.replace(/^\$+/, "");
    if (name === "" || name.startsWith("_") || found.has(name)) continue;
    found.set(name, { name, isList: written.startsWith("$$$") });
  }
  return [...found.values()];
}

function makePattern(
  readings: readonly StructuralReading[],
  names: readonly PlaceholderName[],
): StructuralPattern {
  const findIn = (source: PatternSource, reading: StructuralReading): StructuralMatch[] =>
    source
      .parse(reading.parserName)
      .findAll({ rule: reading.rule })
      .map((node) => matchOf(node, { names, text: source.text }));
  const groups = readings.map(({ required }) => required);
  return {
    required: groups,
    mayMatch: (text) => groups.some((group) => group.every((part) => text.includes(part))),
    findAll: (source) => {
      const [first, ...others] = readings.map((reading) => findIn(source, reading));
      if (others.length === 0) return first ?? [];
      const found = new Map<string, StructuralMatch>();
      for (const match of [first ?? [], ...others].flat()) {
        const key = `${match.start} ${match.end}`;
        if (!found.has(key)) found.set(key, match);
      }
      return [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

function matchOf(
  node: SyntaxNode,
  { names, text }: { readonly names: readonly PlaceholderName[]; readonly text: string },
): StructuralMatch {
  const { start, end } = node.range();
  return {
    start: start.index,
    end: end.index,
    line1: start.line + 1,
    endLine1: lastLine1({ start, end }),
    captures: () =>
      names.flatMap(({ name, isList }): StructuralCapture[] => {
        const nodes = isList ? node.getMultipleMatches(name) : [node.getMatch(name)];
        const [head] = nodes;
        const last = nodes.at(-1);
        if (head === undefined) return [{ name, text: "", lines: null, range: null }];
        if (head === null || last === undefined || last === null) return [];
        const range = { start: head.range().start, end: last.range().end };
        return [
          {
            name,
            text: text.slice(range.start.index, range.end.index),
            lines: { start: range.start.line + 1, end: lastLine1(range) },
            range: { start: range.start.index, end: range.end.index },
          },
        ];
      }),
  };
}

/** The last line a node is on: a node that ends with its line break does not reach the next line. */
function lastLine1({ start, end }: ReturnType<SyntaxNode["range"]>): number {
  return end.column === 0 && end.line > start.line ? end.line : end.line + 1;
}
