import type { ImportReference } from "../import-reference.ts";
import type { ImportEffect, ImportReader, ImportStatement, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";
import { splitLast } from "./statement-text.ts";

type Found = Omit<ImportReference, "line1">;

/** Groups inside of one another that are followed; deeper ones are left out. */
const groupDepthMax = 32;

/**
 * `use`, `mod x;` and `extern crate`. Paths are given as seen from the file's own module: `super::x` inside of
 * `mod tests { … }` is `self::x`.
 */
function readerOf(source: string): ImportReader {
  const inline: { readonly name: string; readonly end: number }[] = [];
  return (statement) => {
    while ((inline.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= statement.start) inline.pop();
    const nesting = inline.map(({ name }) => name);
    switch (statement.kind) {
      case "mod_item": {
        const name = /\bmod\s+(?:r#)?([\p{L}\p{N}_]+)/u.exec(statement.text.slice(0, 500))?.[1];
        if (name === undefined) return null;
        if (/;\s*$/.test(statement.text)) return moduleFile(source, statement, [...nesting, name]);
        if (inline.length < 64) inline.push({ name, end: statement.end });
        return null;
      }
      case "extern_crate_declaration": {
        const name = /\bcrate\s+(?:r#)?([\p{L}\p{N}_]+)/u.exec(statement.text)?.[1];
        if (name === undefined || name === "self") return null;
        return { imports: [{ specifier: name, names: [], kind: "static" }] };
      }
      default:
        return useDeclaration(statement, nesting);
    }
  };
}

/** `mod x;` names a file; `#[path = "y.rs"]` before it says which. */
function moduleFile(
  source: string,
  { start }: ImportStatement,
  path: readonly string[],
): ImportEffect {
  const before = source.slice(Math.max(0, start - 300), start);
  const written = /#\[\s*path\s*=\s*"([^"\n]+)"\s*\]\s*(?:#\[[^\]]*\]\s*)*$/.exec(before)?.[1];
  const specifier = written === undefined ? ["self", ...path].join("::") : `./${written}`;
  return { imports: [{ specifier, names: [], kind: "include" }] };
}

function useDeclaration({ text }: ImportStatement, nesting: readonly string[]): ImportEffect {
  const statement = withoutSlashComments(text);
  const found = /^(pub\b\s*(?:\([^)]*\))?\s*)?use\s+([^]*?);?\s*$/.exec(statement);
  if (found === null) return {};
  const kind = found[1] === undefined ? "static" : "reexport";
  const paths = flattenUseTree(found[2] ?? "").map((path) => fromFileModule(path, nesting));
  const byModule = new Map<string, string[]>();
  for (const path of paths) {
    const { head, last } = splitLast(path, "::");
    const names = byModule.get(head) ?? [];
    if (last !== null && last !== "self") names.push(last);
    byModule.set(head, names);
  }
  const imports = [...byModule].map(([specifier, names]): Found => ({ specifier, names, kind }));
  return { imports };
}

/** `a::{b, c::{d, self}}` as `a::b`, `a::c::d`, `a::c::self`. */
function flattenUseTree(tree: string): string[] {
  const tokens = tree.match(/\{|\}|,|::|\*|[\p{L}\p{N}_#]+/gu) ?? [];
  const paths: string[] = [];
  const prefixes: string[][] = [];
  let path: string[] = [];
  let isRenamed = false;
  const close = (): void => {
    if (path.length > (prefixes.at(-1)?.length ?? 0)) paths.push(path.join("::"));
    path = [...(prefixes.at(-1) ?? [])];
    isRenamed = false;
  };
  for (const token of tokens) {
    if (token === "{") {
      if (prefixes.length >= groupDepthMax) return paths;
      prefixes.push([...path]);
    } else if (token === "}") {
      close();
      prefixes.pop();
      path = [...(prefixes.at(-1) ?? [])];
    } else if (token === ",") {
      close();
    } else if (token === "as") {
      isRenamed = true;
    } else if (token !== "::" && !isRenamed) {
      path.push(token.replace(/^r#/, ""));
    }
  }
  close();
  return paths;
}

/** Rewrites a path that begins in an inline module to begin in the module of the file. */
function fromFileModule(path: string, nesting: readonly string[]): string {
  if (nesting.length === 0) return path;
  const parts = path.split("::");
  if (parts[0] === "self") return ["self", ...nesting, ...parts.slice(1)].join("::");
  let up = 0;
  while (parts[up] === "super") up += 1;
  if (up === 0) return path;
  const rest = parts.slice(up);
  if (up > nesting.length) {
    return [...Array.from({ length: up - nesting.length }, () => "super"), ...rest].join("::");
  }
  return ["self", ...nesting.slice(0, nesting.length - up), ...rest].join("::");
}

/** Rust. */
export const rustImports: ImportSyntax = {
  languages: ["rust"],
  matchers: [
    { kind: "use_declaration" },
    { kind: "mod_item" },
    { kind: "extern_crate_declaration" },
  ],
  begin: readerOf,
};
