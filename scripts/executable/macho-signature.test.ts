import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedPages, signed } from "./macho-signature.ts";

/** A program of two segments, 10 000 bytes and an old signature of 100. */
function program(): Buffer {
  const bytes = Buffer.alloc(10_100, "code");
  bytes.fill(0, 0, 32 + 72 + 72 + 16);
  bytes.writeUInt32LE(0xfeed_facf, 0);
  bytes.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, [from, length]: readonly [number, number]): void => {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8, "latin1");
    bytes.writeBigUInt64LE(BigInt(from), at + 40);
    bytes.writeBigUInt64LE(BigInt(length), at + 48);
  };
  segment(32, "__TEXT", [0, 8192]);
  segment(104, "__LINKEDIT", [8192, 1908]);
  bytes.writeUInt32LE(0x1d, 176);
  bytes.writeUInt32LE(16, 180);
  bytes.writeUInt32LE(10_000, 184);
  bytes.writeUInt32LE(100, 188);
  return bytes;
}

test("a program is signed anew in place of its old signature, and a change of it is seen", () => {
  const whole = signed(program(), "codetool");
  assert.equal(checkedPages(whole), 3);
  assert.equal(whole.length, 10_000 + 20 + 88 + 9 + 3 * 32);
  assert.equal(Number(whole.readBigUInt64LE(104 + 48)), whole.length - 8192);
  assert.ok(whole.includes("codetool\0"));
  assert.deepEqual(signed(whole, "codetool"), whole);
  whole.writeUInt8(whole.readUInt8(9999) ^ 1, 9999);
  assert.throws(() => checkedPages(whole), /page 2 is not as it was signed/);
});

test("a program that never was signed is refused, and has no pages to check", () => {
  const bytes = program();
  bytes.writeUInt32LE(2, 16);
  assert.equal(checkedPages(bytes), 0);
  assert.throws(() => signed(bytes, "codetool"), /no signature/);
});
