import { byteOffsetsOf } from "./byte-offsets.ts";
import { formatOf, skeletonOfFormat } from "./formats/index.ts";
import { type ParsedTree, parseForSymbols } from "./parse.ts";
import { shortComment } from "./short-comment.ts";
import type { SyntaxNode } from "./native.ts";
import type { LanguageSyntax } from "./rule.ts";
import type { CodeSymbol } from "./symbol.ts";

/** A stretch of the source, in UTF-8 bytes, and what stands for it in the skeleton. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Constants and statements of more lines are shortened. */
const wholeLineCountMax = 3;

/**
 * Shortens a source to its declarations.
 *
 * - The bodies of functions and methods become an ellipsis comment; types keep their members.
 * - Of a comment the first line stays; a licence at the head of the file goes.
 * - Of a constant or a plain statement over several lines the first and the last line stay, unless it defines something.
 *
 * @param text The source that the symbols were extracted from.
 * @param symbols What `extractSymbols` found in it.
 * @param language The language's name.
 * @returns The text itself when the language has no grammar and is no data format.
 */
export function skeletonOf(text: string, symbols: readonly CodeSymbol[], language: string): string {
  const format = formatOf(language);
  if (format !== undefined) return skeletonOfFormat(text, symbols, format);
  const parsed = parseForSymbols(text, language);
  if (parsed === null) return text;
  const bytes = Buffer.from(text, "utf8");
  const cuts = [
    ...symbolCuts(symbols, { bytes, syntax: parsed.syntax }),
    ...commentCuts(parsed, byteOffsetsOf(text)),
    ...statementCuts(parsed, { bytes, symbols, toBytes: byteOffsetsOf(text) }),
  ].sort((left, right) => left.start - right.start || right.end - left.end);
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, replacement } of cuts) {
    if (start < copied || end - start <= Buffer.byteLength(replacement)) continue;
    parts.push(bytes.toString("utf8", copied, start), replacement);
    copied = end;
  }
  parts.push(bytes.toString("utf8", copied));
  return parts
    .join("")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "");
}

function symbolCuts(
  symbols: readonly CodeSymbol[],
  source: { readonly bytes: Buffer; readonly syntax: LanguageSyntax },
): Cut[] {
  return symbols.flatMap((symbol) => {
    const { kind, bodyStartByte, endByte } = symbol;
    const isValue = kind === "const" && symbol.children.length === 0;
    if ((kind === "function" || kind === "method" || isValue) && bodyStartByte < endByte) {
      const body = source.bytes.toString("utf8", bodyStartByte, endByte);
      // A constant with a body is a property; its accessors on one line say what may be done with it.
      if (isValue && !body.includes("\n")) return [];
      return [bodyCut(body, { ...source, start: bodyStartByte, end: endByte })];
    }
    if (isValue) {
      const { bytes, syntax } = source;
      return longTextCut({
        bytes,
        ellipsis: syntax.ellipsis,
        start: symbol.startByte,
        end: endByte,
      });
    }
    return symbolCuts(symbol.children, source);
  });
}

/** Braces stay, and what stands after the closing one (`;` of a statement), and a closing word. */
function bodyCut(
  body: string,
  at: {
    readonly bytes: Buffer;
    readonly syntax: LanguageSyntax;
    readonly start: number;
    readonly end: number;
  },
): Cut {
  const { ellipsis, bodyClosing } = at.syntax;
  const closing = body.lastIndexOf("}");
  const isBraced = /^[{:]/.test(body) && closing > 0;
  const braceIndentation = /\n([ \t]*)\}[^}]*$/.exec(body)?.[1] ?? "";
  const gap = isToLineEnd(ellipsis) ? `\n${braceIndentation}` : " ";
  let replacement = isBraced
    ? `{ ${ellipsis}${gap}}${body.slice(closing + 1)}`
    : ellipsis + (/[;,\s]*$/.exec(body)?.[0] ?? "");
  if (bodyClosing !== undefined && body.endsWith(bodyClosing)) {
    const opening = /^do\b/.test(body) ? "do " : "";
    const indentation = /\n([ \t]*)\w+$/.exec(body)?.[1] ?? "";
    replacement = `${opening}${ellipsis}\n${indentation}${bodyClosing}`;
  }
  // A body on its own line comes up to the signature.
  let { start } = at;
  while (/\s/.test(String.fromCharCode(at.bytes[start - 1] ?? 0))) start -= 1;
  return { start, end: at.end, replacement: ` ${replacement}` };
}

/** Nothing that stands on the line after such a comment counts. */
function isToLineEnd(ellipsis: string): boolean {
  return /#|^(?:\/\/|--)/.test(ellipsis);
}

/** The first and the last line of a longer stretch. */
function longTextCut(at: {
  readonly bytes: Buffer;
  readonly ellipsis: string;
  readonly start: number;
  readonly end: number;
}): Cut[] {
  const text = at.bytes.toString("utf8", at.start, at.end);
  const lines = text.split("\n");
  if (lines.length <= wholeLineCountMax) return [];
  const first = (lines[0] ?? "").trimEnd();
  const last = (lines.at(-1) ?? "").trim();
  const gap = isToLineEnd(at.ellipsis) ? "\n" : " ";
  const comment = at.ellipsis.replace(/^\.\.\.\s*/, "");
  return [
    { ...at, replacement: `${first} ${comment}${gap}${/^[)\]}"'`]/.test(last) ? last : ""}` },
  ];
}

/** Each comment, or run of line comments, cut to its first line. */
function commentCuts(parsed: ParsedTree, toBytes: (unitOffset: number) => number): Cut[] {
  const { root, syntax, text } = parsed;
  const rules: object[] = syntax.commentKinds.map((kind) => ({ kind }));
  if (syntax.hasDocumentationStrings === true) {
    rules.push({
      all: [{ kind: "expression_statement" }, { nthChild: 1 }, { has: { kind: "string" } }],
    });
  }
  const runs: { start: number; end: number }[] = [];
  for (const node of root.findAll({ rule: { any: rules } })) {
    const { start, end } = rangeWithoutLineBreak(node, text);
    const last = runs.at(-1);
    if (last !== undefined && start < last.end) continue;
    if (last !== undefined && /^[ \t]*\r?\n[ \t]*$/.test(text.slice(last.end, start))) {
      last.end = end;
    } else {
      runs.push({ start, end });
    }
  }
  return runs.map(({ start, end }) => {
    const isHead = text.slice(0, start).trim() === "";
    return {
      start: toBytes(start),
      end: toBytes(end),
      replacement: shortComment(text.slice(start, end), { isHead }),
    };
  });
}

function rangeWithoutLineBreak(node: SyntaxNode, text: string): { start: number; end: number } {
  const range = node.range();
  let end = range.end.index;
  while (end > range.start.index && /[\r\n]/.test(text[end - 1] ?? "")) end -= 1;
  return { start: range.start.index, end };
}

/** Statements at file level in which nothing is defined. */
function statementCuts(
  { root, syntax }: ParsedTree,
  source: {
    readonly bytes: Buffer;
    readonly symbols: readonly CodeSymbol[];
    readonly toBytes: (unitOffset: number) => number;
  },
): Cut[] {
  const kinds = new Set(syntax.plainStatementKinds);
  if (kinds.size === 0) return [];
  const { bytes, symbols, toBytes } = source;
  return root.children().flatMap((node) => {
    if (!kinds.has(node.kind())) return [];
    const range = node.range();
    const start = toBytes(range.start.index);
    const end = toBytes(range.end.index);
    if (symbols.some((symbol) => symbol.startByte < end && start < symbol.endByte)) return [];
    return longTextCut({ bytes, ellipsis: syntax.ellipsis, start, end });
  });
}
