/** Which numbers of a process are taken, and which are a replay. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ReplayWindow, windowCountMax } from "./replay-window.ts";

test("each number of a process is taken once, in any order, and none that is further behind than the window", () => {
  const step = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 3 * windowCountMax }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b"), step), { maxLength: 200 }), (rows) => {
      const window = new ReplayWindow();
      const taken = new Map<string, Set<number>>();
      for (const [process, number] of rows) {
        const known = taken.get(process) ?? new Set();
        taken.set(process, known);
        const newest = Math.max(number - 1, ...known);
        const isNew = !known.has(number) && number > newest - windowCountMax;
        assert.equal(window.take(process, number), isNew);
        if (isNew) known.add(number);
      }
    }),
  );
});

test("a process that was forgotten for others, 256 at once, is remembered again from its next message", () => {
  const window = new ReplayWindow();
  for (let index = 0; index < 256; index += 1) assert.ok(window.take(`p${index}`, 1));
  assert.ok(!window.take("p0", 1));
  assert.ok(window.take("one more", 1));
  assert.ok(!window.take("p0", 1));
  assert.ok(window.take("p1", 1));
});
