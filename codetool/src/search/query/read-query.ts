/** The ways to answer a query that this build serves. */
export type SearchMode = "literal" | "bm25" | "hybrid" | "semantic" | "structural";

/** How a query without a mode flag is taken. */
export interface QueryReading {
  /** `pattern` is literal mode with a regular expression. */
  readonly way: "literal" | "pattern" | "bm25" | "structural";
  /** The mode that such a query names, where this build answers with another. */
  readonly unserved: "hybrid" | null;
}

const metavariable = /(?:^|[^\\\w$])\${1,3}[A-Z_][A-Z0-9_]*\b|\$\$\$/;
const patternCharacter = /[\\^$*+()[\]{}|]/;
const wordCountOfQuestion = 3;

/**
 * Reads what a query without a mode flag means: metavariables ask for structure, metacharacters other than `.` and `?`
 * for a pattern, one or two words for a text as it is written, and three or more for what they are about.
 */
export function readQuery(query: string): QueryReading {
  if (metavariable.test(query)) return { way: "structural", unserved: null };
  if (patternCharacter.test(query)) return { way: "pattern", unserved: null };
  const wordCount = query.trim().split(/\s+/).length;
  if (wordCount < wordCountOfQuestion || !/[\p{L}\p{N}]/u.test(query))
    return { way: "literal", unserved: null };
  return { way: "bm25", unserved: "hybrid" };
}
