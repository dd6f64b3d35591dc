import assert from "node:assert/strict";
import { test } from "node:test";
import {
  array,
  assert as assertLaw,
  boolean,
  nat,
  property,
  record,
  string,
  type Arbitrary,
} from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  type Continuation,
  digestOf,
  digestOfContents,
  readToken,
  writeToken,
} from "./continuation.ts";

const continuations: Arbitrary<Continuation> = record({
  question: string().map((text) => digestOf([text])),
  files: string().map((text) => digestOf([text])),
  contents: string().map((text) => digestOfContents(Buffer.from(text))),
  isOfHashes: boolean(),
  isFromIndex: boolean(),
  offset: nat(1_000_000),
  returned: array(nat(1_000_000), { maxLength: 20 }),
});

test("readToken() gives back what writeToken() was given, and tokens are safe in URLs", () => {
  assertLaw(
    property(continuations, (continuation) => {
      const token = writeToken(continuation);
      assert.match(token, /^[\w.-]+$/);
      assert.deepEqual(readToken(token), { ...continuation });
    }),
  );
});

test("a token costs an agent little, and as much whatever the digests are", () => {
  const costs = new Set<number>();
  for (let round = 0; round < 200; round += 1) {
    const token = writeToken({
      question: digestOf([`question ${round}`]),
      files: digestOf([`files ${round}`]),
      contents: digestOfContents(Float64Array.of(round)),
      isOfHashes: round % 2 === 0,
      isFromIndex: true,
      offset: 5,
      returned: [],
    });
    costs.add(countTokens(`"${token}"`));
  }
  assert.equal(costs.size, 1);
  assert.ok(Math.max(...costs) <= 17, `${[...costs].join()} tokens`);
});

test("readToken() refuses what is no token", () => {
  const token = writeToken({
    question: digestOf(["q"]),
    files: digestOf(["f"]),
    contents: "012",
    isOfHashes: true,
    isFromIndex: false,
    offset: 5,
    returned: [7],
  });
  const others = ["", "a", "....", `${token}.`, `${token}.x`, `${token}.-1`, `${token}.1e9`];
  for (const text of [...others, token.slice(1), `1${token.slice(1)}`, "WzIsIjAiLCIwIiwwLDFd"])
    assert.equal(readToken(text), undefined, text);
  assert.equal(readToken(`${token}.99999999999999999999`), undefined);
});
