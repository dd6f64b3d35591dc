import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { chunkText } from "../../codetool/src/index/index.ts";
import type { CodeSymbol } from "../../codetool/src/syntax/index.ts";
import {
  chunkSizeCharacters,
  type CorpusStore,
  type OpenStore,
  type PreparedFile,
} from "./corpus-store.ts";
import { SqliteView } from "./sqlite-view.ts";
import { chunksOfFileMax, Fts5Words, PostingsWords, type WordTables } from "./word-tables.ts";

/** What is in the database next to files, chunks and definitions. */
export interface SqliteContent {
  /** SQLite's full-text index, or codetool's postings as values of a table. */
  readonly words: "fts5" | "postings";
  /** Also the trigrams of each file, for literals. */
  readonly hasTrigrams: boolean;
}

const schema = `
  CREATE TABLE file (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, modified REAL, hash BLOB,
    language TEXT, is_text INTEGER, line_count INTEGER, chunk_count INTEGER, chunks BLOB,
    body_lengths BLOB, names_length INTEGER, comments_length INTEGER
  );
  CREATE TABLE symbol (
    file INTEGER, place INTEGER, parent INTEGER, name TEXT, folded TEXT, kind TEXT, start_line INTEGER,
    end_line INTEGER, start_byte INTEGER, body_byte INTEGER, end_byte INTEGER, is_exported INTEGER,
    signature TEXT, container TEXT, PRIMARY KEY (file, place)
  ) WITHOUT ROWID;
`;
const trigramSchema = `
  CREATE VIRTUAL TABLE trigram USING fts5(text, tokenize = trigram, content = '', contentless_delete = 1, detail = none);
  INSERT INTO trigram (trigram, rank) VALUES ('hashsize', ${64 << 20});
`;

/** An index in one SQLite database. Without vectors and imports. */
export class SqliteStore implements CorpusStore {
  readonly #path: string;
  readonly #content: SqliteContent;

  constructor(root: string, content: SqliteContent) {
    this.#path = join(root, "index.db");
    this.#content = content;
  }

  build(batches: Iterable<readonly PreparedFile[]>): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.#path}${end}`, { force: true });
    const database = new DatabaseSync(this.#path);
    // A file that nobody reads yet: it needs no journal, only to be on the disk when it is whole.
    database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;
    `);
    database.exec(schema);
    (this.#content.words === "fts5" ? Fts5Words : PostingsWords).create(database);
    if (this.#content.hasTrigrams) database.exec(trigramSchema);
    const words = this.#wordsOf(database);
    for (const batch of batches) this.#add(database, words, batch);
    words.finish();
    if (this.#content.hasTrigrams)
      database.exec("INSERT INTO trigram (trigram) VALUES ('optimize')");
    database.exec(`
      CREATE INDEX symbol_name ON symbol (folded); COMMIT; PRAGMA journal_mode = WAL;
    `);
    database.close();
    const descriptor = openSync(this.#path, "r+");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }

  update(file: PreparedFile): void {
    const database = new DatabaseSync(this.#path);
    database.exec("PRAGMA synchronous = FULL; BEGIN IMMEDIATE;");
    const words = this.#wordsOf(database);
    const known = database
      .prepare("SELECT id, chunk_count AS chunkCount FROM file WHERE path = ?")
      .get(file.path);
    const id = Number(known?.["id"]);
    words.remove({ id, chunkCount: Number(known?.["chunkCount"]) });
    for (const [table, column] of [
      ["file", "id"],
      ["symbol", "file"],
      ...(this.#content.hasTrigrams ? [["trigram", "rowid"]] : []),
    ])
      database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(id);
    this.#add(database, words, [file]);
    database.exec("COMMIT");
    database.close();
  }

  open(): OpenStore {
    const database = new DatabaseSync(this.#path);
    database.exec("PRAGMA query_only = 1; PRAGMA mmap_size = 1073741824;");
    const view = new SqliteView(database, this.#wordsOf(database));
    return {
      view,
      filesThatMayHold: (text) => view.filesThatMayHold(text),
      verify: () => {
        const [row] = database.prepare("PRAGMA integrity_check").all();
        if (row?.["integrity_check"] !== "ok") throw new Error(String(row?.["integrity_check"]));
      },
      [Symbol.dispose]: () => database.close(),
    };
  }

  #wordsOf(database: DatabaseSync): WordTables {
    return this.#content.words === "fts5" ? new Fts5Words(database) : new PostingsWords(database);
  }

  #add(database: DatabaseSync, words: WordTables, batch: readonly PreparedFile[]): void {
    const last = database.prepare("SELECT max(id) AS id FROM file").get();
    let id = Number(last?.["id"] ?? 0);
    const files = batch.map((file) => {
      id += 1;
      const chunks =
        file.text === null ? [] : chunkText(file.text, file.symbols, chunkSizeCharacters);
      if (chunks.length > chunksOfFileMax) throw new RangeError("too many chunks");
      return { id, file, chunks };
    });
    const counts = words.add(files);
    const insert = database.prepare(
      "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    const addSymbol = symbolAdder(database);
    const addTrigrams = this.#content.hasTrigrams
      ? database.prepare("INSERT INTO trigram (rowid, text) VALUES (?, CAST(? AS TEXT))")
      : undefined;
    for (const [at, { id: own, file, chunks }] of files.entries()) {
      const { body, names, comments } = counts[at] ?? { body: new Uint32Array(0) };
      const columns = Uint32Array.from(
        chunks.flatMap((chunk) => [
          chunk.startByte,
          chunk.endByte,
          chunk.startLine1,
          chunk.endLine1,
        ]),
      );
      const { path, sizeBytes, modifiedMs, hash, language, text } = file;
      const known = [own, path, sizeBytes, modifiedMs, Buffer.from(hash, "hex"), language];
      const shape = [text === null ? 0 : 1, chunks.at(-1)?.endLine1 ?? 0, chunks.length];
      insert.run(...known, ...shape, columns, body, names ?? 0, comments ?? 0);
      addSymbol(own, file.symbols);
      if (text !== null) addTrigrams?.run(own, text);
    }
  }
}

function symbolAdder(database: DatabaseSync): (file: number, list: readonly CodeSymbol[]) => void {
  const insert = database.prepare(
    "INSERT INTO symbol VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  return (file, list) => {
    let place = 0;
    const add = (symbols: readonly CodeSymbol[], parent: number | null): void => {
      for (const symbol of symbols) {
        const own = place;
        place += 1;
        const { name, kind, startLine1, endLine1, startByte, bodyStartByte, endByte } = symbol;
        const names = [own, parent, name, foldAscii(name), kind] as const;
        const ends = [startLine1, endLine1, startByte, bodyStartByte, endByte] as const;
        const { isExported, signature, container } = symbol;
        insert.run(file, ...names, ...ends, Number(isExported), signature, container ?? null);
        add(symbol.children, own);
      }
    };
    add(list, null);
  };
}

/** A name with its ASCII letters in lower case. */
export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
