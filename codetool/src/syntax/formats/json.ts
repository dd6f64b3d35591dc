import { type FormatEntry, type FormatReading, type FormatSyntax, newEntry } from "./entry.ts";

/** Keys inside of keys that are entries. */
const keyDepthMax = 2;

const objectOpening = 0x7b;
const objectClosing = 0x7d;
const arrayOpening = 0x5b;
const arrayClosing = 0x5d;

/** Finds the keys at the top of a text in JSON (with comments or as JSON5 too) and those inside of them. */
function scanJson(text: string): FormatReading {
  const reader = new JsonReader(text);
  while (reader.step());
  return reader.finish();
}

class JsonReader {
  readonly #text: string;
  readonly #roots: FormatEntry[] = [];
  /** The open entries, outermost first; `null` where a key was not closed by a value. */
  readonly #open: FormatEntry[] = [];
  #position = 0;
  /** Open brackets, by their codes, down to where no key is an entry. */
  readonly #brackets: number[] = [];
  /** Brackets open below those; they need only be counted. */
  #deeper = 0;
  #key: { readonly name: string; readonly start: number } | null = null;
  /** The entry whose value is being read at each depth. */
  #lastEnd = 0;
  #hasErrors = false;

  constructor(text: string) {
    this.#text = text;
  }

  finish(): FormatReading {
    this.#closeTo(0);
    const isOpen = this.#brackets.length > 0 || this.#deeper > 0;
    return { entries: this.#roots, hasErrors: this.#hasErrors || isOpen };
  }

  /** Reads one token; false at the end. */
  step(): boolean {
    const text = this.#text;
    const start = this.#position;
    if (start >= text.length) return false;
    const code = text.charCodeAt(start);
    this.#position += 1;
    if (code <= 0x20 || code === 0xfeff || code === 0xa0) return true;
    if (code === 0x2f && this.#skipComment(start)) return true;
    switch (code) {
      case 0x22:
      case 0x27:
        this.#string(start, code);
        break;
      case objectOpening:
      case arrayOpening:
        this.#opening(start, code);
        break;
      case objectClosing:
      case arrayClosing:
        this.#closing(code);
        break;
      case 0x2c:
        if (this.#deeper === 0) this.#closeTo(this.#brackets.length - 1);
        return true;
      case 0x3a:
        this.#colon(start);
        break;
      default:
        this.#word(start);
    }
    this.#lastEnd = this.#position;
    return true;
  }

  #skipComment(start: number): boolean {
    const next = this.#text[start + 1];
    if (next !== "/" && next !== "*") return false;
    const end = next === "/" ? "\n" : "*/";
    const found = this.#text.indexOf(end, start + 2);
    this.#position = found === -1 ? this.#text.length : found + end.length;
    return true;
  }

  #string(start: number, quote: number): void {
    const text = this.#text;
    let end = start + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === quote || code === 0x0a) break;
      if (code === 0x5c) end += 1;
    }
    if (text.charCodeAt(end) !== quote) this.#hasErrors = true;
    this.#position = Math.min(end + 1, text.length);
    if (this.#isKeyWanted()) this.#key = { name: text.slice(start + 1, end), start };
  }

  #word(start: number): void {
    const text = this.#text;
    let end = start + 1;
    while (end < text.length && !/[\s,:[\]{}"'/]/.test(text[end] ?? "")) end += 1;
    this.#position = end;
    if (this.#isKeyWanted()) this.#key = { name: text.slice(start, end), start };
  }

  /** True where a key may be that would be an entry: in an object, all around it objects too. */
  #isKeyWanted(): boolean {
    const depth = this.#brackets.length;
    if (this.#deeper > 0 || depth === 0 || depth > keyDepthMax) return false;
    return this.#brackets[depth - 1] === objectOpening && this.#open.length === depth - 1;
  }

  #colon(start: number): void {
    if (this.#key === null || !this.#isKeyWanted()) return;
    const entry = newEntry({
      name: this.#key.name === "" ? '""' : this.#key.name,
      kind: "const",
      start: this.#key.start,
      end: start + 1,
    });
    (this.#open.at(-1)?.children ?? this.#roots).push(entry);
    this.#open.push(entry);
    this.#key = null;
  }

  #opening(start: number, code: number): void {
    const depth = this.#brackets.length;
    const entry = this.#open[depth - 1];
    if (entry !== undefined && this.#deeper === 0) {
      entry.bodyStart = start;
      if (code === objectOpening) entry.kind = "module";
    }
    const isFollowed =
      this.#deeper === 0 && depth <= keyDepthMax && !this.#brackets.includes(arrayOpening);
    if (isFollowed) this.#brackets.push(code);
    else this.#deeper += 1;
  }

  #closing(code: number): void {
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    const opening = this.#brackets.pop();
    if (opening === undefined || opening + 2 !== code) this.#hasErrors = true;
    this.#closeTo(Math.max(this.#brackets.length, 0));
  }

  /** Closes entries down to a count; they end with the last token before. */
  #closeTo(count: number): void {
    while (this.#open.length > Math.max(count, 0)) {
      const entry = this.#open.pop();
      if (entry !== undefined) entry.end = Math.max(entry.end, this.#lastEnd);
    }
    this.#key = null;
  }
}

/** JSON, with comments and as JSON5 too. */
export const json: FormatSyntax = { language: "json", scan: scanJson, ellipsis: "// ..." };
