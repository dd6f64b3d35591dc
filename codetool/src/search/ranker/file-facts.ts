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

/** Reads what a path tells. */
export function readFileFacts(path: string): FileFacts {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  return {
    fileClass: classOfPath(path),
    stem: stem.toLowerCase(),
    stemWords: wordsOfName(stem),
    folderWords: folders.toReversed().map(wordsOfName),
    isEntry: entryNames.test(stem.toLowerCase()),
  };
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
      facts = readFileFacts(this.#corpus.file(file).path);
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
}
