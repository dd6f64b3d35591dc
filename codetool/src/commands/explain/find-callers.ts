import { classOfPath } from "../../files/index.ts";
import {
  type Confidence,
  filesOfDocuments,
  findUsers,
  referenceTermOf,
  type SymbolUser,
} from "../../imports/index.ts";
import type { CommandContext } from "../command.ts";
import {
  defaultExportOf,
  findUsersByName,
  namesAsked,
  type ProjectCorpus,
} from "../project/index.ts";
import type { UsePlace } from "./payload.ts";
import { definitionsIn, type FoundDefinition, pathOfName } from "./find-definitions.ts";
import { aroundLine, lastOf, type LineOfUse, linesOfUse } from "./use-places.ts";

/** Who uses a symbol, most telling first. */
export interface FoundCallers {
  readonly callers: readonly UsePlace[];
  readonly callerFileCount: number;
  readonly tests: readonly UsePlace[];
  readonly warnings: readonly string[];
}

/** Where callers are looked for. */
export interface CallerSearch {
  readonly definition: FoundDefinition;
  readonly project: ProjectCorpus;
  readonly context: CommandContext;
  readonly readText: (file: number) => string | undefined;
}

/** Files whose lines are looked at. */
const fileCountMax = 400;
/** Files whose scopes are resolved: a parse each. */
const parseCountMax = 40;
/** Characters of a line that are shown. */
const lineCharactersMax = 160;
/** Callers whose tests are looked for where no test names the symbol. */
const throughCountMax = 8;
const throughTestsMax = 5;

const order: readonly string[] = ["resolved", "likely", "name", "unknown"] satisfies Confidence[];

/** What is known of the symbol where the lines of a file are looked at. */
interface HowToLook {
  /** It belongs to a type. */
  readonly isMember: boolean;
  /** Nothing else has its name. */
  readonly isAlone: boolean;
  /** Types that have a member of its name, its own as well, in small letters. */
  readonly otherTypes: ReadonlySet<string>;
  readonly isParsed: boolean;
}

/** A place with what decides about its order. */
interface Place {
  readonly shown: UsePlace;
  readonly file: number;
  readonly isTest: boolean;
  /** How many places of the same file come before it. */
  readonly ordinal: number;
  readonly symbol: FoundDefinition | undefined;
}

/** Finds the places that use a symbol, by the functions around them; those in tests apart. */
export function findCallers(search: CallerSearch): FoundCallers {
  const { definition, project, context } = search;
  const { importance } = project.corpus.importGraph;
  const found = usersOf(search);
  const users = found.users.filter(
    ({ file }) => context.mayShow?.(project.absolutePathOf(file)) ?? true,
  );
  const places = users.slice(0, fileCountMax).flatMap((user, at) =>
    placesIn(user, search, {
      isMember: found.isMember,
      isAlone: found.isAlone,
      otherTypes: found.otherTypes,
      isParsed: at < parseCountMax,
    }),
  );
  const importanceOf = ({ file }: Place): number =>
    file === definition.file ? 2 : (importance[file] ?? 0);
  places.sort(
    (one, other) =>
      order.indexOf(one.shown.confidence) - order.indexOf(other.shown.confidence) ||
      one.ordinal - other.ordinal ||
      importanceOf(other) - importanceOf(one) ||
      one.file - other.file ||
      one.shown.line - other.shown.line,
  );
  const callers = places.filter(({ isTest }) => !isTest);
  const tests = places.filter(({ isTest }) => isTest);
  const leftCount = users.length - fileCountMax;
  return {
    callers: callers.map(({ shown }) => shown),
    callerFileCount: new Set(callers.map(({ file }) => file)).size,
    tests: tests.length > 0 ? tests.map(({ shown }) => shown) : testsThrough(callers, search),
    warnings: leftCount > 0 ? [`${leftCount} more files that use it were not looked at`] : [],
  };
}

/** The files that may use the symbol, the one that defines it first. */
function usersOf({ definition, project, readText }: CallerSearch): {
  readonly users: readonly SymbolUser[];
  readonly isMember: boolean;
  readonly isAlone: boolean;
  readonly otherTypes: ReadonlySet<string>;
} {
  const { corpus } = project;
  const { file: target } = definition;
  const { language } = corpus.file(target);
  const defaultName = defaultExportOf(language, () => readText(target));
  const { visible, visibleInPackage, isMember } = namesAsked([definition], defaultName);
  const own: SymbolUser = {
    file: target,
    confidence: "resolved",
    from: target,
    names: [definition.name],
  };
  const definers = corpus
    .symbolsNamed(definition.name)
    .filter(({ name }) => name === definition.name);
  const isAlone = definers.every(({ file }) => file === target || isHeader(corpus.pathOf(file)));
  const otherTypes = otherTypesOf(definition, project);
  if (definition.isLocal) return { users: [own], isMember: false, isAlone, otherTypes };
  const mayHold = holdersOf(project);
  const ask = (asked: number): readonly SymbolUser[] =>
    findUsers({
      graph: corpus.importGraph,
      resolver: project.resolver(),
      fileOf: (file) => corpus.importingFileOf(file),
      readText,
      mayHold,
      target: asked,
      visible,
      visibleInPackage,
      isMember,
    });
  // What a header declares is used by those who include it.
  const isC = language === "c" || language === "cpp";
  const headers = definers
    .map(({ file }) => file)
    .filter((file) => isC && !isMember && file !== target && isHeader(corpus.pathOf(file)));
  const users = new Map<number, SymbolUser>([[target, own]]);
  for (const asked of [target, ...new Set(headers)])
    for (const user of ask(asked)) if (!users.has(user.file)) users.set(user.file, user);
  const names = { number: target, language, visible, visibleInPackage, isMember };
  for (const [file] of findUsersByName(names, { corpus, readText, known: users }))
    if (!users.has(file))
      users.set(file, { file, confidence: "name", from: target, names: [definition.name] });
  return { users: [...users.values()], isMember, isAlone, otherTypes };
}

/** The types that have a member of the name, too, in small letters. */
function otherTypesOf({ name, containers }: FoundDefinition, project: ProjectCorpus): Set<string> {
  const types = new Set<string>();
  if (containers.length === 0) return types;
  const files = new Set(project.corpus.symbolsNamed(name).map(({ file }) => file));
  for (const file of files)
    for (const other of definitionsIn(file, project))
      if (other.name === name && !other.isLocal && other.containers.length > 0)
        types.add(folded(lastOf(other.containers.at(-1) ?? "")));
  return types;
}

/** Tells whether a file may have one of some names, by the words of the index. */
function holdersOf({ corpus }: ProjectCorpus): (file: number, names: Iterable<string>) => boolean {
  const ends = corpus.chunkStarts.subarray(1);
  const filesOf = new Map<string, ReadonlySet<number>>();
  return (file, names) => {
    for (const name of names) {
      // What the default export is called, those who import it say.
      if (name === "default") return true;
      const term = referenceTermOf(name);
      if (term === null) return true;
      let files = filesOf.get(term);
      if (files === undefined) {
        const { documents } = corpus.postingsOf("body", term);
        files = new Set(filesOfDocuments(documents, ends));
        filesOf.set(term, files);
      }
      if (files.has(file)) return true;
    }
    return false;
  };
}

function placesIn(
  user: SymbolUser,
  { definition, project, readText }: CallerSearch,
  how: HowToLook,
): Place[] {
  const { file, confidence, names } = user;
  const text = readText(file);
  if (text === undefined) return [];
  const question = {
    file,
    text,
    definition,
    offered: names,
    isQuotedCounted: confidence === "unknown",
    ...how,
  };
  const definitions = definitionsIn(file, project);
  const signatures = project.corpus.signaturesOf(file);
  // In Go a method names its value itself: `func (w *Window)`.
  const receiverOf = (symbol: FoundDefinition | undefined): string | undefined =>
    /^func \((\w+) /.exec(signatures[symbol?.at ?? -1] ?? "")?.[1];
  const uses = linesOfUse(question, project).filter(
    (use) => !how.isMember || !isOfOther(use, how, { definition, definitions, receiverOf }),
  );
  if (uses.length === 0) return [];
  const texts = text.split("\n");
  const isTestFile = classOfPath(project.corpus.pathOf(file)) === "test";
  const groups = new Map<
    string,
    { readonly uses: LineOfUse[]; readonly around: ReturnType<typeof aroundLine> }
  >();
  for (const use of uses) {
    const around = aroundLine(use.line1, definitions);
    const key = `${around.name ?? ""} ${around.symbol?.startLine1 ?? 0}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { uses: [use], around });
    else group.uses.push(use);
  }
  return [...groups.values()].map(({ uses: [first, ...more], around }, ordinal): Place => {
    const { line1 } = first as LineOfUse;
    return {
      file,
      ordinal,
      symbol: around.symbol,
      isTest: isTestFile || around.isTest,
      shown: {
        file: project.shownPathOf(file),
        line: line1,
        ...(around.name === undefined ? {} : { in: around.name }),
        text: shownLine(texts[line1 - 1] ?? ""),
        confidence: confidenceOf(user, first as LineOfUse, {
          ...how,
          definition,
          around: around.symbol,
          receiver: receiverOf(around.symbol),
        }),
        ...(more.length === 0 ? {} : { more_lines: more.map((use) => use.line1) }),
      },
    };
  });
}

/** How sure a place is: of a member also by what is before the dot. */
function confidenceOf(
  { confidence }: SymbolUser,
  { qualifier, isFree, isDotted }: LineOfUse,
  how: {
    readonly isMember: boolean;
    readonly isAlone: boolean;
    readonly definition: FoundDefinition;
    readonly around: FoundDefinition | undefined;
    /** How that names its value, where it chooses the name. */
    readonly receiver: string | undefined;
  },
): Confidence {
  const { isMember, isAlone, definition, around } = how;
  if (!isMember) return confidence === "name" && isFree ? "resolved" : confidence;
  const type = lastOf(definition.containers.at(-1) ?? "");
  const isInType = around?.containers.some((each) => definition.containers.includes(each)) === true;
  const isOwn = !isDotted || (qualifier !== undefined && isOwnName(qualifier, how.receiver));
  if (confidence === "unknown") return confidence;
  if (qualifier === type || (isOwn && isInType)) return "resolved";
  if (qualifier === undefined) return "name";
  // Nothing says what the value is; its name may.
  const isLike = isNamedLike(qualifier, type) || (isInType && isAlone);
  return isLike && (isAlone || confidence !== "name") ? "likely" : "name";
}

/** Whether code names the value or type that it is in. */
function isOwnName(qualifier: string, receiver: string | undefined): boolean {
  return qualifier === receiver || /^(?:this|self|cls|Self|static|@)$/.test(qualifier);
}

/**
 * The place means a member of another type: what is before the dot has the name of one that has such a member, as in
 * `matcher.run()`, or it is in such a type and has nothing before it.
 */
function isOfOther(
  { qualifier, isDotted, line1 }: LineOfUse,
  { otherTypes }: HowToLook,
  at: {
    readonly definition: FoundDefinition;
    readonly definitions: readonly FoundDefinition[];
    readonly receiverOf: (symbol: FoundDefinition | undefined) => string | undefined;
  },
): boolean {
  const { containers } = at.definition;
  const own = folded(lastOf(containers.at(-1) ?? ""));
  const isOther = (name: string): boolean => otherTypes.has(name) && name !== own;
  const { symbol } = aroundLine(line1, at.definitions);
  const isOwn = qualifier !== undefined && isOwnName(qualifier, at.receiverOf(symbol));
  if (!isDotted || isOwn) return isOther(folded(lastOf(symbol?.containers.at(-1) ?? "")));
  return qualifier !== undefined && isOther(folded(qualifier));
}

/** `eventBox`, `box` and `previewBox` are named like `EventBox`. */
function isNamedLike(qualifier: string, type: string): boolean {
  const [value, whole] = [folded(qualifier), folded(type)];
  const last = folded(/(?:[A-Z][a-z\d]+|[a-z\d]+)_*$/.exec(type)?.[0] ?? type);
  return (
    value === whole ||
    (last.length > 2 && value.endsWith(last)) ||
    (whole.endsWith(value) && value.length > 2)
  );
}

function folded(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Tests of the functions that use the symbol, where none names the symbol itself. */
function testsThrough(callers: readonly Place[], search: CallerSearch): UsePlace[] {
  const { project, context } = search;
  const { corpus } = project;
  const { importers } = corpus.importGraph;
  const mayHold = holdersOf(project);
  const found = new Map<number, UsePlace>();
  for (const { file, symbol } of callers.slice(0, throughCountMax)) {
    if (symbol === undefined || symbol.name.length < 3) continue;
    const name = lastOf(symbol.name);
    const near = importers.files.subarray(importers.starts[file], importers.starts[file + 1]);
    for (const test of near) {
      if (found.size >= throughTestsMax) break;
      if (found.has(test) || classOfPath(corpus.pathOf(test)) !== "test") continue;
      if (!mayHold(test, [name]) || context.mayShow?.(project.absolutePathOf(test)) === false)
        continue;
      const user: SymbolUser = { file: test, confidence: "likely", from: file, names: [name] };
      const isMember = symbol.containers.length > 0;
      const how = { isMember, isAlone: true, otherTypes: new Set<string>(), isParsed: false };
      const [first] = placesIn(user, { ...search, definition: symbol }, how);
      if (first === undefined) continue;
      const { confidence } = first.shown;
      const weaker = confidence === "resolved" ? "likely" : confidence;
      found.set(test, { ...first.shown, confidence: weaker, via: pathOfName(symbol) });
    }
  }
  return [...found.values()];
}

function shownLine(line: string): string {
  const text = line.trim();
  return text.length > lineCharactersMax ? `${text.slice(0, lineCharactersMax)}…` : text;
}

function isHeader(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx|inl|ipp|inc|tcc)$/i.test(path);
}
