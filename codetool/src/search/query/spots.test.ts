import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { scanTerms, termsOf } from "../../index/index.ts";
import { QuerySpots } from "./spots.ts";

const wordArbitrary = fc.constantFrom(
  "parse",
  "parseHttpRequest",
  "HTTP_PORT",
  "__db__",
  "dbConnection",
  "größe",
  "Größe_parse",
  "x1",
  "PARSER",
  "reparse",
  "a".repeat(120),
);
const textArbitrary = fc
  .array(fc.tuple(wordArbitrary, fc.constantFrom(" ", "\n", ".", "(", "é", "")), { maxLength: 30 })
  .map((parts) => parts.flat().join(""));

test("the words visited hold every term of a text that begins as one of the query", () => {
  const rows = [["parse", "http"], ["db"], ["größe", "parse"], []];
  fc.assert(
    fc.property(fc.constantFrom(...rows), textArbitrary, (terms, text) => {
      const bytes = Buffer.from(text, "utf8");
      const spots = new QuerySpots(terms);
      const found: string[] = [];
      let before = 0;
      spots.visit(bytes, (start, end) => {
        assert.ok(start >= before && end > start, "in order, and apart");
        before = end;
        scanTerms(bytes, start, end, (source, from, to) => {
          found.push(Buffer.from(source.subarray(from, to)).toString("utf8").toLowerCase());
        });
      });
      const isAsked = (term: string): boolean =>
        terms.some((asked) => term.startsWith(asked.slice(0, 4)));
      assert.deepEqual(found.filter(isAsked), termsOf(text).filter(isAsked));
      for (const term of found.filter(isAsked)) assert.ok(spots.mayHold(term));
    }),
  );
});

test("what holds no term of the query is not visited", () => {
  const spots = new QuerySpots(["retry", "delay"]);
  const words: string[] = [];
  const text = Buffer.from("const noRetry = a.b(DELAYED, nothing) // retr", "utf8");
  spots.visit(text, (start, end) => words.push(text.toString("utf8", start, end)));
  assert.deepEqual(words, ["noRetry", "DELAYED", "retr"]);
  assert.equal(spots.mayHold("nothing"), false);
});
