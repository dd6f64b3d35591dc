import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import * as fc from "fast-check";
import { writeTextFrame } from "./text-frame.ts";

/** Reads one frame by the letter of RFC 6455 section 5.2. */
function readFrame(bytes: Buffer): { readonly first: number; readonly text: string } {
  const short = bytes[1] ?? 0;
  const [sizeBytes, start] =
    short < 126
      ? [short, 2]
      : short === 126
        ? [bytes.readUInt16BE(2), 4]
        : [Number(bytes.readBigUInt64BE(2)), 10];
  assert.equal(bytes.byteLength, start + sizeBytes);
  return { first: bytes[0] ?? 0, text: bytes.toString("utf8", start) };
}

async function written(text: string): Promise<Buffer> {
  const transport = new PassThrough({ highWaterMark: 1 << 26 });
  await new Promise((resolve) => {
    writeTextFrame(transport, text, resolve);
  });
  return transport.read() as Buffer;
}

test("writeTextFrame() writes what any reader of the specification reads, whatever the length and the letters", async () => {
  for (const length of [0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 70_000, 17_000_000])
    for (const letter of ["a", "ä", "😀"]) {
      const text = letter.repeat(Math.floor(length / Buffer.byteLength(letter)));
      const frame = readFrame(await written(text));
      assert.equal(frame.first, 0x81);
      assert.ok(frame.text === text, `${length} of ${letter}`);
    }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (text) => {
      assert.equal(readFrame(await written(text)).text, text);
    }),
  );
});
