import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { addFewRows, addRows } from "./add-rows.ts";
import { halfValues, toHalf } from "./half-float.ts";

const dimensions = 3;
const number = fc.double({ min: -8, max: 8, noNaN: true });
const rows = fc.array(fc.tuple(fc.array(number, { minLength: 3, maxLength: 3 }), number), {
  maxLength: 11,
});

test("rows added four at a time give the same bits as one by one", () => {
  fc.assert(
    fc.property(rows, (given) => {
      const vectors = Uint16Array.from(given.flatMap(([row]) => row.map(toHalf)));
      const places = Int32Array.from(given, (_, index) => index * dimensions);
      const amounts = Float32Array.from(given, ([, amount]) => amount);
      const weighted = { count: given.length, vectors, places, amounts };
      const [few, many] = [new Float32Array(dimensions), new Float32Array(dimensions)];
      addFewRows(few, weighted);
      addRows(many, weighted, halfValues());
      assert.deepEqual(many, few);
    }),
    { numRuns: 300, seed: 5 },
  );
});
