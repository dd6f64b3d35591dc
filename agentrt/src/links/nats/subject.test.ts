import assert from "node:assert/strict";
import { test } from "node:test";
import { Subjects, subjectOf } from "./subject.ts";

test("each address has one subject of one token, however many there are and however often it is asked for", () => {
  const subjects = new Subjects();
  const addresses = Array.from({ length: 25_000 }, (_, number) => `a.${number}*>% ä`);
  const first = addresses.map((address) => subjects.of(address));
  assert.equal(new Set(first).size, addresses.length);
  for (const round of [1, 2])
    for (const [at, address] of addresses.slice(-20 * round).entries())
      assert.equal(subjects.of(address), first.slice(-20 * round)[at]);
  assert.deepEqual(first, addresses.map(subjectOf));
  for (const subject of first) assert.match(subject, /^agentrt\.agent\.[^.*>\s]+$/);
});
