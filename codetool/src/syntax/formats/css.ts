import {
  entryDepthMax,
  type FormatEntry,
  type FormatReading,
  type FormatSyntax,
  newEntry,
} from "./entry.ts";

/** What is left of a style sheet's dialects: line comments, `$` or `@` variables, mixins. */
interface Dialect {
  readonly hasLineComments: boolean;
  /** How a variable begins, besides custom properties. */
  readonly variable: RegExp | null;
}

/** At-rules that hold rules and get a symbol. */
const groupingRules =
  /^@(?:-[a-z]+-)?(?:media|supports|layer|container|scope|document|starting-style)\b/i;
/** At-rules that define what is named after them. */
const namedRules =
  /^@(?:-[a-z]+-)?(keyframes|property|counter-style|font-feature-values|font-palette-values|position-try|color-profile|view-transition|mixin|function)\s+([^\s({;]+)/i;
const singleRules = /^@(?:font-face|page)\b/i;

/** UTF-16 units of a selector or declaration that are looked at. */
const preludeLengthMax = 4096;

interface Block {
  /** `null` for a block that is not an entry: an `@include`, or one that lies too deep. */
  readonly entry: FormatEntry | null;
  /** Selectors in `@keyframes` and `@font-face` are none. */
  readonly isOpaque: boolean;
}

/** Finds the rules of a style sheet by their selectors, at-rules with what they name, and custom properties. */
function scanCss(text: string, dialect: Dialect): FormatReading {
  const reader = new CssReader(text, dialect);
  while (reader.step());
  return reader.finish();
}

class CssReader {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #roots: FormatEntry[] = [];
  readonly #blocks: Block[] = [];
  readonly #entries: FormatEntry[] = [];
  #position: number;
  #preludeStart = -1;
  #preludeEnd = -1;
  /** Comments in the prelude, which are not part of a selector. */
  #hasComment = false;
  #hasErrors = false;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  finish(): FormatReading {
    if (this.#blocks.length > 0) this.#hasErrors = true;
    for (const entry of this.#entries) entry.end = Math.max(entry.end, this.#text.trimEnd().length);
    return { entries: this.#roots, hasErrors: this.#hasErrors };
  }

  step(): boolean {
    const text = this.#text;
    const start = this.#position;
    const unit = text[start];
    if (unit === undefined) return false;
    this.#position += 1;
    if (/\s/.test(unit)) return true;
    if (unit === "/" && this.#skipComment(start)) return true;
    if (unit === "{") this.#opening(start);
    else if (unit === "}") this.#closing(start);
    else if (unit === ";") this.#statement();
    else {
      if (this.#preludeStart === -1) this.#preludeStart = start;
      if (unit === '"' || unit === "'") this.#position = this.#stringEnd(start, unit);
      else if (unit === "(") this.#position = this.#parenthesisEnd(start);
      else if (unit === "\\") this.#position += 1;
      else if ((unit === "#" || unit === "@") && text[start + 1] === "{")
        this.#position = this.#interpolationEnd(start);
      else this.#word();
      this.#preludeEnd = Math.min(this.#position, text.length);
    }
    return true;
  }

  /** Most of a style sheet is words: one step each, not one a letter. */
  #word(): void {
    const text = this.#text;
    let end = this.#position;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
      if (!isLetter && !(code >= 0x30 && code <= 0x39) && code !== 0x2d && code !== 0x5f) break;
    }
    this.#position = end;
  }

  #skipComment(start: number): boolean {
    const next = this.#text[start + 1];
    const isLine = next === "/" && this.#dialect.hasLineComments;
    if (next !== "*" && !isLine) return false;
    const end = isLine ? "\n" : "*/";
    const found = this.#text.indexOf(end, start + 2);
    if (found === -1 && !isLine) this.#hasErrors = true;
    this.#position = found === -1 ? this.#text.length : found + end.length;
    this.#hasComment = true;
    return true;
  }

  #stringEnd(start: number, quote: string): number {
    const text = this.#text;
    for (let index = start + 1; index < text.length; index++) {
      if (text[index] === "\\") index += 1;
      else if (text[index] === quote) return index + 1;
      else if (text[index] === "\n") return index;
    }
    return text.length;
  }

  /** To the closing parenthesis of a value or a selector; braces before it are looked at as always. */
  #parenthesisEnd(start: number): number {
    const text = this.#text;
    const isUrl = /url$/i.test(text.slice(Math.max(0, start - 3), start));
    if (isUrl && !/^\s*["']/.test(text.slice(start + 1, start + 20))) {
      const found = text.indexOf(")", start);
      return found === -1 ? text.length : found + 1;
    }
    return start + 1;
  }

  #interpolationEnd(start: number): number {
    const text = this.#text;
    let depth = 0;
    for (let index = start + 1; index < text.length; index++) {
      if (text[index] === "{") depth += 1;
      else if (text[index] === "}" && (depth -= 1) === 0) return index + 1;
      else if (text[index] === ";" || text[index] === "\n") return index;
    }
    return text.length;
  }

  #takePrelude(): { readonly start: number; readonly end: number; readonly text: string } | null {
    const start = this.#preludeStart;
    const end = this.#preludeEnd;
    const hasComment = this.#hasComment;
    this.#preludeStart = -1;
    this.#hasComment = false;
    if (start === -1) return null;
    let text = this.#text.slice(start, Math.min(end, start + preludeLengthMax));
    if (hasComment) {
      text = text.replace(/\/\*[^]*?\*\//g, " ");
      if (this.#dialect.hasLineComments) text = text.replace(/(^|[\s,;{}])\/\/[^\n]*/g, "$1");
    }
    return { start, end, text: text.trim() };
  }

  #opening(start: number): void {
    const prelude = this.#takePrelude();
    const outer = this.#blocks.at(-1);
    const entry =
      prelude === null || outer?.isOpaque === true || this.#entries.length >= entryDepthMax
        ? null
        : entryOf(prelude, { bodyStart: start });
    if (entry !== null) {
      (this.#entries.at(-1)?.children ?? this.#roots).push(entry);
      this.#entries.push(entry);
    }
    const isOpaque =
      outer?.isOpaque === true ||
      /^@(?:-[a-z]+-)?(?:keyframes|font-face|property|page)\b/i.test(prelude?.text ?? "");
    this.#blocks.push({ entry, isOpaque });
  }

  #closing(start: number): void {
    this.#statement();
    const block = this.#blocks.pop();
    if (block === undefined) this.#hasErrors = true;
    if (!block?.entry) return;
    block.entry.end = start + 1;
    this.#entries.pop();
  }

  /** A declaration: of a custom property or of a variable it is an entry. */
  #statement(): void {
    const prelude = this.#takePrelude();
    if (prelude === null || this.#blocks.at(-1)?.isOpaque === true) return;
    const { start, end, text } = prelude;
    const { variable } = this.#dialect;
    const isFileLevel = this.#blocks.length === 0;
    const name =
      /^(--[^\s:]+)\s*:/.exec(text)?.[1] ?? (isFileLevel ? variable?.exec(text)?.[1] : undefined);
    if (name === undefined) return;
    const colon = this.#text.indexOf(":", start);
    const bodyStart = colon >= start && colon < end ? colon + 1 : end;
    const entry = newEntry({ name, kind: "const", start, end, bodyStart, signature: text });
    (this.#entries.at(-1)?.children ?? this.#roots).push(entry);
  }
}

function entryOf(
  prelude: { readonly start: number; readonly end: number; readonly text: string },
  { bodyStart }: { readonly bodyStart: number },
): FormatEntry | null {
  const { start, end } = prelude;
  const text = prelude.text.replace(/\s+/g, " ");
  const base = { start, end, bodyStart, signature: text };
  if (!text.startsWith("@")) {
    const isProperty = /^[\w-]+:$/.test(text) || text === "";
    return isProperty ? null : newEntry({ ...base, name: text, kind: "class" });
  }
  const named = namedRules.exec(text);
  if (named !== null) {
    const kind = /^(?:mixin|function)$/i.test(named[1] ?? "") ? "function" : "const";
    return newEntry({ ...base, name: named[2] ?? "", kind });
  }
  if (groupingRules.test(text)) return newEntry({ ...base, name: text, kind: "module" });
  return singleRules.test(text) ? newEntry({ ...base, name: text, kind: "const" }) : null;
}

/** CSS. */
export const css: FormatSyntax = {
  language: "css",
  scan: (text) => scanCss(text, { hasLineComments: false, variable: null }),
  ellipsis: "/* ... */",
};

/** SCSS: CSS with line comments, variables, mixins and functions. */
export const scss: FormatSyntax = {
  language: "scss",
  scan: (text) => scanCss(text, { hasLineComments: true, variable: /^(\$[\w-]+)\s*:/ }),
  ellipsis: "/* ... */",
};

/** Less: CSS with line comments and variables. */
export const less: FormatSyntax = {
  language: "less",
  scan: (text) => scanCss(text, { hasLineComments: true, variable: /^(@[\w-]+)\s*:/ }),
  ellipsis: "/* ... */",
};
