import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  bootstrapInterval,
  type Dataset,
  type LabelledQuery,
  readDataset,
  scoreQuery,
} from "./index.ts";

function wanted(
  ...targets: readonly (readonly [string, number, [number, number]?])[]
): LabelledQuery {
  return {
    query: "q",
    category: "semantic",
    targets: targets.map(([path, grade, span]) => ({
      path,
      grade,
      spans: span === undefined ? [] : [{ startLine1: span[0], endLine1: span[1] }],
    })),
  };
}

function places(...paths: readonly string[]) {
  return paths.map((path) => ({ path, startLine1: 1, endLine1: 10 }));
}

const letters = "abcdefghijklmnop".split("");
const second = 1 / Math.log2(3);
const third = 1 / 2;

test("scoreQuery() is NDCG@10 over distinct files, computed by hand", () => {
  const rows: readonly (readonly [LabelledQuery, readonly string[], number])[] = [
    [wanted(["a", 1]), ["a", "b"], 1],
    [wanted(["a", 1]), ["b", "a"], second],
    [wanted(["a", 1]), ["b", "b", "b", "a"], second],
    [wanted(["a", 1]), ["b", "c"], 0],
    [wanted(["a", 1], ["b", 1]), ["a", "c", "b"], (1 + third) / (1 + second)],
    [wanted(["a", 3], ["b", 1]), ["b", "a"], (1 + 7 * second) / (7 + second)],
    [wanted(["x/a.ts", 1]), ["a.ts"], 1],
    [wanted(["a.ts", 1]), ["x/a.ts"], 1],
    [wanted(["a.ts", 1]), ["xa.ts"], 0],
    [wanted(), [], 1],
    [wanted(), ["a"], 0],
    [wanted(["k", 1]), [...letters.slice(0, 10), "k"], 0],
  ];
  for (const [query, paths, expected] of rows) {
    const { ndcg10, isMiss } = scoreQuery(query, places(...paths));
    assert.ok(
      Math.abs(ndcg10 - expected) < 1e-12,
      `${paths.join(" ")}: ${ndcg10}, not ${expected}`,
    );
    assert.equal(isMiss, expected === 0);
  }
});

test("scoreQuery() counts places, not files, and asks for the labelled lines in its strict figure", () => {
  const query = wanted(["a", 1, [20, 30]]);
  const at = (path: string, startLine1: number) => ({ path, startLine1, endLine1: startLine1 + 9 });
  const strictOf = (...list: ReturnType<typeof at>[]): number =>
    scoreQuery(query, list).strictNdcg10;
  assert.equal(strictOf(at("a", 25)), 1);
  assert.equal(strictOf(at("a", 11)), 1);
  assert.equal(strictOf(at("a", 10)), 0);
  assert.equal(strictOf(at("a", 31)), 0);
  assert.equal(strictOf(at("a", 1), at("a", 21)), second);
  assert.equal(scoreQuery(query, [at("a", 1)]).ndcg10, 1);
});

test("scoreQuery() is between 0 and 1, and 1 for the ideal order, for any labels and answers", () => {
  const name = fc.constantFrom(...letters);
  const labels = fc.uniqueArray(fc.tuple(name, fc.integer({ min: 1, max: 3 })), {
    selector: ([path]) => path,
    minLength: 1,
    maxLength: 14,
  });
  fc.assert(
    fc.property(labels, fc.array(name, { maxLength: 20 }), (targets, answer) => {
      const query = wanted(...targets);
      const { ndcg5, ndcg10 } = scoreQuery(query, places(...answer));
      assert.ok(ndcg5 >= 0 && ndcg5 <= 1 + 1e-12 && ndcg10 >= 0 && ndcg10 <= 1 + 1e-12);
      const ideal = targets.toSorted((a, b) => b[1] - a[1]).map(([path]) => path);
      assert.ok(Math.abs(scoreQuery(query, places(...ideal)).ndcg10 - 1) < 1e-12);
    }),
    { seed: 3, numRuns: 300 },
  );
});

test("bootstrapInterval() holds the mean, is narrow for equal values, and the same each time", () => {
  assert.deepEqual(bootstrapInterval([0.2, 0.4]), [0.30000000000000004, 0.30000000000000004]);
  assert.deepEqual(bootstrapInterval([0.5, 0.5, 0.5]), [0.5, 0.5]);
  const values = Array.from({ length: 40 }, (_, index) => (index % 4) / 3);
  const [low, high] = bootstrapInterval(values);
  assert.ok(low > 0.35 && low < 0.45 && high > 0.55 && high < 0.65, `${low} ${high}`);
  assert.deepEqual(bootstrapInterval(values), [low, high]);
});

function datasetOf(value: unknown): Dataset {
  const dataset = readDataset(JSON.stringify(value), "file");
  assert.ok(!("fault" in dataset), JSON.stringify(dataset));
  return dataset;
}

test("readDataset() reads the dialects as one", () => {
  const ours = datasetOf({
    repo: "o/n",
    commit: "c",
    benchmark_root: "./src/",
    queries: [
      {
        query: "q",
        relevant_files: ["src/a.ts"],
        query_type: "symbol",
        spans: [{ path: "src/a.ts", start_line: 3, end_line: 9 }],
      },
    ],
  });
  assert.equal(ours.name, "o/n");
  assert.equal(ours.benchmarkRoot, "src");
  const expected = { path: "src/a.ts", grade: 1, spans: [{ startLine1: 3, endLine1: 9 }] };
  assert.deepEqual(ours.queries, [{ query: "q", category: "symbol", targets: [expected] }]);
  const spanned = datasetOf([
    {
      query: "q",
      relevant: [{ path: "src/a.ts", start_line: 3, end_line: 9 }],
      secondary: ["b.ts"],
      category: "architecture",
    },
  ]);
  assert.equal(spanned.name, "file");
  assert.deepEqual(spanned.queries[0]?.targets, [expected, { path: "b.ts", grade: 1, spans: [] }]);
  const graded = datasetOf({
    root: "/x",
    queries: [
      {
        query: "q",
        category: "c",
        relevant: [
          { file: "a", relevance: 3 },
          { file: "b", relevance: 0 },
        ],
      },
      { query: "none", category: "c", relevant: [], negative: true },
    ],
  });
  assert.deepEqual(
    graded.queries.map(({ targets }) => targets),
    [[{ path: "a", grade: 3, spans: [] }], []],
  );
});

test("readDataset() says what is wrong with a dataset in one line", () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["{", /^it is not JSON/],
    ["{}", /no list "queries"/],
    ['{"queries":[]}', /no queries/],
    ['{"queries":[7]}', /^query 1: wanted an object/],
    ['{"queries":[{"query":"a"}]}', /^query 1: wanted a list/],
    ['{"queries":[{"query":"a","relevant":[{}]}]}', /no path/],
    ['{"queries":[{"query":"a","relevant":[{"file":"a","relevance":"x"}]}]}', /grade of "a"/],
  ];
  for (const [text, fault] of rows) {
    const read = readDataset(text, "file");
    assert.match("fault" in read ? read.fault : "", fault, text);
  }
});
