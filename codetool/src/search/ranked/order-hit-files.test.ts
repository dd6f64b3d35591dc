import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { FileReader, type RankedHit, SymbolReader } from "../scan/index.ts";
import { rankHitFiles } from "./order-hit-files.ts";

test("files of the same rank come in the byte order of their paths", async () => {
  using folder = createTemporaryFolder();
  // As UTF-16 the second is the smaller one.
  const paths = ["\uFF5E.ts", "\u{1F600}.ts"];
  const text = "alpha beta\n";
  for (const path of paths) writeFileSync(join(folder.path, path), text);
  const hits = paths.map((relativePath): RankedHit => ({
    file: {
      absolutePath: join(folder.path, relativePath),
      relativePath,
      sizeBytes: text.length,
      modifiedMs: 0,
      language: "typescript",
    },
    line1: 1,
    lineStart: 0,
    matchStart: 0,
    matchEnd: 5,
    relevance: 1,
    isDefinition: false,
    isDeclaration: false,
  }));
  const ranked = await rankHitFiles(
    {
      query: "alpha",
      reader: new FileReader(),
      symbols: new SymbolReader(),
      projectWords: new Set(),
      chunkSizeCharacters: 1500,
    },
    hits.toReversed(),
  );
  assert.deepEqual(
    ranked.map(({ file }) => file.relativePath),
    paths,
  );
});
