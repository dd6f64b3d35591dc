/** Splits `a.b.C` into `a.b` and `C`; without a separator the whole is the first. */
export function splitLast(
  path: string,
  separator: string,
): { readonly head: string; readonly last: string | null } {
  const at = path.lastIndexOf(separator);
  if (at <= 0) return { head: path, last: null };
  return { head: path.slice(0, at), last: path.slice(at + separator.length) };
}

/** An import of a dotted path whose last part is a name in it: `a.b.C`, `a.b.*`. */
export function dottedImport(path: string): {
  readonly specifier: string;
  readonly names: readonly string[];
} {
  const { head, last } = splitLast(path, ".");
  return { specifier: head, names: last === null ? [] : [last] };
}
