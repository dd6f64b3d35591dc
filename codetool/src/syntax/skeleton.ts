import { syntaxOf } from "./language-table.ts";
import type { CodeSymbol } from "./symbol.ts";

/**
 * Shortens a source to its declarations: the bodies of functions and methods become an ellipsis comment.
 *
 * Everything else stays as it is written: imports, types, members of classes, comments outside of bodies.
 *
 * @param text The source that the symbols were extracted from.
 * @param symbols What `extractSymbols` found in it.
 * @param language The language's name, for the form of its comments.
 * @returns The text itself when there is nothing to shorten.
 */
export function skeletonOf(text: string, symbols: readonly CodeSymbol[], language: string): string {
  const syntax = syntaxOf(language);
  if (syntax === undefined) return text;
  const bytes = Buffer.from(text, "utf8");
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of bodiesOf(symbols)) {
    if (start < copied) continue;
    const body = bytes.toString("utf8", start, end);
    const replacement = shortBody(body, syntax.ellipsis);
    if (replacement.length >= body.length) continue;
    parts.push(bytes.toString("utf8", copied, start).trimEnd(), " ", replacement);
    copied = end;
  }
  parts.push(bytes.toString("utf8", copied));
  return parts.join("");
}

/** Ranges of bodies in document order, outermost first; those inside another are skipped by the caller. */
function bodiesOf(symbols: readonly CodeSymbol[]): { start: number; end: number }[] {
  return symbols.flatMap((symbol) => {
    const isFunction = symbol.kind === "function" || symbol.kind === "method";
    if (isFunction && symbol.bodyStartByte < symbol.endByte) {
      return [{ start: symbol.bodyStartByte, end: symbol.endByte }];
    }
    return bodiesOf(symbol.children);
  });
}

/** Braces stay, and what stands after the closing one (`;` of a statement). */
function shortBody(body: string, ellipsis: string): string {
  const closing = body.lastIndexOf("}");
  if (/^[{:]/.test(body) && closing > 0) return `{ ${ellipsis} }${body.slice(closing + 1)}`;
  return ellipsis + (/[;,\s]*$/.exec(body)?.[0] ?? "");
}
