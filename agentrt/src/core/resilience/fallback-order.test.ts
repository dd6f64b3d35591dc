import assert from "node:assert/strict";
import { test } from "node:test";
import { fallbackLoop, fallbackOrder } from "./fallback-order.ts";

const of =
  (table: { readonly [name: string]: readonly string[] }) =>
  (name: string): readonly string[] =>
    table[name] ?? [];

test("the fallbacks of a fallback come before the next one, each once", () => {
  const fallbacks = of({ a: ["b", "c"], b: ["d"], c: ["d", "e"] });
  assert.deepEqual(fallbackOrder("a", fallbacks), ["a", "b", "d", "c", "e"]);
  assert.deepEqual(fallbackOrder("e", fallbacks), ["e"]);
});

test("a loop is found from each of its places, and from no other", () => {
  const fallbacks = of({ a: ["b"], b: ["c", "d"], c: [], d: ["b"] });
  assert.equal(fallbackLoop("a", fallbacks), undefined, "it leads into a loop, and is none of it");
  assert.deepEqual(fallbackLoop("b", fallbacks), ["b", "d", "b"]);
  assert.deepEqual(fallbackLoop("d", fallbacks), ["d", "b", "d"]);
  assert.deepEqual(fallbackLoop("s", of({ s: ["s"] })), ["s", "s"]);
});
