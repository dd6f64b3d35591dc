import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fromHalf, halfValues, toHalf } from "./half-float.ts";
import {
  BadTokenTable,
  buildTokenTable,
  dotProduct,
  isWholeTable,
  nearestVectors,
  quantise,
  sealTokenTable,
  TextEmbedder,
  TokenTable,
} from "./index.ts";
import { scanTokens } from "./scan-tokens.ts";
import { stemInPlace } from "./stem.ts";
import { tokenHash } from "./token-hash.ts";
import { PartialTokenTable, ReplacedTokenTable } from "./token-table.ts";

function tokensOf(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const tokens: string[] = [];
  scanTokens(bytes, (source, start, end) => {
    tokens.push(Buffer.from(source.subarray(start, end)).toString("utf8").toLowerCase());
  });
  return tokens;
}

function stemOf(word: string): string {
  const bytes = Buffer.from(word, "utf8");
  return bytes.toString("utf8", 0, stemInPlace(bytes, bytes.length));
}

/** A table of four dimensions with a row for each stem; the rows of `near` words are close. */
function tableOf(rows: { readonly [stem: string]: readonly number[] }): Uint8Array {
  const stems = Object.keys(rows);
  return buildTokenTable({
    dimensions: 4,
    stems,
    weights: new Float32Array(stems.length).fill(0.5),
    vectors: Uint16Array.from(Object.values(rows).flat(), toHalf),
  }).bytes;
}

const smallTable = {
  pars: [1, 0, 0, 0],
  request: [0.8, 0.6, 0, 0],
  http: [0, 1, 0, 0],
  café: [0, 0, 1, 0],
  file: [0, 0, 0, 1],
};

test("scanTokens() gives the parts of compound words, not the words, and no numbers or single letters", () => {
  assert.deepEqual(tokensOf("parseHttpRequest(x, 42) + HTTP_PORT_9"), [
    "parse",
    "http",
    "request",
    "http",
    "port",
  ]);
  assert.deepEqual(tokensOf("__init__ plain utf8 _x"), ["init", "plain", "utf8"]);
  assert.deepEqual(tokensOf("read_file read_file read"), ["read", "file", "read", "file", "read"]);
  assert.deepEqual(tokensOf(`${"a".repeat(31)} ${"b".repeat(30)}`), ["b".repeat(30)]);
  assert.deepEqual(tokensOf("café"), ["café"]);
});

test("a word's family has one stem, and short or foreign words stay", () => {
  const families = [
    ["parse", "parses", "parsed", "parsing", "parser", "parsers"],
    ["map", "maps", "mapped", "mapping"],
    ["query", "queries"],
    ["connect", "connects", "connection", "connections", "connected", "connecting"],
    ["validate", "validation", "validator", "validating"],
    ["class", "classes"],
    ["route", "router", "routing", "routes"],
  ];
  for (const family of families)
    assert.equal(new Set(family.map(stemOf)).size, 1, family.map(stemOf).join(" "));
  for (const word of ["bus", "io", "ing", "red", "sha256", "this", "status", "über"])
    assert.equal(stemOf(word), word);
  assert.notEqual(stemOf("user"), stemOf("use"));
  assert.notEqual(stemOf("string"), stemOf("str"));
});

test("half precision keeps what it can and rounds the rest to the nearest", () => {
  const values = halfValues();
  assert.equal(fromHalf(0x3c00), 1);
  for (let bits = 0; bits < 1 << 16; bits += 1) {
    const value = values[bits] as number;
    if (!Number.isNaN(value)) assert.equal(toHalf(value), bits, `${bits}`);
  }
  fc.assert(
    fc.property(fc.double({ min: -60_000, max: 60_000, noNaN: true }), (value) => {
      const bits = toHalf(value);
      const error = Math.abs((values[bits] as number) - Math.fround(value));
      assert.ok(error <= Math.max(Math.abs(value) * 2 ** -11, 2 ** -25));
    }),
  );
  assert.equal(toHalf(1e6), 0x7c00);
});

test("a table finds the row of every token it has, and none of others", () => {
  const table = new TokenTable(tableOf(smallTable));
  assert.equal(table.rowCount, 5);
  const rowOf = (word: string): number => {
    const bytes = Buffer.from(word, "utf8");
    return table.rowOf(tokenHash(bytes, 0, bytes.length));
  };
  for (const word of ["parse", "Parsing", "REQUESTS", "http", "café", "files"]) {
    const row = rowOf(word);
    assert.ok(row >= 0, word);
    assert.equal(table.stemOf(row), stemOf(word.toLowerCase()));
  }
  assert.equal(rowOf("unknown"), -1);
  assert.equal(new TokenTable(tableOf({})).rowOf(0), -1);
});

test("a file that is no table, or cut, or altered, is told from a whole one", async () => {
  const bytes = tableOf(smallTable);
  await sealTokenTable(bytes);
  assert.equal(await isWholeTable(bytes), true);
  assert.throws(() => new TokenTable(bytes.slice(0, -1)), BadTokenTable);
  assert.throws(() => new TokenTable(bytes.slice(0, 20)), BadTokenTable);
  const other = bytes.slice();
  other[7] = 9;
  assert.throws(() => new TokenTable(other), /not a token table of this version/);
  const altered = bytes.slice();
  altered[40] = (altered[40] as number) ^ 1;
  assert.equal(await isWholeTable(altered), false);
});

test("a vector has length one, is the same each time, and leaves nothing behind for the next text", () => {
  const table = new TokenTable(tableOf(smallTable));
  const embedder = new TextEmbedder(table);
  const first = embedder.embedText("parse an HTTP request");
  assert.ok(Math.abs(dotProduct(first, first) - 1) < 1e-6);
  embedder.embedText("files, files and more files");
  assert.deepEqual(embedder.embedText("parse an HTTP request"), first);
  assert.deepEqual(new TextEmbedder(table).embedText("parse an HTTP request"), first);
  assert.deepEqual([...embedder.embedText("nothing known")], [0, 0, 0, 0]);
  // After many rows numbers are read another way.
  for (let round = 0; round < 100; round += 1) embedder.embedText("parse http requests in files");
  assert.deepEqual(embedder.embedText("parse an HTTP request"), first);
  // parse (1,0,0,0) and http (0,1,0,0), each weighing the same.
  const [x = 0, y = 0] = embedder.embedText("http parser");
  assert.ok(Math.abs(x - Math.SQRT1_2) < 1e-6 && Math.abs(y - Math.SQRT1_2) < 1e-6);
});

test("a second occurrence counts less than the first, and a path counts beside the content", () => {
  const embedder = new TextEmbedder(new TokenTable(tableOf(smallTable)));
  const [parse = 0, http = 0] = embedder.embedText("parse parse parse http");
  // 3 times counts 3 * 2.5 / 4.5.
  assert.ok(Math.abs(parse / http - 7.5 / 4.5) < 1e-6);
  const text = Buffer.from("parse");
  const vector = new Float32Array(4);
  embedder.embedChunk(
    { text, startByte: 0, endByte: 5, path: "a/b/c/http/x/y/file.parse" },
    vector,
  );
  // The content is (1,0,0,0), the path (0,1,0,1) at length one, of which 0.6 counts.
  const [content = 0, folder = 0, , stem = 0] = vector;
  assert.ok(Math.abs(folder / content - 0.6 * Math.SQRT1_2) < 1e-6);
  assert.ok(Math.abs(stem / content - 0.6 * Math.SQRT1_2) < 1e-6);
  embedder.embedChunk({ text, startByte: 0, endByte: 5, path: "http/a/b/c/d.ts" }, vector);
  assert.equal(vector[1], 0);
});

const unitVector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 })
  .filter((values) => values.some((value) => Math.abs(value) > 0.01))
  .map((values) => {
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  });

test("quantised numbers are within half a step, and searching them finds what an exact search finds", () => {
  fc.assert(
    fc.property(
      unitVector,
      fc.array(unitVector, { minLength: 1, maxLength: 40 }),
      (query, list) => {
        const codes = new Int8Array(list.length * 8);
        const scales = Float32Array.from(list, (vector, index) => {
          const own = codes.subarray(index * 8, index * 8 + 8);
          const scale = quantise(vector, own);
          for (const [axis, value] of vector.entries())
            assert.ok(Math.abs((own[axis] as number) * scale - value) <= scale * 0.5001);
          return scale;
        });
        const exact = list
          .map((vector, index) => ({ index, score: dotProduct(query, vector) }))
          .sort((left, right) => right.score - left.score || left.index - right.index);
        const found = nearestVectors(
          query,
          { dimensions: 8, codes, scales },
          {
            count: 3,
            candidateCount: list.length,
            exactOf: (index) => list[index] as Float32Array,
          },
        );
        assert.deepEqual(found, exact.slice(0, 3));
      },
    ),
  );
  const zero = new Int8Array(8).fill(7);
  assert.equal(quantise(new Float32Array(8), zero), 0);
  assert.deepEqual([...zero], [0, 0, 0, 0, 0, 0, 0, 0]);
});

test("a table that is read in parts gives no row of a file that took its place", async () => {
  const first = tableOf(smallTable);
  await sealTokenTable(first);
  let bytes = first;
  const table = await PartialTokenTable.open(
    async (parts) => await Promise.resolve(parts.map(({ start, end }) => bytes.slice(start, end))),
  );
  const [http, file] = ["http", "file"].map((word) => {
    const text = Buffer.from(stemOf(word));
    return table.rowOf(tokenHash(text, 0, text.length));
  }) as [number, number];
  await table.loadRows([http]);
  assert.deepEqual(
    [...table.vectors.subarray(table.placeOf(http), table.placeOf(http) + 4)].map(fromHalf),
    [0, 1, 0, 0],
  );
  bytes = tableOf({ ...smallTable, another: [0, 0, 0.6, 0.8] });
  await sealTokenTable(bytes);
  await assert.rejects(table.loadRows([file]), ReplacedTokenTable);
  assert.throws(() => table.placeOf(file), RangeError);
});
