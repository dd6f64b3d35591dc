import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { utimesSync, writeFileSync } from "node:fs";
import { createTemporaryFolder } from "testkit";
import type { GatherPlan } from "./gather-files.ts";
import { indexFolder } from "../folder/index-folder.ts";
import { updateIndex } from "../folder/update-index.ts";

const longAgo = new Date("2020-01-01T00:00:00Z");

/** A tree of several languages: some files without words, without language, binary, with words beyond ASCII. */
function writeTree(root: string, fileCount: number): void {
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    utimesSync(join(root, path), longAgo, longAgo);
  };
  write("a/empty.py", "");
  write("b/picture.png", Uint8Array.of(0x89, 0x50, 0, 1, 2, 0));
  write("c/notes", "Gr\u00fc\u00dfe \u4f60\u597d\u4e16\u754c an alle, parseHttpRequest");
  for (let index = 0; index < fileCount; index += 1) {
    const name = `word${index % 7} shared_name${index % 3} only${index}`;
    const before = index === 0 ? "" : `import { f${index - 1} } from "./m${index - 1}.ts";\n`;
    write(`d${index % 5}/m${index}.ts`, `${before}/* ${name} */\nexport function f${index}() {}\n`);
    if (index % 4 === 0)
      write(`p${index % 3}/m${index}.py`, `class C${index}:\n  def run(self): ${index}\n`);
  }
}

async function indexBytes(root: string, gathering: GatherPlan): Promise<Map<string, Buffer>> {
  await updateIndex({
    root,
    environment: {},
    chunkSizeCharacters: 200,
    fileSizeBytesMax: 1_000_000,
    isRebuild: true,
    nowMs: () => Date.parse("2100-01-01T00:00:00Z"),
    process: { id: 1, isAlive: () => true },
    gathering,
  });
  const folder = join(root, indexFolder);
  assert.deepEqual(readdirSync(join(folder, "segments")), [], "runs are gone");
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".bin"))
      .map((name) => [name, readFileSync(join(folder, name)).subarray(4096)]),
  );
}

const plans: readonly [name: string, plan: GatherPlan][] = [
  ["a run for each file, put together in two steps", { threadCount: 0, runBytes: 1 }],
  ["runs of a few files", { threadCount: 0, runBytes: 400 }],
  ["a run of all", { threadCount: 0, runBytes: 1000 }],
];

test("an index is the same byte for byte whatever the runs it was put together from", async () => {
  using folder = createTemporaryFolder();
  writeTree(folder.path, 80);
  // The head of a file names the generation: what follows it is compared.
  const whole = await indexBytes(folder.path, { threadCount: 0, runBytes: 1e9 });
  for (const [name, plan] of plans) {
    const made = await indexBytes(folder.path, plan);
    assert.deepEqual([...made.keys()], [...whole.keys()]);
    for (const [file, bytes] of made)
      assert.ok(bytes.equals(whole.get(file) as Buffer), `${name}: ${file}`);
  }
});
