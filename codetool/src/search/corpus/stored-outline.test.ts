import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { walkFiles } from "../../files/index.ts";
import { indexInMemory } from "../../store/index.ts";
import { extractSymbols } from "../../syntax/index.ts";
import { storedOutline } from "./stored-outline.ts";

test("the definitions that an index knows are those that parsing gives", async () => {
  using folder = createTemporaryFolder();
  const texts = {
    "a.ts":
      "/** Größe. */\nexport class Größe extends B {\n  #x = 1;\n  get(a: string) {\n    return a;\n  }\n}\nconst f = () => 1;\n",
    "b.go":
      'package b\n\ntype Pool struct{}\n\nfunc (p *Pool) Get(n int) string {\n\treturn ""\n}\n',
    "c.cpp": "namespace n {\nvoid A::f(int x) {\n  g();\n}\n}\n",
    "d.txt": "nothing\n",
  };
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(folder.path, path), text);
  const { files } = walkFiles({ root: folder.path, environment: {}, sizeBytesMax: 1_000_000 });
  const sizes = { chunkSizeCharacters: 200, fileSizeBytesMax: 1_000_000 };
  const corpus = await indexInMemory(files, sizes);
  for (const [file, { path, language }] of corpus.files.entries()) {
    const text = texts[path as keyof typeof texts];
    const parsed = language === null ? [] : extractSymbols(text, language).symbols;
    assert.deepEqual(storedOutline(corpus, file), parsed, path);
  }
});
