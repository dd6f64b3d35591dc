import assert from "node:assert/strict";
import { test } from "node:test";
import type { WalkedFile } from "../../files/index.ts";
import { SymbolReader } from "./symbol-reader.ts";

const file: WalkedFile = {
  absolutePath: "/tree/a.c",
  relativePath: "a.c",
  sizeBytes: 0,
  modifiedMs: 0,
  language: "c",
};

function namesIn(reader: SymbolReader, text: string): string[] {
  return reader.exactSymbolsOf(file, Buffer.from(text)).map(({ name }) => name);
}

test("a text that is parsed ahead gives its own symbols, and no other text's", async () => {
  const reader = new SymbolReader();
  const text = Buffer.from("int one(void) { return 1; }\n");
  reader.parseAhead(file, text);
  // The buffer of a reader is filled with the next file at once.
  text.fill(0x20);
  // What is begun is no answer yet, and costs nothing of the limits on parsing.
  assert.equal(reader.has(file), false);
  assert.equal(reader.parsedBytes, 0);
  await reader.parsedAhead(file);
  assert.equal(reader.has(file), false);
  // The file has changed, and its size has not.
  assert.deepEqual(namesIn(reader, "int two(void) { return 2; }\n"), ["two"]);
  assert.deepEqual(namesIn(reader, "int one(void) { return 1; }\n"), ["one"]);
  assert.equal(reader.parsedBytes, 2 * text.length);
});

test("symbols are there for who asks before the other thread has ended", async () => {
  const reader = new SymbolReader();
  const text = "int one(void) { return 1; }\n";
  reader.parseAhead(file, Buffer.from(text));
  assert.deepEqual(namesIn(reader, text), ["one"]);
  await reader.parsedAhead();
  assert.equal(reader.parsedBytes, text.length);
});

test("nothing is parsed ahead where an index knows the symbols", async () => {
  let askedCount = 0;
  const reader = new SymbolReader(() => {
    askedCount += 1;
    return [];
  });
  reader.parseAhead(file, Buffer.from("int one(void) { return 1; }\n"));
  await reader.parsedAhead(file);
  assert.equal(askedCount, 0);
});
