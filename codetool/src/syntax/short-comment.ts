/**
 * Cuts a comment to its first line of words, in the form it had.
 *
 * @param comment One comment, or a run of line comments, or a documentation string.
 * @param options.isHead It is the first thing in its file: a licence there goes.
 * @returns An empty text for a licence and for a comment without words.
 */
export function shortComment(comment: string, options: { readonly isHead: boolean }): string {
  if (options.isHead && /\b(?:licen[cs]ed?|copyright)\b/i.test(comment)) return "";
  const lines = comment.split("\n");
  if (lines.length === 1) return comment;
  const block = /^(\/\*+!?|[rRbBuU]*(?:"""|'''|"|'))/.exec(comment)?.[1];
  if (block === undefined) return firstWords(lines)?.trim() ?? "";
  const close = block.startsWith("/") ? " */" : block.slice(-(block.length > 2 ? 3 : 1));
  const words = firstWords(
    lines.map((line, index) => (index === 0 ? line.slice(block.length) : line)),
  );
  if (words === undefined) return "";
  const clean = words
    .replace(/^\s*\*?\s*/, "")
    .replace(/\s*(?:\*\/|"""|''')\s*$/, "")
    .trim();
  return `${block}${block.startsWith("/") ? " " : ""}${clean}${close}`;
}

/** The first line that has a letter or a digit. */
function firstWords(lines: readonly string[]): string | undefined {
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line));
}
