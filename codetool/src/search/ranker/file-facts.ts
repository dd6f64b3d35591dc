import { classOfPath, type FileClass } from "../../files/index.ts";
import type { CorpusSymbol, CorpusView } from "../../store/index.ts";
import { wordsOfName } from "./name-words.ts";

/** What is known of a file whatever the query. */
export interface FileFacts {
  readonly fileClass: FileClass;
  /** The name without its last ending, lower-cased. */
  readonly stem: string;
  readonly stemWords: readonly string[];
  /** Words of its folders, the innermost folder first. */
  readonly folderWords: readonly (readonly string[])[];
  /** An entry of a package or folder, which mostly passes on what others define. */
  readonly isEntry: boolean;
}

const entryNames =
  /^(?:index|__init__|mod|lib|main|init|package-info|all|prelude|exports?|package)$/;

/** What a path tells, each part found when it is asked for: of most files only the class is. */
class PathFacts implements FileFacts {
  readonly #folders: readonly string[];
  readonly #stem: string;
  readonly fileClass: FileClass;
  #stemWords: readonly string[] | undefined;
  #folderWords: readonly (readonly string[])[] | undefined;

  constructor(path: string) {
    const folders = path.split("/");
    this.#stem = (folders.pop() ?? "").replace(/(?<=.)\.[^.]*$/, "");
    this.#folders = folders;
    this.fileClass = classOfPath(path);
  }

  get stem(): string {
    return this.#stem.toLowerCase();
  }

  get stemWords(): readonly string[] {
    this.#stemWords ??= wordsOfName(this.#stem);
    return this.#stemWords;
  }

  get folderWords(): readonly (readonly string[])[] {
    this.#folderWords ??= this.#folders.toReversed().map(wordsOfName);
    return this.#folderWords;
  }

  get isEntry(): boolean {
    return entryNames.test(this.stem);
  }
}

/** A definition with the words of its name, which are found when they are asked for. */
export class SymbolFacts {
  readonly symbol: CorpusSymbol & { readonly parent: number | null };
  #words: readonly string[] | undefined;

  constructor(symbol: SymbolFacts["symbol"]) {
    this.symbol = symbol;
  }

  get words(): readonly string[] {
    this.#words ??= wordsOfName(this.symbol.name);
    return this.#words;
  }
}

/** Files whose definitions are kept at most. */
const keptCountMax = 2000;

/** Facts of files, each worked out once. */
export class FileFactsCache {
  readonly #corpus: CorpusView;
  readonly #facts = new Map<number, FileFacts>();
  readonly #symbols = new Map<number, readonly SymbolFacts[]>();

  constructor(corpus: CorpusView) {
    this.#corpus = corpus;
  }

  /** What the path of a file tells. */
  factsOf(file: number): FileFacts {
    let facts = this.#facts.get(file);
    if (facts === undefined) {
      facts = new PathFacts(this.#corpus.file(file).path);
      this.#facts.set(file, facts);
    }
    return facts;
  }

  /** The definitions of a file. */
  symbolsOf(file: number): readonly SymbolFacts[] {
    let symbols = this.#symbols.get(file);
    if (symbols === undefined) {
      symbols = this.#corpus.symbolsOf(file).map((symbol) => new SymbolFacts(symbol));
      if (this.#symbols.size === keptCountMax) this.#symbols.clear();
      this.#symbols.set(file, symbols);
    }
    return symbols;
  }

  /** The definitions of a file whose names hold a match of a pattern. */
  symbolsHolding(file: number, pattern: RegExp): readonly SymbolFacts[] {
    return this.#corpus.symbolsHolding(file, pattern).map((symbol) => new SymbolFacts(symbol));
  }
}
