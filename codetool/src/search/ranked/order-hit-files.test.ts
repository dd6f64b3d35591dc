import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { FileReader, HitRanking, SymbolReader } from "../scan/index.ts";
import { rankHitFiles } from "./order-hit-files.ts";

/** What a line that only uses the name looks like. */
const use = {
  definition: "no",
  isDeclaration: false,
  name: "alpha",
  isWord: true,
  isLiteral: true,
  isImport: false,
  isComment: false,
} as const;

test("files of the same rank come in the byte order of their paths", async () => {
  using folder = createTemporaryFolder();
  // As UTF-16 the second is the smaller one.
  const paths = ["\uFF5E.ts", "\u{1F600}.ts"];
  const text = "alpha beta\n";
  for (const path of paths) writeFileSync(join(folder.path, path), text);
  const ranking = new HitRanking();
  for (const relativePath of paths.toReversed()) {
    const absolutePath = join(folder.path, relativePath);
    const file = { absolutePath, relativePath, sizeBytes: text.length, modifiedMs: 0 };
    ranking.beginFile({ ...file, language: "typescript" }, { factor: 1, mayDefine: true });
    ranking.add({ lineStart: 0, matchStart: 0, matchEnd: 5 }, use);
  }
  const hits = ranking.finish(
    () => undefined,
    () => false,
  );
  const ranked = await rankHitFiles(
    {
      query: "alpha",
      reader: new FileReader(),
      symbols: new SymbolReader(),
      projectWords: new Set(),
      chunkSizeCharacters: 1500,
    },
    hits,
  );
  assert.deepEqual(
    ranked.first(2).map(({ file }) => file.relativePath),
    paths,
  );
});
