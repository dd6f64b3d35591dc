import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { FileColumns, readFileTable } from "../segment/file-columns.ts";
import { IndexFault } from "../index-fault.ts";
import { type SectionArray, SectionFile, SectionWriter } from "./file.ts";
import { MemoryStorage } from "./storage.ts";

function written(sections: readonly SectionArray[]): Uint8Array {
  const storage = new MemoryStorage();
  const writer = new SectionWriter(storage, { kind: "test", generation: 7 });
  for (const [index, array] of sections.entries()) writer.section(`s${index}`, array);
  writer.finish();
  const bytes = new Uint8Array(storage.sizeBytes);
  storage.read(bytes, 0);
  return bytes;
}

function opened(bytes: Uint8Array): SectionFile {
  const storage = new MemoryStorage();
  storage.write(bytes, 0);
  return new SectionFile(storage, "test");
}

const sections = [
  Uint8Array.from({ length: 50_003 }, (_, index) => index % 251),
  new Uint32Array(0),
  Uint32Array.from({ length: 9_000 }, (_, index) => index * 77_777),
  Float64Array.from([1.5, Number.NaN]),
  new Uint8Array(32 * 1024).fill(9),
];
const whole = written(sections);

test("section-file: what is read in parts is what was written", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 50_003 }), fc.nat({ max: 40_000 })), { maxLength: 20 }),
      (spans) => {
        const file = opened(whole);
        for (const [start, length] of spans) {
          const end = Math.min(50_003, start + length);
          const part = file.slice("s0", Uint8Array, { start, end });
          assert.deepEqual(part, (sections[0] as Uint8Array).subarray(start, end));
        }
      },
    ),
    { seed: 1, numRuns: repetitions(50) },
  );
});

test("section-file: a bit that flips anywhere, or an end that is lost, is a fault and no answer", () => {
  fc.assert(
    fc.property(
      fc.nat({ max: whole.length - 1 }),
      fc.nat({ max: 7 }),
      fc.boolean(),
      (place, bit, isCut) => {
        const bytes = isCut ? whole.slice(0, place) : whole.slice();
        if (!isCut) bytes[place] = (bytes[place] as number) ^ (1 << bit);
        assert.throws(() => opened(bytes).verify(), IndexFault);
        // In parts, nothing wrong is ever given out.
        let file: SectionFile;
        try {
          file = opened(bytes);
        } catch (error) {
          assert.ok(error instanceof IndexFault);
          return;
        }
        for (let start = 0; start < 50_000; start += 9_999) {
          const end = start + 100;
          try {
            const part = file.slice("s0", Uint8Array, { start, end });
            assert.deepEqual(part, (sections[0] as Uint8Array).subarray(start, end));
          } catch (error) {
            assert.ok(error instanceof IndexFault);
          }
        }
      },
    ),
    {
      seed: 2,
      numRuns: repetitions(400),
      examples: [
        [whole.length - 1, 0, false],
        [0, 0, true],
        [4096, 3, false],
      ],
    },
  );
});

test("a table of files whose paths lead out of the tree is refused", () => {
  const read = (...paths: readonly string[]): readonly string[] => {
    const columns = new FileColumns();
    for (const path of paths)
      columns.add(
        { path, sizeBytes: 1, modifiedMs: 0, hash: "0".repeat(32), language: null },
        { chunkEnd: 0, lineCount: 1, isText: true, hasAllWords: true },
      );
    const storage = new MemoryStorage();
    const writer = new SectionWriter(storage, { kind: "test", generation: 1 });
    columns.write(writer);
    writer.finish();
    return readFileTable(new SectionFile(storage, "test")).paths;
  };
  const fine = ["...", "..a/b..", "a/...ts", "a/b"];
  assert.deepEqual(read(...fine), fine);
  for (const path of ["..", "../a", "a/../../b", "a/..", "/etc/passwd"])
    assert.throws(() => read("a", path, "z"), IndexFault, path);
});
