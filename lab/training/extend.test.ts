import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { toHalf } from "../../codetool/src/model/half-float.ts";
import {
  buildTokenTable,
  isWholeTable,
  sealTokenTable,
  TokenTable,
} from "../../codetool/src/model/index.ts";
import { stemInPlace } from "../../codetool/src/model/stem.ts";
import { stemHash } from "../../codetool/src/model/token-hash.ts";
import { ContextMeans } from "./context-means.ts";
import { LeastSquares } from "./least-squares.ts";

function stemOf(word: string): string {
  const bytes = Buffer.from(word);
  return bytes.toString("utf8", 0, stemInPlace(bytes, bytes.length));
}

test("LeastSquares finds a map from pairs that it made, and a ridge draws it to zero", () => {
  const squares = new LeastSquares(2, 3);
  const truth = (x: number, y: number): number[] => [2 * x - y, x + 3 * y, -y];
  for (const [x, y] of [
    [1, 0],
    [0, 1],
    [2, -1],
    [-3, 5],
  ] as const)
    squares.add([x, y], truth(x, y), 1 + Math.abs(x));
  const found = [...squares.solve(0).apply([4, 7])];
  for (const [index, value] of truth(4, 7).entries())
    assert.ok(Math.abs((found[index] as number) - value) < 1e-9, found.join());
  const small = squares.solve(1e9).apply([4, 7]);
  assert.ok(Math.hypot(...small) < 1e-6);
});

test("ContextMeans is the mean of what is within ten places, without the token itself, and forty times a repository", () => {
  const means = new ContextMeans({
    dimensions: 2,
    numbers: Float32Array.from([1, 0, 0, 1, 5, 5, 0, 0]),
  });
  means.beginRepository();
  // 3 has no vector; 2 is eleven places from it.
  means.add(Int32Array.from([0, 3, 1, -1, ...Array<number>(8).fill(-1), 2]));
  assert.deepEqual([...means.meanOf(3)], [1, 1]);
  assert.deepEqual([...means.meanOf(0)], [0, 1]);
  assert.deepEqual([...means.meanOf(1)], [6, 5]);
  assert.equal(means.countOf(2), 1);
  for (let time = 0; time < 50; time += 1) means.add(Int32Array.from([3]));
  assert.equal(means.countOf(3), 40);
  means.beginRepository();
  means.add(Int32Array.from([3]));
  assert.equal(means.countOf(3), 41);
});

test("extend.ts keeps the rows of a table bit for bit, and places a new stem among the words around it", async () => {
  using temporary = createTemporaryFolder();
  const folder = temporary.path;
  const groups = [
    ["socket", "packet", "router", "gateway", "subnet"],
    ["invoice", "payment", "refund", "ledger", "taxes"],
  ];
  const stems = groups.flat().map(stemOf);
  const vectors = stems.flatMap((_, row) => (row < 5 ? [0.8, 0.6] : [-0.6, 0.8])).map(toHalf);
  const weights = Float32Array.from(stems.map((_, row) => 1 + row / 10));
  const { bytes } = buildTokenTable({
    dimensions: 2,
    stems,
    weights,
    vectors: Uint16Array.from(vectors),
  });
  await sealTokenTable(bytes);
  temporary.write({ "old.bin": bytes });
  for (const repository of ["one", "two"]) {
    const lines = groups.flatMap((words, group) =>
      words.map((word, place) =>
        [word, words[(place + 1) % 5], group === 0 ? "zigbee" : "escrow"].join(" "),
      ),
    );
    // The two groups are further apart than a window.
    lines.splice(5, 0, "1 ".repeat(3), ...Array<string>(30).fill("unknownfiller"));
    temporary.write({ [`corpus/${repository}/a.py`]: lines.join("\n") });
  }
  const said = execFileSync(
    process.execPath,
    [
      join(import.meta.dirname, "extend.ts"),
      join(folder, "old.bin"),
      join(folder, "corpus"),
      join(folder, "new.bin"),
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  assert.match(said, /^13 rows, \d+ bytes$/m);
  const content = new Uint8Array(readFileSync(join(folder, "new.bin")));
  assert.equal(await isWholeTable(content), true);
  const [before, after] = [new TokenTable(bytes), new TokenTable(content)];
  for (const stem of stems) {
    const [from, to] = [before.rowOf(stemHash(stem)), after.rowOf(stemHash(stem))];
    assert.equal(after.stemOf(to), stem);
    assert.equal(after.weights[to], before.weights[from], stem);
    assert.deepEqual(
      after.vectors.slice(to * 2, to * 2 + 2),
      before.vectors.slice(from * 2, from * 2 + 2),
      stem,
    );
  }
  const signOf = (word: string): number => {
    const row = after.rowOf(stemHash(stemOf(word)));
    assert.ok(row >= 0 && (after.weights[row] as number) > 0, word);
    return (after.vectors[row * 2] as number) >= 0x8000 ? -1 : 1;
  };
  assert.equal(signOf("zigbee"), 1);
  assert.equal(signOf("escrow"), -1);
});
