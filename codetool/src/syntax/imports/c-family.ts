import type { ImportReference } from "../import-reference.ts";
import type { ImportSyntax } from "./syntax.ts";

/** Comments and strings, which may hold what looks like an include; then the include itself. */
const includeOrSkipped =
  /\/\*[^]*?(?:\*\/|(?![^]))|\/\/[^\n]*|"(?:[^"\\\n]|\\[^])*"|^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*(?:"([^"\n]+)"|(<[^>\n]+>))/gm;

/**
 * Includes are read from the text: they count in every branch of `#if`, also where the parser sees only one.
 */
function includesOf(source: string): ImportReference[] {
  if (!/#[ \t]*(?:include|import)/.test(source)) return [];
  const found: ImportReference[] = [];
  let line1 = 1;
  let counted = 0;
  for (const match of source.matchAll(includeOrSkipped)) {
    const specifier = match[1] ?? match[2];
    if (specifier === undefined) continue;
    const at = match.index;
    for (let next = source.indexOf("\n", counted); next !== -1 && next < at;) {
      line1 += 1;
      counted = next + 1;
      next = source.indexOf("\n", counted);
    }
    found.push({ specifier: specifier.trim(), names: ["*"], line1, kind: "include" });
  }
  return found;
}

/** C and C++. */
export const cFamilyImports: ImportSyntax = {
  languages: ["c", "cpp"],
  matchers: [],
  begin: () => () => null,
  scan: includesOf,
};
