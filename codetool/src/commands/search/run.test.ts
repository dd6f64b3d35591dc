import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { countTokens } from "../../text/token-counter.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";
import { searchCommand } from "./command.ts";

const files: { readonly [path: string]: string | Buffer } = {
  "src/retry.ts":
    "import { wait } from './wait.ts';\n\n/** Schedules retries of failed deliveries with a growing delay. */\nexport function scheduleRetry(count: number): number {\n  return wait(count * 2);\n}\n",
  "src/wait.ts":
    "// scheduleRetry calls this\nexport class Timer {\n  wait(delay: number): number {\n    return delay;\n  }\n}\nexport const wait = (n: number) => new Timer().wait(n);\n",
  "src/crlf.txt": "first\r\nneedle at end needle\r\nlast needle",
  "src/mark.txt": "\ufeffneedle first\nétroit needle\n",
  "src/latin.txt": Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0x20, 0xe9, 0x0a]),
  "tests/retry.test.ts":
    "import { scheduleRetry } from '../src/retry.ts';\nscheduleRetry(3);\nscheduleRetry(4);\n",
  "docs/retries.md": "# Retries\n\nscheduleRetry(count) plans the next try.\n",
  "vendor/copy.ts": "export function scheduleRetry() {}\n",
  "binary.dat": Buffer.from("needle\0needle"),
  "long.js": `const data = "${"x".repeat(5000)}needle${"y".repeat(5000)}";\n`,
  "ignored/a.txt": "needle",
  ".gitignore": "ignored/\n",
};

let folder = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "codetool-search-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
});
after(() => rmSync(folder, { recursive: true }));

interface Match {
  readonly [key: string]: unknown;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly snippet: string;
  readonly relevance: number;
}

async function search(
  input: { readonly [name: string]: unknown },
  workingDirectory = folder,
): Promise<{
  readonly data: {
    readonly [key: string]: unknown;
    readonly matches: readonly Match[];
    readonly total_matches: number;
    readonly continuation_token: string | null;
  };
  readonly warnings: readonly string[];
}> {
  const context = { workingDirectory, environment: {} };
  const outcome = await executeCommand(searchCommand, input, context);
  if ("error" in outcome) throw outcome.error;
  return { data: outcome.data as never, warnings: outcome.warnings ?? [] };
}

const placesOf = (matches: readonly Match[]): string[] =>
  matches.map(({ file, line, column }) => `${file}:${line}:${column}`);

test("search for a name puts its definition first, then one hit a file, then the others", async () => {
  const { data } = await search({ query: "scheduleRetry", top_k: 10 });
  assert.equal(data["mode"], "literal");
  assert.deepEqual(placesOf(data.matches), [
    "src/retry.ts:4:17",
    "src/wait.ts:1:4",
    "docs/retries.md:3:1",
    "tests/retry.test.ts:2:1",
    "vendor/copy.ts:1:17",
    "tests/retry.test.ts:3:1",
    "tests/retry.test.ts:1:10",
  ]);
  assert.equal(data.total_matches, 7);
  assert.equal(data.continuation_token, null);
  const [first] = data.matches;
  assert.deepEqual(
    { ...first, relevance: 0 },
    {
      file: "src/retry.ts",
      line: 4,
      column: 17,
      match: "scheduleRetry",
      context_type: "function",
      context_name: "scheduleRetry",
      context_signature: "export function scheduleRetry(count: number): number",
      snippet: "export function scheduleRetry(count: number): number {\n  return wait(count * 2);",
      snippet_lines: { start: 4, end: 5 },
      relevance: 0,
      language: "typescript",
    },
  );
  const relevances = data.matches.map(({ relevance }) => relevance);
  assert.deepEqual(
    relevances,
    relevances.toSorted((a, b) => b - a),
  );
  assert.ok(relevances.every((relevance) => relevance > 0 && relevance <= 1));
});

test("search tells a method's definition from its calls", async () => {
  const { data } = await search({ query: "wait(", literal: true });
  assert.equal(placesOf(data.matches)[0], "src/wait.ts:3:3");
});

test("search finds a definition among calls in larger files that come before it", async () => {
  const call = "int caller(int x) {\n    make_thing(x,\n        1);\n    return x;\n}\n";
  using tree = createTemporaryFolder({
    "a.c": call.repeat(5000),
    "b.c": call.repeat(5000),
    "m.h": "extern int make_thing(int a, int b);\n",
    "z.c": "int\nmake_thing(int a, int b)\n{\n    return a;\n}\n",
  });
  const { data } = await search({ query: "make_thing" }, tree.path);
  assert.deepEqual(
    data.matches.slice(0, 3).map(({ file, line }) => `${file}:${line}`),
    ["z.c:2", "m.h:1", "a.c:2"],
  );
});

test("search parses no file in C that only calls, so the definition is found behind many of them", async () => {
  const caller = `void f(void)\n{\n  if (1)\n    needle(1,\n      2);\n}\n/*${" filler".repeat(9_000)} */\n`;
  const callers = Array.from({ length: 12 }, (_, index) => [`caller${index}.c`, caller]);
  using other = createTemporaryFolder({
    ...Object.fromEntries(callers),
    "other.c": `${caller}\nint\n  needle(int a,\n    int b)\n{\n  return a + b;\n}\n`,
  });
  const { data } = await search({ query: "needle", literal: true }, other.path);
  const [first] = data.matches;
  assert.deepEqual([first?.file, first?.line], ["other.c", 10]);
});

test("search finds the definition first where it is built, and takes none from prose", async () => {
  using tree = createTemporaryFolder({
    "README.md": "```ts\nclass Widget {}\n```\n\nclass Gadget {}\n",
    "dist/widget.js": "export class Widget {}\n",
    "src/use.ts": "new Widget();\nnew Gadget();\n",
  });
  const first = async (query: string) =>
    placesOf((await search({ query }, tree.path)).data.matches);
  assert.deepEqual((await first("Widget"))[0], "dist/widget.js:1:14");
  assert.deepEqual((await first("Gadget"))[0], "src/use.ts:2:5");
});

test("search counts lines, columns in bytes from 1, and knows CRLF, byte-order marks and odd bytes", async () => {
  const { data } = await search({ query: "needle", literal: true, top_k: 20 });
  assert.deepEqual(placesOf(data.matches).sort(), [
    "long.js:1:5015",
    "src/crlf.txt:2:1",
    "src/crlf.txt:3:6",
    "src/latin.txt:1:1",
    "src/mark.txt:1:1",
    "src/mark.txt:2:9",
  ]);
  assert.equal(data.total_matches, 6);
  const crlf = data.matches.find(({ file }) => file === "src/crlf.txt");
  assert.equal(crlf?.snippet, "needle at end needle");
  const long = data.matches.find(({ file }) => file === "long.js");
  assert.ok((long?.snippet.length ?? 999) < 300 && long?.snippet.includes("needle"));
});

test("search over line breaks finds either kind", async () => {
  const { data } = await search({ query: "first\nneedle", literal: true });
  assert.deepEqual(placesOf(data.matches), ["src/crlf.txt:1:1"]);
  assert.equal(data.matches[0]?.snippet, "first\nneedle at end needle");
  assert.deepEqual(data.matches[0]["snippet_lines"], { start: 1, end: 2 });
});

test("search shows the definition with a body before overloads, protocols and prototypes of its file", async () => {
  using tree = createTemporaryFolder({
    "a.py":
      "class Sink(Protocol):\n    def set_error(\n        self, error: str\n    ) -> None: ...\n\n\ndef set_error(sink, error):\n    sink.error = error\n",
    "b.ts":
      "function parse(text: string): number;\nfunction parse(text: Buffer): number;\nfunction parse(text: any) {\n  return 1;\n}\n",
    "c.py":
      'class One:\n    def reset(self):\n        """Does it."""\n        ...\n\n\nclass Two:\n    def reset(self):\n        """Resets."""\n        self.x = 0\n',
    "d.ts": "class A {\n  open() {\n    a();\n  }\n}\nclass B {\n  open() {\n    b();\n  }\n}\n",
  });
  const check = async (query: string, line: number): Promise<void> => {
    const { data } = await search({ query }, tree.path);
    assert.equal(data.matches[0]?.line, line, query);
    const lines = data.matches.map((match) => match.line);
    assert.equal(new Set(lines).size, lines.length, query);
  };
  await check("set_error", 7);
  await check("parse", 3);
  await check("reset", 8);
  await check("open", 2);
});

test("search --plain has a line for each match, and its beginning below a definition", async () => {
  const context = { workingDirectory: folder, environment: {}, isPlain: true };
  const outcome = await executeCommand(
    searchCommand,
    { query: "scheduleRetry", top_k: 3 },
    context,
  );
  assert.ok("data" in outcome);
  assert.equal(
    outcome.plain?.(),
    `src/retry.ts:4:17
  export function scheduleRetry(count: number): number {
    return wait(count * 2);

src/wait.ts:1:4: // scheduleRetry calls this
docs/retries.md:3:1: scheduleRetry(count) plans the next try.
`,
  );
});

test("search --hash tells the hash of a file once, and of none without the flag", async () => {
  const asked = await search({ query: "needle", literal: true, top_k: 9, hash: true });
  const hashes = asked.data.matches.filter((match) => "hash" in match);
  const filesFound = new Set(asked.data.matches.map(({ file }) => file));
  assert.equal(hashes.length, filesFound.size);
  assert.ok(hashes.every(({ hash }) => /^[0-9a-f]{32}$/.test(String(hash))));
  const plain = await search({ query: "needle", literal: true, top_k: 9 });
  assert.ok(plain.data.matches.every((match) => !("hash" in match)));
});

test("search for a file by its name or path shows the file first", async () => {
  for (const query of ["wait.ts", "src/wait.ts", "./src/wait.ts"]) {
    const { data, warnings } = await search({ query, top_k: 1 });
    assert.deepEqual(placesOf(data.matches), ["src/wait.ts:1:1"], query);
    assert.deepEqual(warnings, []);
  }
  using tree = createTemporaryFolder({ "dist/app.js": "1;\n", "lib/app.js": "2;\n" });
  const { data } = await search({ query: "app.js" }, tree.path);
  assert.deepEqual(placesOf(data.matches), ["lib/app.js:1:1", "dist/app.js:1:1"]);
  const literal = await search({ query: "wait.ts", literal: true });
  assert.deepEqual(placesOf(literal.data.matches), ["src/retry.ts:1:25"]);
});

test("search takes a pattern with --regex, and says where a bad one is wrong", async () => {
  const { data } = await search({ query: "^(first|last)\\b.*$", regex: true, top_k: 9 });
  assert.deepEqual(placesOf(data.matches).sort(), ["src/crlf.txt:1:1", "src/crlf.txt:3:1"]);
  assert.equal(data.matches.find(({ line }) => line === 1)?.["match"], "first");
  await assert.rejects(search({ query: "a(b", regex: true }), {
    code: "invalid_argument",
    message: /character 2: this "\(" is not closed/,
  });
});

test("search without a mode takes metacharacters for a pattern, and for text when they make none", async () => {
  assert.equal((await search({ query: "Timer|Retries" })).data.total_matches, 3);
  const call = await search({ query: "wait(n" });
  assert.deepEqual(placesOf(call.data.matches), ["src/wait.ts:7:48"]);
  assert.match(call.warnings.join(), /not a valid pattern/);
});

test("search answers a question by its words, and says what answered", async () => {
  const { data, warnings } = await search({ query: "how are failed deliveries scheduled again" });
  assert.equal(data["mode"], "bm25");
  assert.equal(data.matches[0]?.file, "src/retry.ts");
  assert.equal(data.matches[0]?.["context_name"], "scheduleRetry");
  assert.match(warnings.join(), /No index: one was built in memory/);
  const missing = await search({ query: "delivery failure" });
  assert.equal(missing.data["mode"], "bm25");
  assert.equal(missing.data.matches[0]?.file, "src/retry.ts");
  assert.match(missing.warnings.join(), /occurs nowhere/);
  assert.equal((await search({ query: "absentword", literal: true })).data.total_matches, 0);
});

test("search for a message of several words finds the line that holds it as it stands", async () => {
  using tree = createTemporaryFolder({
    "src/queue.ts":
      "export class Queue {\n  /** A queue is full when the queue holds the most. */\n  isFull(queue: Queue) {\n    return queue;\n  }\n}\n",
    "src/send.ts":
      "// asked: how is the queue full\nexport function send(): void {\n  prepare();\n  if (a) throw new Error('the queue is full, dropped it');\n  queue();\n}\n",
  });
  const { data } = await search({ query: "the queue is full" }, tree.path);
  assert.deepEqual(placesOf(data.matches)[0], "src/send.ts:4:3");
  const asked = await search({ query: "how is the queue full" }, tree.path);
  assert.equal(asked.data.matches[0]?.file, "src/queue.ts");
  assert.ok(data.matches.every(({ relevance }) => relevance <= 1));
});

test("search finds the line of a printed message in every mode that ranks", async () => {
  using tree = createTemporaryFolder({
    "src/names.ts":
      "// variable names: unknown ones are foo\nexport function unknownVariable(foo) {}\n",
    "src/read.ts": "import x;\n\nthrow new Error(`unknown variable '${m.x}' in file ${path}`);\n",
  });
  const query = "unknown variable 'foo' in file /tmp/a.yml";
  for (const flags of [
    {},
    { mode: "bm25" },
    { mode: "hybrid" },
    { semantic: true },
    { ranker: "rrf" },
  ]) {
    const { data } = await search({ query, ...flags }, tree.path);
    assert.equal(placesOf(data.matches)[0], "src/read.ts:3:1", JSON.stringify(flags));
    assert.equal(new Set(placesOf(data.matches)).size, data.matches.length);
  }
});

test("search --context shows the unit around", async () => {
  const inFunction = await search({ query: "delay;", literal: true, context: "function" });
  assert.deepEqual(inFunction.data.matches[0]?.["snippet_lines"], { start: 3, end: 5 });
  const inClass = await search({ query: "delay;", literal: true, context: "class" });
  assert.deepEqual(inClass.data.matches[0]?.["snippet_lines"], { start: 2, end: 6 });
  const inBlock = await search({ query: "plans the", literal: true, context: "block" });
  assert.equal(
    inBlock.data.matches[0]?.snippet,
    "# Retries\n\nscheduleRetry(count) plans the next try.",
  );
  assert.equal(inBlock.data.matches[0]?.["context_name"], "Retries");
});

test("search pages return each match once, with and without a budget", async () => {
  for (const budget of [undefined, 700, 400]) {
    const seen: string[] = [];
    let token: string | undefined;
    for (let page = 0; page < 30; page += 1) {
      const { data } = await search({
        query: "needle",
        literal: true,
        top_k: 2,
        ...(budget === undefined ? {} : { budget }),
        ...(token === undefined ? {} : { continue: token }),
      });
      if (budget !== undefined) assert.ok(countTokens(JSON.stringify(data)) <= budget);
      seen.push(...placesOf(data.matches));
      token = data.continuation_token ?? undefined;
      if (token === undefined) break;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.length, 6);
  }
});

test("search refuses a token of another search, and says when files have changed", async () => {
  const { data } = await search({ query: "needle", literal: true, top_k: 1 });
  const token = data.continuation_token ?? "";
  await assert.rejects(search({ query: "first", literal: true, continue: token }), {
    code: "invalid_argument",
    message: /another search/,
  });
  await assert.rejects(search({ query: "needle", literal: true, continue: "nonsense" }), {
    code: "invalid_argument",
  });
  writeFileSync(join(folder, "src/new.txt"), "new\n");
  const next = await search({ query: "needle", literal: true, continue: token });
  rmSync(join(folder, "src/new.txt"));
  assert.match(next.warnings.join(), /Files have changed/);
});

test("search that fits nothing into its budget answers ok with nothing", async () => {
  const { data } = await search({ query: "needle", literal: true, budget: 60 });
  assert.equal(data["returned"], 0);
  assert.equal(data["truncated"], true);
  assert.equal(data.continuation_token, null);
});

test("search --exists is exact, and probable where it finds nothing and files were not searched", async () => {
  const found = await search({ query: "needle", exists: true });
  assert.deepEqual(found.data, { exists: true, confidence: "exact" });
  const missing = await search({ query: "no such words here", exists: true });
  assert.deepEqual(missing.data, { exists: false, confidence: "probable" });
  assert.match(missing.warnings.join(), /binary file was not looked into/);
  await search({ query: "needle", exists: true, budget: 20 });
  await assert.rejects(search({ query: "needle", exists: true, budget: 2 }), {
    code: "budget_exceeded",
  });
});

test("search refuses what this build does not serve and what contradicts itself", async () => {
  const rows: readonly (readonly [object, string, RegExp])[] = [
    [{ query: "x", mode: "hybrid", regex: true }, "invalid_argument", /regex and mode hybrid/],
    [{ query: "x", semantic: true, regex: true }, "invalid_argument", /regex and mode semantic/],
    [{ query: "x", structural: true, alpha: 1 }, "invalid_argument", /alpha and mode structural/],
    [{ query: "x", literal: true, mode: "bm25" }, "invalid_argument", /one mode/],
    [{ query: "x", regex: true, mode: "bm25" }, "invalid_argument", /mode literal/],
    [{ query: "  " }, "invalid_argument", /empty/],
    [{ query: "x".repeat(20_000) }, "invalid_argument", /20000 characters/],
    [{ query: "x", path: "nowhere" }, "file_not_found", /nowhere/],
    [{ query: "x", top_k: 0 }, "invalid_argument", /at least 1/],
  ];
  for (const [input, code, message] of rows)
    await assert.rejects(search({ ...input }), { code, message });
});

test("search of one file and of an empty folder works", async () => {
  const one = await search({ query: "needle", literal: true, path: "src/mark.txt" });
  assert.equal(one.data.total_matches, 2);
  mkdirSync(join(folder, "empty"), { recursive: true });
  for (const mode of ["literal", "bm25"])
    assert.deepEqual((await search({ query: "needle", mode, path: "empty" })).data.matches, []);
});

test("search answers from the index where there is one, also below it, and sees what came since", async () => {
  using tree = createTemporaryFolder({
    "src/retry.ts": "export function scheduleRetry(count: number) {\n  return count;\n}\n",
    "src/session.ts": "export class Session {}\n",
    "lib/retry.py": "def schedule_retry(count):\n    return count\n",
  });
  const query = "where are retries scheduled";
  const without = await search({ query }, tree.path);
  assert.match(without.warnings.join(), /No index/);
  const indexed = await executeCommand(
    indexCommand,
    {},
    { workingDirectory: tree.path, environment: {} },
  );
  assert.ok(!("error" in indexed));
  const found = await search({ query }, tree.path);
  assert.doesNotMatch(found.warnings.join(), /No index/);
  assert.deepEqual([without.data["mode"], found.data["mode"]], ["bm25", "hybrid"]);
  const asked = await search({ query, mode: "hybrid" }, tree.path);
  assert.deepEqual(placesOf(asked.data.matches), placesOf(found.data.matches));
  assert.deepEqual(placesOf(found.data.matches), placesOf(without.data.matches));
  const below = await search({ query, path: "lib" }, tree.path);
  assert.deepEqual(placesOf(below.data.matches), ["lib/retry.py:1:1"]);
  tree.write({ "lib/retry.py": "# moved\n\n\ndef schedule_retry(count):\n    return count\n" });
  const after = await search({ query, path: "lib", explain: true }, tree.path);
  assert.deepEqual(placesOf(after.data.matches), ["lib/retry.py:4:1"]);
  const features = after.data.matches[0]?.["features"] as readonly { feature: string }[];
  assert.ok(features.some(({ feature }) => feature === "stem"));
});

test("search for words that stand nowhere, and by fused ranks, asks the index where there is one", async () => {
  using tree = createTemporaryFolder({
    "src/retry.ts": "export function scheduleRetry(count: number) {\n  return count;\n}\n",
    "src/session.ts": "export class Session {}\n",
  });
  await executeCommand(indexCommand, {}, { workingDirectory: tree.path, environment: {} });
  for (const input of [{ query: "retry schedule" }, { query: "scheduleRetry", ranker: "rrf" }]) {
    const { data, warnings } = await search(input, tree.path);
    assert.equal(data["mode"], "hybrid");
    assert.equal(data.matches[0]?.file, "src/retry.ts");
    assert.doesNotMatch(warnings.join(), /No index/);
  }
});

test("search for a name puts the file that is about it before others that define one of that name", async () => {
  using tree = createTemporaryFolder({
    "src/application.py":
      "class Application:\n    class Session:\n        pass\n\n    def run(self):\n        pass\n",
    "src/session.py":
      'class Session:\n    """What a user has open."""\n\n    def close(self):\n        pass\n',
    "src/use.py": "from session import Session\n\nSession().close()\n",
  });
  const { data } = await search({ query: "Session" }, tree.path);
  assert.deepEqual(placesOf(data.matches).slice(0, 2), [
    "src/session.py:1:7",
    "src/application.py:2:11",
  ]);
  const relevances = data.matches.map(({ relevance }) => relevance);
  assert.deepEqual(
    relevances,
    relevances.toSorted((a, b) => b - a),
  );
});

test("search for a name with what it stands in shows its definition before what mentions it", async () => {
  using tree = createTemporaryFolder();
  mkdirSync(join(tree.path, "lib/rack"), { recursive: true });
  const ofModule = (text: string): string => `module Rack\n${text}end\n`;
  writeFileSync(
    join(tree.path, "lib/rack/mock.rb"),
    ofModule("  class Mock < Rack::Response\n  end\n"),
  );
  writeFileSync(
    join(tree.path, "lib/rack/response.rb"),
    ofModule("  class Response\n    def finish\n    end\n  end\n"),
  );
  writeFileSync(join(tree.path, "lib/other.rb"), "class Response\n  def finish\n  end\nend\n");
  const firstOf = async (query: string): Promise<readonly [string, number] | undefined> => {
    const { data } = await search({ query }, tree.path);
    const [match] = data.matches;
    return match === undefined ? undefined : [match.file, match.line];
  };
  assert.deepEqual(await firstOf("Rack::Response"), ["lib/rack/response.rb", 2]);
  assert.deepEqual(await firstOf("rack.Response"), ["lib/rack/response.rb", 2]);
  const { data } = await search({ query: "Rack::Response" }, tree.path);
  assert.deepEqual(
    data.matches.map(({ file }) => file),
    ["lib/rack/response.rb", "lib/rack/mock.rb"],
  );
  // A flag says that the text itself is wanted.
  const literal = await search({ query: "Rack::Response", literal: true }, tree.path);
  assert.deepEqual(
    literal.data.matches.map(({ file }) => file),
    ["lib/rack/mock.rb"],
  );
});

test("search --semantic finds what a query is about without its words, with an index and without", async () => {
  const query = "try again after an unsuccessful attempt";
  const found = await search({ query, semantic: true });
  assert.equal(found.data["mode"], "semantic");
  const [first] = found.data["matches"];
  assert.match(first?.file ?? "", /retry|retries/);
  assert.equal(first?.relevance, 1);
  assert.match(JSON.stringify(found.warnings), /No index: one was built in memory/);
  const context = { workingDirectory: folder, environment: {} };
  await executeCommand(indexCommand, {}, context);
  const indexed = await search({ query, semantic: true });
  rmSync(join(folder, ".codetool"), { recursive: true });
  assert.deepEqual(
    { ...indexed.data, continuation_token: "" },
    { ...found.data, continuation_token: "" },
  );
});
