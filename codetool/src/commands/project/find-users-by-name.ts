import {
  codeWordsOf,
  filesOfDocuments,
  languagesBeside,
  referenceTermOf,
  type VisibleNames,
} from "../../imports/index.ts";
import type { IndexedCorpus } from "../../store/index.ts";

/** In these languages a file can use another's definition only by an import or in the same package: the graph knows it. */
const closedLanguages =
  /^(?:javascript|typescript|tsx|python|rust|go|java|kotlin|scala|csharp|swift|haskell|zig)$/;
/** Shorter names are too ambiguous. */
const nameLengthMin = 3;
/** Files that are read to see whether a name is in their code, at most. */
const readCountMax = 2000;

/** A file, and which of its names count. */
export interface NamesOfFile {
  /** `undefined` where the project does not have the file. */
  readonly number: number | undefined;
  readonly language: string | null;
  /** As files that import it name them. */
  readonly visible: VisibleNames;
  /** As files of its package name them. */
  readonly visibleInPackage: VisibleNames;
  /** The names are members of types. */
  readonly isMember: boolean;
}

/**
 * Finds the files that use names of a file without an import of it: in C, where the linker joins what one file declares
 * and another defines, in languages that load by name, and for members of types, which are used on values that came from
 * elsewhere. Only a name that nothing else defines counts, as a word of the code.
 *
 * @returns The names used, by the number of the file.
 */
export function findUsersByName(
  { number, language, visible, visibleInPackage, isMember }: NamesOfFile,
  at: {
    readonly corpus: IndexedCorpus;
    readonly readText: (file: number) => string | undefined;
    /** Files that are known to use the names: they are not read. */
    readonly known?: { has(file: number): boolean };
  },
): ReadonlyMap<number, readonly string[]> {
  const users = new Map<number, readonly string[]>();
  if (number === undefined || language === null) return users;
  if (!isMember && closedLanguages.test(language)) return users;
  const { corpus, readText, known } = at;
  // Users of a header include it.
  const isC = language === "c" || language === "cpp";
  if (isC && !isMember && isHeaderPath(corpus.pathOf(number))) return users;
  const languages = new Set(languagesBeside(language));
  const names = new Set(isMember ? visibleInPackage.keys() : visible.values());
  const candidates = new Map<number, string[]>();
  for (const name of names) {
    const term = referenceTermOf(name);
    if (term === null || name.length < nameLengthMin) continue;
    const definers = corpus.symbolsNamed(name).filter((symbol) => symbol.name === name);
    const isAlone = definers.every(
      ({ file }) => file === number || (isC && isHeaderPath(corpus.pathOf(file))),
    );
    if (!isAlone) continue;
    const { documents } = corpus.postingsOf("body", term);
    for (const file of filesOfDocuments(documents, corpus.chunkStarts.subarray(1))) {
      if (file === number || known?.has(file) === true) continue;
      if (definers.some((definer) => definer.file === file)) continue;
      const list = candidates.get(file);
      if (list === undefined) candidates.set(file, [name]);
      else list.push(name);
    }
  }
  let readCount = 0;
  for (const [file, wanted] of candidates) {
    const other = corpus.file(file).language;
    if (other === null || !languages.has(other)) continue;
    readCount += 1;
    if (readCount > readCountMax) break;
    const words = codeWordsOf(readText(file) ?? "", other, wanted);
    const used = wanted.filter((name) => (isMember ? words.members : words.names).has(name));
    if (used.length > 0) users.set(file, used);
  }
  return users;
}

function isHeaderPath(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx|inl|ipp|inc|tcc)$/i.test(path);
}
