import type { ImportReader, ImportSyntax } from "./import-syntax.ts";

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

/** `qualifier.Name` pairs of a file. */
function selectorsOf(source: string): Map<string, Set<string>> {
  const selectors = new Map<string, Set<string>>();
  for (const [, qualifier = "", name = ""] of source.matchAll(
    /(?<![\p{L}\p{N}_.)\]])([\p{L}_][\p{L}\p{N}_]*)\.(\p{Lu}[\p{L}\p{N}_]*)/gu,
  )) {
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
