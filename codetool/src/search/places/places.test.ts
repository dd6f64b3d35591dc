import assert from "node:assert/strict";
import { test } from "node:test";
import { chunkText } from "../../index/index.ts";
import { extractSymbols } from "../../syntax/index.ts";
import { NameMatcher, readRankQuery } from "../ranker/index.ts";
import { explainPlace, PlaceScorer, placeFeatureNames, type UnitSymbol } from "./index.ts";
import { TextLines } from "./text-lines.ts";
import { unitsOf } from "./units.ts";

const source = `import { open } from "./wire.ts";

/** Holds the connections of one host. */
export class Pool {
  size = 0;

  /** Gives an idle one back, else opens one. */
  acquire(host: string) {
    return this.idle(host) ?? open(host);
  }

  /** Closes those that nobody used for a while. */
  evict(now: number) {
    for (const one of this.all) {
      if (one.usedAt > now - 1000) continue;
      one.close();
      this.size -= 1;
    }
  }
}

const limit = 10;
`;

function flatten(
  symbols: ReturnType<typeof extractSymbols>["symbols"],
  parent: number | null = null,
  into: UnitSymbol[] = [],
): UnitSymbol[] {
  for (const { name, kind, startLine1, endLine1, isExported, children } of symbols) {
    const own = into.push({ name, kind, startLine1, endLine1, isExported, parent }) - 1;
    flatten(children, own, into);
  }
  return into;
}

const text = Buffer.from(source);
const { symbols: tree } = extractSymbols(source, "typescript");
const symbols = flatten(tree);
const chunks = chunkText(text, tree, 1500);

function scorerFor(question: string): PlaceScorer {
  const query = readRankQuery(question);
  const matcher = new NameMatcher(
    query,
    query.groups.map(() => 1),
  );
  return new PlaceScorer(query, matcher, false);
}

const file = {
  path: "src/pool.ts",
  text,
  symbols,
  chunks,
  nearest: 1,
  below: 0,
  rank: 0,
};

test("unitsOf() cuts a file into its definitions, classes without their members, and the rest", () => {
  const units = unitsOf(text, new TextLines(text), { symbols, chunks });
  const rows = units.map(({ symbol, commentLine1, startLine1, endLine1, isHeader }) => [
    symbol?.name ?? null,
    commentLine1,
    startLine1,
    endLine1,
    isHeader,
  ]);
  assert.deepEqual(
    rows.filter(([name]) => name === "Pool" || name === "acquire" || name === "evict"),
    [
      ["Pool", 3, 4, 4, true],
      ["acquire", 7, 8, 10, false],
      ["evict", 12, 13, 19, false],
    ],
  );
  assert.ok(rows.some(([name, first]) => name === null && first === 1));
  const outside = units.find(({ symbol }) => symbol?.name === "evict")?.around;
  assert.deepEqual(
    outside?.map(({ name }) => name),
    ["Pool"],
  );
});

test("unitsOf() reads a file without definitions by its chunks, and an empty one as nothing", () => {
  const plain = Buffer.from("one\n\ntwo\n");
  const units = unitsOf(plain, new TextLines(plain), {
    symbols: [],
    chunks: chunkText(plain, [], 100),
  });
  assert.deepEqual(
    units.map(({ startLine1, endLine1, symbol }) => [startLine1, endLine1, symbol]),
    [[1, 3, null]],
  );
  const empty = Buffer.alloc(0);
  assert.deepEqual(unitsOf(empty, new TextLines(empty), { symbols: [], chunks: [] }), []);
});

test("PlaceScorer puts the function that a question is about before the class around it and its neighbours", () => {
  const asked = scorerFor("where are connections closed that nobody used");
  const [best] = asked.score(file);
  assert.equal(best?.startLine1, 13);
  assert.equal(best?.line1(), 13);
  const [other] = scorerFor("how is an idle connection given back for a host").score(file);
  assert.equal(other?.startLine1, 8);
});

test("PlaceScorer points into a long function where most of the question is", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `  step${at}();`);
  lines[30] = "  refund(customer, invoice);";
  const long = `function run() {\n${lines.join("\n")}\n}\n`;
  const bytes = Buffer.from(long);
  const parsed = extractSymbols(long, "typescript").symbols;
  const scored = scorerFor("refund the invoice of a customer").score({
    ...file,
    text: bytes,
    symbols: flatten(parsed),
    chunks: chunkText(bytes, parsed, 1500),
  });
  assert.equal(scored[0]?.line1(), 32);
});

test("explainPlace() names the features that count, those that count most first", () => {
  const scorer = scorerFor("where are idle connections closed");
  const [best] = scorer.score(file);
  assert.ok(best !== undefined);
  const told = explainPlace(best, scorer.weights);
  assert.ok(told.length > 3);
  const sizes = told.map(({ value, weight }) => Math.abs(value * weight));
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  );
  assert.ok(told.every(({ feature }) => placeFeatureNames.some((name) => name === feature)));
});
