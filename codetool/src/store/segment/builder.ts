import { chunkText, PostingsBuilder, type TermListener } from "../../index/index.ts";
import type { ImportingFile } from "../../imports/index.ts";
import { ChunkEmbedder, type CountedTokens, type TextEmbedder } from "../../model/index.ts";
import { type CodeSymbol, commentLinesOf } from "../../syntax/index.ts";
import { writeBloomFilter } from "./bloom-filter.ts";
import { ChunkColumns } from "./chunk-columns.ts";
import { type ChunkedFile, embedChunks } from "./embed-chunks.ts";
import { writeField } from "./field-writer.ts";
import { FileColumns } from "./file-columns.ts";
import type { IndexedFile } from "./indexed-file.ts";
import { ImportColumns } from "./import-columns.ts";
import type { SectionWriter } from "../sections/index.ts";
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
  readonly #onChunks: ((file: ChunkedFile) => void) | undefined;

  /**
   * @param chunkSizeCharacters Target size of a chunk.
   * @param embedder Turns chunks into vectors; `null` for a segment that is not searched by meaning, or not yet.
   * @param onChunks Takes each file that has chunks, for `embedLater`.
   */
  constructor(
    chunkSizeCharacters: number,
    embedder: TextEmbedder | null,
    onChunks?: (file: ChunkedFile) => void,
  ) {
    this.#onChunks = onChunks;
    this.#chunkSizeCharacters = chunkSizeCharacters;
    this.#embedder = embedder;
    this.#chunkEmbedder =
      embedder === null
        ? null
        : new ChunkEmbedder(embedder, (term: number) => this.body.bytesOf(term));
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

  /**
   * Adds a file; `null` for one whose content is not searched. To be awaited before the next is added, where there is an
   * embedder: it may have to read its table.
   */
  async add(file: IndexedFile, content: IndexedContent | null): Promise<void> {
    const text = content?.text ?? noText;
    const symbols = content?.symbols ?? [];
    const pathWords = pathWordsOf(file.path);
    const chunks = content === null ? [] : chunkText(text, symbols, this.#chunkSizeCharacters);
    const embedder = this.#chunkEmbedder;
    const listener: TermListener = (term, times) => embedder?.take(term, times);
    const contents: CountedTokens[] = [];
    for (const chunk of chunks) {
      const own = text.subarray(chunk.startByte, chunk.endByte);
      this.body.addDocument(own, { extra: pathWords, listener });
      this.chunks.add(chunk);
      if (embedder !== null) contents.push(embedder.finish());
    }
    const lineCount = chunks.at(-1)?.endLine1 ?? 0;
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
    if (chunks.length === 0) return;
    const chunked = { path: file.path, text, chunks, symbols };
    this.#onChunks?.(chunked);
    if (this.#embedder === null) return;
    for (const vector of await embedChunks(this.#embedder, chunked, contents))
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
