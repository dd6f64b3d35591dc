import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { MessageReader } from "./message-reader.ts";

function framed(message: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([head, message]);
}

test("MessageReader finds the same messages wherever the bytes are cut", () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
  const cuts = fc.array(fc.nat(300), { maxLength: 12 });
  fc.assert(
    fc.property(messages, cuts, (sent, places) => {
      const bytes = Buffer.concat(sent.map((message) => framed(message)));
      const reader = new MessageReader(40);
      const found: Buffer[] = [];
      let from = 0;
      for (const place of [...places, bytes.byteLength].toSorted((a, b) => a - b)) {
        if (place > bytes.byteLength) break;
        if (place > from)
          found.push(...reader.push(bytes.subarray(from, place)).map((each) => each.bytes));
        from = place;
      }
      reader.end();
      assert.deepEqual(
        found.map((message) => [...message]),
        sent.map((message) => [...message]),
      );
    }),
  );
});

test("MessageReader refuses what has another flag, is too long or cut short", () => {
  const three = framed(Buffer.from("abc"));
  const refused = (sizeBytesMax: number, chunks: readonly Buffer[]): string => {
    const reader = new MessageReader(sizeBytesMax);
    try {
      for (const chunk of chunks) reader.push(chunk);
      reader.end();
      return "nothing";
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(refused(3, [three, three]), "nothing");
  assert.match(refused(2, [three.subarray(0, 5)]), /^message has 3 bytes, want 2 or less$/);
  assert.equal(refused(9, [framed(Buffer.from("abc"), 1)]), "nothing");
  assert.match(
    refused(9, [framed(Buffer.from("abc"), 2)]),
    /^message has the flag 2, want 0 or 1$/,
  );
  assert.match(refused(9, [three, three.subarray(0, 4)]), /^message was cut short$/);
  assert.match(refused(9, [three.subarray(0, 7)]), /^message was cut short$/);
});
