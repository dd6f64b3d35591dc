import assert from "node:assert/strict";
import { languageOfPath } from "../../files/index.ts";
import { extractSource } from "../../syntax/index.ts";
import { definedNamesOf, type ImportingFile, ImportResolver } from "../index.ts";

/** Files by path; a text may be empty. */
export type Tree = { readonly [path: string]: string };

function readFiles(tree: Tree): ImportingFile[] {
  return Object.entries(tree).map(([path, text]) => {
    const language = languageOfPath(path);
    const source = extractSource(text, language ?? "");
    const { imports, namespaces, usedNames } = source;
    const definedNames = definedNamesOf(source);
    return { path, language, imports, namespaces, usedNames, definedNames };
  });
}

/** For each import of a file `specifier > file …`, with `?` at files that are not sure; implicit ones at `*`. */
function resolved(tree: Tree, from: string): string[] {
  const paths = Object.keys(tree);
  const files = readFiles(tree);
  const resolver = new ImportResolver({ paths, readText: (path) => tree[path] }, files);
  const file = files.find(({ path }) => path === from);
  assert.ok(file !== undefined, from);
  const shown = (found: ReturnType<typeof resolver.resolve>): string =>
    found.map((each) => `${paths[each.file]}${each.confidence < 0.75 ? "?" : ""}`).join(" ");
  const rows = file.imports.map((each) => [each.specifier, shown(resolver.resolve(file, each))]);
  rows.push(["*", shown(resolver.implicit(file))]);
  return rows.filter(([, found]) => found !== "").map(([name, found]) => `${name} > ${found}`);
}

interface Row {
  readonly rule: string;
  readonly tree: Tree;
  readonly from: string;
  readonly expected: readonly string[];
}

/** Checks what the imports of a file of each tree resolve to, in whatever order the files come. */
export function check(rows: readonly Row[]): void {
  for (const { rule, tree, from, expected } of rows) {
    assert.deepEqual(resolved(tree, from), expected, rule);
    const turned = Object.fromEntries(Object.entries(tree).reverse());
    const sorted = (list: readonly string[]): string[] =>
      list.map((row) => row.split(" ").sort().join(" "));
    assert.deepEqual(sorted(resolved(turned, from)), sorted(expected), `${rule}, other order`);
  }
}
