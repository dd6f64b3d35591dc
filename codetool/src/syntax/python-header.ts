/**
 * Takes a header out of a declaration of Python: what is before the colon that ends it, without comments.
 *
 * @returns All of the declaration without comments where there is no such colon.
 */
export function pythonHeader(declaration: string): string {
  let header = "";
  let depth = 0;
  let end = 0;
  for (const { 0: piece, index } of declaration.matchAll(
    /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|#[^\n]*|[([{}\]):]/g,
  )) {
    if (piece === ":" && depth === 0) return header + declaration.slice(end, index);
    if ("([{".includes(piece)) depth += 1;
    else if (")]}".includes(piece)) depth -= 1;
    else if (piece.startsWith("#")) {
      header += declaration.slice(end, index);
      end = index + piece.length;
    }
  }
  return header + declaration.slice(end);
}
