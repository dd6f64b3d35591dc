import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runBatch, type BatchOptions } from "./run-batch.ts";
import { splitLines, type BatchLine } from "./split-lines.ts";
import { type Envelope } from "../cli/test-support/codetool.ts";

async function* piecesOf(text: string, sizeBytes = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, "utf8");
  for (let start = 0; start < bytes.length; start += sizeBytes)
    yield await Promise.resolve(bytes.subarray(start, start + sizeBytes));
}

async function listOf(lines: AsyncIterable<BatchLine>): Promise<BatchLine[]> {
  const list: BatchLine[] = [];
  for await (const line of lines) list.push(line);
  return list;
}

async function batch(
  input: string,
  workingDirectory: string,
  options: Partial<BatchOptions> = {},
): Promise<Envelope[]> {
  const written: string[] = [];
  await runBatch({
    input: piecesOf(input),
    write: async (text) => {
      written.push(text);
      return await Promise.resolve(true);
    },
    context: { workingDirectory, environment: {} },
    ...options,
  });
  for (const text of written) assert.match(text, /^[^\n]+\n$/);
  return written.map((text) => JSON.parse(text) as Envelope);
}

function textOf(envelope: Envelope | undefined): string | undefined {
  return (envelope?.data as { content?: { text: string } } | undefined)?.content?.text;
}

function flatOf(envelope: Envelope | undefined): readonly unknown[] {
  return (envelope?.data as { flat?: readonly unknown[] } | undefined)?.flat ?? [];
}

test("splitLines() gives the same lines however the bytes are cut", async () => {
  const text = "één\n\n😀 two\nlast";
  for (const sizeBytes of [1, 2, 3, 5, 100]) {
    const lines = await listOf(splitLines(piecesOf(text, sizeBytes), 1000));
    assert.deepEqual(
      lines,
      ["één", "", "😀 two", "last"].map((line) => ({ text: line })),
    );
  }
});

test("splitLines() drops a byte-order mark before the first line, and there alone", async () => {
  for (const sizeBytes of [1, 2, 100]) {
    const lines = await listOf(splitLines(piecesOf("\ufeffa\n\ufeffb", sizeBytes), 1000));
    assert.deepEqual(lines, [{ text: "a" }, { text: "\ufeffb" }]);
  }
});

test("splitLines() drops a line that is too long and goes on", async () => {
  const lines = await listOf(splitLines(piecesOf(`${"x".repeat(50)}\nok\n12345678901`), 10));
  assert.deepEqual(lines, [{ isTooLong: true }, { text: "ok" }, { isTooLong: true }]);
});

test("runBatch() answers every line in order, with its id", async () => {
  using folder = createTemporaryFolder({ "a.txt": "one\ntwo\n", "b/c.txt": "three" });
  const lines = [
    '{"cmd":"read","file":"a.txt","lines":2,"id":"first"}',
    "",
    '{"id":7,"cmd":"find","path":".","flat":true}',
    '{"cmd":"read","path":"b/c.txt"}',
  ];
  const [first, second, third, ...rest] = await batch(lines.join("\n"), folder.path);
  assert.equal(rest.length, 0);
  assert.deepEqual([first?.id, second?.id, third?.id], ["first", 7, undefined]);
  assert.deepEqual([first?.command, second?.command], ["read", "find"]);
  assert.equal(textOf(first), "two");
  assert.equal(textOf(third), "three");
});

test("runBatch() gives a bad line an error envelope and goes on", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  const rows: readonly (readonly [string, string, RegExp])[] = [
    ["not json", "invalid_argument", /wanted one JSON object a line/],
    ["[1]", "invalid_argument", /wanted one JSON object a line/],
    ['{"file":"a","id":"x"}', "invalid_argument", /"cmd": it is missing/],
    ['{"cmd":7}', "invalid_argument", /"cmd": wanted the name/],
    ['{"cmd":"raed","file":"a"}', "invalid_command", /did you mean "read"/],
    ['{"cmd":"batch"}', "invalid_command", /cannot be a line of a batch/],
    [`{"cmd":"${"x".repeat(150)}"}`, "invalid_command", /"x{100}"/],
    ['{"cmd":"read","file":"a","id":1e999}', "invalid_argument", /"id": wanted a string/],
    [
      '{"cmd":"read","file":"a","path":"b"}',
      "invalid_argument",
      /"path": it is given twice: "file"/,
    ],
    ['{"cmd":"search","query":"a","--top-k":1}', "invalid_argument", /did you mean "top_k"/],
    ['{"cmd":"edit","file":"a","old_string":"b"}', "invalid_argument", /did you mean "find"/],
    ['{"cmd":"search","query":"a","line_number":true}', "invalid_argument", /has its line/],
    ['{"cmd":"search","query":"a","limit":3}', "invalid_argument", /did you mean "top_k"/],
    ['{"cmd":"constructor"}', "invalid_command", /no such command/],
    ['{"cmd":"read"}', "invalid_argument", /read needs it/],
    ['{"cmd":"read","file":"none"}', "file_not_found", /none/],
    ['{"cmd":"read","file":"a","lines":"9"}', "invalid_range", /has 1 line$/],
    ['{"cmd":"read","file":"a","fiel":1}', "invalid_argument", /did you mean "file"/],
    ['{"cmd":"read","file":"a","id":{}}', "invalid_argument", /"id": wanted a string/],
    ['{"cmd":"read","file":"a","budget":3}', "budget_exceeded", /within 3 tokens/],
    [`{"cmd":"read","file":"${"x".repeat(300)}"}`, "invalid_argument", /longer than 200 bytes/],
  ];
  const input = [...rows.map(([line]) => line), '{"cmd":"read","file":"a"}'].join("\n");
  const envelopes = await batch(input, folder.path, { lineSizeBytesMax: 200 });
  assert.equal(envelopes.length, rows.length + 1);
  for (const [at, [line, code, pattern]] of rows.entries()) {
    assert.equal(envelopes[at]?.error?.code, code, line);
    assert.match(envelopes[at]?.error?.message ?? "", pattern);
  }
  assert.equal(envelopes[2]?.id, "x");
  assert.equal(envelopes.at(-1)?.status, "ok");
});

test("runBatch() gives lines without a budget the one of the batch", async () => {
  using folder = createTemporaryFolder({ a: "text", b: "text", c: "text" });
  const line = '{"cmd":"find","flat":true}\n';
  const [own, given] = await batch(`${line.replace("}", ',"budget":1000}')}${line}`, folder.path, {
    budgetTokens: 60,
  });
  assert.equal(flatOf(own).length, 3);
  assert.ok(flatOf(given).length < 3);
  assert.equal(given?.data?.["truncated"], true);
});

test("runBatch() answers before the input ends", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  const answered = Promise.withResolvers<void>();
  async function* input(): AsyncGenerator<string> {
    yield '{"cmd":"read","file":"a"}\n';
    await answered.promise;
    yield '{"cmd":"read","file":"a"}\n';
  }
  const envelopes = await batch("", folder.path, {
    input: input(),
    write: async () => {
      answered.resolve();
      return await Promise.resolve(true);
    },
  });
  assert.deepEqual(envelopes, []);
});

test("runBatch() reads no further than it may have in flight", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  let readCount = 0;
  let writtenCount = 0;
  let aheadMax = 0;
  async function* input(): AsyncGenerator<string> {
    for (; readCount < 50; readCount += 1) {
      aheadMax = Math.max(aheadMax, readCount - writtenCount);
      yield await Promise.resolve('{"cmd":"read","file":"a"}\n');
    }
  }
  await batch("", folder.path, {
    input: input(),
    concurrencyMax: 4,
    write: async () => {
      writtenCount += 1;
      return await Promise.resolve(true);
    },
  });
  assert.equal(writtenCount, 50);
  assert.ok(aheadMax <= 5, `${aheadMax} lines ahead`);
});

test("runBatch() ends with the error of a write that fails", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  const failing = batch('{"cmd":"read","file":"a"}\n'.repeat(20), folder.path, {
    write: async () => await Promise.reject(new Error("disk full")),
  });
  await assert.rejects(failing, /disk full/);
});

test("runBatch() reads no more when nobody reads its answers", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  let readCount = 0;
  async function* input(): AsyncGenerator<string> {
    for (; readCount < 1000; readCount += 1)
      yield await Promise.resolve('{"cmd":"read","file":"a"}\n');
  }
  await batch("", folder.path, {
    input: input(),
    write: async () => await Promise.resolve(false),
  });
  assert.ok(readCount < 50, `${readCount} lines read`);
});

test("runBatch() edits one line after another, and reads what was written", async () => {
  using folder = createTemporaryFolder({ a: "one" });
  const steps = ["two", "three", "four"].flatMap((name, index, names) => {
    const find = index === 0 ? "one" : names[index - 1];
    return [
      { cmd: "read", file: "a" },
      { cmd: "edit", file: "a", find, replace: name, apply: true },
    ];
  });
  const lines = [...steps, { cmd: "read", file: "a" }].map((step) => JSON.stringify(step));
  const envelopes = await batch(lines.join("\n"), folder.path);
  const texts = envelopes.filter(({ command }) => command === "read").map(textOf);
  assert.deepEqual(texts, ["one", "two", "three", "four"]);
  const refused = await batch(
    '{"cmd":"edit","file":"a","insert_after":"f","text":"-","apply":true}',
    folder.path,
  );
  assert.match(refused[0]?.error?.message ?? "", /no standard input here/);
});

test("a line's cwd is where its paths begin, in arguments and answers", async () => {
  using folder = createTemporaryFolder({
    "x/a.ts": "export const outer = 1;\n",
    "x/x/a.ts": "export const inner = 2;\n",
  });
  const lines = [
    { cmd: "read", file: "x/a.ts" },
    { cmd: "read", file: "x/a.ts", cwd: "x" },
    { cmd: "read", file: "../a.ts", cwd: join(folder.path, "x/x") },
    { cmd: "find", cwd: "x/x", path: ".." },
    { cmd: "find", cwd: "none" },
    { cmd: "find", cwd: "x/a.ts" },
    { cmd: "find", cwd: 7 },
    { cmd: "find", cwd: "\0" },
  ];
  const answers = await batch(
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    folder.path,
  );
  assert.deepEqual(answers.slice(0, 3).map(textOf), [
    "export const outer = 1;\n",
    "export const inner = 2;\n",
    "export const outer = 1;\n",
  ]);
  assert.deepEqual(
    answers.slice(0, 3).map(({ data }) => data?.["file"]),
    ["x/a.ts", "x/a.ts", "../a.ts"],
  );
  assert.deepEqual(
    flatOf(answers[3]).map((file) => (file as { path: string }).path),
    ["../a.ts", "../x/a.ts"],
  );
  assert.deepEqual(
    answers.slice(4).map(({ error }) => error?.code),
    Array.from({ length: 4 }, () => "invalid_argument"),
  );
});
