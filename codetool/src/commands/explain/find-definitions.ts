import { classOfPath, type FileClass } from "../../files/index.ts";
import { isDataFormat } from "../../syntax/index.ts";
import { type DefinedSymbol, definitionsOf, type ProjectCorpus } from "../project/index.ts";

/** A definition of the project. */
export interface FoundDefinition extends DefinedSymbol {
  /** Number of the file. */
  readonly file: number;
  /** Its place in `symbolsOf` of the file. */
  readonly at: number;
  readonly startLine1: number;
  readonly endLine1: number;
  /** It is inside of a function. */
  readonly isLocal: boolean;
}

/** Names that are compared to find the nearest. */
const namesMax = 200_000;

/**
 * Finds the definitions that a name means, best first: sources before tests and copies, and then by how much of the
 * project depends on the file. What is inside of functions counts only where nothing else has the name.
 *
 * @param name A name, or a member with the types around it: `Class.method`, with `/`, `::` or `#` as well.
 * @param isWanted Whether definitions of a file count.
 * @returns Where none is written so, those that differ only in small and capital letters.
 */
export function findDefinitionsOf(
  name: string,
  project: ProjectCorpus,
  isWanted: (file: number) => boolean,
): FoundDefinition[] {
  const { corpus } = project;
  const whole = [name];
  const parts = name.split(/::|[/.#:]/).filter((part) => part !== "");
  for (const names of [whole, parts])
    for (const isExact of [true, false]) {
      const last = names.at(-1) ?? "";
      const files = new Set(
        corpus
          .symbolsNamed(last)
          .filter((each) => (!isExact || each.name === last) && isWanted(each.file))
          .map(({ file }) => file),
      );
      const found = [...files].flatMap((file) => definitionsIn(file, project));
      const meant = found.filter((each) => isMeant(each, names, isExact));
      if (meant.length === 0) continue;
      const outer = meant.filter(({ isLocal }) => !isLocal);
      return (outer.length > 0 ? outer : meant).sort(comparator(project));
    }
  return [];
}

/** All names that are defined, each once, for a remark on the nearest. */
export function definedNames(
  { corpus }: ProjectCorpus,
  isWanted: (file: number) => boolean,
): string[] {
  const names = new Set<string>();
  for (let file = 0; file < corpus.fileCount && names.size < namesMax; file += 1) {
    if (isDataFormat(corpus.file(file).language) || !isWanted(file)) continue;
    for (const { name } of corpus.symbolsOf(file)) names.add(name);
  }
  return [...names];
}

/** The definitions of a file, in the order of `symbolsOf`; a data format has none. */
export function definitionsIn(file: number, { corpus }: ProjectCorpus): FoundDefinition[] {
  const symbols = corpus.symbolsOf(file);
  return definitionsOf(corpus, file).map((definition, at) => {
    const { startLine1 = 1, endLine1 = 1, parent = null } = symbols[at] ?? {};
    return { ...definition, file, at, startLine1, endLine1, isLocal: isInCode(symbols, parent) };
  });
}

/** As `Class.method`. */
export function pathOfName({ name, containers }: DefinedSymbol): string {
  return [...containers, name.split("::").at(-1) ?? name].join(".");
}

function isInCode(
  symbols: readonly { readonly kind: string; readonly parent: number | null }[],
  parent: number | null,
): boolean {
  for (let at = parent; at !== null; at = symbols[at]?.parent ?? null)
    if (/^(?:function|method)$/.test(symbols[at]?.kind ?? "")) return true;
  return false;
}

function isMeant(
  { name, containers }: DefinedSymbol,
  names: readonly string[],
  isExact: boolean,
): boolean {
  const folded = (text: string): string => (isExact ? text : text.toLowerCase());
  if (folded(name) !== folded(names.at(-1) ?? "")) return false;
  const around = new Set(containers.flatMap((each) => [each, ...each.split(/::|\./)]).map(folded));
  return names.slice(0, -1).every((each) => around.has(folded(each)));
}

const classRanks: { readonly [each in FileClass]: number } = {
  source: 0,
  declarations: 1,
  config: 1,
  example: 2,
  test: 3,
  docs: 4,
  data: 4,
  generated: 5,
  vendored: 6,
};

const kindRanks: { readonly [kind: string]: number } = { const: 2, module: 1 };

function comparator({
  corpus,
}: ProjectCorpus): (one: FoundDefinition, other: FoundDefinition) => number {
  const { importance } = corpus.importGraph;
  const keys = new Map<FoundDefinition, readonly number[]>();
  const keyOf = (each: FoundDefinition): readonly number[] => {
    const known = keys.get(each);
    if (known !== undefined) return known;
    const { file, at, kind, startLine1 } = each;
    const key = [
      classRanks[classOfPath(corpus.pathOf(file))],
      kindRanks[kind] ?? 0,
      // In C what is declared in a header is explained where it is defined.
      Number(isC(corpus.file(file).language) && hasNoBody(corpus.symbolBytesOf(file), at)),
      -(importance[file] ?? 0),
      file,
      startLine1,
    ];
    keys.set(each, key);
    return key;
  };
  return (one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    const differing = left.findIndex((value, index) => value !== right[index]);
    return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
  };
}

function isC(language: string | null): boolean {
  return language === "c" || language === "cpp";
}

function hasNoBody(bytes: Uint32Array, at: number): boolean {
  return bytes[3 * at + 1] === bytes[3 * at + 2];
}
