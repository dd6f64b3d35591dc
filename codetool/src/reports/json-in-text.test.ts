import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findJson, isObject, type Json, type JsonObject, jsonLines } from "./json-in-text.ts";

const isWanted = (value: Json): value is JsonObject => isObject(value) && "wanted" in value;
const noise = fc
  .array(fc.stringMatching(/^(?:[a-z:"\\]*|\[[A-Z]+\] [a-z]*|\{ not json|\d+: \[\])$/), {
    maxLength: 5,
  })
  .map((lines) => lines.filter((line) => line !== "{ not json").join("\n"));

test("findJson() finds the document among other lines, on one line or many", () => {
  fc.assert(
    // oxlint-disable-next-line max-params -- a property takes each of its values as a parameter
    fc.property(noise, noise, fc.jsonValue(), fc.boolean(), (before, after, inner, isPretty) => {
      const wanted = { wanted: inner };
      const document = isPretty ? JSON.stringify(wanted, null, 2) : JSON.stringify(wanted);
      const text = `${before}\n{"other": ["}"]}\n${document}\n${after}`;
      assert.deepEqual(findJson(text, isWanted), JSON.parse(document));
    }),
    { seed: 11, numRuns: 300 },
  );
});

test("findJson() finds none in what is cut off, or holds none", () => {
  for (const text of ["", "{", '{"wanted": 1', "plain", "[1, 2]", '{"wanted": 1,}'])
    assert.equal(findJson(text, isWanted), undefined, text);
});

test("findJson() takes a document that other text follows on its line", () => {
  assert.deepEqual(findJson('x\n{"wanted":"a}"}report written\n', isWanted), { wanted: "a}" });
});

test("jsonLines() leaves lines out that are no objects", () => {
  assert.deepEqual(jsonLines('{"a":1}\ntext\n[1]\n{broken\n{"b":2}'), [{ a: 1 }, { b: 2 }]);
});
