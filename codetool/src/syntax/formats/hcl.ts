import {
  entryDepthMax,
  type FormatEntry,
  type FormatReading,
  type FormatSyntax,
  newEntry,
} from "./entry.ts";

/** Blocks that give a value a name. */
const valueBlocks = new Set(["variable", "output", "locals"]);

/** An open brace: of a block, or of a value (then nothing in it is an entry). */
interface Open {
  readonly isBlock: boolean;
  readonly type: string;
  readonly entry: FormatEntry | null;
}

/** Finds the blocks of a text in HCL by type and labels, values in `locals`, and those of a file of values. */
function scanHcl(text: string): FormatReading {
  const reader = new HclReader(text);
  while (reader.step());
  return reader.finish();
}

class HclReader {
  readonly #text: string;
  readonly #roots: FormatEntry[] = [];
  readonly #open: Open[] = [];
  readonly #entries: FormatEntry[] = [];
  #position: number;
  /** Words since the line's beginning: a block's type and its labels. */
  #words: string[] = [];
  #headStart = -1;
  /** Open brackets and parentheses in the value that is read. */
  #value: { depth: number; readonly entry: FormatEntry | null } | null = null;
  #lastEnd = 0;
  #hasErrors = false;

  constructor(text: string) {
    this.#text = text;
    this.#position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  finish(): FormatReading {
    this.#endValue();
    if (this.#open.length > 0) this.#hasErrors = true;
    for (const entry of this.#entries) entry.end = Math.max(entry.end, this.#lastEnd);
    return { entries: this.#roots, hasErrors: this.#hasErrors };
  }

  step(): boolean {
    const text = this.#text;
    const start = this.#position;
    const unit = text[start];
    if (unit === undefined) return false;
    this.#position += 1;
    if (unit === "\n") {
      this.#newLine();
      return true;
    }
    if (/\s/.test(unit)) return true;
    if (unit === "#" || (unit === "/" && (text[start + 1] === "/" || text[start + 1] === "*"))) {
      this.#skipComment(start);
      return true;
    }
    if (unit === '"') this.#position = this.#stringEnd(start);
    else if (unit === "<" && text[start + 1] === "<") this.#position = this.#heredocEnd(start);
    else if (isWordUnit(unit)) while (isWordUnit(text[this.#position] ?? "")) this.#position += 1;
    if (this.#value === null) this.#head(start, unit);
    else this.#valueUnit(unit);
    this.#lastEnd = this.#position;
    return true;
  }

  #newLine(): void {
    if (this.#value?.depth === 0) this.#endValue();
    if (this.#value === null) this.#forget();
  }

  #forget(): void {
    this.#words = [];
    this.#headStart = -1;
  }

  #skipComment(start: number): void {
    const isBlock = this.#text[start + 1] === "*" && this.#text[start] === "/";
    const found = this.#text.indexOf(isBlock ? "*/" : "\n", start + 1);
    if (found === -1) this.#position = this.#text.length;
    else this.#position = isBlock ? found + 2 : found;
  }

  #stringEnd(start: number): number {
    const text = this.#text;
    let depth = 0;
    let isInside = true;
    for (let index = start + 1; index < text.length; index++) {
      const unit = text[index];
      if (unit === "\n" && depth === 0) return index;
      if (unit === "\\" && isInside) index += 1;
      else if (isInside && (unit === "$" || unit === "%") && text[index + 1] === "{") {
        depth += 1;
        index += 1;
        isInside = false;
      } else if (!isInside && unit === "{") depth += 1;
      else if (!isInside && unit === "}") {
        depth -= 1;
        isInside = depth === 0;
      } else if (unit === '"') {
        if (depth === 0) return index + 1;
        // Strings in what is inserted hold no more of their own here.
        const found = text.indexOf('"', index + 1);
        if (found === -1) return text.length;
        index = found;
      }
    }
    return text.length;
  }

  #heredocEnd(start: number): number {
    const text = this.#text;
    const mark = /^<<[-~]?"?([A-Za-z_]\w{0,99})"?[^\S\n]*\n/.exec(text.slice(start, start + 128));
    if (mark === null) return start + 2;
    let line = start + mark[0].length;
    while (line < text.length) {
      const found = text.indexOf("\n", line);
      const end = found === -1 ? text.length : found;
      if (end - line < 300 && text.slice(line, end).trim() === mark[1]) return end;
      line = end + 1;
    }
    this.#hasErrors = true;
    return text.length;
  }

  /** A block's type and labels, or an attribute's name. */
  #head(start: number, unit: string): void {
    if (unit === "{") return this.#opening(start);
    if (unit === "}") return this.#closing();
    if (unit === "=" && this.#text[start + 1] !== "=") return this.#attribute(start);
    if (this.#words.length > 16) return;
    if (unit !== '"' && !isWordUnit(unit)) return;
    if (this.#headStart === -1) this.#headStart = start;
    const word = this.#text.slice(start, this.#position);
    this.#words.push(unit === '"' ? word.replace(/^"|"$/g, "") : word);
  }

  #opening(start: number): void {
    const [type = "", ...labels] = this.#words;
    const outer = this.#open.at(-1);
    const isTop = this.#open.length === 0;
    const isWanted = type !== "" && (isTop || (outer?.isBlock === true && labels.length > 0));
    let entry: FormatEntry | null = null;
    if (isWanted && this.#entries.length < entryDepthMax) {
      const name = [type, ...labels].join(".");
      const kind = isTop && valueBlocks.has(type) ? "const" : "module";
      entry = newEntry({
        name,
        kind,
        start: this.#headStart,
        end: this.#position,
        bodyStart: start,
      });
      (this.#entries.at(-1)?.children ?? this.#roots).push(entry);
      this.#entries.push(entry);
    }
    this.#open.push({ isBlock: true, type, entry });
    this.#forget();
  }

  #closing(): void {
    const closed = this.#open.pop();
    if (closed === undefined) this.#hasErrors = true;
    if (closed?.entry) {
      closed.entry.end = this.#position;
      this.#entries.pop();
    }
    this.#forget();
  }

  #attribute(start: number): void {
    const outer = this.#open.at(-1);
    const isNamed = outer === undefined || (outer.type === "locals" && this.#open.length === 1);
    const [name = ""] = this.#words;
    let entry: FormatEntry | null = null;
    if (isNamed && name !== "" && this.#words.length === 1) {
      entry = newEntry({
        name,
        kind: "const",
        start: this.#headStart,
        end: this.#position,
        bodyStart: start + 1,
      });
      (this.#entries.at(-1)?.children ?? this.#roots).push(entry);
    }
    this.#value = { depth: 0, entry };
    this.#forget();
  }

  #valueUnit(unit: string): void {
    const value = this.#value;
    if (value === null) return;
    if (unit === "{" || unit === "[" || unit === "(") value.depth += 1;
    else if (unit === "}" && value.depth === 0) {
      // `name { key = value }` on one line.
      this.#endValue();
      this.#closing();
      return;
    } else if (unit === "}" || unit === "]" || unit === ")") value.depth -= 1;
  }

  #endValue(): void {
    const entry = this.#value?.entry;
    if (entry) entry.end = Math.max(entry.end, this.#lastEnd);
    this.#value = null;
  }
}

function isWordUnit(unit: string): boolean {
  return /[\w-]/.test(unit);
}

/** HCL, as Terraform, Packer and Nomad write it. */
export const hcl: FormatSyntax = { language: "hcl", scan: scanHcl, ellipsis: "# ..." };
