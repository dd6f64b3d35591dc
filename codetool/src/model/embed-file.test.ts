import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildTokenTable,
  dotProduct,
  embedFile,
  type FileText,
  TextEmbedder,
  TokenTable,
} from "./index.ts";
import { toHalf } from "./half-float.ts";

const stems = ["alpha", "beta", "gamma", "delta"];

/** A table in which every token has an axis of its own. */
function embedderOfAxes(): TextEmbedder {
  const vectors = stems.flatMap((_, row) => stems.map((__, axis) => toHalf(row === axis ? 1 : 0)));
  const table = buildTokenTable({
    dimensions: stems.length,
    stems,
    weights: new Float32Array(stems.length).fill(1),
    vectors: Uint16Array.from(vectors),
  });
  return new TextEmbedder(new TokenTable(table.bytes));
}

function fileOf(parts: readonly string[], path: string, names: readonly string[][] = []): FileText {
  const text = Buffer.from(parts.join("\n"), "utf8");
  let startByte = 0;
  const chunks = parts.map((part, index) => {
    const endByte = startByte + Buffer.byteLength(part);
    const place = { startByte, endByte, names: names[index] ?? [] };
    startByte = endByte + 1;
    return place;
  });
  return { text, path, chunks };
}

/** How much of a direction there is, compared with the first axis. */
const shares = (vector: Float32Array): number[] =>
  [...vector].map((value) => Math.round((value / (vector[0] as number)) * 100) / 100);

test("embedFile() adds path and names to the content of a chunk, each by its share", () => {
  const [vector = new Float32Array(0)] = embedFile(
    embedderOfAxes(),
    fileOf(["alpha alpha alpha"], "gamma.ts", [["delta"]]),
  );
  assert.ok(Math.abs(dotProduct(vector, vector) - 1) < 1e-6);
  // What the file adds is the content once more, which lowers the others a little against it.
  const length = Math.hypot(1, 0.7, 0.3);
  const content = 1 / length + 0.3;
  const expected = [content, 0, 0.7 / length, 0.3 / length].map(
    (value) => Math.round((value / content) * 100) / 100,
  );
  assert.deepEqual(shares(vector), expected);
});

test("embedFile() gives each chunk something of the others", () => {
  const vectors = embedFile(embedderOfAxes(), fileOf(["alpha", "beta", "beta"], "x.ts"));
  assert.equal(vectors.length, 3);
  const [first = new Float32Array(4), second] = vectors;
  assert.ok((first[1] as number) > 0 && (first[0] as number) > (first[1] as number));
  assert.deepEqual(second, vectors[2]);
});

test("embedFile() gives zeros where no token is known, and nothing for no chunks", () => {
  const embedder = embedderOfAxes();
  assert.deepEqual(embedFile(embedder, fileOf(["unknown words"], "none.ts")), [
    new Float32Array(4),
  ]);
  assert.deepEqual(
    embedFile(embedder, { text: new Uint8Array(0), path: "alpha.ts", chunks: [] }),
    [],
  );
});

test("embedFile() gives the same bits again, whatever was embedded in between", () => {
  const embedder = embedderOfAxes();
  const file = fileOf(["alpha beta", "gamma"], "delta/beta.ts", [["Alpha"], []]);
  const first = embedFile(embedder, file);
  embedFile(embedder, fileOf(["delta delta"], "gamma.ts"));
  assert.deepEqual(embedFile(embedder, file), first);
});
