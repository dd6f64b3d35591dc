import { type FormatEntry, type FormatReading, type FormatSyntax, newEntry } from "./entry.ts";
import { indentWidthOf, type TextLine, textLinesOf } from "./text-lines.ts";

/** Elements that keep Markdown from being read up to the next empty line. */
const blockElements =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)/i;

/** A block of HTML whose end is its own text, not an empty line. */
const rawElement = /^<(script|pre|style|textarea)(?=[\s>]|$)/i;

/** A line with only a tag. */
const loneTag = /^<\/?[a-z][\w-]*(?:\s[^<>]*)?>\s*$/i;

const listMarker = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;

interface Fence {
  readonly mark: string;
  readonly length: number;
  /** Columns of the list item it is in; less than that ends it. */
  readonly itemColumns: number;
}

/** Finds the sections of a text in Markdown (ATX and setext headings); fenced code, HTML and front matter hold none. */
function scanMarkdown(text: string): FormatReading {
  const lines = textLinesOf(text);
  const reader = new MarkdownReader();
  for (let index = frontMatterLines(lines); index < lines.length; index++)
    reader.read(lines[index] as TextLine);
  reader.finish();
  return { entries: reader.entries, hasErrors: false };
}

/** How many lines `---` … `---` (YAML) or `+++` … `+++` (TOML) at the head of a text takes. */
function frontMatterLines(lines: readonly TextLine[]): number {
  const mark = lines[0]?.text.trimEnd();
  if (mark !== "---" && mark !== "+++") return 0;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]?.text.trimEnd();
    if (line === mark || (mark === "---" && line === "...")) return index + 1;
  }
  return 0;
}

class MarkdownReader {
  readonly entries: FormatEntry[] = [];
  readonly #open: { readonly level: number; readonly entry: FormatEntry }[] = [];
  #lastEnd = 0;
  #fence: Fence | null = null;
  /** What ends the HTML the reader is in: a text, or `""` for an empty line. */
  #htmlEnd: string | null = null;
  /** The lines that a setext underline would make a heading. */
  #paragraph: TextLine[] = [];
  /** Where the text before it ended. */
  #endBeforeParagraph = 0;
  /** The line before is text that an underline belongs not to: a list item's, a quotation's. */
  #isLazy = false;
  readonly #items: number[] = [];

  read(line: TextLine): void {
    const content = line.text.trim();
    const { columns } = indentWidthOf(line.text);
    this.#readLine(line, { content, columns });
    if (content !== "") this.#lastEnd = line.start + line.text.trimEnd().length;
  }

  finish(): void {
    this.#closeTo(0);
  }

  #readLine(line: TextLine, at: { readonly content: string; readonly columns: number }): void {
    const { content, columns } = at;
    if (this.#fence !== null && this.#isInFence(at)) return;
    if (this.#htmlEnd !== null) return this.#readHtml(content);
    if (content === "") return this.#endParagraph();
    while ((this.#items.at(-1) ?? 0) > columns && !this.#isLazy) this.#items.pop();
    if (this.#opensFence(content, columns)) return this.#endParagraph();
    // Four columns are code, unless they continue a paragraph.
    if (columns >= 4 && (this.#items.at(-1) ?? 0) <= columns - 4) {
      if (this.#paragraph.length > 0) this.#paragraph.push(line);
      return;
    }
    if (this.#opensHtml(content)) return this.#readHtml(content);
    const isInItem = columns >= (this.#items.at(-1) ?? Number.POSITIVE_INFINITY);
    if (!isInItem && this.#isHeading(line, content)) return;
    if (content.startsWith(">") || listMarker.test(content)) return this.#readMarker(line, at);
    if (this.#isLazy || isInItem) return;
    if (this.#paragraph.length === 0) this.#endBeforeParagraph = this.#lastEnd;
    this.#paragraph.push(line);
  }

  #isInFence({
    content,
    columns,
  }: {
    readonly content: string;
    readonly columns: number;
  }): boolean {
    const fence = this.#fence as Fence;
    const run = runLength(content, fence.mark);
    if (run >= fence.length && content.length === run) {
      this.#fence = null;
      return true;
    }
    const hasLeft = content !== "" && columns < fence.itemColumns;
    if (hasLeft) this.#fence = null;
    return !hasLeft;
  }

  #opensFence(content: string, columns: number): boolean {
    const own = content.replace(/^(?:[-+*]|\d{1,9}[.)])[ \t]+/, "");
    const mark = own[0] ?? "";
    if (mark !== "`" && mark !== "~") return false;
    const length = runLength(own, mark);
    if (length < 3 || (mark === "`" && own.indexOf("`", length) !== -1)) return false;
    // A fence ends the paragraph of an item that it is not in.
    while ((this.#items.at(-1) ?? 0) > columns) this.#items.pop();
    const inItem = own.length < content.length;
    const itemColumns = inItem ? columns + 2 : (this.#items.at(-1) ?? 0);
    if (columns >= 4 && itemColumns === 0) return false;
    this.#fence = { mark, length, itemColumns: Math.min(itemColumns, columns + 2) };
    return true;
  }

  #opensHtml(content: string): boolean {
    if (!content.startsWith("<")) return false;
    if (content.startsWith("<!--")) this.#htmlEnd = "-->";
    else if (rawElement.test(content)) this.#htmlEnd = `</${rawElement.exec(content)?.[1]}>`;
    else if (blockElements.test(content)) this.#htmlEnd = "";
    else if (this.#paragraph.length === 0 && loneTag.test(content)) this.#htmlEnd = "";
    return this.#htmlEnd !== null;
  }

  #readHtml(content: string): void {
    this.#endParagraph();
    const end = this.#htmlEnd as string;
    const isEnd = end === "" ? content === "" : content.toLowerCase().includes(end.toLowerCase());
    if (isEnd) this.#htmlEnd = null;
  }

  #readMarker(line: TextLine, { content, columns }: { content: string; columns: number }): void {
    this.#endParagraph();
    this.#isLazy = true;
    const marker = listMarker.exec(content)?.[0];
    if (marker === undefined) return;
    const { columns: gap } = indentWidthOf(content.slice(marker.length));
    const own = columns + marker.length + (gap >= 1 && gap <= 4 ? gap : 1);
    while ((this.#items.at(-1) ?? 0) > columns) this.#items.pop();
    if (this.#items.length < 64 && line.text !== "") this.#items.push(own);
  }

  #isHeading(line: TextLine, content: string): boolean {
    const level = runLength(content, "#");
    if (level >= 1 && level <= 6 && /^[ \t]|^$/.test(content[level] ?? "")) {
      this.#endParagraph();
      const name = withoutClosing(content.slice(level));
      this.#section(level, { name, start: line.start, headEnd: line.end });
      return true;
    }
    const mark = content[0];
    if ((mark !== "=" && mark !== "-") || runLength(content, mark) !== content.length) return false;
    // What a table ends with is a rule.
    const isTable = this.#paragraph.some(({ text }) => /^\s*\|/.test(text));
    const first = isTable ? undefined : this.#paragraph[0];
    if (first === undefined) {
      // Three dashes are a rule; a single one is an empty list item.
      if (content.length >= 3) this.#endParagraph();
      return content.length >= 3;
    }
    const name = this.#paragraph.map((each) => each.text.trim()).join(" ");
    this.#lastEnd = this.#endBeforeParagraph;
    this.#endParagraph();
    this.#section(mark === "=" ? 1 : 2, { name, start: first.start, headEnd: line.end });
    return true;
  }

  #section(
    level: number,
    head: { readonly name: string; readonly start: number; readonly headEnd: number },
  ): void {
    const outer = this.#open.findIndex((each) => each.level >= level);
    this.#closeTo(outer === -1 ? this.#open.length : outer);
    this.#items.length = 0;
    const { name, start, headEnd } = head;
    if (name === "") return;
    const entry = newEntry({
      name,
      kind: "module",
      start,
      end: headEnd,
      bodyStart: headEnd,
      signature: `${"#".repeat(level)} ${name}`,
    });
    (this.#open.at(-1)?.entry.children ?? this.entries).push(entry);
    this.#open.push({ level, entry });
  }

  #closeTo(count: number): void {
    while (this.#open.length > count) {
      const entry = this.#open.pop()?.entry;
      if (entry !== undefined) entry.end = Math.max(entry.end, this.#lastEnd);
    }
  }

  #endParagraph(): void {
    this.#paragraph = [];
    this.#isLazy = false;
  }
}

function runLength(text: string, mark: string): number {
  let length = 0;
  while (text[length] === mark) length += 1;
  return length;
}

/** Cuts the `##` that may close an ATX heading. */
function withoutClosing(heading: string): string {
  const own = heading.trim();
  let end = own.length;
  while (own[end - 1] === "#") end -= 1;
  if (end === own.length) return own;
  return end === 0 || /[ \t]/.test(own[end - 1] ?? "") ? own.slice(0, end).trim() : own;
}

/** Markdown. */
export const markdown: FormatSyntax = {
  language: "markdown",
  scan: scanMarkdown,
  ellipsis: "…",
};
