import assert from "node:assert/strict";
import { test } from "node:test";
import { widthOf } from "./cell-width.ts";
import { lineChart } from "./line-chart.ts";
import { createTones } from "./tones.ts";

const looks = {
  width: 12,
  height: 4,
  tones: createTones(false),
  valueText: (value: number) => String(value),
  ends: ["a", "b"] as const,
};

test("a line goes from the lower left to the upper right, with its letter where it is highest", () => {
  assert.deepEqual(lineChart([{ values: [0, 1] }], { ...looks, valueText: String }), [
    "1┤     ⣀⡠⠔⠒A",
    "0┤⣀⠤⠔⠊⠉     ",
    " └──────────",
    "  a        b",
  ]);
});

test("every line of a chart is as wide as it says, whatever it shows", () => {
  for (const width of [5, 12, 40, 99])
    for (const values of [
      [],
      [0],
      [3],
      [1, 2, 3],
      Array.from({ length: 1000 }, (_, at) => at % 7),
    ]) {
      const lines = lineChart([{ values }, { values }], { ...looks, width, height: 6 });
      assert.equal(lines.length, 6);
      for (const line of lines) assert.equal(widthOf(line), width, `${width} ${line}`);
    }
});

test("two lines that are highest at one place have both letters; no room is no chart", () => {
  const [top] = lineChart([{ values: [0, 2] }, { values: [0, 2] }], looks);
  assert.match(top ?? "", /BA$/);
  assert.deepEqual(lineChart([{ values: [1] }], { ...looks, width: 3 }), []);
  assert.deepEqual(lineChart([{ values: [1] }], { ...looks, height: 2 }), []);
});

test("each line has a colour", () => {
  const lines = lineChart([{ values: [0, 1] }, { values: [1, 0] }], {
    ...looks,
    tones: createTones(true),
  });
  assert.match(lines.join(""), /\u001B\[36mA/);
  assert.match(lines.join(""), /\u001B\[33mB/);
});
