import { type Chunk, chunkText, type Postings, PostingsBuilder } from "../../index/index.ts";
import {
  type CorpusField,
  type CorpusFile,
  type CorpusSymbol,
  type CorpusView,
  pathWordsOf,
} from "../../store/index.ts";
import { type CodeSymbol, commentLinesOf } from "../../syntax/index.ts";

/** One file for a corpus of one query. */
export interface QueriedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly language: string | null;
  /** `null` for binary content. */
  readonly text: Uint8Array | null;
  readonly symbols: readonly CodeSymbol[];
}

const noText = new Uint8Array(0);

type FileSymbol = CorpusSymbol & { readonly parent: number | null };

/** The corpus of one query, in memory: files are added in the byte order of their paths, then `finish` gives the view. */
export class QueryCorpusBuilder {
  readonly #chunkSizeCharacters: number;
  readonly #files: CorpusFile[] = [];
  readonly #chunks: Chunk[] = [];
  readonly #symbols: FileSymbol[][] = [];
  readonly #terms: ReadonlySet<string> | undefined;
  readonly #builders: { readonly [field in CorpusField]: PostingsBuilder };

  /**
   * @param options.terms Keeps the postings of these terms only: all that one query needs. Default: all terms.
   */
  constructor(options: {
    readonly chunkSizeCharacters: number;
    readonly terms?: Iterable<string>;
  }) {
    this.#chunkSizeCharacters = options.chunkSizeCharacters;
    this.#terms = options.terms === undefined ? undefined : new Set(options.terms);
    const builder = (): PostingsBuilder => new PostingsBuilder(this.#terms);
    this.#builders = { body: builder(), names: builder(), comments: builder() };
  }

  /** Adds a file. */
  add({ path, sizeBytes, language, text, symbols }: QueriedFile): void {
    const number = this.#files.length;
    const firstChunk = this.#chunks.length;
    const bytes = text ?? noText;
    const pathWords = pathWordsOf(path);
    if (text !== null)
      for (const chunk of chunkText(text, symbols, this.#chunkSizeCharacters)) {
        this.#builders.body.addDocument(text.subarray(chunk.startByte, chunk.endByte), {
          extra: pathWords,
        });
        this.#chunks.push(chunk);
      }
    const flat: FileSymbol[] = [];
    flatten(symbols, { file: number, parent: null, into: flat });
    this.#symbols.push(flat);
    const names = Buffer.from(flat.map(({ name }) => name).join(" "), "utf8");
    this.#builders.names.addDocument(names);
    this.#builders.comments.addDocument(noText, { extra: commentLinesOf(bytes) });
    const chunkEnd = this.#chunks.length;
    const lineCount = this.#chunks.at(-1)?.endLine1 ?? 0;
    this.#files.push({
      path,
      sizeBytes,
      language,
      isText: text !== null,
      lineCount: chunkEnd > firstChunk ? lineCount : 0,
      firstChunk,
      chunkEnd,
    });
  }

  /** The index of what was added. */
  finish(): CorpusView {
    const chunks = this.#chunks;
    const files = this.#files;
    const symbols = this.#symbols;
    const { body, names, comments } = this.#builders;
    const fields: { readonly [field in CorpusField]: Postings } = {
      body: body.finish(),
      names: names.finish(),
      comments: comments.finish(),
    };
    const kept = this.#terms;
    let byName: Map<string, FileSymbol[]> | undefined;
    return {
      fileCount: files.length,
      chunkCount: chunks.length,
      chunkStarts: Uint32Array.from([...files.map(({ firstChunk }) => firstChunk), chunks.length]),
      file: (number) => files[number] as CorpusFile,
      postingsOf: (field, term) =>
        kept?.has(term) === false ? nowhere : fields[field].postingsOf(term),
      lengthsOf: (field) => fields[field].lengths,
      chunksOf: (file) => chunks.slice(files[file]?.firstChunk, files[file]?.chunkEnd),
      symbolCountOf: (file) => symbols[file]?.length ?? 0,
      symbolsOf: (file) => symbols[file] ?? [],
      symbolsHolding: (file, pattern) => thoseHolding(symbols[file] ?? [], pattern),
      symbolsNamed: (name) => {
        byName ??= Map.groupBy(symbols.flat(), (symbol) => foldAscii(symbol.name));
        return byName.get(foldAscii(name)) ?? [];
      },
    };
  }
}

const nowhere = { documents: new Uint32Array(0), frequencies: new Uint16Array(0) };

/** A corpus with the definitions of some of its files put in. */
export function withSymbols(
  corpus: CorpusView,
  symbolsOfFile: ReadonlyMap<number, readonly CodeSymbol[]>,
  terms: Iterable<string>,
): CorpusView {
  const builder = new PostingsBuilder(terms);
  const symbols = new Map<number, FileSymbol[]>();
  for (let file = 0; file < corpus.fileCount; file += 1) {
    const flat: FileSymbol[] = [];
    flatten(symbolsOfFile.get(file) ?? [], { file, parent: null, into: flat });
    symbols.set(file, flat);
    const names = Buffer.from(flat.map(({ name }) => name).join(" "), "utf8");
    builder.addDocument(names);
  }
  const names = builder.finish();
  return {
    fileCount: corpus.fileCount,
    chunkStarts: corpus.chunkStarts,
    file: (number) => corpus.file(number),
    chunkCount: corpus.chunkCount,
    postingsOf: (field, term) =>
      field === "names" ? names.postingsOf(term) : corpus.postingsOf(field, term),
    lengthsOf: (field) => (field === "names" ? names.lengths : corpus.lengthsOf(field)),
    chunksOf: (file) => corpus.chunksOf(file),
    symbolCountOf: (file) => symbols.get(file)?.length ?? 0,
    symbolsOf: (file) => symbols.get(file) ?? [],
    symbolsHolding: (file, pattern) => thoseHolding(symbols.get(file) ?? [], pattern),
    symbolsNamed: (name) =>
      [...symbols.values()].flat().filter((symbol) => foldAscii(symbol.name) === foldAscii(name)),
  };
}

function thoseHolding(symbols: readonly FileSymbol[], pattern: RegExp): readonly FileSymbol[] {
  return symbols.filter(({ name }) => {
    pattern.lastIndex = 0;
    return pattern.test(name);
  });
}

function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function flatten(
  symbols: readonly CodeSymbol[],
  options: { readonly file: number; readonly parent: number | null; readonly into: FileSymbol[] },
): void {
  const { file, parent, into } = options;
  for (const { name, kind, startLine1, endLine1, isExported, children } of symbols) {
    const own = into.length;
    into.push({ name, kind, startLine1, endLine1, isExported, file, parent });
    flatten(children, { file, parent: own, into });
  }
}
