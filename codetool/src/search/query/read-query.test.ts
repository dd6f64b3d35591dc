import assert from "node:assert/strict";
import { test } from "node:test";
import { readQuery } from "./read-query.ts";
import { readQueryTerms } from "./terms.ts";

test("readQuery() takes a query for what it looks like", () => {
  const rows: readonly (readonly [string, string, string | null])[] = [
    ["parseConfig", "literal", null],
    ["rate limiting", "literal", null],
    ["node.js version?", "literal", null],
    ["where are retries scheduled", "bm25", "hybrid"],
    ["what? now. then", "bm25", "hybrid"],
    ["emit(", "pattern", null],
    ["a|b", "pattern", null],
    ["on[A-Z]+", "pattern", null],
    ["function $NAME($$$) { $$$ }", "structural", null],
    ["$FOO", "structural", null],
    ["price in $5 notes", "pattern", null],
    ["=> => =>", "literal", null],
  ];
  for (const [query, way, unserved] of rows)
    assert.deepEqual(readQuery(query), { way, unserved }, query);
});

test("readQueryTerms() drops the words of the question, keeps names whole and in parts", () => {
  const question = readQueryTerms("how does the RetryQueue handle a failing request");
  assert.deepEqual(question.words, ["retry", "queue", "handle", "failing", "request"]);
  assert.equal(question.weights.get("retryqueue"), 1);
  assert.equal(question.weights.get("fail"), 0.4);
  assert.equal(question.weights.get("req"), 0.4);
  assert.equal(question.weights.has("how"), false);
  assert.equal(question.symbolName, null);
  assert.deepEqual(readQueryTerms("what is this").words, ["what", "is", "this"]);
  assert.equal(readQueryTerms("Config::parse_all()").symbolName, "parse_all");
  assert.equal(readQueryTerms("which tests cover retries here").isTestWanted, true);
});
