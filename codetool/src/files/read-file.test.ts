import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { readFileBytes, readTextBytes } from "./read-file.ts";

const options = { sizeBytesMax: 20_000 };

test("readTextBytes() gives texts whole and nothing else", () => {
  const long = "x".repeat(10_000);
  using folder = createTemporaryFolder({
    long,
    empty: "",
    early: `a\0${long}`,
    late: `${long}\0`,
    large: "x".repeat(20_001),
    "folder/x": "",
  });
  const read = (name: string) => readTextBytes(join(folder.path, name), options)?.toString("utf8");
  assert.equal(read("long"), long);
  assert.equal(read("empty"), "");
  assert.equal(read("early"), undefined);
  assert.equal(read("late"), `${long}\0`);
  assert.equal(read("large"), undefined);
  assert.equal(read("folder"), undefined);
  assert.equal(read("none"), undefined);
});

test("readFileBytes() says why there are no bytes", () => {
  using folder = createTemporaryFolder({ a: "text", large: "x".repeat(20_001), "folder/x": "" });
  const kind = (name: string) => readFileBytes(join(folder.path, name), options).kind;
  assert.equal(kind("a"), "file");
  assert.equal(kind("none"), "missing");
  assert.equal(kind("a/b"), "missing");
  assert.equal(kind("n".repeat(5000)), "missing");
  assert.equal(kind("folder"), "directory");
  assert.equal(kind("large"), "too_large");
});

test(
  "readFileBytes() reads files that do not know their size",
  { skip: process.platform !== "linux" },
  () => {
    const content = readFileBytes("/proc/self/status", { sizeBytesMax: 1e6 });
    assert.match(content.kind === "file" ? content.bytes.toString() : content.kind, /^Name:/);
    assert.equal(readFileBytes("/proc/self/status", { sizeBytesMax: 10 }).kind, "too_large");
  },
);
