import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { FilesThread } from "./files-thread.ts";
import type { WriterData, WriterRequest } from "./writer-messages.ts";

const spansOf: WriterRequest = { type: "spansOf", traceId: "a".repeat(32), limit: 1 };
const traces: WriterRequest = { type: "traces", query: { limit: 1 } };

/** @param beginnings What each thread begins with, the last one also those that follow. */
function threadOf(beginnings: WriterData[]): FilesThread {
  return new FilesThread({
    data: () => (beginnings.length > 1 ? beginnings.shift() : beginnings[0]) as WriterData,
    failed: (reason) => new Error(reason),
  });
}

function dataIn(path: string): WriterData {
  const directory = join(path, "telemetry");
  return { directory, windowDays: 30, retentionWindowCount: 1, words: new Uint32Array(4) };
}

/** Each gets the answer to its own question. */
async function checkAnswers(thread: FilesThread, first: Promise<object>): Promise<void> {
  assert.deepEqual(Object.keys(await first), ["found"]);
  assert.deepEqual(Object.keys(await thread.ask(traces)), ["list"]);
  assert.deepEqual(Object.keys(await thread.ask(spansOf)), ["found"]);
}

test("a question that comes while a thread that has failed ends is answered by the next one", async () => {
  using folder = createTemporaryFolder({});
  const data = dataIn(folder.path);
  const thread = threadOf([{ ...data, words: new Uint32Array() }, data]);
  await assert.rejects(thread.ask(traces));
  await checkAnswers(thread, thread.ask(spansOf));
  await thread.end();
});

test("a question that comes while a thread is ended is answered by the next one", async () => {
  using folder = createTemporaryFolder({});
  const thread = threadOf([dataIn(folder.path)]);
  await thread.ask(traces);
  const ended = thread.end();
  await checkAnswers(thread, thread.ask(spansOf));
  await ended;
  await thread.end();
});
