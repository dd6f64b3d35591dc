import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type ImportingFile, packImports, unpackImports } from "../index.ts";

const name = fc.oneof(
  fc.constantFrom("*", "default", "größe", "日本", ""),
  fc.string({ maxLength: 200 }),
);
const facts = fc.record(
  {
    imports: fc
      .array(
        fc.record(
          {
            specifier: name,
            names: fc.array(name, { maxLength: 5 }),
            line1: fc.integer({ min: 1, max: 1_000_000 }),
            kind: fc.constantFrom("static", "dynamic", "reexport", "type", "include"),
          },
          { noNullPrototype: true },
        ),
        { maxLength: 20 },
      )
      .map((imports) => imports.sort((one, other) => one.line1 - other.line1)),
    namespaces: fc.array(name, { maxLength: 3 }),
    definedNames: fc.array(name, { maxLength: 10 }),
    usedNames: fc
      .uniqueArray(fc.nat({ max: 0xff_ff_ff_ff }), { maxLength: 50 })
      .map((hashes) => Uint32Array.from(hashes).sort()),
  },
  { noNullPrototype: true },
);

function factsOf({ imports, namespaces, definedNames, usedNames }: ImportingFile): object {
  return { imports, namespaces, definedNames, usedNames };
}

const place = { path: "a/b.go", language: "go" };

test("unpackImports() gives back what packImports() took", () => {
  fc.assert(
    fc.property(facts, (given) => {
      const unpacked = unpackImports(packImports({ ...given }), place);
      assert.deepEqual(factsOf(unpacked), given);
      assert.deepEqual([unpacked.path, unpacked.language], ["a/b.go", "go"]);
    }),
    { numRuns: 300, seed: 4 },
  );
});

test("unpackImports() takes broken bytes for a file without imports, or for other facts", () => {
  const empty = { imports: [], namespaces: [], definedNames: [], usedNames: new Uint32Array(0) };
  const whole = packImports({ ...empty, namespaces: ["a"], definedNames: ["b", "c"] });
  for (let length = 0; length < whole.length; length += 1) {
    assert.deepEqual(factsOf(unpackImports(whole.subarray(0, length), place)), empty);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const { imports, definedNames, usedNames } = unpackImports(bytes, place);
      assert.ok(imports.length <= 60 && definedNames.length <= 60 && usedNames.length <= 60);
    }),
    { numRuns: 2000, seed: 5 },
  );
});
