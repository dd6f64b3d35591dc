import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { pairLines } from "./pair-lines.ts";

function shape(old: readonly string[], next: readonly string[]): string {
  const signs = { addition: "+", deletion: "-", modification: "~" };
  return pairLines(old, next)
    .map((change) => signs[change.type])
    .join("");
}

test("pairLines() pairs lines that share most of their words, in order", () => {
  assert.equal(shape(["return a + b;"], ["throw new Error();"]), "~", "one for one");
  assert.equal(shape(["const a = f(x);"], ["const a = f(x, y);", "const b = 1;"]), "~+");
  assert.equal(shape(["let a = 1;", "return a;"], ["const total = sum(list);"]), "--+");
  assert.equal(
    shape(["first(one, two)", "second(three)"], ["zero()", "first(one, 2)", "second(3, three)"]),
    "+~~",
  );
  assert.equal(shape([], ["a"]), "+");
  assert.equal(shape(["a"], []), "-");
});

test("pairLines() keeps all lines of both sides in their order", () => {
  const lines = fc.array(fc.constantFrom("", "a b c", "a b d", "x = 1;", "}", "return x;"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(lines, lines, (old, next) => {
      const changes = pairLines(old, next);
      assert.deepEqual(
        changes.flatMap((change) => change.old ?? []),
        old,
      );
      assert.deepEqual(
        changes.flatMap((change) => change.new ?? []),
        next,
      );
    }),
    { seed: 5, numRuns: 300 },
  );
});

test("pairLines() bounds what it compares", () => {
  const old = Array.from({ length: 3000 }, (_, index) => `const value${index} = ${index};`);
  const next = old.map((line) => line.replace("const", "let"));
  assert.equal(shape(old, next), "~".repeat(3000));
  assert.equal(shape(old, next.slice(1)), "-".repeat(3000) + "+".repeat(2999));
});
