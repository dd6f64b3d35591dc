import { type Chunk, chunkText, PostingsBuilder, type TermListener } from "../../index/index.ts";
import type { ImportingFile } from "../../imports/index.ts";
import { ChunkEmbedder, joinFile, type TextEmbedder } from "../../model/index.ts";
import { type CodeSymbol, commentLinesOf } from "../../syntax/index.ts";
import { writeBloomFilter } from "./bloom-filter.ts";
import { ChunkColumns } from "./chunk-columns.ts";
import { writeField } from "./field-writer.ts";
import { FileColumns } from "./file-columns.ts";
import type { IndexedFile } from "./indexed-file.ts";
import { ImportColumns } from "./import-columns.ts";
import { lowerBound, type SectionWriter } from "../sections/index.ts";
import { pathWordsOf } from "./path-words.ts";
import type { SegmentContent, SegmentFileKind } from "./content.ts";
import { SymbolColumns } from "./symbol-columns.ts";
import { TrigramSet } from "./trigram-set.ts";
import { VectorColumns } from "./vector-columns.ts";
import { coversAllWords } from "./word-cover.ts";

const noText = new Uint8Array(0);

/** The searchable content of a file; a binary file has none. */
export interface IndexedContent {
  /** UTF-8. */
  readonly text: Uint8Array;
  readonly symbols: readonly CodeSymbol[];
  /** What it imports and defines, as `packImports` wrote it. */
  readonly imports: Uint8Array;
}

/** Gathers files, in the byte order of their paths, into the arrays of a segment. */
export class SegmentBuilder implements SegmentContent {
  readonly #chunkSizeCharacters: number;
  readonly files = new FileColumns();
  readonly chunks = new ChunkColumns();
  readonly symbols = new SymbolColumns();
  /** Every word of every chunk, and the words of its path; a document is a chunk. */
  readonly body = new PostingsBuilder();
  /** Words of the names that a file defines; a document is a file. */
  readonly names = new PostingsBuilder();
  /** Words of its comments; a document is a file. */
  readonly comments = new PostingsBuilder();
  readonly imports = new ImportColumns();
  readonly #trigrams = new TrigramSet();
  /** The vectors of the chunks: what they are about. */
  readonly vectors = new VectorColumns();
  readonly #embedder: TextEmbedder | null;
  readonly #chunkEmbedder: ChunkEmbedder | null;

  /**
   * @param chunkSizeCharacters Target size of a chunk.
   * @param embedder Turns chunks into vectors; `null` for a segment that is not searched by meaning.
   */
  constructor(chunkSizeCharacters: number, embedder: TextEmbedder | null) {
    this.#chunkSizeCharacters = chunkSizeCharacters;
    this.#embedder = embedder;
    this.#chunkEmbedder = embedder === null ? null : new ChunkEmbedder(embedder);
  }

  /** How many files were added. */
  get fileCount(): number {
    return this.files.length;
  }

  /** What the added files import and define. */
  importingFiles(): ImportingFile[] {
    return this.imports.importingFiles();
  }

  /** Which trigrams occur in what was added. */
  trigrams(): TrigramSet {
    return this.#trigrams;
  }

  /** Writes the sections of a file of the segment. */
  write(kind: SegmentFileKind, writer: SectionWriter): void {
    switch (kind) {
      case "chunks":
        this.files.write(writer);
        this.chunks.write(writer);
        break;
      case "sparse":
        writeField(writer, "body", this.body.finish().parts);
        writeField(writer, "names", this.names.finish().parts);
        writeField(writer, "comments", this.comments.finish().parts);
        break;
      case "embeddings":
        this.vectors.write(writer);
        break;
      case "symbols":
        this.symbols.write(writer);
        break;
      case "imports":
        this.imports.write(writer);
        break;
      case "bloom":
        writeBloomFilter(writer, this.#trigrams);
        break;
    }
  }

  /** To be awaited before `add` of the same, where the embedder reads its table in parts. */
  async prepare(path: string, content: IndexedContent): Promise<void> {
    if (this.#embedder === null || this.#embedder.hasWholeTable) return;
    const { text, symbols } = content;
    const chunks = chunkText(text, symbols, this.#chunkSizeCharacters);
    await this.#embedder.prepare(path, [
      ...chunks.map(({ startByte, endByte }) => text.subarray(startByte, endByte)),
      namesText(symbols),
    ]);
  }

  /** Adds a file; `null` for one whose content is not searched. */
  add(file: IndexedFile, content: IndexedContent | null): void {
    const text = content?.text ?? new Uint8Array(0);
    const symbols = content?.symbols ?? [];
    const pathWords = pathWordsOf(file.path);
    const chunks = content === null ? [] : chunkText(text, symbols, this.#chunkSizeCharacters);
    const embedder = this.#chunkEmbedder;
    // oxlint-disable-next-line max-params -- a TermSink: called for each term, an object each would be garbage
    const listener: TermListener = (source, from, to, term) =>
      embedder?.take(source, from, to, term);
    const contents: Float32Array[] = [];
    for (const chunk of chunks) {
      const own = text.subarray(chunk.startByte, chunk.endByte);
      this.body.addDocument(own, { extra: pathWords, listener });
      this.chunks.add(chunk);
      if (embedder !== null) contents.push(embedder.finish());
    }
    const lineCount = chunks.at(-1)?.endLine1 ?? 0;
    this.#addVectors(file.path, { chunks, contents, symbols });
    this.#addNames(symbols);
    this.comments.addDocument(noText, { extra: commentLinesOf(text) });
    this.#trigrams.addText(text);
    this.symbols.addFile(symbols);
    const language = content === null ? null : file.language;
    this.imports.add({ path: file.path, language }, content?.imports ?? new Uint8Array(0));
    const chunkEnds = chunks.map(({ endByte }) => endByte);
    const hasAllWords = coversAllWords(text, chunkEnds);
    const isText = content !== null;
    this.files.add(file, { chunkEnd: this.chunks.length, lineCount, isText, hasAllWords });
  }

  #addVectors(
    path: string,
    parts: {
      readonly chunks: readonly Chunk[];
      /** What is in each, as a vector. */
      readonly contents: readonly Float32Array[];
      readonly symbols: readonly CodeSymbol[];
    },
  ): void {
    const { chunks, contents, symbols } = parts;
    if (chunks.length === 0 || this.#embedder === null) return;
    const ends = Uint32Array.from(chunks, ({ endByte }) => endByte);
    const names: string[][] = chunks.map(() => []);
    const place = (list: readonly CodeSymbol[]): void => {
      for (const symbol of list) {
        // Chunks lie without gap or overlap.
        names[lowerBound(ends, symbol.startByte + 1)]?.push(symbol.name);
        place(symbol.children);
      }
    };
    place(symbols);
    for (const vector of joinFile(this.#embedder, { path, names, contents }))
      this.vectors.add(vector);
  }

  #addNames(symbols: readonly CodeSymbol[]): void {
    const bytes = namesText(symbols);
    this.names.addDocument(bytes);
  }
}

/** The names of definitions, those inside of others too. */
function namesText(symbols: readonly CodeSymbol[]): Uint8Array {
  const names: string[] = [];
  const collect = (list: readonly CodeSymbol[]): void => {
    for (const symbol of list) {
      names.push(symbol.name);
      collect(symbol.children);
    }
  };
  collect(symbols);
  return Buffer.from(names.join(" "), "utf8");
}
