import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { filesOfDocuments, referenceTermOf } from "../index.ts";

test("filesOfDocuments() finds the file of each document, for any sizes of files", () => {
  const sizes = fc.array(fc.nat({ max: 5 }), { maxLength: 40 });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), (counts, picks) => {
      let end = 0;
      const ends = Uint32Array.from(counts, (count) => (end += count));
      const documents: number[] = [];
      const expected = new Set<number>();
      for (const [file, count] of counts.entries()) {
        for (let each = 0; each < count; each += 1) {
          if (picks.next().value !== true) continue;
          documents.push((ends[file] ?? 0) - count + each);
          expected.add(file);
        }
      }
      const found = filesOfDocuments(Uint32Array.from(documents), ends);
      assert.deepEqual([...found], [...expected]);
    }),
    { numRuns: 500, seed: 7 },
  );
});

test("referenceTermOf() is the last word of a name, as an index holds it", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ["parseHttp", "parsehttp"],
    ["A::b", "b"],
    ["#private", "private"],
    ["save!", "save"],
    ["größe", "größe"],
    ["operator+", "operator"],
    ["<=>", null],
    ["[Symbol.iterator]", "iterator"],
  ];
  for (const [name, expected] of rows) assert.equal(referenceTermOf(name), expected, name);
});
