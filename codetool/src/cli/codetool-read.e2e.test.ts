import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { isWindows, source, answer, run, type ReadData, read } from "./test-support/answer.ts";

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
  assert.equal(lines.outline, null);
  const linesAndOutline = await read(["a.ts", "--lines", "2-4", "--outline"], folder.path);
  assert.equal(linesAndOutline.content.text, lines.content.text);
  assert.deepEqual(
    linesAndOutline.outline.map((entry) => entry.name),
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

test("read takes a place as other answers write it: file:line, file:from-to, file:line:column", async () => {
  using folder = createTemporaryFolder({ "a.ts": source, "odd:3": "odd\n" });
  const rows: readonly (readonly [string, number, number])[] = [
    ["a.ts:3", 3, 3],
    ["a.ts:3-5", 3, 5],
    ["a.ts:3:7", 3, 3],
    ["a.ts:3:", 3, 3],
    ["a.ts#L3", 3, 3],
    ["a.ts#L3-L5", 3, 5],
    ["./a.ts:9-99", 9, 10],
  ];
  for (const [place, start, end] of rows) {
    const { file, content } = await read([place], folder.path);
    assert.equal(file, "a.ts");
    assert.deepEqual(content.range, { start, end }, place);
    assert.equal(
      content.text,
      source
        .split("\n")
        .slice(start - 1, end)
        .join("\n"),
      place,
    );
  }
  // A file of that very name is meant before a place.
  assert.equal((await read(["odd:3"], folder.path)).content.text, "odd\n");
  const snapped = await read(["a.ts:8", "--snap", "class"], folder.path);
  assert.deepEqual(snapped.content.range, { start: 6, end: 10 });
  const refused: readonly (readonly [readonly string[], string, RegExp])[] = [
    [["a.ts:11"], "invalid_range", /the file has 10 lines/],
    [["none.ts:3"], "file_not_found", /"none.ts": it does not exist/],
    [["a.ts:3", "--lines", "4"], "invalid_argument", /two answers to which lines/],
  ];
  for (const [args, code, pattern] of refused) {
    const { error } = await answer(["read", ...args], folder.path);
    assert.equal(error?.code, code, args.join(" "));
    assert.match(error?.message ?? "", pattern);
  }
});

test("read --symbol shows a symbol whole, by its name or the path to it", async () => {
  using folder = createTemporaryFolder({
    "a.ts": source,
    "over.ts":
      "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: unknown): void {\n  g(a);\n}\n",
    "none.txt": "text\n",
  });
  const rows: readonly (readonly [string, string, number, number])[] = [
    ["a.ts", "Greeter", 6, 10],
    ["a.ts", "Greeter.greet", 7, 9],
    ["a.ts", "Greeter/greet", 7, 9],
    ["a.ts", "greet:8", 7, 9],
    ["a.ts", "/greet", 2, 4],
    ["over.ts", "f", 3, 5],
  ];
  for (const [file, symbol, start, end] of rows) {
    const { data, warnings } = await answer(["read", file, "--symbol", symbol], folder.path);
    const { content, outline } = data as unknown as ReadData;
    assert.deepEqual(content.range, { start, end }, symbol);
    assert.equal(outline, null);
    assert.equal(warnings, undefined, symbol);
  }
  const { data, warnings } = await answer(["read", "a.ts", "--symbol", "greet"], folder.path);
  assert.deepEqual((data as unknown as ReadData).content.range, { start: 2, end: 4 });
  assert.match(warnings?.join() ?? "", /2 symbols have this name.*greet:2, Greeter\/greet:7/);
  const both = await read(["a.ts", "--symbol", "Greeter", "--outline"], folder.path);
  assert.deepEqual(
    both.outline.map(({ name }) => name),
    ["Greeter", "greet"],
  );
  const refused: readonly (readonly [readonly string[], string, RegExp])[] = [
    [["a.ts", "--symbol", "Greter"], "invalid_range", /"symbol Greter".*did you mean "Greeter"/],
    [["a.ts", "--symbol", "zzz"], "invalid_range", /it has greet, Greeter/],
    [["none.txt", "--symbol", "f"], "invalid_range", /it has none/],
    [["a.ts", "--symbol", "greet", "--lines", "2"], "invalid_argument", /two answers/],
    [["a.ts:2", "--symbol", "greet"], "invalid_argument", /two answers/],
    [["a.ts", "--symbol", "greet", "--skeleton"], "invalid_argument", /cannot go with/],
  ];
  for (const [args, code, pattern] of refused) {
    const { error } = await answer(["read", ...args], folder.path);
    assert.equal(error?.code, code, args.join(" "));
    assert.match(error?.message ?? "", pattern);
  }
});

test("read --symbol shows overloads, and a getter with its setter, together", async () => {
  using folder = createTemporaryFolder({
    "a.py": [
      "class A:",
      "    @overload",
      "    def f(self, a: int) -> int: ...",
      "    @overload",
      "    def f(self, a: str) -> str: ...",
      "    def f(self, a):",
      "        def inner():",
      "            return a",
      "        return inner()",
      "",
      "    def g(self):",
      "        pass",
      "",
      "    def h(self):",
      "        pass",
      "",
      "    def g(self):",
      "        pass",
      "",
    ].join("\n"),
    "b.ts": "class B {\n  get x() {\n    return 1;\n  }\n  set x(to) {\n  }\n}\n",
  });
  const rows: readonly (readonly [string, string, number, number, boolean])[] = [
    ["a.py", "A.f", 2, 9, false],
    ["b.ts", "B/x", 2, 6, false],
    ["a.py", "A/g", 11, 12, true],
  ];
  for (const [file, symbol, start, end, isWarned] of rows) {
    const { data, warnings } = await answer(["read", file, "--symbol", symbol], folder.path);
    assert.deepEqual((data as unknown as ReadData).content.range, { start, end }, symbol);
    assert.equal(warnings !== undefined, isWarned, symbol);
  }
});

test("read ends a range at the last line, with a warning; only a start behind it is refused", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const { data, warnings } = await answer(["read", "a.ts", "--lines", "9-400"], folder.path);
  assert.deepEqual((data as unknown as ReadData).content.range, { start: 9, end: 10 });
  assert.deepEqual(warnings, ["The file has 10 lines: the range ends there"]);
});

test("read --number writes the number of each line before it", async () => {
  using folder = createTemporaryFolder({
    "a.ts": source,
    "crlf.txt": "a\r\nb\r\n",
    empty: "",
    "gaps.txt": "a\n\nb\n\n",
  });
  const part = await read(["a.ts", "--lines", "9-10", "--number"], folder.path);
  assert.equal(part.content.text, "9\t  }\n10\t}");
  assert.deepEqual(part.content.range, { start: 9, end: 10 });
  const lines = source.split("\n");
  const numbered = lines.map((line, index) =>
    line === "" && index === 10 ? "" : `${index + 1}\t${line}`,
  );
  const { stdout } = await run(["read", "a.ts", "-n", "--plain"], folder.path);
  assert.equal(stdout, numbered.join("\n"));
  assert.equal((await read(["crlf.txt", "-n"], folder.path)).content.text, "1\ta\r\n2\tb\r\n");
  assert.equal((await read(["empty", "-n"], folder.path)).content.text, "");
  const gaps = await read(["gaps.txt:2-4", "-n"], folder.path);
  assert.equal(gaps.content.text, "2\t\n3\tb\n4\t");
  assert.equal((await read(["gaps.txt:2", "-n"], folder.path)).content.text, "2\t");
  const cut = await read(["a.ts", "-n", "--budget", "200"], folder.path);
  assert.match(cut.content.text, /^1\t\/\/ A greeting\.\n2\texport/);
  for (const other of [["--skeleton"], ["--mode", "aggressive"]]) {
    const { error } = await answer(["read", "a.ts", "-n", ...other], folder.path);
    assert.match(error?.message ?? "", /"number": .*not the file's lines/);
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
    [["a.ts", "--lines", "11-12"], "invalid_range", /the file has 10 lines/],
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
