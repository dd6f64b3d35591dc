import { type FormatEntry, type FormatReading, type FormatSyntax, newEntry } from "./entry.ts";

/** Finds the tables of a text in TOML, arrays of tables too, and the keys in them. */
function scanToml(text: string): FormatReading {
  const reader = new TomlReader(text);
  while (reader.step());
  return reader.finish();
}

class TomlReader {
  readonly #text: string;
  readonly #roots: FormatEntry[] = [];
  #table: FormatEntry | null = null;
  #position: number;
  #lastEnd = 0;
  #hasErrors = false;

  constructor(text: string) {
    this.#text = text;
    this.#position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  finish(): FormatReading {
    this.#endTable();
    return { entries: this.#roots, hasErrors: this.#hasErrors };
  }

  /** Reads one statement; false at the end. */
  step(): boolean {
    const text = this.#text;
    while (this.#position < text.length && /\s/.test(text[this.#position] ?? ""))
      this.#position += 1;
    if (this.#position >= text.length) return false;
    const start = this.#position;
    const first = text[start];
    if (first === "#") this.#position = this.#lineEnd(start);
    else if (first === "[") this.#header(start);
    else this.#assignment(start);
    return true;
  }

  #lineEnd(from: number): number {
    const found = this.#text.indexOf("\n", from);
    const end = found === -1 ? this.#text.length : found;
    return this.#text[end - 1] === "\r" && end > from ? end - 1 : end;
  }

  #header(start: number): void {
    const lineEnd = this.#lineEnd(start);
    const marks = this.#text[start + 1] === "[" ? 2 : 1;
    const key = readKey(this.#text, { start: start + marks, end: lineEnd });
    this.#position = lineEnd;
    this.#endTable();
    if (key === null || this.#text[key.end] !== "]") {
      this.#hasErrors = true;
      return;
    }
    const end = key.end + marks;
    this.#lastEnd = end;
    this.#table = newEntry({ name: key.name, kind: "module", start, end, bodyStart: end });
    this.#roots.push(this.#table);
  }

  #endTable(): void {
    if (this.#table !== null) this.#table.end = Math.max(this.#table.end, this.#lastEnd);
    this.#table = null;
  }

  #assignment(start: number): void {
    const lineEnd = this.#lineEnd(start);
    const key = readKey(this.#text, { start, end: lineEnd });
    if (key === null || this.#text[key.end] !== "=") {
      this.#hasErrors = true;
      this.#position = lineEnd;
      return;
    }
    const bodyStart = key.end + 1;
    const end = this.#valueEnd(bodyStart);
    this.#position = end;
    this.#lastEnd = end;
    const entry = newEntry({ name: key.name, kind: "const", start, end, bodyStart });
    (this.#table?.children ?? this.#roots).push(entry);
  }

  /** Where a value ends: with its line, unless a bracket or a text of several lines is open there. */
  #valueEnd(start: number): number {
    const text = this.#text;
    let depth = 0;
    let lastEnd = start;
    for (let index = start; index < text.length;) {
      const unit = text[index] as string;
      if (unit === "\n" && depth <= 0) return lastEnd;
      if (unit === "#") {
        index = this.#lineEnd(index);
        continue;
      }
      if (unit === '"' || unit === "'") {
        index = this.#stringEnd(index, unit);
        lastEnd = index;
        continue;
      }
      if (unit === "[" || unit === "{") depth += 1;
      else if (unit === "]" || unit === "}") depth -= 1;
      index += 1;
      if (!/\s/.test(unit)) lastEnd = index;
    }
    if (depth > 0) this.#hasErrors = true;
    return lastEnd;
  }

  #stringEnd(start: number, quote: string): number {
    const text = this.#text;
    const isLong = text.startsWith(quote.repeat(3), start);
    if (isLong) {
      const end = longStringEnd(text, { start: start + 3, quote });
      if (end === -1) this.#hasErrors = true;
      return end === -1 ? text.length : end;
    }
    for (let index = start + 1; index < text.length; index++) {
      const unit = text[index];
      if (unit === "\\" && quote === '"') index += 1;
      else if (unit === quote) return index + 1;
      else if (unit === "\n") {
        this.#hasErrors = true;
        return index;
      }
    }
    this.#hasErrors = true;
    return text.length;
  }
}

function longStringEnd(
  text: string,
  at: { readonly start: number; readonly quote: string },
): number {
  const { start, quote } = at;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "\\" && quote === '"') index += 1;
    else if (text[index] === quote && text.startsWith(quote.repeat(3), index)) {
      let end = index + 3;
      while (text[end] === quote && end < index + 5) end += 1;
      return end;
    }
  }
  return -1;
}

/** Reads a key, dotted or not, with its quotes left out; `end` is the first place after it and its white space. */
function readKey(
  text: string,
  range: { readonly start: number; readonly end: number },
): { readonly name: string; readonly end: number } | null {
  let index = range.start;
  let name = "";
  for (;;) {
    while (index < range.end && /[ \t]/.test(text[index] ?? "")) index += 1;
    const quote = text[index];
    const partStart = index;
    if (quote === '"' || quote === "'") {
      index += 1;
      while (index < range.end && text[index] !== quote) index += text[index] === "\\" ? 2 : 1;
      if (index >= range.end) return null;
      name += text.slice(partStart + 1, index) || '""';
      index += 1;
    } else {
      while (index < range.end && !/[\s.=\]#"'[]/.test(text[index] ?? "")) index += 1;
      if (index === partStart) return null;
      name += text.slice(partStart, index);
    }
    while (index < range.end && /[ \t]/.test(text[index] ?? "")) index += 1;
    if (text[index] !== "." || index >= range.end) return { name, end: index };
    name += ".";
    index += 1;
  }
}

/** TOML. */
export const toml: FormatSyntax = { language: "toml", scan: scanToml, ellipsis: "# ..." };
