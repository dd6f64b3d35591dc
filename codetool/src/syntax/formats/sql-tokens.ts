/** A word, a name in quotation marks, or a mark of a text in SQL; strings and comments are none. */
export interface SqlToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isWord: boolean;
  /** A name in quotation marks, or a string. */
  readonly isQuoted: boolean;
  readonly isFirstOnLine: boolean;
  /** A line that only ends statements: `GO`, `/`, or the mark that DELIMITER named. */
  readonly isSeparator: boolean;
}

/** Cuts SQL of any dialect into tokens. */
export class SqlTokens {
  readonly #text: string;
  /** Dialects with names in backticks escape quotation marks in strings with a backslash. */
  readonly #hasBackslashes: boolean;
  #position: number;
  #delimiter = ";";
  #isFirstOnLine = true;

  constructor(text: string) {
    this.#text = text;
    this.#hasBackslashes = text.includes("`");
    this.#position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  /** The next token, or `null` at the end. */
  next(): SqlToken | null {
    const text = this.#text;
    while (this.#position < text.length) {
      const start = this.#position;
      const unit = text[start] as string;
      if (unit === "\n") {
        this.#isFirstOnLine = true;
        this.#position += 1;
      } else if (/\s/.test(unit)) this.#position += 1;
      else if (!this.#skipComment(start, unit)) return this.#token(start, unit);
    }
    return null;
  }

  /** Reads on from a name's first part to its last: `a.b`, quoted or not; `container` is what is before the last. */
  qualified(first: SqlToken): {
    readonly name: string;
    readonly container: string | undefined;
    readonly end: number;
  } {
    const text = this.#text;
    let name = unquoted(first.text);
    let container: string | undefined;
    let { end } = first;
    while (text[end] === "." && /[\w"`[]/.test(text[end + 1] ?? "")) {
      this.#position = end + 1;
      const part = this.#token(end + 1, text[end + 1] as string);
      if (!part.isWord) break;
      container = container === undefined ? name : `${container}.${name}`;
      name = unquoted(part.text);
      ({ end } = part);
    }
    this.#position = end;
    return { name, container, end };
  }

  #skipComment(start: number, unit: string): boolean {
    const next = this.#text[start + 1];
    if (unit === "-" && next === "-") this.#position = this.#after("\n", start, { isKept: true });
    else if (unit === "#" && this.#isFirstOnLine)
      this.#position = this.#after("\n", start, { isKept: true });
    else if (unit === "/" && next === "*") {
      // Text that only MySQL reads is not a comment: `/*!50003 CREATE … */`.
      const special = /^\/\*!\d*/.exec(this.#text.slice(start, start + 12))?.[0];
      this.#position =
        special === undefined ? this.#after("*/", start + 2) : start + special.length;
    } else if (unit === "*" && next === "/") this.#position = start + 2;
    else return false;
    return true;
  }

  #after(mark: string, from: number, { isKept = false } = {}): number {
    const found = this.#text.indexOf(mark, from);
    return found === -1 ? this.#text.length : found + (isKept ? 0 : mark.length);
  }

  #token(start: number, unit: string): SqlToken {
    const isFirstOnLine = this.#isFirstOnLine;
    this.#isFirstOnLine = false;
    let end = start + 1;
    let isWord = false;
    let isQuoted = false;
    if (isWordUnit(unit)) {
      while (end < this.#text.length && isWordUnit(this.#text[end] as string)) end += 1;
      isWord = true;
    } else if (unit === "'") {
      end = this.#stringEnd(start);
      isQuoted = true;
    } else if (unit === '"' || unit === "`" || (unit === "[" && this.#isBracketed(start))) {
      end = this.#quotedEnd(start, unit === "[" ? "]" : unit);
      isWord = true;
      isQuoted = true;
    } else if (unit === "$") {
      end = this.#dollarEnd(start);
      isQuoted = end > start + 1;
    }
    this.#position = end;
    const token = { start, end, isWord, isQuoted, isFirstOnLine };
    const text = this.#text.slice(start, isQuoted && !isWord ? start + 1 : end);
    if (isFirstOnLine && this.#isSeparator(start)) return { ...token, text, isSeparator: true };
    if (this.#delimiter !== ";" && this.#text.startsWith(this.#delimiter, start)) {
      this.#position = start + this.#delimiter.length;
      return { ...token, text, isSeparator: true };
    }
    return { ...token, text, isSeparator: false };
  }

  #isSeparator(start: number): boolean {
    const found = this.#text.indexOf("\n", start);
    const end = found === -1 ? this.#text.length : found;
    if (end - start > 80) return false;
    const line = this.#text.slice(start, end).trim();
    const delimiter = /^delimiter[ \t]+(\S+)$/i.exec(line)?.[1];
    if (delimiter !== undefined) {
      this.#delimiter = delimiter;
      this.#position = end;
      return true;
    }
    return /^(?:go|\/|\\\.)$/i.test(line);
  }

  #stringEnd(start: number): number {
    const text = this.#text;
    const hasBackslashes = this.#hasBackslashes || /[eE]/.test(text[start - 1] ?? "");
    for (let index = start + 1; index < text.length; index++) {
      if (text[index] === "\\" && hasBackslashes) index += 1;
      else if (text[index] === "'") {
        if (text[index + 1] !== "'") return index + 1;
        index += 1;
      }
    }
    return text.length;
  }

  /** `[name]` and not an index or an array's type. */
  #isBracketed(start: number): boolean {
    return (
      /^\[[A-Za-z_][^\]\n]{0,127}\]/.test(this.#text.slice(start, start + 132)) &&
      !/[\w)\]]/.test(this.#text[start - 1] ?? "")
    );
  }

  #quotedEnd(start: number, quote: string): number {
    const found = this.#text.indexOf(quote, start + 1);
    return found === -1 ? this.#text.length : found + 1;
  }

  /** The end of `$tag$ … $tag$`. */
  #dollarEnd(start: number): number {
    const tag = /^\$\w{0,63}\$/.exec(this.#text.slice(start, start + 66))?.[0];
    return tag === undefined ? start + 1 : this.#after(tag, start + tag.length);
  }
}

function isWordUnit(unit: string): boolean {
  return /[\w\u0080-\uffff]/.test(unit);
}

/** A name without its quotation marks. */
export function unquoted(name: string): string {
  return /^["`[]/.test(name) && name.length > 2 ? name.slice(1, -1) : name;
}
