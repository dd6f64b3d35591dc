import {
  entryDepthMax,
  type FormatEntry,
  type FormatReading,
  type FormatSyntax,
  newEntry,
} from "./entry.ts";
import { FlowState } from "./yaml-flow.ts";
import { indentWidthOf, type TextLine, textLinesOf } from "./text-lines.ts";

/** Keys inside of keys that are entries. */
const keyDepthMax = 4;

/** What names an item of a list, when it is the first of these in it. */
const namingKeys = new Set(["name", "id", "key", "title", "uses", "repo"]);

/** An open mapping key, an open list item, or the document. */
interface Frame {
  readonly indent: number;
  readonly isItem: boolean;
  /** `null` for an item without a name, and for what lies too deep. */
  entry: FormatEntry | null;
  /** Entries around and with this one; unnamed frames hide what is in them. */
  readonly depth: number;
  readonly start: number;
  /** Keys of an unnamed item are not entries. */
  isHidden: boolean;
}

/** Finds the keys of a text in YAML, the documents where there are several, items with a name, and anchors. */
function scanYaml(text: string): FormatReading {
  const lines = textLinesOf(text);
  const reader = new YamlReader({ hasDocuments: countDocuments(lines) > 1 });
  for (const line of lines) reader.read(line);
  return { entries: reader.finish(), hasErrors: false };
}

/** Documents with something in them. */
function countDocuments(lines: readonly TextLine[]): number {
  let count = 0;
  let isFresh = true;
  for (const { text } of lines) {
    if (isDocumentMark(text)) {
      isFresh = true;
      if (!/^---[ \t]+[^#\s]/.test(text)) continue;
    }
    if (!isFresh || !/^[^#%\s]|^\s+[^#\s]/.test(text)) continue;
    count += 1;
    isFresh = false;
  }
  return count;
}

function isDocumentMark(line: string): boolean {
  return /^(?:---|\.\.\.)(?=\s|$)/.test(line);
}

class YamlReader {
  readonly #roots: FormatEntry[] = [];
  readonly #hasDocuments: boolean;
  readonly #frames: Frame[] = [];
  #document: FormatEntry | null = null;
  #documentCount = 0;
  #isFresh = true;
  #lastEnd = 0;
  /** Lines deeper than this belong to a value that has begun: a block scalar, a plain one over lines. */
  #valueIndent: number | null = null;
  #flow: FlowState | null = null;

  constructor(options: { readonly hasDocuments: boolean }) {
    this.#hasDocuments = options.hasDocuments;
  }

  read(line: TextLine): void {
    const { text } = line;
    const { columns, units } = indentWidthOf(text);
    const content = text.slice(units).trimEnd();
    if (content === "") return;
    if (isDocumentMark(text)) {
      this.#endDocument();
      this.#flow = null;
      this.#valueIndent = null;
      const rest = content.slice(3).trimStart();
      if (rest === "" || rest.startsWith("#")) return;
      this.#value(rest, { line, unit: text.indexOf(rest, 3), indent: -1 });
      this.#lastEnd = line.start + units + content.length;
      return;
    }
    if (this.#flow !== null) {
      if (this.#flow.read(text)) this.#flow = null;
      this.#lastEnd = line.start + text.trimEnd().length;
      return;
    }
    if (this.#valueIndent !== null) {
      if (columns > this.#valueIndent) {
        this.#lastEnd = line.start + units + content.length;
        return;
      }
      this.#valueIndent = null;
    }
    if (content.startsWith("#") || (columns === 0 && content.startsWith("%"))) return;
    // A template's line, that says what is written and is not written itself.
    if (/^\{\{.*\}\}$/.test(content)) return;
    this.#node(content, { line, unit: units, columns });
    this.#lastEnd = line.start + units + content.length;
  }

  finish(): readonly FormatEntry[] {
    this.#endDocument();
    return this.#roots;
  }

  #endDocument(): void {
    this.#closeWhile(() => true);
    if (this.#document !== null) this.#document.end = Math.max(this.#document.end, this.#lastEnd);
    this.#document = null;
    this.#isFresh = true;
  }

  /** A list item, or some inside of one another, or a key. */
  #node(content: string, at: { line: TextLine; unit: number; columns: number }): void {
    this.#beginDocument(at.line, at.unit);
    const { line } = at;
    let { unit, columns } = at;
    let rest = content;
    for (let depth = 0; /^-(?:[ \t]|$)/.test(rest) && depth < entryDepthMax; depth++) {
      this.#item({ indent: columns, start: line.start + unit });
      const gap = indentWidthOf(rest.slice(1));
      rest = rest.slice(1 + gap.units);
      unit += 1 + gap.units;
      columns += 1 + gap.columns;
      if (rest === "" || rest.startsWith("#")) return;
    }
    const key = readKey(rest);
    if (key === null) {
      // `? key` and its `: value` are a pair of their own.
      if (/^[?:](?:\s|$)/.test(rest)) return this.#closeWhile((frame) => frame.indent >= columns);
      return this.#value(rest, { line, unit, indent: this.#frames.at(-1)?.indent ?? -1 });
    }
    const value = rest.slice(key.length).trimStart();
    const valueUnit = unit + rest.length - value.length;
    this.#key(key.name, {
      value,
      indent: columns,
      start: line.start + unit,
      end: line.start + unit + rest.length,
      bodyStart: line.start + unit + key.length,
    });
    this.#value(value, { line, unit: valueUnit, indent: columns });
  }

  #beginDocument(line: TextLine, unit: number): void {
    if (!this.#isFresh) return;
    this.#isFresh = false;
    this.#documentCount += 1;
    if (!this.#hasDocuments) return;
    const start = line.start + unit;
    this.#document = newEntry({
      name: `document ${this.#documentCount}`,
      kind: "module",
      start,
      end: line.end,
      bodyStart: start,
      signature: line.text.trim(),
    });
    this.#roots.push(this.#document);
  }

  #item({ indent, start }: { readonly indent: number; readonly start: number }): void {
    this.#closeWhile((frame) => frame.indent > indent || (frame.indent === indent && frame.isItem));
    const outer = this.#frames.at(-1);
    this.#frames.push({
      indent,
      isItem: true,
      entry: null,
      depth: outer?.depth ?? 0,
      start,
      isHidden: outer?.isHidden ?? false,
    });
  }

  #key(
    name: string,
    at: { value: string; indent: number; start: number; end: number; bodyStart: number },
  ): void {
    const { value, indent, start, end, bodyStart } = at;
    this.#closeWhile((frame) => frame.indent >= indent);
    const outer = this.#frames.at(-1);
    if (outer !== undefined && outer.isItem) this.#nameItem(outer, { name, value, end });
    else if (outer?.entry) outer.entry.kind = "module";
    const isInUnnamed = outer?.isItem === true && outer.entry === null;
    const isHidden = outer?.isHidden === true || isInUnnamed;
    const depth = (outer?.depth ?? 0) + (outer?.isItem === true && outer.entry !== null ? 1 : 0);
    let entry: FormatEntry | null = null;
    if (!isHidden && depth < keyDepthMax && name !== "" && name !== "<<") {
      entry = newEntry({ name, kind: "const", start, end, bodyStart });
      this.#childrenAround().push(entry);
    }
    this.#frames.push({ indent, isItem: false, entry, depth: depth + 1, start, isHidden });
  }

  /** Makes an entry of a list item that says its name. */
  #nameItem(item: Frame, key: { name: string; value: string; end: number }): void {
    const list = this.#frames.at(-2);
    if (list?.entry) list.entry.kind = "module";
    if (item.entry !== null || item.isHidden || item.depth >= keyDepthMax) return;
    if (!namingKeys.has(key.name)) return;
    const name = scalarOf(key.value);
    if (name === "") return;
    const { start } = item;
    const entry = newEntry({
      name,
      kind: "module",
      start,
      end: key.end,
      bodyStart: start,
      signature: `- ${key.name}: ${name}`,
    });
    this.#childrenAround().push(entry);
    item.entry = entry;
  }

  /** Where an entry goes: into the nearest that is open. */
  #childrenAround(): FormatEntry[] {
    for (let index = this.#frames.length - 1; index >= 0; index--) {
      const entry = this.#frames[index]?.entry;
      if (entry) return entry.children;
    }
    return this.#document?.children ?? this.#roots;
  }

  #closeWhile(isClosed: (frame: Frame) => boolean): void {
    for (let frame = this.#frames.at(-1); frame !== undefined && isClosed(frame);) {
      if (frame.entry !== null) frame.entry.end = Math.max(frame.entry.end, this.#lastEnd);
      this.#frames.pop();
      frame = this.#frames.at(-1);
    }
  }

  /** What is after `key:` or `-`: an anchor, and what may go on over lines. */
  #value(value: string, at: { line: TextLine; unit: number; indent: number }): void {
    let own = value;
    let unit = at.unit;
    // An anchor and a tag, in any order; more are none.
    for (let count = 0; count < 2; count++) {
      const property = /^[&!][^\s,[\]{}]*(?:[ \t]+|$)/.exec(own);
      if (property === null) break;
      if (own.startsWith("&")) this.#anchor(property[0].slice(1).trimEnd(), at.line, unit);
      own = own.slice(property[0].length);
      unit += property[0].length;
    }
    if (own === "" || own.startsWith("#")) return;
    if (/^[|>]/.test(own) || !/^["'[{*]/.test(own)) {
      // A text that is not a mapping at all has no lines that could be keys.
      this.#valueIndent = at.indent < 0 && !/^[|>]/.test(own) ? null : at.indent;
      return;
    }
    if (own.startsWith("*")) return;
    const flow = new FlowState(own);
    if (!flow.read(own)) this.#flow = flow;
    if (own.startsWith("{") && !own.startsWith("{{")) {
      const key = this.#frames.at(-1);
      if (key?.entry && !key.isItem) key.entry.kind = "module";
    }
  }

  #anchor(name: string, line: TextLine, unit: number): void {
    const key = this.#frames.at(-1);
    if (name === "" || (key?.entry?.name === name && !key.isItem)) return;
    const start = line.start + unit;
    const end = line.start + line.text.trimEnd().length;
    this.#childrenAround().push(
      newEntry({ name, kind: "const", start, end, signature: line.text.trim() }),
    );
  }
}

/** Reads `key:`, plain or quoted, from where a node begins. */
function readKey(content: string): { readonly name: string; readonly length: number } | null {
  const quote = content[0];
  if (quote === '"' || quote === "'") {
    const end = closingQuote(content, quote);
    const colon = end === -1 ? null : /^[ \t]*:(?=\s|$)/.exec(content.slice(end + 1, end + 64));
    if (colon === null) return null;
    return { name: content.slice(1, end), length: end + 1 + colon[0].length };
  }
  if (quote === undefined || /^[[\]{},#|>@`%&*!]/.test(quote)) return readMarkedKey(content);
  for (let colon = content.indexOf(":"); colon !== -1; colon = content.indexOf(":", colon + 1)) {
    const next = content[colon + 1];
    if (next !== undefined && next !== " " && next !== "\t") continue;
    const name = content.slice(0, colon).trim();
    // What is after ` #` is a comment.
    return name.includes(" #") ? null : { name, length: colon + 1 };
  }
  return null;
}

/** `&anchor key:` and `<<: *alias` begin with marks; only a merge and a template are keys here. */
function readMarkedKey(content: string): { readonly name: string; readonly length: number } | null {
  const template = /^\{\{[^{}]*\}\}[^\s:]*:(?=\s|$)/.exec(content);
  if (template !== null) return { name: template[0].slice(0, -1), length: template[0].length };
  const anchored = /^[&!]\S+[ \t]+(?=[\w"'])/.exec(content);
  const key = anchored === null ? null : readKey(content.slice(anchored[0].length));
  return key === null ? null : { ...key, length: key.length + (anchored?.[0].length ?? 0) };
}

function closingQuote(content: string, quote: string): number {
  for (let index = 1; index < content.length; index++) {
    if (content[index] === "\\" && quote === '"') index += 1;
    else if (content[index] === quote) {
      if (quote === '"' || content[index + 1] !== "'") return index;
      index += 1;
    }
  }
  return -1;
}

/** A scalar on its line, without quotes and comment. */
function scalarOf(value: string): string {
  if (/^[|>&*!{[#]/.test(value) && !value.startsWith("{{")) return "";
  const quote = value[0];
  if (quote === '"' || quote === "'") {
    const end = closingQuote(value, quote);
    return end === -1 ? "" : value.slice(1, end).trim();
  }
  const comment = value.indexOf(" #");
  return (comment === -1 ? value : value.slice(0, comment)).trim();
}

/** YAML. */
export const yaml: FormatSyntax = { language: "yaml", scan: scanYaml, ellipsis: "# ..." };
