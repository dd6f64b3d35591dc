const hashLanguages: ReadonlySet<string> = new Set([
  "python",
  "ruby",
  "bash",
  "elixir",
  "php",
  "yaml",
  "toml",
  "make",
  "makefile",
  "dockerfile",
  "hcl",
]);
const dashLanguages: ReadonlySet<string> = new Set(["lua", "haskell", "sql"]);

/** How many lines upwards are searched for the begin of a comment. */
const commentLineCountMax = 300;

/**
 * Finds the begin of a comment right above a line: such a comment belongs to the code below it.
 *
 * @param lines The lines of the text.
 * @param startLine1 The line below the comment.
 * @param options.firstLine1 No line above this one is looked at.
 * @returns `startLine1` itself when there is no comment.
 */
export function leadingCommentLine1(
  lines: readonly string[],
  startLine1: number,
  options: { readonly language: string; readonly firstLine1: number },
): number {
  const { language, firstLine1 } = options;
  const lineAt = (line1: number): string => (lines[line1 - 1] ?? "").trim();
  let found = startLine1;
  while (found - 1 >= firstLine1 && startLine1 - found < commentLineCountMax) {
    const line = lineAt(found - 1);
    const opening = blockOpeningOf(line, language);
    if (opening !== undefined) {
      const start = upTo(opening, found - 1, { lineAt, firstLine1 });
      if (start === undefined) return found;
      found = start;
    } else if (isLineComment(line, language)) found -= 1;
    else return found;
  }
  return found;
}

/** For the last line of a block comment, what the block begins with. */
function blockOpeningOf(line: string, language: string): string | undefined {
  if (hashLanguages.has(language) && language !== "php")
    return language === "elixir" && line === '"""' ? "@doc" : undefined;
  if (line.endsWith("*/")) return "/*";
  if (line.endsWith("-}") && language === "haskell") return "{-";
  return line.endsWith("-->") ? "<!--" : undefined;
}

/** The line upwards on which a block begins, if nothing but white space is before it. */
function upTo(
  opening: string,
  endLine1: number,
  at: { readonly lineAt: (line1: number) => string; readonly firstLine1: number },
): number | undefined {
  for (let line1 = endLine1; line1 >= at.firstLine1; line1 -= 1) {
    if (endLine1 - line1 > commentLineCountMax) return undefined;
    const column = at.lineAt(line1).indexOf(opening);
    if (column !== -1) return column === 0 ? line1 : undefined;
  }
  return undefined;
}

function isLineComment(line: string, language: string): boolean {
  if (line === "") return false;
  if (line.startsWith("#") && hashLanguages.has(language)) return true;
  if (line.startsWith("--") && dashLanguages.has(language)) return true;
  if (language === "elixir" && /^@(doc|spec|impl|deprecated|since)\b/.test(line)) return true;
  return line.startsWith("//") && !hashLanguages.has(language) && !dashLanguages.has(language);
}
