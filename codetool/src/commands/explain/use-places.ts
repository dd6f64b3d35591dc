import { type CodeWord, linesWithName, readCodeWords } from "../../imports/index.ts";
import { hasNameRules, type NameUse, usesOfName } from "../../syntax/index.ts";
import type { ProjectCorpus } from "../project/index.ts";
import { definitionsIn, type FoundDefinition, pathOfName } from "./find-definitions.ts";
import { importLinesOf, localNamesOf } from "./import-lines.ts";

/** A line that uses the symbol. */
export interface LineOfUse {
  readonly line1: number;
  /** The word before the dot, where there is one. */
  readonly qualifier: string | undefined;
  /** It is behind a dot, whatever is before that. */
  readonly isDotted: boolean;
  /** The name is declared nowhere in the file: it is one of its package. */
  readonly isFree: boolean;
}

/** What of a file is looked at. */
export interface PlacesQuestion {
  /** Number of the file. */
  readonly file: number;
  readonly text: string;
  readonly definition: FoundDefinition;
  /** How the symbol is offered to the file. */
  readonly offered: readonly string[];
  /** The symbol belongs to a type: it is used behind a dot. */
  readonly isMember: boolean;
  /** Scopes are resolved, which takes a parse. */
  readonly isParsed: boolean;
  /** A name in quotes counts, too. */
  readonly isQuotedCounted: boolean;
}

/** Finds the lines of a file that use a symbol: not its imports, not definitions of that name, not its own code. */
export function linesOfUse(question: PlacesQuestion, project: ProjectCorpus): LineOfUse[] {
  const { file, text, definition, offered, isMember } = question;
  const { corpus } = project;
  const { language } = corpus.file(file);
  const lines = text.split("\n");
  const importing = corpus.importingFileOf(file) ?? { imports: [] };
  const imports = importLinesOf(importing, lines);
  const names = isMember
    ? new Set([lastOf(definition.name)])
    : localNamesOf(importing, lines, offered.map(lastOf));
  const scoped = question.isParsed ? scopedUses(question, { names, language }) : undefined;
  const declared = declarationsOf(question, { names, lines, project });
  const isOwn = (line1: number): boolean =>
    file === definition.file && definition.startLine1 <= line1 && line1 <= definition.endLine1;
  const words = readCodeWords(text, language, { names });
  const found = new Map<number, LineOfUse>();
  for (const word of words) {
    const { line1, qualifier, isMember: isDotted } = word;
    if (imports.has(line1) || isOwn(line1) || found.has(line1) || declared.has(word.start))
      continue;
    const use = scoped?.get(word.start);
    if (scoped !== undefined && use === undefined) continue;
    if (scoped === undefined && !isPossible(word, question, language)) continue;
    const isFree = use?.binding === "free" && use.role !== "member";
    found.set(line1, { line1, qualifier, isDotted, isFree });
  }
  if (question.isQuotedCounted && found.size === 0)
    for (const line1 of linesWithName(text, language, lastOf(definition.name)))
      if (
        !imports.has(line1) &&
        !isOwn(line1) &&
        isInQuotes(lines[line1 - 1] ?? "", question, language)
      )
        found.set(line1, { line1, qualifier: undefined, isDotted: false, isFree: false });
  return [...found.values()].sort((one, other) => one.line1 - other.line1);
}

/** The function or type around a line, as `Class.method`, and whether that is a test by its place in the file. */
export function aroundLine(
  line1: number,
  definitions: readonly FoundDefinition[],
): {
  readonly name: string | undefined;
  readonly symbol: FoundDefinition | undefined;
  readonly isTest: boolean;
} {
  const around = definitions.filter(
    ({ startLine1, endLine1 }) => startLine1 <= line1 && line1 <= endLine1,
  );
  const isTest = around.some(({ kind, name }) => kind === "module" && /^tests?$/.test(name));
  const inner = around.filter(({ kind }) => kind !== "module");
  // A constant in a function is part of it; one at file level is what there is.
  const symbol = inner.findLast(({ kind, isLocal }) => kind !== "const" && !isLocal) ?? inner.at(0);
  return { name: symbol === undefined ? undefined : pathOfName(symbol), symbol, isTest };
}

export function lastOf(name: string): string {
  return name.split(/::|\./).at(-1) ?? name;
}

/** Where a member is always behind a dot, a text in quotes is all that may mean it otherwise. */
function isInQuotes(
  line: string,
  { definition: { name } }: PlacesQuestion,
  language: string | null,
): boolean {
  if (!/^(?:python|go|rust)$/.test(language ?? "")) return true;
  return ['"', "'", "`"].some((quote) => line.includes(quote + lastOf(name) + quote));
}

function isPossible(
  { isMember: isDotted, qualifier, after, start }: CodeWord,
  { isMember, text, definition: { kind } }: PlacesQuestion,
  language: string | null,
): boolean {
  // `this.name` is a member, whatever else has its name.
  if (!isMember) return !isDotted || !/^(?:this|self|cls|super)$/.test(qualifier ?? "");
  if (!isDotted && isAlwaysDotted(language)) return false;
  // Else it is a variable or a field of that name.
  const isReference = text.slice(start - 2, start) === "::";
  const isCallable = kind === "method" || kind === "function";
  return !isCallable || !isCalledInBrackets(language) || after.startsWith("(") || isReference;
}

/** In these a method is called by brackets. */
function isCalledInBrackets(language: string | null): boolean {
  return /^(?:java|kotlin|csharp|swift|php|c|cpp)$/.test(language ?? "");
}

function isAlwaysDotted(language: string | null): boolean {
  return /^(?:javascript|typescript|tsx|go|python|rust)$/.test(language ?? "");
}

/** The uses that scopes allow, by their place; `undefined` where the language's scopes are not read. */
function scopedUses(
  question: PlacesQuestion,
  { names, language }: { readonly names: ReadonlySet<string>; readonly language: string | null },
): ReadonlyMap<number, NameUse> | undefined {
  if (language === null || !hasNameRules(language)) return undefined;
  const found = new Map<number, NameUse>();
  for (const name of names) {
    const uses = usesOfName(question.text, language, name);
    if (uses === null) return undefined;
    for (const use of uses) if (isUse(use, question)) found.set(use.start, use);
  }
  return found;
}

function isUse(use: NameUse, { isMember, file, definition }: PlacesQuestion): boolean {
  const { role, binding, isQualifierLocal, qualifier = "" } = use;
  if (isMember) return role === "member" || role === "taken";
  if (role === "member") {
    // In its own file a name is not behind a module.
    if (file === definition.file) return /^(?:module\.)?exports$/.test(qualifier);
    return !isQualifierLocal && !/^(?:this|self|cls|super)\b/.test(qualifier);
  }
  if (role === "quoted") return true;
  const isBare = role === "bare" || role === "shorthand" || role === "doubtful";
  return isBare && (binding !== "local" || definition.isLocal);
}

/** Places at which definitions of the name name themselves. */
function declarationsOf(
  { file, text }: PlacesQuestion,
  at: {
    readonly names: ReadonlySet<string>;
    readonly lines: readonly string[];
    readonly project: ProjectCorpus;
  },
): ReadonlySet<number> {
  const starts: number[] = [0];
  for (const line of at.lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const places = new Set<number>();
  for (const { name, startLine1 } of definitionsIn(file, at.project)) {
    const last = lastOf(name);
    if (!at.names.has(last)) continue;
    const from = starts[startLine1 - 1] ?? 0;
    const found = readCodeWords(
      text.slice(from, from + 2000),
      at.project.corpus.file(file).language,
      {
        names: new Set([last]),
      },
    ).at(0);
    if (found !== undefined) places.add(from + found.start);
  }
  return places;
}
