import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { QueryCorpusBuilder } from "../corpus/query-corpus.ts";
import { extractSymbols } from "../../syntax/index.ts";
import { RankedCorpus } from "./feature-rows.ts";
import { explainFile, rankFiles } from "./rank-files.ts";
import { projectWordsOf } from "./project-words.ts";
import { readRankQuery } from "./query.ts";
import { formsOfWord, rootOfWord } from "./word-forms.ts";

const tree: { readonly [path: string]: string } = {
  "docs/retry.md": "# Retries\nHow retries are scheduled.\n",
  "src/index.ts":
    'export { RetryQueue } from "./retry-queue.ts";\nexport { Session } from "./session.ts";\n',
  "src/retry-queue.ts":
    "/** Schedules failed deliveries again, with growing delays. */\nexport class RetryQueue {\n  schedule(delivery) {\n    return delay(delivery);\n  }\n}\n",
  "src/session.ts":
    "/** State of a signed-in user. */\nexport class Session {\n  expire() {}\n}\nexport function openSession(user) {\n  return new Session(user);\n}\n",
  "src/transport.ts":
    'import { Session } from "./session.ts";\n/** Sends requests over a pool of connections. */\nexport class Transport {\n  constructor(session: Session) {}\n  acquireConnection() {}\n}\n',
  "test/retry-queue.test.ts":
    'import { RetryQueue } from "../src/retry-queue.ts";\ntest("RetryQueue schedules failed deliveries again", () => {});\n',
};

function indexTree(files: { readonly [path: string]: string } = tree): RankedCorpus {
  const builder = new QueryCorpusBuilder({ chunkSizeCharacters: 1500 });
  for (const path of Object.keys(files).sort()) {
    const text = Buffer.from(files[path] ?? "");
    const language = path.endsWith(".ts") ? "typescript" : "markdown";
    const { symbols } = extractSymbols(text.toString(), language);
    builder.add({ path, sizeBytes: text.length, language, text, symbols });
  }
  return new RankedCorpus(builder.finish());
}

function rank(text: string, ranked = indexTree(), files = tree): string[] {
  const readText = (file: number): Buffer =>
    Buffer.from(files[ranked.corpus.file(file).path] ?? "");
  const query = readRankQuery(text, { projectWords: projectWordsOf(["acme/mailer"]) });
  return rankFiles(query, ranked, { readText }).files.map(
    ({ file }) => ranked.corpus.file(file).path,
  );
}

test("rankFiles() finds what a question is about, sources before tests and documents", () => {
  const ranked = indexTree();
  const rows: readonly (readonly [string, string])[] = [
    ["how are failed deliveries scheduled again", "src/retry-queue.ts"],
    ["where is the state of a user's session kept", "src/session.ts"],
    ["connection pool of requests", "src/transport.ts"],
    ["which tests cover the retry queue", "test/retry-queue.test.ts"],
    ["RetryQueue", "src/retry-queue.ts"],
    ["openSession", "src/session.ts"],
    ["Session", "src/session.ts"],
  ];
  const first = rows.map(([query]) => [query, rank(query, ranked)[0]]);
  assert.deepEqual(first, rows);
});

test("rankFiles() answers the same whatever was asked before, and whatever order files of equal rank are met in", () => {
  const ranked = indexTree();
  const before = rank("how are sessions opened", ranked);
  rank("RetryQueue", ranked);
  assert.deepEqual(rank("how are sessions opened", ranked), before);
  assert.deepEqual(rank("how are sessions opened"), before);
  const twins = {
    "a/x.ts": "let twin = 1;\n",
    "b/x.ts": "let twin = 1;\n",
    "c/x.ts": "let twin = 1;\n",
  };
  assert.deepEqual(rank("the twin thing again", indexTree(twins), twins), Object.keys(twins));
});

test("rankFiles() gives falling relevances from 0 to 1 for any query, and explains each", () => {
  const ranked = indexTree();
  const readText = (): undefined => undefined;
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.lorem(), fc.constantFrom("Session", "a b c")), (text) => {
      const query = readRankQuery(text);
      const { files } = rankFiles(query, ranked, { readText });
      let last = 1;
      for (const file of files) {
        assert.ok(file.relevance >= 0 && file.relevance <= last, `${file.relevance} after ${last}`);
        last = file.relevance;
        assert.ok(explainFile(file).every(({ value }) => Number.isFinite(value)));
      }
    }),
    { seed: 4, numRuns: repetitions(300) },
  );
});

test("readRankQuery() drops the words of the question and the project's name, and keeps names", () => {
  const projectWords = projectWordsOf(["apache/kafka"]);
  const read = readRankQuery("how does kafka handle the RetryQueue of a fetchRequest", {
    projectWords,
  });
  assert.deepEqual(
    read.groups.map(({ word, importance }) => [word, importance]),
    [
      ["handle", 0.5],
      ["retry", 1],
      ["queue", 1],
      ["fetch", 1],
      ["request", 1],
    ],
  );
  assert.deepEqual(read.compounds, ["retryqueue", "fetchrequest"]);
  assert.deepEqual(read.identifiers, ["RetryQueue", "fetchRequest"]);
  assert.deepEqual(
    readRankQuery("kafka", { projectWords }).groups.map(({ word }) => word),
    ["kafka"],
  );
  assert.equal(readRankQuery("Config::parse_all()").symbolName, "parse_all");
});

test("words of one root share their forms", () => {
  for (const words of [
    "schedule schedules scheduled scheduling scheduler",
    "map maps mapped mapping mapper",
  ]) {
    const [first = "", ...others] = words.split(" ");
    for (const word of others) {
      assert.equal(rootOfWord(word), rootOfWord(first), word);
      assert.ok(formsOfWord(first).includes(word), word);
    }
  }
  assert.ok(formsOfWord("auth").includes("authentication"));
  assert.equal(rootOfWord("pass"), "pass");
});
