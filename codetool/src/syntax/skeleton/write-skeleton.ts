import { docLineOf } from "./doc-line.ts";
import type { LanguageSyntax } from "../rule.ts";
import type { CodeSymbol } from "../symbol.ts";

/** A comment, or line comments on lines in a row, in UTF-8 bytes. */
export interface CommentRun {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How much a skeleton says. */
export interface SkeletonDetail {
  /** What is of functions and values that a file or type hides, besides others that it does not. */
  readonly hiddenAs: "signatures" | "names";
  /** What has the first line of its documentation: `code` is functions and types. */
  readonly docsOf: "all" | "code" | "types";
  /** Characters of a line of documentation; what is longer ends with `…` at the end of a word. Default: any. */
  readonly docLengthMax?: number;
  /** What of a type is not a symbol: fields, variants, what it includes. */
  readonly hasFields: boolean;
}

/** What a skeleton is written from. */
export interface SkeletonSource {
  readonly bytes: Buffer;
  readonly syntax: LanguageSyntax;
  readonly runs: readonly CommentRun[];
  /** The comment that tells what the file is for. */
  readonly head: CommentRun | undefined;
  readonly detail: SkeletonDetail;
}

/** Values of longer text are left out. */
const valueLengthMax = 60;

/** Writes one line a signature, and the lines that go with it. */
export function writeSkeleton(symbols: readonly CodeSymbol[], source: SkeletonSource): string {
  const lines = new SkeletonLines(source);
  lines.writeFile(symbols);
  return `${lines.written.join("\n")}\n`;
}

class SkeletonLines {
  readonly written: string[] = [];
  readonly #source: SkeletonSource;
  readonly #comment: string;
  readonly #runsByStart: ReadonlyMap<number, CommentRun>;
  readonly #runsByEnd: ReadonlyMap<number, CommentRun>;
  readonly #saidRuns = new Set<CommentRun>();

  constructor(source: SkeletonSource) {
    this.#source = source;
    this.#comment = source.syntax.lineComment ?? "//";
    this.#runsByStart = new Map(source.runs.map((run) => [run.start, run]));
    this.#runsByEnd = new Map(source.runs.map((run) => [run.end, run]));
  }

  writeFile(symbols: readonly CodeSymbol[]): void {
    const { bytes, head } = this.#source;
    if (bytes.toString("latin1", 0, 5) === "<?php") this.written.push("<?php");
    const first = symbols[0];
    const isOfFirst = first !== undefined && this.#runAbove(first.startByte) === head;
    if (head !== undefined && !isOfFirst) {
      this.#saidRuns.add(head);
      this.written.push(`${this.#comment} ${docLineOf(head.text) ?? ""}`);
    }
    if (first === undefined) this.#writeFields({ start: 0, end: bytes.length, indentation: "" });
    else this.#writeAll(symbols, { indentation: "", isInHidden: false });
  }

  /** @param options.isInHidden They are members of a type that is hidden itself. */
  #writeAll(
    symbols: readonly CodeSymbol[],
    options: { readonly indentation: string; readonly isInHidden: boolean },
  ): void {
    const { indentation, isInHidden } = options;
    // What is all hidden is what there is to see.
    const isNaming =
      this.#source.detail.hiddenAs === "names" && (isInHidden || !symbols.every(isHidden));
    const hiddenNames: string[] = [];
    let isHiddenFrom = "";
    for (const symbol of symbols) {
      if (isNaming && isHidden(symbol) && !isType(symbol)) {
        if (symbol.kind !== "const") hiddenNames.push(symbol.name);
        continue;
      }
      const before = this.written.length;
      this.#write(symbol, { indentation, isInHidden: isNaming && isHidden(symbol) });
      // Several names of one declaration say the same.
      const text = this.written.slice(before).join("\n");
      if (text === isHiddenFrom) this.written.length = before;
      isHiddenFrom = text;
    }
    const names = [...new Set(hiddenNames)].join(", ");
    if (names !== "") this.written.push(`${indentation}${this.#comment} private: ${names}`);
  }

  /** @param options.isInHidden What is in it is in a hidden type. */
  #write(
    symbol: CodeSymbol,
    options: { readonly indentation: string; readonly isInHidden: boolean },
  ): void {
    const { indentation, isInHidden } = options;
    const { syntax, detail } = this.#source;
    const { children } = symbol;
    const doc = this.#docOf(symbol);
    const body = this.#text(symbol.bodyStartByte, symbol.endByte).trim();
    const isValue = isSimpleValue(symbol);
    const isFunction = symbol.kind === "function" || symbol.kind === "method";
    const hasBody = body !== "" && !(isValue && !body.includes("{"));
    let line = `${indentation}${this.#signatureOf(symbol, { hasBody })}`;
    // In Python the documentation is inside; behind the signature it takes no line of its own.
    const isBehind = syntax.hasDocumentationStrings === true;
    const remark = isBehind && doc !== undefined ? `  ${this.#comment} ${doc}` : "";
    if (!isBehind && doc !== undefined) this.written.push(`${indentation}${this.#comment} ${doc}`);
    if (!hasBody) {
      this.written.push(`${line}${line.endsWith("…") ? "" : this.#separatorOf(symbol)}${remark}`);
      if (!isFunction) this.#writeAll(children, { indentation: `${indentation}  `, isInHidden });
      return;
    }
    const closing = this.#closingOf(body);
    const isOneLine = !body.includes("\n") && body.length <= valueLengthMax;
    if (!isFunction && children.length === 0 && isOneLine && detail.hasFields) {
      this.written.push(`${line} ${body}${remark}`);
      return;
    }
    const hasInside = !isFunction && (children.length > 0 || detail.hasFields);
    const { length: before } = this.written;
    this.written.push(`${line}${body.startsWith("{") ? " {" : ""}${remark}`);
    if (hasInside && !isValue) this.#writeInside(symbol, { closing, indentation, isInHidden });
    if (this.written.length > before + 1) {
      if (closing !== "") this.written.push(`${indentation}${closing}`);
      return;
    }
    this.written.length = before;
    // A comment to the end of the line has what closes on the next one.
    const isToLineEnd = syntax.ellipsis.startsWith(this.#comment);
    const isBraced = body.startsWith("{");
    line += isBraced ? ` {${isToLineEnd ? " " : ""}${syntax.ellipsis}` : ` ${syntax.ellipsis}`;
    this.written.push(`${line}${isBraced && !isToLineEnd ? closing : ""}${remark}`);
    if (closing !== "" && (isToLineEnd || !isBraced)) this.written.push(`${indentation}${closing}`);
  }

  /** The symbols in a body and, between them, what is none. */
  #writeInside(
    symbol: CodeSymbol,
    at: { readonly closing: string; readonly indentation: string; readonly isInHidden: boolean },
  ): void {
    const indentation = `${at.indentation}  `;
    const { children } = symbol;
    if (this.#source.detail.hasFields) {
      const opening = /^\s*\{/.exec(this.#text(symbol.bodyStartByte, symbol.endByte))?.[0] ?? "";
      let start = symbol.bodyStartByte + opening.length;
      const end = symbol.endByte - at.closing.length;
      for (const child of children) {
        this.#writeFields({ start, end: child.startByte, indentation });
        start = Math.max(start, child.endByte);
      }
      if (children.length === 0) this.#writeFields({ start, end, indentation });
    }
    this.#writeAll(children, { indentation, isInHidden: at.isInHidden });
  }

  /** The outermost lines of a stretch, without comments. */
  #writeFields(at: {
    readonly start: number;
    readonly end: number;
    readonly indentation: string;
  }): void {
    const { runs } = this.#source;
    let text = "";
    let { start } = at;
    for (let index = firstFrom(runs, start); index < runs.length; index += 1) {
      const run = runs[index] as CommentRun;
      if (run.end > at.end) break;
      text += this.#text(start, run.start);
      start = run.end;
    }
    text += this.#text(start, at.end);
    const lines = text.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line));
    const depth = lines.reduce((least, line) => Math.min(least, line.search(/\S/)), Infinity);
    for (const line of lines)
      if (line.search(/\S/) === depth) this.written.push(`${at.indentation}${line.trim()}`);
  }

  #signatureOf(symbol: CodeSymbol, { hasBody }: { readonly hasBody: boolean }): string {
    const { signature, startByte, bodyStartByte, endLine1, startLine1 } = symbol;
    if (symbol.kind === "const" && !hasBody) {
      const isWhole = endLine1 === startLine1 && !/[([{]$/.test(signature);
      const isShort = isWhole && signature.length <= valueLengthMax;
      const equals = signature.search(/(?<![=!<>:]):?=(?![=>])/);
      return isShort || equals === -1 ? signature : `${signature.slice(0, equals).trimEnd()} = …`;
    }
    if (!hasBody) return signature;
    if (this.#source.syntax.hasDocumentationStrings === true) return `${signature}:`;
    const before = this.#text(Math.max(startByte, bodyStartByte - 40), bodyStartByte).trimEnd();
    const mark = /(?:=>?|\bdo|\bwhere)$/.exec(before)?.[0] ?? "";
    return mark === "" || signature.endsWith(mark) ? signature : `${signature} ${mark}`;
  }

  /** What closes a body on its own line. */
  #closingOf(body: string): string {
    const { bodyClosing } = this.#source.syntax;
    if (body.startsWith("{")) return /\}[;,)\s]*$/.exec(body)?.[0].trim() ?? "}";
    return bodyClosing !== undefined && body.endsWith(bodyClosing) ? bodyClosing : "";
  }

  /** What ends the declaration, where anything does. */
  #separatorOf({ endByte }: CodeSymbol): string {
    return this.#text(endByte - 1, endByte + 1).includes(";") ? ";" : "";
  }

  #docOf(symbol: CodeSymbol): string | undefined {
    const { docLengthMax = Infinity } = this.#source.detail;
    const doc = this.#wholeDocOf(symbol);
    if (doc === undefined || doc.length <= docLengthMax) return doc;
    return `${doc.slice(0, docLengthMax).replace(/\W*\s\S*$/, "")}…`;
  }

  #wholeDocOf(symbol: CodeSymbol): string | undefined {
    const { docsOf } = this.#source.detail;
    if (docsOf === "types" && !isType(symbol)) return undefined;
    if (docsOf === "code" && isSimpleValue(symbol)) return undefined;
    const run = this.#runInside(symbol) ?? this.#runAbove(symbol.startByte);
    if (run !== undefined && this.#saidRuns.has(run)) return undefined;
    if (run !== undefined) this.#saidRuns.add(run);
    return run === undefined ? this.#attributeDocOf(symbol) : docLineOf(run.text);
  }

  /** The comment right above, no empty line between. */
  #runAbove(startByte: number): CommentRun | undefined {
    const gap = /\s*$/.exec(this.#text(Math.max(0, startByte - 200), startByte))?.[0] ?? "";
    if ((gap.match(/\n/g)?.length ?? 0) > 1) return undefined;
    return this.#runsByEnd.get(startByte - gap.length);
  }

  /** The documentation string that a body begins with. */
  #runInside({ bodyStartByte, endByte }: CodeSymbol): CommentRun | undefined {
    if (this.#source.syntax.hasDocumentationStrings !== true) return undefined;
    const head = this.#text(bodyStartByte, Math.min(endByte, bodyStartByte + 200));
    const run = this.#runsByStart.get(bodyStartByte + (/^\s*/.exec(head)?.[0].length ?? 0));
    return run !== undefined && /^[rRbBuU]*['"]/.test(run.text) ? run : undefined;
  }

  /** Elixir documents by an attribute, which is part of what it documents. */
  #attributeDocOf({ startByte, endByte }: CodeSymbol): string | undefined {
    const start = this.#text(startByte, Math.min(endByte, startByte + 400));
    const text = /^@(?:type)?doc\s+(?:~[sS])?("""\s[^]*|"[^"\n]*")/.exec(start)?.[1];
    return text === undefined ? undefined : docLineOf(text);
  }

  #text(start: number, end: number): string {
    return this.#source.bytes.toString("utf8", start, Math.max(start, end));
  }
}

/** The index of the first comment that begins at an offset or after it; they are in order. */
function firstFrom(runs: readonly CommentRun[], start: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((runs[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A constant or a field, with nothing in it that is a symbol. */
function isSimpleValue({ kind, children }: CodeSymbol): boolean {
  return kind === "const" && children.length === 0;
}

/** Nobody outside of the file or type may use it; `pub(crate)`, `internal` and the like are for those next to it. */
function isHidden({ isExported, name, signature }: CodeSymbol): boolean {
  const modifiers = signature.slice(0, Math.max(0, signature.indexOf(name)));
  return !isExported && !/\b(?:pub|internal|protected|package)\b/.test(modifiers);
}

function isType({ kind }: CodeSymbol): boolean {
  return kind !== "const" && kind !== "function" && kind !== "method";
}
