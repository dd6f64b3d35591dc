import { capitalUnit, classOfUnit, isWordUnit } from "./word-units.ts";
import type { ImportReader, ImportSyntax } from "./syntax.ts";

/** Import specs; the names are the exported ones that the file takes out of the package by its qualifier. */
function readerOf(source: string): ImportReader {
  let selectors: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  return ({ kind, text }) => {
    if (kind === "package_clause") {
      const namespace = /^package\s+([\p{L}\p{N}_]+)/u.exec(text)?.[1];
      return namespace === undefined ? null : { namespace };
    }
    const found = /^(?:([\p{L}\p{N}_]+|\.)\s*)?["`]([^"`\n]+)["`]/u.exec(text);
    if (found === null) return null;
    const [, alias, specifier = ""] = found;
    if (alias === ".") return { imports: [{ specifier, names: ["*"], kind: "static" }] };
    if (alias === "_") return { imports: [{ specifier, names: [], kind: "static" }] };
    selectors ??= selectorsOf(source);
    const names = new Set<string>();
    for (const qualifier of alias === undefined ? qualifiersOf(specifier) : [alias]) {
      for (const name of selectors.get(qualifier) ?? []) names.add(name);
    }
    return { imports: [{ specifier, names: [...names].sort(), kind: "static" }] };
  };
}

/** Names a package may have whose path this is: it is mostly the last part, without version and prefix. */
function qualifiersOf(path: string): string[] {
  const parts = path.split("/");
  let last = parts.at(-1) ?? "";
  if (/^v\d+$/.test(last) && parts.length > 1) last = parts.at(-2) ?? "";
  last = last.replace(/\.v\d+$/, "");
  const bare = last.replace(/^go[-.]|[-.]go$/g, "");
  const candidates = [last, bare, bare.replace(/[-.]/g, "_"), bare.replace(/[-.]/g, "")];
  return [...new Set([...candidates, bare.split(/[-.]/).at(-1) ?? bare])];
}

/** `qualifier.Name` pairs of a file, found at their dots. */
function selectorsOf(source: string): Map<string, Set<string>> {
  const selectors = new Map<string, Set<string>>();
  for (let dot = source.indexOf("."); dot !== -1; dot = source.indexOf(".", dot + 1)) {
    if ((classOfUnit(source.charCodeAt(dot + 1)) & capitalUnit) === 0) continue;
    let start = dot;
    while (start > 0 && isWordUnit(source.charCodeAt(start - 1))) start -= 1;
    if (start === dot || /[.)\]\d]/.test(source.charAt(start - 1) + source.charAt(start))) continue;
    let end = dot + 1;
    while (end < source.length && isWordUnit(source.charCodeAt(end))) end += 1;
    const qualifier = source.slice(start, dot);
    const name = source.slice(dot + 1, end);
    const names = selectors.get(qualifier);
    if (names === undefined) selectors.set(qualifier, new Set([name]));
    else names.add(name);
  }
  return selectors;
}

/** Go. */
export const goImports: ImportSyntax = {
  languages: ["go"],
  matchers: [{ kind: "package_clause" }, { kind: "import_spec" }],
  begin: readerOf,
  usedNames: "unqualified",
};
