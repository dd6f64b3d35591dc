import type { ImportReader, ImportSyntax } from "./syntax.ts";

/** `@import("a.zig")`, and the first name that is taken from it at once. */
function readerOf(source: string): ImportReader {
  return ({ text, end }) => {
    const specifier = /^@import\s*\(\s*"([^"\n]+)"/.exec(text)?.[1];
    if (specifier === undefined) return null;
    const taken = /^\s*\.\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(source.slice(end, end + 200))?.[1];
    return { imports: [{ specifier, names: taken === undefined ? [] : [taken], kind: "static" }] };
  };
}

/** Zig. */
export const zigImports: ImportSyntax = {
  languages: ["zig"],
  matchers: [{ kind: "builtin_function", rule: { regex: "^@import\\b" }, when: /@import\b/ }],
  begin: readerOf,
};
