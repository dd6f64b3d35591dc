import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { editDistance, nearestName, nearNames } from "./nearest-name.ts";

/** The whole matrix, by the definition. */
function distance(left: string, right: string): number {
  const cells: number[][] = [];
  const at = (row: number, column: number): number => cells[row]?.[column] ?? 0;
  for (let row = 0; row <= left.length; row += 1) {
    cells[row] = [];
    for (let column = 0; column <= right.length; column += 1) {
      const edits = [row === 0 ? column : Infinity, column === 0 ? row : Infinity];
      if (row > 0) edits.push(at(row - 1, column) + 1);
      if (column > 0) edits.push(at(row, column - 1) + 1);
      const isSame = left[row - 1] === right[column - 1];
      if (row > 0 && column > 0) edits.push(at(row - 1, column - 1) + (isSame ? 0 : 1));
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwap) edits.push(at(row - 2, column - 2) + 1);
      (cells[row] as number[])[column] = Math.min(...edits);
    }
  }
  return at(left.length, right.length);
}

const name = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });

test("the distance of two names is that of the whole matrix, up to a bound", () => {
  fc.assert(
    fc.property(name, name, fc.integer({ min: -1, max: 6 }), (left, right, editsMax) => {
      const wanted = distance(left, right);
      const found = editDistance(left, right, editsMax);
      if (wanted <= editsMax) assert.equal(found, wanted);
      else assert.ok(found > editsMax, `${found}`);
    }),
    { numRuns: 3000 },
  );
});

test("long names have their distance too", () => {
  const long = "abcdefghij".repeat(20);
  assert.equal(editDistance(long, `${long.slice(0, 100)}x${long.slice(100)}`, 66), 1);
});

test("near names come in the order of their edits, then those that begin with the name", () => {
  const names = ["configure", "confg", "config", "conifg", "other"];
  assert.deepEqual(nearNames("config", names), ["config", "confg", "conifg", "configure"]);
  assert.equal(nearestName("confgi", ["other", "config", "confg"]), "config");
});
