/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";
import type { ImportGraph, ImportingFile } from "../index.ts";

const counter = new StepCounter();
const { buildImportGraph } = await import("../index.ts");

/** A graph of so many files, the first of which imports all, in a cycle. */
function graphOf(count: number): ImportGraph {
  const paths = Array.from({ length: count }, (_, index) => `d${index % 50}/m${index}.ts`);
  const reference = (index: number): ImportingFile["imports"][number] => ({
    specifier: `../${(paths[index % count] ?? "").replace(".ts", ".js")}`,
    names: [],
    line1: 1,
    kind: "static",
  });
  const base = {
    language: "typescript",
    namespaces: [],
    usedNames: new Uint32Array(0),
    definedNames: [],
  };
  const files = paths.map((path, index): ImportingFile => {
    const imports =
      index === 0
        ? paths.map((_path, each) => reference(each))
        : [1, 2, 3, 4].map((step) => reference(index + step));
    return { ...base, path, imports };
  });
  return buildImportGraph({ paths, readText: () => undefined }, files);
}

test("a file with 20 000 imports among 20 000 files, in a cycle, is resolved in good time", async () => {
  const count = 20_000;
  const graph = graphOf(count);
  assert.equal(graph.imports.starts[1], 2000);
  assert.equal(graph.imports.files.length, 2000 + (count - 1) * 4);
  await assertLinear(counter, { name: "files", count: 5_000, run: graphOf });
});
