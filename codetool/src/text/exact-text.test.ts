import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { decodeExactly, encodeExactly } from "./exact-text.ts";

test("any bytes come back as they were, and are read as what they are", () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
  );
  const mark = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
  fc.assert(
    fc.property(mark, fc.array(part, { maxLength: 6 }), (first, parts) => {
      const bytes = Buffer.concat([Buffer.from(first), ...parts]);
      const decoded = decodeExactly(bytes);
      const encoded = encodeExactly(decoded.text, decoded);
      assert.ok(!("unencodable" in encoded));
      assert.deepEqual(encoded, bytes);
    }),
    { numRuns: 2000 },
  );
});

test("an encoding is told by its mark, else by what is among the bytes", () => {
  for (const [bytes, encoding, text] of [
    [Buffer.from("é😀"), "utf-8", "é😀"],
    [Buffer.from("\ufeffa"), "utf-8", "a"],
    [Buffer.from("café", "latin1"), "latin-1", "café"],
    [Buffer.from("\ufeffa\n😀", "utf16le"), "utf-16le", "a\n😀"],
    [Buffer.from("\ufeffab", "utf16le").swap16(), "utf-16be", "ab"],
    [Buffer.from([0xc3, 0xa9, 0xff]), "utf-8 with stray bytes", "é\udcff"],
    [Buffer.from([0xef, 0xbb, 0xbf, 0xe9]), "utf-8 with stray bytes", "\udce9"],
    [Buffer.from("a\0b"), "utf-8", "a\0b"],
  ] as const) {
    const decoded = decodeExactly(bytes);
    assert.deepEqual([decoded.encoding, decoded.text], [encoding, text]);
  }
  const latin = decodeExactly(Buffer.from([0xe9]));
  assert.deepEqual(encodeExactly("é€", latin), { unencodable: "€" });
});
