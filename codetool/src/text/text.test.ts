import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { compareBytes } from "./compare-bytes.ts";
import { contentHash, hasContentHash } from "./content-hash.ts";
import { decodeText, isBinary } from "./decode.ts";
import { countLines } from "./count-lines.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text, "utf8");

test("compareBytes() orders as the UTF-8 bytes do", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "/", "-", "é", "\uFFFD", "\uE000", "😀", "中"),
  });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const expected = Buffer.compare(bytesOf(left), bytesOf(right));
      assert.equal(Math.sign(compareBytes(left, right)), expected);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("countLines() counts a last line without line feed and no empty one", () => {
  const rows: readonly (readonly [string, number])[] = [
    ["", 0],
    ["\n", 1],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb", 1],
    ["\n\n", 2],
  ];
  for (const [text, expected] of rows) assert.equal(countLines(bytesOf(text)), expected, text);
});

test("decodeText() takes a byte order mark off and keeps line ends", () => {
  assert.deepEqual(decodeText(bytesOf("\uFEFFa\r\nb")), {
    text: "a\r\nb",
    hasByteOrderMark: true,
    isLossy: false,
  });
});

test("decodeText() replaces what is not UTF-8 and says so", () => {
  const { text, isLossy } = decodeText(Buffer.from([0x61, 0xff, 0x62]));
  assert.deepEqual({ text, isLossy }, { text: "a\uFFFDb", isLossy: true });
});

test("isBinary() looks for a NUL in the first 8 KiB alone", () => {
  const bytes = Buffer.alloc(8193, 0x61);
  assert.equal(isBinary(bytes), false);
  bytes[8192] = 0;
  assert.equal(isBinary(bytes), false);
  bytes[8191] = 0;
  assert.equal(isBinary(bytes), true);
  assert.equal(isBinary(bytesOf("")), false);
});

test("hasContentHash() knows the bytes that were hashed, short and long", async () => {
  for (const length of [0, 1, 16, 240, 241, 5000]) {
    const bytes = Buffer.alloc(length, "ab");
    const hash = await contentHash(bytes);
    assert.equal(await hasContentHash(bytes, hash), true, `${length} bytes`);
    const others = Buffer.concat([bytes.subarray(0, -1), bytesOf("c")]);
    assert.equal(await hasContentHash(others, hash), false, `${length} other bytes`);
  }
});

test("contentHash() is XXH3-128 in 32 hexadecimal digits", async () => {
  // Values of the reference implementation's own vectors for empty input, seed 0.
  assert.equal(await contentHash(bytesOf("")), "99aa06d3014798d86001c324468d497f");
  assert.match(await contentHash(bytesOf("hello")), /^[0-9a-f]{32}$/);
  assert.notEqual(await contentHash(bytesOf("hello")), await contentHash(bytesOf("hellp")));
});
