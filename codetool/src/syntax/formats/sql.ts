import { type FormatEntry, type FormatReading, type FormatSyntax, newEntry } from "./entry.ts";
import type { SymbolKind } from "../symbol.ts";
import { type SqlToken, SqlTokens, unquoted } from "./sql-tokens.ts";

/** What may be created, and what it is in an outline. */
const kinds: { readonly [word: string]: SymbolKind } = {
  table: "struct",
  view: "type",
  function: "function",
  procedure: "function",
  proc: "function",
  trigger: "function",
  event: "function",
  aggregate: "function",
  index: "const",
  sequence: "const",
  synonym: "const",
  type: "type",
  domain: "type",
  schema: "module",
  database: "module",
  package: "module",
};

/** Words between CREATE and what is created. */
const modifiers = new Set(
  "or replace alter temp temporary global local unlogged unique materialized external foreign virtual recursive clustered nonclustered columnstore fulltext spatial bitmap force noforce editionable noneditionable public private constraint definer algorithm undefined merge temptable sql security invoker if not exists concurrently only body nologging secure transient dynamic".split(
    " ",
  ),
);

/** Words that begin an element of a table that is not a column. */
const tableConstraints = new Set(
  "constraint primary foreign unique check key index exclude like period fulltext spatial".split(
    " ",
  ),
);

const routineKinds = new Set(["function", "procedure", "proc", "trigger", "event", "package"]);
const closedByTheirOwnEnd = new Set(["if", "loop", "while", "repeat", "for"]);

/** A statement that creates something, while it is read. */
interface Statement {
  readonly start: number;
  entry: FormatEntry | null;
  word: string;
  parentheses: number;
  /** Open BEGIN and CASE. */
  blocks: number;
  /** After IS or AS of a routine a semicolon ends a declaration, not the statement. */
  isDeclaring: boolean;
  column: FormatEntry | null;
  isColumnDue: boolean;
  lastEnd: number;
  tokenCount: number;
}

/** Finds what statements of SQL create: tables with their columns, views, routines, triggers, indexes, types. */
function scanSql(text: string): FormatReading {
  const reader = new SqlReader(text);
  while (reader.step());
  return reader.finish();
}

class SqlReader {
  readonly #tokens: SqlTokens;
  readonly #roots: FormatEntry[] = [];
  #statement: Statement | null = null;
  #previous: SqlToken | null = null;

  constructor(text: string) {
    this.#tokens = new SqlTokens(text);
  }

  finish(): FormatReading {
    this.#end();
    return { entries: this.#roots, hasErrors: false };
  }

  step(): boolean {
    const token = this.#tokens.next();
    if (token === null) return false;
    if (token.isSeparator) this.#end();
    else this.#read(token);
    this.#previous = token;
    return true;
  }

  #read(token: SqlToken): void {
    const word = token.isWord ? token.text.toLowerCase() : "";
    const statement = this.#statement;
    // CREATE at the beginning of a line begins a statement, whatever the one before left open.
    const isNew = word === "create" && token.isFirstOnLine && (statement?.parentheses ?? 0) === 0;
    if (statement === null || isNew) this.#begin(word, token);
    else if (statement.word === "skip") this.#skipTo(token);
    else if (statement.entry === null) this.#head(statement, word, token);
    else this.#body(statement, word, token);
  }

  #begin(word: string, token: SqlToken): void {
    this.#end();
    if (token.text === ";") return;
    this.#statement = {
      start: token.start,
      entry: null,
      word: word === "create" ? "" : "skip",
      parentheses: 0,
      blocks: 0,
      isDeclaring: false,
      column: null,
      isColumnDue: false,
      lastEnd: token.end,
      tokenCount: 0,
    };
  }

  #skipTo(token: SqlToken): void {
    if (token.text === ";") this.#statement = null;
  }

  /** CREATE, its modifiers, what is created, and its name. */
  #head(statement: Statement, word: string, token: SqlToken): void {
    statement.tokenCount += 1;
    if (token.text === ";" || statement.tokenCount > 40) {
      if (token.text === ";") this.#statement = null;
      else statement.word = "skip";
      return;
    }
    if (statement.word === "") {
      // `DEFINER = user@host` and the like may have any words.
      if (kinds[word] !== undefined) statement.word = word;
      else if (word !== "" && !modifiers.has(word) && !this.#isAssigned()) statement.word = "skip";
      return;
    }
    if (modifiers.has(word) && this.#previous?.isQuoted !== true && !token.isQuoted) return;
    if (word === "trigger" && statement.word === "event") {
      statement.word = "trigger";
      return;
    }
    if (word === "on" && statement.word === "index") {
      statement.word = "skip";
      return;
    }
    if (word === "authorization") return;
    if (!token.isWord) return;
    const { name, container, end } = this.#tokens.qualified(token);
    const kind = statement.word === "type" ? "type" : (kinds[statement.word] ?? "const");
    statement.entry = newEntry({
      name,
      kind,
      start: statement.start,
      end,
      ...(container === undefined ? {} : { container }),
    });
    statement.lastEnd = end;
  }

  #isAssigned(): boolean {
    return this.#previous !== null && /^[=@]$/.test(this.#previous.text);
  }

  #body(statement: Statement, word: string, token: SqlToken): void {
    if (token.text === ";" && this.#isAtEnd(statement)) {
      statement.lastEnd = token.end;
      this.#end();
      return;
    }
    if (routineKinds.has(statement.word)) this.#routine(statement, word, token);
    else if (statement.word === "type" && word === "enum" && statement.entry !== null)
      statement.entry.kind = "enum";
    else if (statement.word === "type" && word === "object" && statement.entry !== null)
      statement.entry.kind = "class";
    if (statement.word === "table") this.#table(statement, word, token);
    else if (token.text === "(") statement.parentheses += 1;
    else if (token.text === ")") statement.parentheses -= 1;
    statement.lastEnd = token.end;
  }

  #isAtEnd({ parentheses, blocks, isDeclaring }: Statement): boolean {
    return parentheses <= 0 && blocks === 0 && !isDeclaring;
  }

  /** BEGIN … END, CASE … END, and what is declared before BEGIN. */
  #routine(statement: Statement, word: string, token: SqlToken): void {
    const { entry } = statement;
    if (entry !== null && entry.bodyStart === null && /^(?:as|is|begin)$/.test(word))
      entry.bodyStart = token.start;
    if (statement.isDeclaring && token.isQuoted && /^(?:as|is)$/i.test(this.#previous?.text ?? ""))
      statement.isDeclaring = false;
    const ended = /^end$/i.test(this.#previous?.text ?? "") ? word : null;
    if (word === "is" || word === "as") {
      // A routine's text in quotation marks ends with them.
      if (statement.parentheses === 0 && statement.blocks === 0 && entry?.bodyStart === token.start)
        statement.isDeclaring =
          statement.word === "package" || (statement.word !== "trigger" && word === "is");
    } else if (word === "begin") {
      if (statement.word !== "package") statement.isDeclaring = false;
      statement.blocks += 1;
    } else if (word === "case" && ended === null) {
      statement.blocks += 1;
    } else if (word === "end") {
      // The END of a package closes what it declares.
      if (statement.blocks === 0) statement.isDeclaring = false;
      else statement.blocks -= 1;
    } else if (ended !== null && closedByTheirOwnEnd.has(word)) {
      // `END IF` closed what was never counted.
      statement.blocks += 1;
    }
  }

  #table(statement: Statement, word: string, token: SqlToken): void {
    const { entry } = statement;
    if (entry === null) return;
    if (token.text === "(") {
      statement.parentheses += 1;
      if (statement.parentheses === 1 && entry.bodyStart === null && !this.#isAfterBody) {
        entry.bodyStart = token.start;
        statement.isColumnDue = true;
      }
    } else if (token.text === ")") {
      statement.parentheses -= 1;
      if (statement.parentheses === 0) this.#endColumn(statement);
    } else if (token.text === "," && statement.parentheses === 1) {
      this.#endColumn(statement);
      statement.isColumnDue = entry.bodyStart !== null && !this.#isAfterBody;
    } else if (statement.isColumnDue && token.isWord) {
      statement.isColumnDue = false;
      if (!token.isQuoted && tableConstraints.has(word)) return;
      const { start, end } = token;
      statement.column = newEntry({ name: unquoted(token.text), kind: "const", start, end });
      entry.children.push(statement.column);
    } else if (word === "as" && statement.parentheses === 0) this.#isAfterBody = true;
    if (statement.column !== null) statement.column.end = Math.max(statement.column.end, token.end);
  }

  /** Lists after the columns (`PARTITION BY (a, b)`) hold none. */
  #isAfterBody = false;

  #endColumn(statement: Statement): void {
    const { column } = statement;
    if (column !== null) column.end = Math.max(column.end, this.#previous?.end ?? 0);
    statement.column = null;
    if (statement.parentheses === 0) this.#isAfterBody = true;
  }

  #end(): void {
    const statement = this.#statement;
    this.#statement = null;
    this.#isAfterBody = false;
    const entry = statement?.entry;
    if (!statement || !entry) return;
    entry.end = Math.max(entry.end, statement.lastEnd);
    this.#roots.push(entry);
  }
}

/** SQL. */
export const sql: FormatSyntax = { language: "sql", scan: scanSql, ellipsis: "-- ..." };
