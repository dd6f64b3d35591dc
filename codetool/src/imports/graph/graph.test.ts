import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { languageOfPath } from "../../files/index.ts";
import { extractSource } from "../../syntax/index.ts";
import {
  buildImportGraph,
  definedNamesOf,
  dependentsOf,
  type DependentsOptions,
  type FileTree,
  importerCountOf,
  type ImportGraph,
  type ImportingFile,
  ImportResolver,
  updateImportGraph,
} from "../index.ts";

type Tree = { readonly [path: string]: string };

function filesOf(tree: Tree): ImportingFile[] {
  return Object.entries(tree).map(([path, text]) => {
    const language = languageOfPath(path);
    const source = extractSource(text, language ?? "");
    const { imports, namespaces, usedNames } = source;
    const definedNames = definedNamesOf(source);
    return { path, language, imports, namespaces, usedNames, definedNames };
  });
}

function treeOf(tree: Tree): FileTree {
  return { paths: Object.keys(tree).sort(), readText: (path) => tree[path] };
}

/** `from > to percent`, sorted. */
function edgesOf(graph: ImportGraph, paths: readonly string[]): string[] {
  const { starts, files, percents } = graph.imports;
  return paths.flatMap((path, file) =>
    [...files.subarray(starts[file], starts[file + 1])].map(
      (target, at) => `${path} > ${paths[target]} ${percents[(starts[file] ?? 0) + at]}`,
    ),
  );
}

test("buildImportGraph() joins imports to edges both ways and weighs files", () => {
  const tree: Tree = {
    "a.ts": 'import "./b"; import { x } from "./b"; import "./c"; import "./a";',
    "b.ts": 'import "./c";',
    "c.ts": "",
    "d.ts": 'import "./c"; import "nothing";',
    "e.md": "import c",
  };
  const source = treeOf(tree);
  const graph = buildImportGraph(source, filesOf(tree));
  const { paths } = source;
  assert.deepEqual(edgesOf(graph, paths), [
    "a.ts > b.ts 100",
    "a.ts > c.ts 100",
    "b.ts > c.ts 100",
    "d.ts > c.ts 100",
  ]);
  assert.deepEqual([...graph.importers.starts], [0, 0, 1, 4, 4, 4]);
  assert.deepEqual([...graph.importers.files], [0, 0, 1, 3]);
  assert.deepEqual(
    paths.map((_path, file) => importerCountOf(graph, file)),
    [0, 1, 3, 0, 0],
  );
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = graph.importance;
  assert.equal(c, 1);
  assert.ok(b < c && a < b && a === d && a === e && a > 0);
});

test("an empty tree has an empty graph", () => {
  const graph = buildImportGraph({ paths: [], readText: () => undefined }, []);
  assert.deepEqual(
    [graph.fileCount, [...graph.imports.starts], graph.importance.length],
    [0, [0], 0],
  );
});

const folders = ["", "a/", "a/b/", "src/", "src/a/", "lib/", "p/src/"];
const stems = ["index", "a", "b", "mod", "__init__", "lib", "main", "A", "B"];
const extensions = [
  "ts",
  "js",
  "py",
  "rs",
  "go",
  "java",
  "kt",
  "c",
  "h",
  "cs",
  "rb",
  "php",
  "swift",
];
const manifests = [
  "package.json",
  "tsconfig.json",
  "go.mod",
  "Cargo.toml",
  "composer.json",
  "Package.swift",
];
const texts = [
  'import "../a"; export * from "./b.js"; require("a/b"); import "@/a"; import "p"; import "../../../../x";',
  "from . import a\nfrom .. import b\nfrom .... import c\nimport a.b, src.a\nfrom a import *",
  "mod a; mod b; use crate::a::B; use super::super::super::b; use a::b::*; use lib::A;",
  'package a\nimport "m/a/b"\nimport "../a"\nfunc A() { b.B() }',
  "package a.b;\nimport a.A; import a.b.*; import static b.B.a;\nclass A { B b; }",
  '#include "../a.h"\n#include "a/b.h"\n#include <a.h>\n#include "../../../../etc/passwd"',
  "using A.B; namespace A.B { class A { B b; } }",
  "require 'a/b'\nrequire_relative '../../../a'\nclass A; B; end",
  "<?php\nnamespace A;\nuse A\\B; require '../../../../a.php'; class A {}",
  "import A\nimport struct B.A\nclass A { var b: B? }",
  '{"name": "p", "exports": {"./*": "./src/*.js"}, "main": "../../../x.js", "imports": {"#a": "./a.js"}}',
  '{"extends": "./tsconfig.json", "compilerOptions": {"paths": {"@/*": ["../../*"]}}}',
  "module m\nreplace a => ../../../..\n",
  '[package]\nname = "lib"\n[lib]\npath = "../../../x.rs"',
  "source ../a.sh\n. ../../../../b.sh\n",
  'require("a.b"); require("a"); dofile("../../../a.lua")',
  "defmodule A.B do\n  alias A.A\n  use B.A\nend\ndefmodule B.A do\nend\n",
  "module A.B where\nimport A\nimport B.A\n",
  `const a = @import("a.zig"); const b = @import("../../../../b.zig"); const r = @import("root");`,
  "{broken",
  "",
];

const anyTree = fc
  .array(
    fc.tuple(
      fc.constantFrom(...folders),
      fc.oneof(
        fc
          .tuple(fc.constantFrom(...stems), fc.constantFrom(...extensions))
          .map((parts) => parts.join(".")),
        fc.constantFrom(...manifests),
      ),
      fc.constantFrom(...texts),
    ),
    { maxLength: 25 },
  )
  .map((entries) =>
    Object.fromEntries(entries.map(([folder, name, text]) => [folder + name, text])),
  );

test("for any tree: edges stay in it, never to itself, both directions agree, order does not count", () => {
  fc.assert(
    fc.property(anyTree, fc.infiniteStream(fc.nat()), (tree, numbers) => {
      const source = treeOf(tree);
      const files = filesOf(tree);
      const graph = buildImportGraph(source, files);
      const count = source.paths.length;
      const { imports, importers } = graph;
      const forward: string[] = [];
      const backward: string[] = [];
      for (let file = 0; file < count; file += 1) {
        for (let at = imports.starts[file] ?? 0; at < (imports.starts[file + 1] ?? 0); at += 1) {
          const target = imports.files[at] ?? -1;
          const percent = imports.percents[at] ?? 0;
          assert.ok(target >= 0 && target < count && target !== file);
          assert.ok(percent >= 1 && percent <= 100);
          forward.push(`${file} ${target} ${percent}`);
        }
        for (
          let at = importers.starts[file] ?? 0;
          at < (importers.starts[file + 1] ?? 0);
          at += 1
        ) {
          backward.push(`${importers.files[at]} ${file} ${importers.percents[at]}`);
        }
        const weight = graph.importance[file] ?? 0;
        assert.ok(weight > 0 && weight <= 1);
      }
      assert.deepEqual(forward.sort(), backward.sort());
      const shuffled = files
        .map((file) => ({ file, key: numbers.next().value ?? 0 }))
        .sort((one, other) => one.key - other.key)
        .map(({ file }) => file);
      assert.deepEqual(buildImportGraph(source, shuffled), graph);
    }),
    { numRuns: repetitions(400), seed: 11 },
  );
});

const isManifest = /(?:json|mod|toml|Package\.swift)$/;

test("for any change of content an updated graph is the one built anew", () => {
  const change = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...texts)), { maxLength: 4 });
  fc.assert(
    fc.property(anyTree, change, (tree, edits) => {
      const paths = Object.keys(tree).filter((path) => !isManifest.test(path));
      const changed: { [path: string]: string } = {};
      for (const [at, text] of edits) {
        const path = paths[at % Math.max(1, paths.length)];
        if (path !== undefined) changed[path] = text;
      }
      const source = treeOf(tree);
      const files = filesOf({ ...tree, ...changed });
      const graph = buildImportGraph(source, filesOf(tree));
      const updated = updateImportGraph(
        graph,
        { tree: source, files },
        {
          before: filesOf(
            Object.fromEntries(Object.keys(changed).map((path) => [path, tree[path] ?? ""])),
          ),
          after: filesOf(changed),
        },
      );
      assert.deepEqual(updated, buildImportGraph(source, files));
    }),
    { numRuns: repetitions(400), seed: 13 },
  );
});

test("dependentsOf() goes backwards by hops, the surest way first, and ends in cycles", () => {
  const tree: Tree = {
    "a.ts": 'import "./b";',
    "b.ts": 'import "./c";',
    "c.ts": 'import "./a"; import "./d";',
    "d.ts": "",
    "e.ts": 'import "./a"; import "./d";',
    "f.ts": "",
  };
  const graph = buildImportGraph(treeOf(tree), filesOf(tree));
  const found = (file: number, options?: DependentsOptions): string[] =>
    dependentsOf(graph, file, options).map(({ file: each, hops, via }) => `${hops}:${each}<${via}`);
  assert.deepEqual(found(3), ["1:2<3", "1:4<3", "2:1<2", "3:0<1"]);
  assert.deepEqual(found(0), ["1:2<0", "1:4<0", "2:1<2"]);
  assert.deepEqual(found(3, { hopsMax: 1 }), ["1:2<3", "1:4<3"]);
  assert.deepEqual(found(3, { countMax: 3 }), ["1:2<3", "1:4<3", "2:1<2"]);
  assert.deepEqual(found(5), []);
  assert.deepEqual(found(99), []);
});

test("dependentsOf() multiplies what is unsure and leaves out what is too unsure", () => {
  const tree: Tree = { "p/a.c": '#include "x.h"', "q/x.h": '#include "y.h"', "r/y.h": "" };
  const graph = buildImportGraph(treeOf(tree), filesOf(tree));
  const percents = (options?: DependentsOptions): number[] =>
    dependentsOf(graph, 2, options).map(({ confidence }) => Math.round(100 * confidence));
  assert.deepEqual(percents(), [60, 36]);
  assert.deepEqual(percents({ confidenceMin: 0.7 }), []);
});

test("which files an import means does not depend on the order of the paths", () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const files = filesOf(tree);
      const paths = Object.keys(tree).sort();
      const shown = (order: readonly string[]): string[] => {
        const resolver = new ImportResolver(
          { paths: order, readText: (path) => tree[path] },
          files,
        );
        return files.flatMap((file) =>
          [
            ...file.imports.map((each) => resolver.resolve(file, each)),
            resolver.implicit(file),
          ].map((found) =>
            found
              .map((each) => `${order[each.file]} ${each.confidence}`)
              .sort()
              .join(", "),
          ),
        );
      };
      assert.deepEqual(shown(paths.toReversed()), shown(paths));
    }),
    { numRuns: repetitions(300), seed: 12 },
  );
});
