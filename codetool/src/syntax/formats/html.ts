import { css } from "./css.ts";
import {
  entryDepthMax,
  type FormatEntry,
  type FormatReading,
  type FormatSyntax,
  newEntry,
} from "./entry.ts";

/** Elements without content. */
const voidElements = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
/** Elements whose content is text up to their own end. */
const rawElements = new Set(["script", "style", "textarea", "title", "xmp", "plaintext"]);
const landmarks = new Set(["main", "nav", "header", "footer", "aside"]);
/** Elements that are entries when a label or a name says what they are. */
const labelled = new Set(["section", "article", "form", "dialog", "template", "slot", "fieldset"]);
const headingElement = /^h[1-6]$/;
const nameLengthMax = 200;

/** An element that is open. */
interface OpenElement {
  readonly tag: string;
  readonly entry: FormatEntry | null;
  readonly contentStart: number;
}

/** Finds the headings, the elements with an `id`, the landmarks and the title of a text in HTML, and style sheets' rules. */
function scanHtml(text: string): FormatReading {
  const reader = new HtmlReader(text);
  while (reader.step());
  return reader.finish();
}

class HtmlReader {
  readonly #text: string;
  readonly #roots: FormatEntry[] = [];
  readonly #elements: OpenElement[] = [];
  readonly #entries: FormatEntry[] = [];
  /** How many elements of a name are open: an end tag without one is skipped at once. */
  readonly #openCounts = new Map<string, number>();
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  finish(): FormatReading {
    const end = this.#text.trimEnd().length;
    while (this.#elements.length > 0) this.#pop(end);
    return { entries: this.#roots, hasErrors: false };
  }

  step(): boolean {
    const text = this.#text;
    const start = text.indexOf("<", this.#position);
    if (start === -1) return false;
    const next = text.charCodeAt(start + 1);
    if (next === 0x21) this.#position = this.#declarationEnd(start);
    else if (next === 0x3f) this.#position = after(text, "?>", start);
    else if (next === 0x2f) this.#endTag(start);
    else if ((next | 0x20) >= 0x61 && (next | 0x20) <= 0x7a) this.#startTag(start);
    else this.#position = start + 1;
    return true;
  }

  #declarationEnd(start: number): number {
    if (this.#text.startsWith("<!--", start)) return after(this.#text, "-->", start + 4);
    if (this.#text.startsWith("<![CDATA[", start)) return after(this.#text, "]]>", start + 9);
    return after(this.#text, ">", start);
  }

  #endTag(start: number): void {
    const end = after(this.#text, ">", start);
    this.#position = end;
    const tag = /^[a-z][^\s/>]*/i.exec(this.#text.slice(start + 2, Math.min(end, start + 80)))?.[0];
    if (tag !== undefined) this.#close(tag.toLowerCase(), { start, end });
  }

  #close(tag: string, at: { readonly start: number; readonly end: number }): void {
    if ((this.#openCounts.get(tag) ?? 0) === 0) return;
    while (this.#elements.at(-1)?.tag !== tag) this.#pop(at.start);
    this.#pop(at.end, at.start);
  }

  /** @param contentEnd Where the content ends, when the element's own end tag closes it. */
  #pop(end: number, contentEnd = -1): void {
    const element = this.#elements.pop() as OpenElement;
    this.#openCounts.set(element.tag, (this.#openCounts.get(element.tag) ?? 1) - 1);
    const { entry } = element;
    if (entry === null) return;
    const own = this.#text.slice(entry.start, end).trimEnd().length;
    entry.end = Math.max(entry.end, entry.start + own);
    this.#entries.pop();
    if (headingElement.test(element.tag)) this.#heading({ ...element, entry }, contentEnd);
  }

  #startTag(start: number): void {
    const { name, attributes, end, isSelfClosing } = readTag(this.#text, start);
    this.#position = end;
    const tag = name.toLowerCase();
    if (rawElements.has(tag) && !isSelfClosing) return this.#raw(tag, { start, end, attributes });
    const isHeading = headingElement.test(tag);
    const entry = isHeading
      ? this.#emptyHeading(attributes, { start, end })
      : entryOf(tag, attributes, { start, end });
    const isAdded = entry !== null && this.#entries.length < entryDepthMax;
    if (isAdded && !isHeading) this.#children().push(entry);
    const anchor =
      tag === "a" && attributes.get("id") === undefined ? attributes.get("name") : undefined;
    if (anchor !== undefined && anchor !== "")
      this.#children().push(newEntry({ name: anchor, kind: "const", start, end }));
    if (voidElements.has(tag) || isSelfClosing) return;
    if (isAdded) this.#entries.push(entry);
    this.#elements.push({ tag, entry: isAdded ? entry : null, contentStart: end });
    this.#openCounts.set(tag, (this.#openCounts.get(tag) ?? 0) + 1);
  }

  #children(): FormatEntry[] {
    const outer = this.#entries.at(-1);
    return outer?.children ?? this.#roots;
  }

  /** A heading's name is known when it ends; what it holds by then is kept. */
  #emptyHeading(
    attributes: ReadonlyMap<string, string>,
    { start, end }: { readonly start: number; readonly end: number },
  ): FormatEntry {
    const heading = newEntry({ name: "", kind: "module", start, end, bodyStart: end });
    const id = attributes.get("id") ?? "";
    if (id !== "") heading.children.push(newEntry({ name: id, kind: "const", start, end }));
    return heading;
  }

  /** A heading that nothing closes or that says nothing gives what is in it, and is not an entry. */
  #heading(element: OpenElement & { readonly entry: FormatEntry }, contentEnd: number): void {
    const { entry, contentStart, tag } = element;
    const lengthMax = 16 * nameLengthMax;
    const content = this.#text.slice(contentStart, Math.min(contentEnd, contentStart + lengthMax));
    const name = contentEnd === -1 ? "" : wordsOf(content);
    if (name === "") this.#children().push(...entry.children);
    else this.#children().push({ ...entry, name, signature: `<${tag}>${name}</${tag}>` });
  }

  /** A script, a style sheet or a title: its text goes up to its own end tag. */
  #raw(
    tag: string,
    at: {
      readonly start: number;
      readonly end: number;
      readonly attributes: ReadonlyMap<string, string>;
    },
  ): void {
    const text = this.#text;
    const close = endTagOf(text, { tag, from: at.end });
    const end = close === -1 ? text.length : after(text, ">", close);
    const contentEnd = close === -1 ? text.length : close;
    this.#position = end;
    const base = { start: at.start, end, bodyStart: at.end };
    const id = at.attributes.get("id") ?? "";
    const content = text.slice(at.end, contentEnd);
    if (tag === "style") {
      const rules = css.scan(content).entries.map((rule) => moved(rule, at.end));
      const style = newEntry({ ...base, name: id === "" ? tag : id, kind: "module" });
      style.children.push(...rules);
      if (rules.length > 0) this.#children().push(style);
      return;
    }
    const name = tag === "title" ? wordsOf(content.slice(0, 4 * nameLengthMax)) : id;
    if (name !== "") this.#children().push(newEntry({ ...base, name, kind: "const" }));
  }
}

/** Where `</tag` is, in any case of letters; -1 when nowhere. */
function endTagOf(text: string, at: { readonly tag: string; readonly from: number }): number {
  const { tag, from } = at;
  for (let found = text.indexOf("</", from); found !== -1; found = text.indexOf("</", found + 2)) {
    const name = text.slice(found + 2, found + 2 + tag.length).toLowerCase();
    if (name === tag && /[\s/>]|^$/.test(text[found + 2 + tag.length] ?? "")) return found;
  }
  return -1;
}

/** The entry an element is: by its `id`, its label, its name, or its part in the page. */
function entryOf(
  tag: string,
  attributes: ReadonlyMap<string, string>,
  { start, end }: { readonly start: number; readonly end: number },
): FormatEntry | null {
  const base = { start, end, bodyStart: end };
  const id = attributes.get("id") ?? "";
  const isLandmark = landmarks.has(tag);
  const label = attributes.get("aria-label") ?? "";
  if (id !== "") return newEntry({ ...base, name: id, kind: isLandmark ? "module" : "const" });
  if (isLandmark) return newEntry({ ...base, name: label === "" ? tag : label, kind: "module" });
  const name = label === "" ? (attributes.get("name") ?? "") : label;
  if (!labelled.has(tag) || name === "") return null;
  return newEntry({ ...base, name, kind: "module" });
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
  readonly isSelfClosing: boolean;
}

const noAttributes: ReadonlyMap<string, string> = new Map();

/** Reads a start tag with those attributes that an entry is made of. */
function readTag(text: string, start: number): Tag {
  let index = start + 1;
  while (index < text.length && !isTagBreak(text.charCodeAt(index))) index += 1;
  const name = text.slice(start + 1, index);
  let attributes: Map<string, string> | null = null;
  for (;;) {
    while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
    const unit = text[index];
    if (unit === undefined || unit === ">" || unit === "<") break;
    if (unit === "/") {
      index += 1;
      continue;
    }
    const nameStart = index;
    index += 1;
    while (index < text.length && text[index] !== "=" && !isTagBreak(text.charCodeAt(index)))
      index += 1;
    const attribute = text.slice(nameStart, index);
    while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
    if (text[index] !== "=") continue;
    const value = readValue(text, index + 1);
    index = value.end;
    if (!/^(?:id|name|aria-label)$/i.test(attribute)) continue;
    attributes ??= new Map();
    const own = wordsOf(value.text.slice(0, 4 * nameLengthMax));
    if (!attributes.has(attribute.toLowerCase())) attributes.set(attribute.toLowerCase(), own);
  }
  const isSelfClosing = text[index - 1] === "/";
  const end = text[index] === ">" ? index + 1 : index;
  return {
    name,
    attributes: attributes ?? noAttributes,
    end: Math.max(end, start + 1),
    isSelfClosing,
  };
}

function readValue(text: string, from: number): { readonly text: string; readonly end: number } {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  const quote = text[index];
  if (quote === '"' || quote === "'") {
    const found = text.indexOf(quote, index + 1);
    const end = found === -1 ? text.length : found;
    return { text: text.slice(index + 1, end), end: Math.min(end + 1, text.length) };
  }
  const start = index;
  while (index < text.length && text[index] !== ">" && !isSpace(text.charCodeAt(index))) index += 1;
  return { text: text.slice(start, index), end: index };
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isTagBreak(code: number): boolean {
  return isSpace(code) || code === 0x2f || code === 0x3e || code === 0x3c;
}

const entities: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
  "#160": " ",
};

/** What a reader sees of marked-up text, on one line. */
function wordsOf(markup: string): string {
  return markup
    .replace(/<[^<>]*>/g, "")
    .replace(/&(#?\w{1,8});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, nameLengthMax);
}

/** The place after the next `mark`, or the end of the text. */
function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

/** An entry of a text inside of this one, put where it is here. */
function moved(entry: FormatEntry, by: number): FormatEntry {
  return {
    ...entry,
    start: entry.start + by,
    end: entry.end + by,
    bodyStart: entry.bodyStart === null ? null : entry.bodyStart + by,
    children: entry.children.map((child) => moved(child, by)),
  };
}

/** HTML. */
export const html: FormatSyntax = { language: "html", scan: scanHtml, ellipsis: "<!-- ... -->" };
