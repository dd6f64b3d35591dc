import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryCorpusBuilder } from "../corpus/query-corpus.ts";
import { findVerbatim } from "./find-verbatim.ts";
import { bestWording, wordsOfText } from "./longest-runs.ts";

function find(query: string, files: { readonly [path: string]: string }): string[] {
  const builder = new QueryCorpusBuilder({ chunkSizeCharacters: 1500 });
  const paths = Object.keys(files).sort();
  for (const path of paths) {
    const text = Buffer.from(files[path] ?? "");
    builder.add({ path, sizeBytes: text.length, language: null, text, symbols: [] });
  }
  return findVerbatim(query, {
    corpus: builder.finish(),
    isIncluded: () => true,
    readText: (file) => Buffer.from(files[paths[file] ?? ""] ?? ""),
  }).map(({ file, line1 }) => `${paths[file]}:${line1}`);
}

const files = {
  "src/a.ts":
    "// variable names: unknown ones are foo\nfunction unknownVariable(foo) {}\nlet name = 1;\n",
  "src/b.ts": "import x;\n\nthrow new Error(`unknown variable '${m.x}' in file ${path}`);\n",
  "src/c.ts": 'log("retry budget spent, " +\n  "dropping request to %s");\n',
  "test/b.test.ts": "assert.match(error, /unknown variable foo in file/);\n",
};

test("findVerbatim() finds the line that prints a message, whatever values stand in it", () => {
  assert.equal(find("unknown variable 'foo' in file", files)[0], "src/b.ts:3");
  assert.equal(find("Error: unknown variable 'bar' in file /tmp/x.yml", files)[0], "src/b.ts:3");
});

test("findVerbatim() takes of places that differ by a number alone the one that says it, however many there are", () => {
  const cases = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `src/m${at}.ts`,
      `/** Handles case ${at}. */\nlet a;\n`,
    ]),
  );
  assert.equal(find("Handles case 8.", cases)[0], "src/m8.ts:1");
  assert.equal(find("Handles case 299.", cases)[0], "src/m299.ts:1");
});

test("findVerbatim() finds a message that is put together from several lines", () => {
  assert.equal(find("retry budget spent, dropping request to 10.0.0.7:80", files)[0], "src/c.ts:1");
});

test("findVerbatim() finds a message that ends like a question, where most of it is written in one place", () => {
  const all = { ...files, "src/d.ts": 'fail("no result was given, try running with -v?");\n' };
  assert.equal(find("no result was given, try running with -v?", all)[0], "src/d.ts:1");
  assert.deepEqual(find("a result that was not given, when running?", all), []);
});

test("findVerbatim() finds nothing for a question, for few words, and where too little is as it is written", () => {
  assert.deepEqual(find("where is an unknown variable in file reported", files), []);
  assert.deepEqual(find("is an unknown variable in file reported?", files), []);
  assert.deepEqual(find("unknown variable", files), []);
  assert.deepEqual(find("budget for requests that are retried and dropped", files), []);
  assert.deepEqual(find("", files), []);
});

test("bestWording() takes the lines whose runs hold most of the query, and the longest run of them", () => {
  const asked = ["cannot", "open", "the", "file"].map((word) => ({
    word,
    weight: word === "the" ? 0.1 : 1,
    isContent: word !== "the",
  }));
  const placesOf = new Map(asked.map(({ word }, place) => [word, [place]]));
  const text = Buffer.from('open the door\nfail("\\ncannot open the file")\n');
  const best = bestWording(wordsOfText(text, 0, text.length), asked, placesOf);
  assert.equal(best?.start, text.indexOf("cannot"));
  assert.equal(best?.runWords, 4);
  assert.equal(best?.runContentWords, 3);
  assert.equal(bestWording([], asked, placesOf), undefined);
});
