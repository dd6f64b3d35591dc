import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Chunk } from "../../codetool/src/index/index.ts";
import type {
  CorpusField,
  CorpusFile,
  CorpusSymbol,
  CorpusView,
} from "../../codetool/src/store/index.ts";
import { chunksOfFileMax, type WordTables } from "./word-tables.ts";

type Row = { readonly [column: string]: unknown };
type FileSymbol = CorpusSymbol & { readonly parent: number | null };

/** A database as codetool's ranking sees it: files numbered in the byte order of their paths, and chunks so too. */
export class SqliteView implements CorpusView {
  readonly #database: DatabaseSync;
  readonly #words: WordTables;
  /** The database's number of each file, and the other way round; -1 for those that are gone. */
  readonly #ids: readonly number[];
  readonly #numbers: Int32Array;
  readonly #lengths = new Map<CorpusField, Uint32Array>();
  readonly #statements = new Map<string, StatementSync>();
  readonly chunkStarts: Uint32Array;

  constructor(database: DatabaseSync, words: WordTables) {
    this.#database = database;
    this.#words = words;
    const rows = database.prepare("SELECT id, chunk_count AS count FROM file ORDER BY path").all();
    this.#ids = rows.map((row) => Number(row["id"]));
    this.#numbers = new Int32Array(Math.max(0, ...this.#ids) + 1).fill(-1);
    this.chunkStarts = new Uint32Array(rows.length + 1);
    for (const [number, row] of rows.entries()) {
      this.#numbers[Number(row["id"])] = number;
      this.chunkStarts[number + 1] = (this.chunkStarts[number] as number) + Number(row["count"]);
    }
  }

  get fileCount(): number {
    return this.#ids.length;
  }

  get chunkCount(): number {
    return this.chunkStarts.at(-1) ?? 0;
  }

  file(number: number): CorpusFile {
    const row = this.#one(
      "SELECT path, size, language, is_text, line_count FROM file WHERE id = ?",
      this.#ids[number] as number,
    );
    const language = row["language"];
    return {
      path: String(row["path"]),
      sizeBytes: Number(row["size"]),
      language: typeof language === "string" ? language : null,
      isText: row["is_text"] === 1,
      lineCount: Number(row["line_count"]),
      firstChunk: this.chunkStarts[number] as number,
      chunkEnd: this.chunkStarts[number + 1] as number,
    };
  }

  postingsOf(field: CorpusField, term: string): ReturnType<CorpusView["postingsOf"]> {
    const { documents, frequencies } = this.#words.placesOf(field, term);
    const numbers = new Uint32Array(documents.length);
    const counts = new Uint16Array(documents.length);
    let length = 0;
    let isInOrder = true;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      const place = field === "body" ? document % chunksOfFileMax : 0;
      const file = this.#numbers[(document - place) / (field === "body" ? chunksOfFileMax : 1)];
      if (file === undefined || file < 0) continue;
      const number = place + (field === "body" ? (this.chunkStarts[file] as number) : file);
      isInOrder &&= length === 0 || (numbers[length - 1] as number) < number;
      numbers[length] = number;
      counts[length] = Math.min(frequencies[at] as number, 0xff_ff);
      length += 1;
    }
    const found = {
      documents: numbers.subarray(0, length),
      frequencies: counts.subarray(0, length),
    };
    return isInOrder ? found : inOrder(found);
  }

  lengthsOf(field: CorpusField): Uint32Array {
    const known = this.#lengths.get(field);
    if (known !== undefined) return known;
    const column = field === "body" ? "body_lengths" : `${field}_length`;
    const rows = this.#database.prepare(`SELECT ${column} AS length FROM file ORDER BY path`).all();
    const lengths = new Uint32Array(field === "body" ? this.chunkCount : this.fileCount);
    for (const [number, { length }] of rows.entries())
      if (field === "body") lengths.set(numbersIn(length), this.chunkStarts[number]);
      else lengths[number] = Number(length);
    this.#lengths.set(field, lengths);
    return lengths;
  }

  chunksOf(file: number): Chunk[] {
    const row = this.#one("SELECT chunks FROM file WHERE id = ?", this.#ids[file] as number);
    const numbers = numbersIn(row["chunks"]);
    return Array.from({ length: numbers.length / 4 }, (_, place) => {
      const [startByte = 0, endByte = 0, startLine1 = 0, endLine1 = 0] = numbers.subarray(
        4 * place,
      );
      return { startByte, endByte, startLine1, endLine1 };
    });
  }

  symbolCountOf(file: number): number {
    const id = this.#ids[file] as number;
    return Number(this.#one("SELECT count(*) AS count FROM symbol WHERE file = ?", id)["count"]);
  }

  symbolsOf(file: number): FileSymbol[] {
    const id = this.#ids[file] as number;
    const select = this.#statement("SELECT * FROM symbol WHERE file = ? ORDER BY place");
    return select.all(id).map((row) => this.#symbolOf(row));
  }

  symbolsHolding(file: number, pattern: RegExp): FileSymbol[] {
    return this.symbolsOf(file).filter(({ name }) => {
      pattern.lastIndex = 0;
      return pattern.test(name);
    });
  }

  symbolsNamed(name: string): CorpusSymbol[] {
    const folded = name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    return this.#statement("SELECT * FROM symbol WHERE folded = ?")
      .all(folded)
      .map((row) => this.#symbolOf(row))
      .filter(({ file }) => file >= 0)
      .sort((a, b) => a.file - b.file || a.startLine1 - b.startLine1);
  }

  /** Files that hold all trigrams of a text. */
  filesThatMayHold(text: string): Uint8Array {
    const held = new Uint8Array(this.fileCount);
    const letters = Array.from(text);
    const trigrams = new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join("")));
    if (trigrams.size === 0) return held.fill(1);
    const match = [...trigrams]
      .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
      .join(" AND ");
    const rows = this.#statement("SELECT rowid AS id FROM trigram WHERE trigram MATCH ?").all(
      match,
    );
    for (const { id } of rows) held[this.#numbers[Number(id)] as number] = 1;
    return held;
  }

  #one(query: string, id: number): Row {
    return this.#statement(query).get(id) ?? {};
  }

  #statement(query: string): StatementSync {
    const known = this.#statements.get(query);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(query);
    this.#statements.set(query, statement);
    return statement;
  }

  #symbolOf(row: Row): FileSymbol {
    const parent = row["parent"];
    return {
      name: String(row["name"]),
      kind: String(row["kind"]) as CorpusSymbol["kind"],
      startLine1: Number(row["start_line"]),
      endLine1: Number(row["end_line"]),
      isExported: row["is_exported"] === 1,
      file: this.#numbers[Number(row["file"])] ?? -1,
      parent: typeof parent === "number" ? parent : null,
    };
  }
}

/** Files that were changed since have numbers of the database behind all others. */
function inOrder({ documents, frequencies }: ReturnType<CorpusView["postingsOf"]>): {
  documents: Uint32Array;
  frequencies: Uint16Array;
} {
  const order = Uint32Array.from(documents.keys()).sort(
    (left, right) => (documents[left] as number) - (documents[right] as number),
  );
  return {
    documents: documents.map((_, at) => documents[order[at] as number] as number),
    frequencies: frequencies.map((_, at) => frequencies[order[at] as number] as number),
  };
}

function numbersIn(bytes: unknown): Uint32Array {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("no bytes");
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
