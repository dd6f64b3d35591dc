import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportGraph } from "../../imports/index.ts";
import type { CodeSymbol } from "../../syntax/index.ts";
import { QueryCorpusBuilder } from "../corpus/query-corpus.ts";
import { RankedCorpus } from "../ranker/feature-rows.ts";
import { type PipelineQuery, rankChunks } from "./rank-chunks.ts";

/** A function on the first line of its file. */
function functionNamed(name: string, text: string): CodeSymbol {
  return {
    name,
    kind: "function",
    startLine1: 1,
    endLine1: 1,
    startByte: 0,
    endByte: text.length,
    bodyStartByte: text.length,
    signature: text,
    isExported: true,
    children: [],
  };
}

const files: readonly (readonly [path: string, text: string, name: string | null])[] = [
  ["src/clock.ts", "export function delayOf() { timer }", "delayOf"],
  ["src/queue.ts", "export function push() { retry delay queue }", "push"],
  ["src/retry.ts", "export function retryDelay() { retry }", "retryDelay"],
  ["tests/retry.ts", "export function retryDelay() { retry delay }", "retryDelay"],
];

/** `src/retry.ts` imports `src/queue.ts`. */
const importGraph: ImportGraph = {
  fileCount: 4,
  imports: {
    starts: Uint32Array.of(0, 0, 0, 1, 1),
    files: Uint32Array.of(1),
    percents: Uint8Array.of(100),
  },
  importers: {
    starts: Uint32Array.of(0, 0, 1, 1, 1),
    files: Uint32Array.of(2),
    percents: Uint8Array.of(100),
  },
  importance: new Float32Array(4),
};

async function rank(query: PipelineQuery, nearness: readonly number[] | null) {
  const builder = new QueryCorpusBuilder({ chunkSizeCharacters: 1500 });
  for (const [path, content, name] of files) {
    const text = Buffer.from(content, "utf8");
    const symbols = name === null ? [] : [functionNamed(name, content)];
    builder.add({ path, sizeBytes: text.length, language: "typescript", text, symbols });
  }
  const ranked = new RankedCorpus({ ...builder.finish(), importGraph });
  const ranks = await rankChunks(query, {
    ranked,
    pathOf: (file) => files[file]?.[0] ?? "",
    nearness: async () => {
      if (nearness === null) throw new Error("meaning was asked for");
      return Float32Array.from(nearness);
    },
  });
  return ranks.map((entry) => ({ ...entry, path: files[entry.file]?.[0] }));
}

test("rankChunks() has definitions of a symbol first, tests among them last, whatever was retrieved", async () => {
  const ranks = await rank({ text: "retryDelay", topK: 5 }, [1, 1, 0.1, 0.1]);
  assert.deepEqual(
    ranks.map(({ path }) => path),
    ["src/retry.ts", "tests/retry.ts", "src/queue.ts", "src/clock.ts"],
  );
});

test("rankChunks() has the definition in what the name stands in first, where the query says it", async () => {
  const orderOf = async (text: string) =>
    (await rank({ text, topK: 5, alpha: 0 }, null)).map(({ path }) => path).slice(0, 2);
  assert.deepEqual(await orderOf("retryDelay"), ["src/retry.ts", "tests/retry.ts"]);
  assert.deepEqual(await orderOf("tests.retryDelay"), ["tests/retry.ts", "src/retry.ts"]);
  assert.deepEqual(await orderOf("other.retryDelay"), ["src/retry.ts", "tests/retry.ts"]);
});

test("rankChunks() asks for no meaning where alpha is 0, and for no words where it is 1", async () => {
  const words = await rank({ text: "queue timers", topK: 5, alpha: 0 }, null);
  assert.deepEqual(
    words.map(({ path }) => path),
    ["src/queue.ts"],
  );
  const meaning = await rank({ text: "queue timers", topK: 5, alpha: 1 }, [1, 0, 0, 0]);
  assert.deepEqual(
    meaning.map(({ path }) => path),
    ["src/clock.ts"],
  );
});

test("rankChunks() takes five times as many chunks of each retriever as are shown", async () => {
  const ranks = await rank({ text: "some words about it", topK: 1, alpha: 1 }, [1, 2, 3, 4]);
  assert.equal(ranks.length, 4);
  assert.equal(ranks[0]?.stages[0]?.feature, "semanticRank");
});

test("rankChunks() says what each stage did, in the order of the stages", async () => {
  const [first] = await rank({ text: "retryDelay", topK: 5 }, [0, 0, 1, 0]);
  assert.deepEqual(first?.stages, [
    { feature: "lexicalRank", value: 1, weight: 0.7 },
    { feature: "semanticRank", value: 1, weight: 0.3 },
    { feature: "coherence", value: 1, weight: 0.2 },
    { feature: "definition", value: 1.5, weight: 12 },
    { feature: "path", value: 0.5, weight: 1.5 },
    { feature: "symbol", value: 1, weight: 1 },
  ]);
});

test("rankChunks() raises what the files that define a name import", async () => {
  const ranks = await rank({ text: "retryDelay", topK: 5 }, [1, 1, 0, 0]);
  const importsOf = (path: string) =>
    ranks.find((entry) => entry.path === path)?.stages.find(({ feature }) => feature === "imports");
  assert.deepEqual(importsOf("src/queue.ts"), { feature: "imports", value: 1, weight: 0.25 });
  assert.equal(importsOf("src/clock.ts"), undefined);
  assert.equal(importsOf("src/retry.ts"), undefined);
});
