import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { isWindows, source, answer, type ReadData, read } from "./test-support/answer.ts";

test("read gives a whole file with metadata and flat outline", async () => {
  using folder = createTemporaryFolder({ "src/a.ts": source });
  const { file, meta, content, outline } = await read(["src/a.ts"], folder.path);
  assert.equal(file, "src/a.ts");
  assert.equal(meta.language, "typescript");
  assert.equal(meta.lines, 10);
  assert.equal(meta.bytes, Buffer.byteLength(source));
  assert.match(meta.hash, /^[0-9a-f]{32}$/);
  assert.deepEqual(Object.keys(meta), ["language", "lines", "bytes", "modified", "hash"]);
  assert.deepEqual(content, {
    range: { start: 1, end: 10 },
    snap: null,
    snap_reason: null,
    text: source,
    tokens: Math.floor(Buffer.byteLength(source) / 4),
  });
  assert.deepEqual(
    outline.map(({ name, lines }) => ({ name, lines })),
    [
      { name: "greet", lines: { start: 2, end: 4 } },
      { name: "Greeter", lines: { start: 6, end: 10 } },
      { name: "greet", lines: { start: 7, end: 9 } },
    ],
  );
});

test("read gives lines, outline, skeleton or hash, nulling what is not asked for", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const lines = await read(["a.ts", "--lines", "2-4"], folder.path);
  assert.equal(lines.content.text, source.split("\n").slice(1, 4).join("\n"));
  assert.deepEqual(lines.content.range, { start: 2, end: 4 });
  assert.deepEqual(
    lines.outline.map((entry) => entry.name),
    ["greet"],
  );
  const outline = await read(["a.ts", "--outline"], folder.path);
  assert.equal(outline.content, null);
  assert.equal(outline.outline.length, 3);
  const skeleton = await read(["a.ts", "--skeleton"], folder.path);
  assert.match(skeleton.content.text, /greet\(name: string\): string \{\/\*\.\.\.\*\/\}/);
  assert.equal(skeleton.content.text.includes("hello"), false);
  // What shows less says each declaration once, unless the outline is asked for beside it.
  assert.equal(skeleton.outline, null);
  const both = await read(["a.ts", "--skeleton", "--outline"], folder.path);
  assert.equal(both.content.text, skeleton.content.text);
  assert.equal(both.outline.length, 3);
  const within = await read(["a.ts", "--skeleton", "--budget", "300"], folder.path);
  assert.equal(within.outline, null);
  for (const mode of ["aggressive", "entropy", "diff"]) {
    const reduced = await read(["a.ts", "--mode", mode], folder.path);
    assert.equal(reduced.outline, null, mode);
  }
  for (const flag of ["--hash", "--meta"]) {
    const hash = await read(["a.ts", flag], folder.path);
    assert.deepEqual([hash.content, hash.outline], [null, null]);
  }
});

test("read --if-changed answers with a stub for the same hash in any case, else as ever", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const { hash } = (await read(["a.ts", "--hash"], folder.path)).meta;
  for (const given of [hash, hash.toUpperCase()]) {
    const { data } = await answer(
      ["read", "a.ts", "--if-changed", given, "--skeleton"],
      folder.path,
    );
    assert.deepEqual(data, { cached: true, meta: { hash } });
  }
  const changed = await read(["a.ts", "--if-changed", "0".repeat(32)], folder.path);
  assert.equal(changed.content.text, source);
});

test("read shows text as it is: CRLF, byte order mark, no last line end, no lines, one huge line", async () => {
  const huge = "x".repeat(2_000_000);
  using folder = createTemporaryFolder({
    crlf: "a\r\nb\r\nc\r\n",
    mark: "\uFEFFone\ntwo",
    empty: "",
    huge,
    blank: "\n\n",
  });
  const rows: readonly (readonly [readonly string[], string, object])[] = [
    [["crlf"], "a\r\nb\r\nc\r\n", { start: 1, end: 3 }],
    [["crlf", "--lines", "1-2"], "a\r\nb", { start: 1, end: 2 }],
    [["crlf", "--lines", "3"], "c", { start: 3, end: 3 }],
    [["mark"], "one\ntwo", { start: 1, end: 2 }],
    [["mark", "--lines", "2"], "two", { start: 2, end: 2 }],
    [["empty"], "", { start: 1, end: 0 }],
    [["huge"], huge, { start: 1, end: 1 }],
    [["blank", "--lines", "2"], "", { start: 2, end: 2 }],
  ];
  for (const [args, text, range] of rows) {
    const { content } = await read(args, folder.path);
    assert.ok(content.text === text, args.join(" "));
    assert.deepEqual(content.range, range);
  }
});

test("read of a binary file gives metadata and a warning, of odd bytes replaced text and a warning", async () => {
  using folder = createTemporaryFolder({
    bin: Buffer.from([1, 0, 2]),
    odd: Buffer.from([0x61, 0xff]),
  });
  const binary = await answer(["read", "bin"], folder.path);
  assert.equal(binary.data?.["content"], null);
  assert.match(binary.warnings?.join() ?? "", /"bin" is binary/);
  const odd = await answer(["read", "odd"], folder.path);
  assert.equal((odd.data as unknown as ReadData).content.text, "a\uFFFD");
  assert.match(odd.warnings?.join() ?? "", /not UTF-8/);
});

test("read refuses with one clear line and the right code", async () => {
  using folder = createTemporaryFolder({ "a.ts": source, empty: "", "dir/x": "" });
  if (!isWindows) execFileSync("mkfifo", [join(folder.path, "pipe")]);
  const rows: readonly (readonly [readonly string[], string, RegExp])[] = [
    [["none.ts"], "file_not_found", /"none.ts": it does not exist/],
    [["a.ts/none"], "file_not_found", /"a.ts\/none"/],
    [["dir"], "invalid_argument", /"dir": it is a folder, wanted a file/],
    [[""], "invalid_argument", /it is empty/],
    [["a.ts", "--lines", "11"], "invalid_range", /the file has 10 lines/],
    [["a.ts", "--lines", "5-2"], "invalid_range", /end comes before the start/],
    [["a.ts", "--lines", "0"], "invalid_range", /count from 1/],
    [["empty", "--lines", "1"], "invalid_range", /the file is empty/],
    [["a.ts", "--if-changed", "abc"], "invalid_argument", /32 hexadecimal digits/],
    [["a.ts", "--skeleton", "--lines", "1"], "invalid_argument", /cannot go with lines/],
    [
      ["a.ts", "--budget", "20"],
      "budget_exceeded",
      /within 20 tokens: the smallest answer has \d+/,
    ],
    ...(isWindows
      ? []
      : ([
          [["pipe"], "invalid_argument", /not a plain file/],
          [["/dev/zero"], "invalid_argument", /not a plain file/],
        ] as const)),
  ];
  for (const [args, code, pattern] of rows) {
    const { error } = await answer(["read", ...args], folder.path);
    assert.equal(error?.code, code, args.join(" "));
    assert.match(error?.message ?? "", pattern);
  }
});
