import { parseSource } from "../parse.ts";
import { ecmascriptNames } from "./ecmascript.ts";
import { goNames } from "./go.ts";
import type { NameRules, PathNode, ReadName } from "./name-rules.ts";
import { pythonNames } from "./python.ts";
import { type Mention, type ReadPlace, ScopedNames } from "./scoped-names.ts";

/** A place where code names something. */
export interface NameUse extends ReadName {
  /** UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  readonly line1: number;
  /**
   * Where a name that is not behind a dot is declared: at `file` level, in a `local` scope around it, or nowhere in the
   * file (`free`).
   */
  readonly binding: "file" | "local" | "free";
  /** Of a member: what is before its dots is declared in a scope around it, and not by an import. */
  readonly isQualifierLocal: boolean;
}

const rulesOf: { readonly [language: string]: NameRules } = {
  typescript: ecmascriptNames,
  tsx: ecmascriptNames,
  javascript: ecmascriptNames,
  python: pythonNames,
  go: goNames,
};

/** The rules of a language; `undefined` where its names are not read here. */
export function nameRulesOf(language: string): NameRules | undefined {
  return rulesOf[language];
}

/** Whether the names of a language are read here. */
export function hasNameRules(language: string | null): boolean {
  return language !== null && rulesOf[language] !== undefined;
}

/** The places of a name in a text. */
export interface NamePlaces {
  /** In code, in order. */
  readonly uses: readonly NameUse[];
  /** In comments and strings, in order; a string that is read as code is among the uses too. */
  readonly mentions: readonly Mention[];
}

/**
 * Finds the places where the code of a text uses a name: not those in comments and strings.
 *
 * @returns In order; `null` where the text is not parsed, or has errors of syntax.
 */
export function usesOfName(
  text: string,
  language: string,
  name: string,
): readonly NameUse[] | null {
  return placesOfName(text, language, name)?.uses ?? null;
}

/**
 * Finds the places where a text has a name: in its code, and in its comments and strings.
 *
 * @returns `null` where the text is not parsed, or has errors of syntax.
 */
export function placesOfName(text: string, language: string, name: string): NamePlaces | null {
  const rules = rulesOf[language];
  const parsed = rules === undefined ? null : parseSource(text, language);
  if (rules === undefined || parsed === null || parsed.hasErrors) return null;
  const names = new ScopedNames(parsed, rules);
  const uses = names.placesOf(name).map((place): NameUse => {
    const { start, end, line1 } = place.path.at(-1) as PathNode;
    return {
      ...place.read,
      start,
      end,
      line1,
      binding: names.bindingOf(place, name),
      isQualifierLocal: isQualifierLocal(place, names),
    };
  });
  return { uses, mentions: names.mentionsOf(name) };
}

function isQualifierLocal({ path, read }: ReadPlace, names: ScopedNames): boolean {
  const root = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(read.qualifier ?? "")?.[0];
  const declared = root === undefined ? undefined : names.declarationsOf(root, path);
  if (declared === undefined || declared.isOuter) return false;
  return !declared.places.some((place) => place.path.some(({ kind }) => kind.startsWith("import")));
}
