import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { joinChanges } from "./join-changes.ts";
import type { LineChange } from "./line-change.ts";

const added = (line: string): LineChange => ({ type: "addition", old: null, new: line });

test("joinChanges() makes one change of neighbours of the same type", () => {
  const modified: LineChange = { type: "modification", old: "a", new: "b" };
  assert.deepEqual(
    joinChanges([added("one"), added(""), modified, modified, added("two"), added("")]),
    [added("one\n"), { type: "modification", old: "a\na", new: "b\nb" }, added("two\n")],
  );
  assert.deepEqual(joinChanges([added("")]), [added("")]);
  assert.deepEqual(joinChanges([]), []);
});

test("joinChanges() loses no line, whichever are empty", () => {
  const line = fc.constantFrom("", "a", " b", "c\r");
  const change = fc.oneof(
    line.map(added),
    line.map((old): LineChange => ({ type: "deletion", old, new: null })),
    fc
      .tuple(line, line)
      .map(([old, next]): LineChange => ({ type: "modification", old, new: next })),
  );
  const split = ({ type, old, new: next }: LineChange): LineChange[] => {
    const olds = old?.split("\n") ?? [];
    const news = next?.split("\n") ?? [];
    return Array.from({ length: Math.max(olds.length, news.length) }, (_, at) => ({
      type,
      old: olds[at] ?? null,
      new: news[at] ?? null,
    }));
  };
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      assert.deepEqual(joinChanges(changes).flatMap(split), changes);
    }),
  );
});
