import { type SymbolUses, symbolUsesOf } from "../../imports/index.ts";
import { type ProjectCorpus, visibleNamesOf } from "../project/index.ts";

type Names = ReturnType<typeof visibleNamesOf>;

/** Finds which symbols files of a project use of each other; the exports of a file are read once. */
export class SymbolPairs {
  readonly #project: ProjectCorpus;
  readonly #readText: (file: number) => string | undefined;
  readonly #names = new Map<number, Names>();
  readonly #uses = new Map<string, SymbolUses>();

  constructor(project: ProjectCorpus, readText: (file: number) => string | undefined) {
    this.#project = project;
    this.#readText = readText;
  }

  /** What one file takes from another that it imports, or that is of its package. */
  usesOf(dependent: number, target: number): SymbolUses {
    const key = `${dependent} ${target}`;
    const known = this.#uses.get(key) ?? this.#find(dependent, target);
    this.#uses.set(key, known);
    return known;
  }

  #find(dependent: number, target: number): SymbolUses {
    const { corpus, resolver } = this.#project;
    const importing = corpus.importingFileOf(dependent);
    if (importing === undefined)
      return { kind: "name", used: [], carried: new Map(), passedOn: [], isUsing: false };
    return symbolUsesOf({
      dependent: importing,
      target,
      ...this.#namesOf(target),
      resolver: resolver(),
      readText: () => this.#readText(dependent),
    });
  }

  #namesOf(file: number): Names {
    const known = this.#names.get(file);
    if (known !== undefined) return known;
    const names = visibleNamesOf(this.#project.corpus, file, this.#readText);
    this.#names.set(file, names);
    return names;
  }
}
