import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeScanner } from "./code-scanner.ts";
import { codeProduct } from "./quantise.ts";

test("a scan gives the scores that one vector after the other gives, however many there are", () => {
  for (const dimensions of [256, 16, 20])
    for (const count of [0, 1, 1024, 2500]) {
      const codes = Int8Array.from({ length: count * dimensions }, (_, at) => (at * 37) % 255);
      const scales = Float32Array.from({ length: count }, (_, at) => 1 / (at + 3));
      const scanner = new CodeScanner({
        scales,
        dimensions,
        count,
        source: (start, into) => {
          const from = start * dimensions;
          into.set(codes.subarray(from, from + into.length));
        },
      });
      for (const shift of [0, 1, 2]) {
        const query = Int8Array.from({ length: dimensions }, (_, at) => ((at + shift) * 91) % 255);
        const scores: number[] = [];
        scanner.scan({ codes: query, scale: 0.013 }, (part, start) => {
          assert.equal(start, scores.length);
          scores.push(...part);
        });
        const expected = Float32Array.from({ length: count }, (_, at) => {
          return codeProduct(query, codes, at) * (scales[at] as number) * 0.013;
        });
        assert.deepEqual(scores, [...expected], `${count} of ${dimensions}`);
      }
    }
});
