import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeScanner } from "./code-scanner.ts";
import { codeProduct } from "./quantise.ts";

test("a scan gives the products that one vector after the other gives, however many there are", () => {
  for (const dimensions of [256, 16, 20])
    for (const count of [0, 1, 1024, 2500]) {
      const codes = Int8Array.from({ length: count * dimensions }, (_, at) => (at * 37) % 255);
      const scanner = new CodeScanner({
        dimensions,
        count,
        source: (start, end) => codes.subarray(start * dimensions, end * dimensions),
      });
      for (const shift of [0, 1, 2]) {
        const query = Int8Array.from({ length: dimensions }, (_, at) => ((at + shift) * 91) % 255);
        const products: number[] = [];
        scanner.scan(query, (part, start) => {
          assert.equal(start, products.length);
          products.push(...part);
        });
        const expected = Array.from({ length: count }, (_, at) => codeProduct(query, codes, at));
        assert.deepEqual(products, expected, `${count} of ${dimensions}`);
      }
    }
});
