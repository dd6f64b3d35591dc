import type { ImportReference } from "../../syntax/index.ts";
import { codeWordsOf } from "./code-words.ts";
import type { ImportingFile } from "../tree/index.ts";
import type { ImportResolver } from "../resolver.ts";

/** The names of a definition outside, and its name where it is: `default` is `Router`. */
export type VisibleNames = ReadonlyMap<string, string>;

/** How surely a file depends on another: see `Confidence` in `find-dependents.ts`. */
export type EdgeKind = "resolved" | "likely" | "name";

/** What one file takes from another. */
export interface SymbolUses {
  readonly kind: EdgeKind;
  /** The definitions used, by their own names, in the order of the names asked for. */
  readonly used: readonly string[];
  /** What it offers on to those who import it. */
  readonly carried: VisibleNames;
  /** Names that its imports take of the target and that the target has from elsewhere: as those call them. */
  readonly passedOn: readonly string[];
  /** False when it only offers on what it takes: a barrel. */
  readonly isUsing: boolean;
}

/** A file and one of the files that it may depend on. */
export interface UseQuestion {
  readonly dependent: ImportingFile;
  /** Number of the file that it may depend on. */
  readonly target: number;
  /** What others can name in the target by importing it. */
  readonly visible: VisibleNames;
  /** What files of the same package can name in it without an import; default the visible names. */
  readonly visibleInPackage?: VisibleNames;
  /**
   * The definitions belong to types, which is what imports name: the visible names are those of the types, and each
   * leads to the member asked about.
   */
  readonly isMember?: boolean;
  readonly resolver: ImportResolver;
  /** The text of the dependent; `undefined` when it cannot be read. */
  readonly readText: () => string | undefined;
}

const nothing: VisibleNames = new Map();
/** An import this sure goes by the language's own rules. */
const resolvedConfidenceMin = 0.95;

/**
 * Says which names of a file another one uses: those that its imports name, and where an import brings in a whole
 * module, or none is needed, those that are in its code as words.
 */
export function symbolUsesOf(question: UseQuestion): SymbolUses {
  const { dependent, visible, isMember = false } = question;
  const found = importsOf(question);
  const kind = edgeKindOf(found);
  const bound = new Set<string>();
  const carried = new Map<string, string>();
  let isUsing = false;
  const scanned = new Scan(question, found.length === 0);
  if (found.length === 0 && !isMember) scanned.any = true;
  for (const { reference } of found) {
    const isReexport = reference.kind === "reexport";
    for (const name of reference.names) {
      const original = visible.get(name);
      if (original === undefined) continue;
      if (isReexport || isPackageFile(dependent)) carried.set(name, original);
      if (!isMember) bound.add(original);
      if (!isReexport && !isPackageFile(dependent)) isUsing = true;
    }
    if (isReexport && reference.names.includes("*")) {
      for (const [name, original] of visible) {
        if (name === "default") continue;
        carried.set(name, original);
        if (!isMember) bound.add(original);
      }
    }
    scanned.add(reference);
  }
  if (isMember) scanned.addMember();
  const byWord = scanned.words();
  if (byWord.size > 0) isUsing = true;
  if (isHeader(dependent) && found.length > 0)
    for (const [name, original] of visible) carried.set(name, original);
  if (carried.size > 0) addRenamed(carried, question);
  const used = originalsIn(question, found.length === 0).filter(
    (name) => bound.has(name) || byWord.has(name),
  );
  const passedOn = found.flatMap(({ reference }) =>
    reference.names.filter((name) => !/^(?:\*|default)$/.test(name) && !visible.has(name)),
  );
  return { kind, used, carried: carried.size > 0 ? carried : nothing, passedOn, isUsing };
}

/** An import that means a file, and how sure that is. */
export interface FoundImport {
  readonly reference: ImportReference;
  readonly confidence: number;
}

/** The imports of the dependent that mean the target. */
export function importsOf({
  dependent,
  target,
  resolver,
}: Pick<UseQuestion, "dependent" | "target" | "resolver">): FoundImport[] {
  return dependent.imports.flatMap((reference) => {
    const meant = resolver.resolve(dependent, reference).find(({ file }) => file === target);
    return meant === undefined ? [] : [{ reference, confidence: meant.confidence }];
  });
}

function edgeKindOf(found: readonly FoundImport[]): EdgeKind {
  if (found.length === 0) return "name";
  const isResolved = found.some(({ confidence }) => confidence >= resolvedConfidenceMin);
  return isResolved ? "resolved" : "likely";
}

function originalsIn(question: UseQuestion, isInPackage: boolean): string[] {
  return [...new Set(namesSeen(question, isInPackage).values())];
}

function namesSeen(
  { visible, visibleInPackage = visible, isMember = false }: UseQuestion,
  isInPackage: boolean,
): VisibleNames {
  const seen = isInPackage ? visibleInPackage : visible;
  // Of a member the type is imported, and it is used by its own name.
  return isMember ? new Map([...seen.values()].map((name) => [name, name])) : seen;
}

/** Which names are to be looked for as words: any, or those behind a dot. */
class Scan {
  readonly #question: UseQuestion;
  readonly #names: VisibleNames;
  any = false;
  #members = false;

  constructor(question: UseQuestion, isInPackage: boolean) {
    this.#question = question;
    this.#names = namesSeen(question, isInPackage);
  }

  /** Takes what an import leaves open: a whole module, or one that is named for itself. */
  add({ names, kind }: ImportReference): void {
    if (kind === "reexport") return;
    const { language } = this.#question.dependent;
    const hasAll = names.includes("*");
    const isWhole = hasAll || names.some((name) => !this.#question.visible.has(name));
    if (names.length > 0 && !isWhole) return;
    // A wildcard of a module object (`import * as m`) needs the dot, one of names does not.
    const isDotted =
      kind !== "dynamic" && isAlwaysDotted(language) && !(language === "python" && hasAll);
    if (this.#question.isMember === true) this.addMember();
    else if (isDotted) this.#members = true;
    else this.any = true;
  }

  /** Looks for a member: where it can be reached without a dot in other files (inherited), for any word. */
  addMember(): void {
    if (isAlwaysDotted(this.#question.dependent.language)) this.#members = true;
    else this.any = true;
  }

  /** The definitions whose names were found. */
  words(): ReadonlySet<string> {
    const found = new Set<string>();
    if (!this.any && !this.#members) return found;
    const text = this.#question.readText();
    if (text === undefined) return found;
    const words = codeWordsOf(text, this.#question.dependent.language, this.#names.keys());
    for (const [name, original] of this.#names)
      if ((this.any ? words.names : words.members).has(name)) found.add(original);
    return found;
  }
}

/** In these a name of a module or type is only reached over it. */
function isAlwaysDotted(language: string | null): boolean {
  return /^(?:javascript|typescript|tsx|go|python|rust)$/.test(language ?? "");
}

/** What a package's own file imports is a name of the package. */
function isPackageFile({ path, language }: ImportingFile): boolean {
  return language === "python" && /(?:^|\/)__init__\.pyi?$/.test(path);
}

/** What a header includes, those who include it see. */
function isHeader({ path, language }: ImportingFile): boolean {
  return (language === "c" || language === "cpp") && !/\.(?:c|cc|cpp|cxx|c\+\+|m|mm)$/i.test(path);
}

/** `a as b` offers `b`. */
function addRenamed(carried: Map<string, string>, { readText }: UseQuestion): void {
  const text = readText();
  if (text === undefined) return;
  for (const [, name = "", renamed = ""] of text.matchAll(
    /([\p{L}\p{N}_$]+)\s+as\s+([\p{L}\p{N}_$]+)/gu,
  )) {
    const original = carried.get(name);
    if (original !== undefined && !carried.has(renamed)) carried.set(renamed, original);
  }
}
