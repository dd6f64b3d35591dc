import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Chunk, PostingsBuilder, scanTerms } from "../../codetool/src/index/index.ts";
import { type CorpusField, pathWordsOf } from "../../codetool/src/store/index.ts";
import { type CodeSymbol, commentLinesOf } from "../../codetool/src/syntax/index.ts";
import type { PreparedFile } from "./corpus-store.ts";

/** The number of a chunk is that of its file, times this, plus its place in the file. */
export const chunksOfFileMax = 2048;

/** A file with the number that the database knows it by. */
export interface NumberedFile {
  readonly id: number;
  readonly file: PreparedFile;
  readonly chunks: readonly Chunk[];
}

/** Numbers of terms: of each chunk, of the names, of the comments. */
export interface WordCounts {
  readonly body: Uint32Array;
  readonly names: number;
  readonly comments: number;
}

/** Where a term occurs: chunks for the body, files for the other fields, as the database numbers them. */
export interface WordPlaces {
  readonly documents: readonly number[];
  readonly frequencies: readonly number[];
}

const comma = 0x2c;

/** How words are kept in a database. */
export interface WordTables {
  /** Adds neighbouring files, and says how many terms each has. */
  add(files: readonly NumberedFile[]): WordCounts[];
  /** Takes a file back. */
  remove(file: { readonly id: number; readonly chunkCount: number }): void;
  /** Called once all files of a new index were added. */
  finish(): void;
  placesOf(field: CorpusField, term: string): WordPlaces;
}

/** SQLite's full-text index, over words that codetool's own scanner found. Its text is not stored. */
export class Fts5Words implements WordTables {
  readonly #database: DatabaseSync;
  readonly #buffer = new WordBuffer();
  readonly #addChunk: StatementSync;
  readonly #addFile: StatementSync;
  readonly #placesInBody: StatementSync;
  readonly #placesInFile: StatementSync;

  static create(database: DatabaseSync): void {
    const options = `tokenize = "ascii tokenchars '_'", content = '', contentless_delete = 1`;
    database.exec(`
      CREATE VIRTUAL TABLE body USING fts5(words, ${options});
      CREATE VIRTUAL TABLE outline USING fts5(names, comments, ${options});
      INSERT INTO body (body, rank) VALUES ('hashsize', ${64 << 20});
      INSERT INTO outline (outline, rank) VALUES ('hashsize', ${16 << 20});
      CREATE VIRTUAL TABLE body_terms USING fts5vocab(body, instance);
      CREATE VIRTUAL TABLE outline_terms USING fts5vocab(outline, instance);
    `);
  }

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#addChunk = database.prepare(
      "INSERT INTO body (rowid, words) VALUES (?, CAST(? AS TEXT))",
    );
    this.#addFile = database.prepare(
      "INSERT INTO outline (rowid, names, comments) VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))",
    );
    // One row and one string for all places: rows cost more than numbers in them.
    this.#placesInBody = database.prepare(
      "SELECT group_concat(doc) AS docs FROM body_terms WHERE term = ?",
    );
    this.#placesInFile = database.prepare(
      "SELECT group_concat(doc) AS docs FROM outline_terms WHERE term = ? AND col = ?",
    );
  }

  add(files: readonly NumberedFile[]): WordCounts[] {
    return files.map(({ id, file, chunks }) => {
      const text = file.text ?? new Uint8Array(0);
      const buffer = this.#buffer;
      const body = Uint32Array.from(chunks, (chunk, place) => {
        buffer.clear();
        const own = text.subarray(chunk.startByte, chunk.endByte);
        const count = buffer.addAll([own, ...pathWordsOf(file.path)]);
        this.#addChunk.run(id * chunksOfFileMax + place, buffer.bytes());
        return count;
      });
      buffer.clear();
      const names = buffer.addAll([namesOf(file.symbols)]);
      const nameBytes = Buffer.from(buffer.bytes());
      buffer.clear();
      const comments = buffer.addAll(commentLinesOf(text));
      this.#addFile.run(id, nameBytes, buffer.bytes());
      return { body, names, comments };
    });
  }

  remove({ id, chunkCount }: { readonly id: number; readonly chunkCount: number }): void {
    const first = id * chunksOfFileMax;
    const removeChunk = this.#database.prepare("DELETE FROM body WHERE rowid = ?");
    for (let place = 0; place < chunkCount; place += 1) removeChunk.run(first + place);
    this.#database.prepare("DELETE FROM outline WHERE rowid = ?").run(id);
  }

  finish(): void {
    this.#database.exec(`
      INSERT INTO body (body) VALUES ('optimize');
      INSERT INTO outline (outline) VALUES ('optimize');
    `);
  }

  placesOf(field: CorpusField, term: string): WordPlaces {
    const row =
      field === "body" ? this.#placesInBody.get(term) : this.#placesInFile.get(term, field);
    const list = row?.["docs"];
    const documents: number[] = [];
    const frequencies: number[] = [];
    if (typeof list !== "string") return { documents, frequencies };
    // A number for each time that the term occurs; those of one document lie together.
    let document = 0;
    for (let at = 0; at <= list.length; at += 1) {
      const code = at === list.length ? comma : list.charCodeAt(at);
      if (code !== comma) {
        document = 10 * document + code - 0x30;
        continue;
      }
      const last = documents.length - 1;
      if (documents[last] === document) frequencies[last] = (frequencies[last] ?? 0) + 1;
      else {
        documents.push(document);
        frequencies.push(1);
      }
      document = 0;
    }
    return { documents, frequencies };
  }
}

/** A plain table: of each term the places in each batch of files, as codetool's postings, in one value. */
export class PostingsWords implements WordTables {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;

  static create(database: DatabaseSync): void {
    database.exec(`
      CREATE TABLE word (
        field TEXT, term BLOB, batch INTEGER, places BLOB, PRIMARY KEY (field, term, batch)
      ) WITHOUT ROWID;
    `);
  }

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#select = database.prepare(
      "SELECT places FROM word WHERE field = ? AND term = ? ORDER BY batch",
    );
  }

  add(files: readonly NumberedFile[]): WordCounts[] {
    const builders = {
      body: new PostingsBuilder(),
      names: new PostingsBuilder(),
      comments: new PostingsBuilder(),
    };
    const numbers: { [field in CorpusField]: number[] } = { body: [], names: [], comments: [] };
    for (const { id, file, chunks } of files) {
      const text = file.text ?? new Uint8Array(0);
      for (const [place, { startByte, endByte }] of chunks.entries()) {
        builders.body.addDocument(text.subarray(startByte, endByte), {
          extra: pathWordsOf(file.path),
        });
        numbers.body.push(id * chunksOfFileMax + place);
      }
      const names = namesOf(file.symbols);
      builders.names.addDocument(names);
      builders.comments.addDocument(new Uint8Array(0), { extra: commentLinesOf(text) });
      numbers.names.push(id);
      numbers.comments.push(id);
    }
    const batch = files[0]?.id ?? 0;
    const lengths = { body: [0], names: [0], comments: [0] };
    for (const field of ["body", "names", "comments"] as const)
      lengths[field] = this.#write(builders[field], { field, batch, numbers: numbers[field] });
    let firstChunk = 0;
    return files.map(({ chunks }, at) => {
      const body = Uint32Array.from(lengths.body.slice(firstChunk, firstChunk + chunks.length));
      firstChunk += chunks.length;
      return { body, names: lengths.names[at] ?? 0, comments: lengths.comments[at] ?? 0 };
    });
  }

  #write(
    builder: PostingsBuilder,
    to: { readonly field: string; readonly batch: number; readonly numbers: readonly number[] },
  ): number[] {
    const { terms, starts, documents, frequencies, lengths } = builder.finish().parts;
    const insert = this.#database.prepare(
      "INSERT INTO word (field, term, batch, places) VALUES (?, ?, ?, ?)",
    );
    const inOrder = Array.from({ length: terms.count }, (_, term) => term).sort((left, right) =>
      Buffer.compare(terms.bytesOf(left), terms.bytesOf(right)),
    );
    for (const term of inOrder) {
      const bytes: number[] = [];
      let before = 0;
      for (let at = starts[term] as number; at < (starts[term + 1] as number); at += 1) {
        const document = to.numbers[documents[at] as number] as number;
        appendVarint(bytes, document - before);
        appendVarint(bytes, frequencies[at] as number);
        before = document;
      }
      insert.run(to.field, Buffer.from(terms.bytesOf(term)), to.batch, Uint8Array.from(bytes));
    }
    return [...lengths];
  }

  /** Nothing: who reads leaves out numbers that no file has, and a file that changes gets a new one. */
  remove(): void {}

  finish(): void {}

  placesOf(field: CorpusField, term: string): WordPlaces {
    const documents: number[] = [];
    const frequencies: number[] = [];
    for (const { places } of this.#select.all(field, Buffer.from(term))) {
      if (!(places instanceof Uint8Array)) continue;
      const reader = new VarintReader(places);
      for (let document = 0; !reader.isAtEnd;) {
        document += reader.next();
        documents.push(document);
        frequencies.push(reader.next());
      }
    }
    return { documents, frequencies };
  }
}

function appendVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
}

class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

/** Terms of texts, lower-cased, a space behind each: what SQLite's tokenizer then splits again. */
class WordBuffer {
  #bytes = Buffer.alloc(1 << 16);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds the terms of some texts; tells how many there were. */
  addAll(texts: readonly Uint8Array[]): number {
    let count = 0;
    for (const text of texts)
      count += scanTerms(text, 0, text.length, (source, start, end) => {
        if (this.#length + end - start >= this.#bytes.length)
          this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
        for (let at = start; at < end; at += 1) {
          const byte = source[at] as number;
          this.#bytes[this.#length] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
          this.#length += 1;
        }
        this.#bytes[this.#length] = 0x20;
        this.#length += 1;
      });
    return count;
  }
}

function namesOf(symbols: readonly CodeSymbol[]): Uint8Array {
  const names: string[] = [];
  const collect = (list: readonly CodeSymbol[]): void => {
    for (const { name, children } of list) {
      names.push(name);
      collect(children);
    }
  };
  collect(symbols);
  return Buffer.from(names.join(" "), "utf8");
}
