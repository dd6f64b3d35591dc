import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { indexCommand } from "../index-folder/command.ts";
import { ResidentIndexes } from "../resident-indexes.ts";
import { executeCommand } from "../execute-command.ts";
import { ChangeAtOpening } from "../test-support/change-at-opening.ts";
import { searchCommand } from "./command.ts";

/** So many files that the index is asked which to read. */
function manyFiles(): { [path: string]: string | Buffer } {
  const files: { [path: string]: string | Buffer } = {};
  const topics = ["retry", "parser", "queue", "cache", "router", "timer"];
  for (let index = 0; index < 260; index += 1) {
    const topic = topics[index % topics.length] as string;
    files[`src/${topic}/part-${index}.ts`] =
      `/** Part ${index} of the ${topic}. */\nexport function ${topic}Step${index}(delay: number) {\n  return schedule_${topic}(delay * ${index});\n}\n`;
  }
  files["src/long.js"] = `const data = "${"x".repeat(3000)}retryStep7${"y".repeat(3000)}";\n`;
  files["src/latin.txt"] = Buffer.from([
    0x72, 0xe9, 0x74, 0x72, 0x79, 0x53, 0x74, 0x65, 0x70, 0x0a,
  ]);
  files["src/binary.bin"] = Buffer.from("retryStep\0retryStep");
  files["src/new.ts"] = "";
  files["src/étroit.md"] = "étroit retryStep über-parserStep\n";
  return files;
}

const searches: readonly { readonly [name: string]: unknown }[] = [
  { query: "retryStep", literal: true },
  { query: "tryStep7", literal: true },
  { query: "Step7(", literal: true },
  { query: "schedule_queue(delay * 8)", literal: true },
  { query: "étroit", literal: true },
  { query: "nowhere_at_all", literal: true },
  { query: "->", literal: true },
  { query: "e", literal: true },
  { query: ") {\n  return", literal: true },
  { query: "parserStep\\d+5\\(", regex: true },
  { query: "(retry|queue)Step1\\b", regex: true },
  { query: "^$", regex: true },
  { query: "timerStep5" },
  { query: "schedule_cache($A)", structural: true },
  { query: "function $NAME($$$) { $$$ }" },
  { query: "return unknown_call($A)", structural: true },
  { query: "cacheStep3", exists: true },
  { query: "cacheStep_none", exists: true },
  { query: "schedule_timer($A)", exists: true },
  { query: "RETRYSTEP1", ignore_case: true },
  { query: "timerStep5", word: true },
  { query: "retryStep", path: ["src/retry", "src/étroit.md", "src/new.ts"] },
  { query: "retryStep", path: ["src/timer", "src/retry"], glob: ["!*-1*"] },
  { query: "retryStep", glob: ["*.md"] },
  { query: "retryStep", type: ["js"] },
  { query: "return schedule_queue($A)", structural: true, glob: ["part-2*"] },
  { query: "retryStep", exists: true, type: ["python"] },
];

async function answersOf(root: string, corpora?: ResidentIndexes): Promise<string[]> {
  const shared = corpora === undefined ? {} : { corpora };
  const context = { workingDirectory: root, environment: {}, ...shared };
  const answers: string[] = [];
  for (const input of searches) {
    const outcome = await executeCommand(searchCommand, { top_k: 20, ...input }, context);
    // The token knows what the answer came from.
    answers.push(
      JSON.stringify(outcome).replace(/"continuation_token":"[\d.]+"/, '"continuation_token":""'),
    );
  }
  return answers;
}

test("what stands as it is asked for is found the same with an index and without, before and after changes", async () => {
  // A repository, so that several paths have one tree without an index, too.
  using tree = createTemporaryFolder({ ...manyFiles(), ".git/HEAD": "ref: refs/heads/main\n" });
  using corpora = new ResidentIndexes();
  const check = async (when: string): Promise<void> => {
    const indexed = await answersOf(tree.path);
    const resident = await answersOf(tree.path, corpora);
    const hidden = join(tree.path, ".codetool");
    const context = { workingDirectory: tree.path, environment: {} };
    rmSync(hidden, { recursive: true });
    const plain = await answersOf(tree.path);
    for (const [index, answer] of plain.entries()) {
      assert.equal(indexed[index], answer, `${when}: ${JSON.stringify(searches[index])}`);
      assert.equal(resident[index], answer, `${when}, open: ${JSON.stringify(searches[index])}`);
    }
    await executeCommand(indexCommand, {}, context);
  };
  await executeCommand(indexCommand, {}, { workingDirectory: tree.path, environment: {} });
  await check("at first");
  writeFileSync(join(tree.path, "src/retry/part-0.ts"), "nowhere_at_all(retryStep);\n");
  writeFileSync(join(tree.path, "src/new.ts"), "unknown_call(1);\nreturn unknown_call(2)\n");
  rmSync(join(tree.path, "src/queue/part-8.ts"));
  await check("after changes");
});

test("a search of a language opens a file of no known name only where its first line can decide, once for all searches", async () => {
  using tree = createTemporaryFolder({
    "src/one.rs": "fn needle() {}\n",
    "bin/deploy": "#!/bin/sh\necho nothing\n",
    "bin/other.sh": "needle\n",
  });
  for (const isIndexed of [false, true]) {
    if (isIndexed)
      await executeCommand(indexCommand, {}, { workingDirectory: tree.path, environment: {} });
    using corpora = new ResidentIndexes();
    const context = { workingDirectory: tree.path, environment: {}, corpora };
    using watched = new ChangeAtOpening(join(tree.path, "bin/deploy"), () => undefined);
    const search = async (type: string): Promise<string> => {
      const input = { query: "needle", literal: true, type: [type] };
      return JSON.stringify(await executeCommand(searchCommand, input, context));
    };
    for (const type of ["rust", "go"]) await search(type);
    assert.match(await search("rust"), /one\.rs/);
    assert.equal(watched.count, 0);
    for (let count = 0; count < 3; count += 1) assert.match(await search("sh"), /other\.sh/);
    // Without an index it is read, too.
    assert.equal(watched.count, isIndexed ? 1 : 6);
  }
});
