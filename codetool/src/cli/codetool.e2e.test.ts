import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, copyFileSync, linkSync, openSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { codetoolCommand, createTemporaryFolder, runProgram } from "testkit";
import { countTokens } from "../text/token-counter.ts";

interface Envelope {
  readonly version: string;
  readonly command: string;
  readonly status: string;
  readonly tokens: number;
  readonly data?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: string; readonly message: string };
  readonly warnings?: readonly string[];
}

const { command, args: firstArgs } = codetoolCommand();
const isWindows = process.platform === "win32";
const source =
  '// A greeting.\nexport function greet(name: string): string {\n  return `hello ${name}`;\n}\n\nexport class Greeter {\n  greet(): void {\n    greet("you");\n  }\n}\n';

async function run(args: readonly string[], workingDirectory: string, environment = {}) {
  return await runProgram(command, [...firstArgs, ...args], { workingDirectory, environment });
}

/** Runs a command that must print one envelope and nothing else. */
async function answer(
  args: readonly string[],
  workingDirectory: string,
  environment = {},
): Promise<Envelope> {
  const { code, stdout, stderr } = await run(args, workingDirectory, environment);
  assert.equal(stderr, "");
  assert.match(stdout, /^\{[^\n]*\}\n$/);
  const envelope = JSON.parse(stdout) as Envelope;
  assert.equal(code, envelope.status === "ok" ? 0 : 1);
  return envelope;
}

interface ReadData {
  readonly file: string;
  readonly meta: {
    readonly language: string;
    readonly lines: number;
    readonly bytes: number;
    readonly hash: string;
  };
  readonly content: { readonly range: object; readonly text: string; readonly tokens: number };
  readonly outline: readonly { readonly name: string; readonly lines: object }[];
}

interface FindData {
  readonly tree: object | null;
  readonly flat: readonly { readonly path: string; readonly symbols: number }[];
  readonly stats: { readonly total_files: number; readonly returned: number };
}

function findData(envelope: Envelope): FindData {
  return envelope.data as unknown as FindData;
}

function pathsOf(envelope: Envelope): string[] {
  return findData(envelope).flat.map(({ path }) => path);
}

async function read(args: readonly string[], workingDirectory: string): Promise<ReadData> {
  const { data } = await answer(["read", ...args], workingDirectory);
  return data as unknown as ReadData;
}

test("every command prints one envelope with its keys in order, and the same twice", async () => {
  using folder = createTemporaryFolder({ "src/a.ts": source, "b.py": "def f():\n    pass\n" });
  for (const args of [
    ["read", "src/a.ts"],
    ["find"],
    ["outline", "src/a.ts"],
    ["search", "greet"],
  ]) {
    const { stdout } = await run(args, folder.path);
    const keys = Object.keys(JSON.parse(stdout) as object).filter((key) => key !== "warnings");
    assert.deepEqual(keys, ["version", "command", "status", "tokens", "data"], args.join(" "));
    assert.equal((await run(args, folder.path)).stdout, stdout);
  }
});

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

test("read, search and find answer where there is no folder to unpack a parser to", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const nowhere = join(folder.path, "a.ts", "none");
  const environment = Object.fromEntries(
    ["HOME", "USERPROFILE", "XDG_CACHE_HOME", "CODETOOL_CACHE_DIR", "TMPDIR", "LOCALAPPDATA"].map(
      (name) => [name, nowhere],
    ),
  );
  const { data } = await answer(["read", "a.ts"], folder.path, environment);
  assert.equal((data as unknown as ReadData).content.text, source);
  for (const args of [["Greeter"], ["class of the greeting", "--mode", "bm25"]]) {
    const found = await answer(["search", ...args], folder.path, environment);
    assert.equal(found.data?.["returned"], 1);
  }
  const counted = await answer(["find", "--outline"], folder.path, environment);
  assert.equal(findData(counted).stats.returned, 1);
});

test("search and find say when the file that was named is left out", async () => {
  using folder = createTemporaryFolder({ "u16.ts": Buffer.from("\ufeffneedle\n", "utf16le") });
  for (const args of [
    ["search", "needle", "u16.ts"],
    ["search", "--exists", "needle", "u16.ts"],
    ["find", "u16.ts"],
  ]) {
    const { warnings } = await answer(args, folder.path);
    assert.ok(warnings?.includes('"u16.ts" is binary: it is left out'), args.join(" "));
  }
  if (isWindows) return;
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  for (const args of [
    ["search", "x", "pipe"],
    ["find", "pipe"],
    ["outline", "pipe"],
  ]) {
    const { error } = await answer(args, folder.path);
    assert.equal(error?.code, "invalid_argument");
    assert.match(error?.message ?? "", /"pipe": it is no plain file/);
  }
});

test("a file that was named is searched, listed and read whatever its size", async () => {
  using folder = createTemporaryFolder({ "large.txt": `${"x\n".repeat(600_000)}needle\n` });
  const found = await answer(["search", "needle", "large.txt"], folder.path);
  assert.equal(found.data?.["total_matches"], 1);
  const listed = await answer(["find", "large.txt", "--flat"], folder.path);
  assert.equal(findData(listed).stats.total_files, 1);
  assert.equal(findData(await answer(["find"], folder.path)).stats.total_files, 0);
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
          [["pipe"], "invalid_argument", /no plain file/],
          [["/dev/zero"], "invalid_argument", /no plain file/],
        ] as const)),
  ];
  for (const [args, code, pattern] of rows) {
    const { error } = await answer(["read", ...args], folder.path);
    assert.equal(error?.code, code, args.join(" "));
    assert.match(error?.message ?? "", pattern);
  }
});

test(
  "what may not be read is permission_denied, and a closed folder is a warning",
  { skip: isWindows && "needs POSIX permissions" },
  async () => {
    using folder = createTemporaryFolder({ "shut/x": "", secret: "s", open: "o" });
    chmodSync(folder.path, 0o755);
    chmodSync(join(folder.path, "secret"), 0);
    chmodSync(join(folder.path, "shut"), 0);
    // Root may read everything, so it becomes nobody; the checkout must be readable for all then.
    const user = process.getuid?.() === 0 ? { userId: 65_534, groupId: 65_534 } : {};
    const asUser = async (args: readonly string[]): Promise<Envelope> => {
      const { stdout, stderr } = await runProgram(command, [...firstArgs, ...args], {
        workingDirectory: folder.path,
        ...user,
      });
      assert.equal(stderr, "");
      return JSON.parse(stdout) as Envelope;
    };
    assert.equal((await asUser(["read", "secret"])).error?.code, "permission_denied");
    assert.equal((await asUser(["read", "shut/x"])).error?.code, "permission_denied");
    for (const args of [
      ["find", "shut"],
      ["outline", "shut"],
      ["search", "x", "shut"],
      ["search", "x", "secret"],
      ["find", "secret"],
    ])
      assert.equal((await asUser(args)).error?.code, "permission_denied", args.join(" "));
    const found = await asUser(["find", "--flat"]);
    assert.deepEqual(pathsOf(found), ["open"]);
    assert.match(found.warnings?.join() ?? "", /Cannot list the folder .*shut/);
    chmodSync(join(folder.path, "shut"), 0o755);
  },
);

test("find gives tree, list and stats; --tree and --flat null the other", async () => {
  using folder = createTemporaryFolder({
    "src/a.ts": source,
    "src/deep/b.md": "# b\n",
    c: "#!/bin/sh\necho\n",
    "image.png": Buffer.from([0]),
  });
  const { data } = await answer(["find"], folder.path);
  assert.deepEqual(data, {
    tree: {
      c: { lines: 2, symbols: null, language: "bash" },
      "src/": {
        "a.ts": { lines: 10, symbols: null, language: "typescript" },
        "deep/": { "b.md": { lines: 1, symbols: null, language: "markdown" } },
      },
    },
    flat: [
      { path: "c", lines: 2, symbols: null, language: "bash", relevance: null },
      { path: "src/a.ts", lines: 10, symbols: null, language: "typescript", relevance: null },
      { path: "src/deep/b.md", lines: 1, symbols: null, language: "markdown", relevance: null },
    ],
    stats: {
      total_files: 3,
      returned: 3,
      budget_used: Math.floor(JSON.stringify(data).length / 4),
    },
  });
  assert.equal(findData(await answer(["find", "--tree-only"], folder.path)).flat, null);
  assert.equal(findData(await answer(["find", "--flat-only"], folder.path)).tree, null);
  const counted = await answer(["find", "--outline", "--pattern", "*.ts", "--flat"], folder.path);
  assert.equal(findData(counted).flat[0]?.symbols, 3);
});

test("find keeps to pattern, depth and size", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "1",
    "s/b.ts": "22",
    "s/t/c.tsx": "333",
    "s/d.md": "4444",
  });
  const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ["--pattern", "*.ts"],
      ["a.ts", "s/b.ts"],
    ],
    [
      ["--pattern", "**/*.{ts,tsx}"],
      ["a.ts", "s/b.ts", "s/t/c.tsx"],
    ],
    [
      ["--pattern", "s/*"],
      ["s/b.ts", "s/d.md"],
    ],
    [["--depth", "1"], ["a.ts"]],
    [
      ["s", "--depth", "1"],
      ["b.ts", "d.md"],
    ],
    [["--pattern", "nothing"], []],
  ];
  for (const [args, expected] of rows) {
    const found = await answer(["find", "--flat", ...args], folder.path);
    assert.deepEqual(pathsOf(found), expected, args.join(" "));
  }
  const small = await answer(["find", "--flat"], folder.path, { CODETOOL_MAX_FILE_SIZE: "3" });
  assert.equal(findData(small).stats.total_files, 3);
});

test("paths are relative to the project, absolute outside of it, and may be given back", async () => {
  using project = createTemporaryFolder({ ".git/HEAD": "", "s/t/a.ts": source });
  using elsewhere = createTemporaryFolder({ "b.ts": source });
  const inside = join(project.path, "s");
  const listed = async (args: readonly string[], from: string): Promise<string[]> =>
    pathsOf(await answer(["find", "--flat", ...args], from));
  assert.deepEqual(await listed([], inside), ["s/t/a.ts"]);
  assert.deepEqual(await listed(["t"], inside), ["s/t/a.ts"]);
  assert.deepEqual(await listed([inside], project.path), ["s/t/a.ts"]);
  assert.deepEqual(await listed([elsewhere.path], inside), [join(elsewhere.path, "b.ts")]);
  assert.equal((await read(["t/a.ts"], inside)).file, "s/t/a.ts");
  assert.equal((await read(["s/t/a.ts"], inside)).file, "s/t/a.ts");
  const absolute = join(elsewhere.path, "b.ts");
  assert.equal((await read([absolute], inside)).file, absolute);
  assert.equal((await read(["b.ts"], elsewhere.path)).file, "b.ts");
  const tree = findData(await answer(["find", "t", "--tree"], inside)).tree ?? {};
  assert.deepEqual(Object.keys(tree), ["s/t/"]);
});

test("--budget is kept by every command, counted exactly, down to nothing", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index % 5}/f${index}.ts`,
      source.repeat(1 + (index % 4)),
    ]),
  );
  using folder = createTemporaryFolder(files);
  for (const args of [
    ["find"],
    ["find", "--flat"],
    ["find", "--tree"],
    ["outline", "."],
    ["search", "greet"],
    ["read", "d3/f3.ts"],
    ["read", "d3/f3.ts", "--outline"],
  ]) {
    for (const budget of [150, 400, 1000]) {
      const { stdout } = await run([...args, "--budget", String(budget)], folder.path);
      const envelope = JSON.parse(stdout) as Envelope;
      assert.equal(envelope.tokens, countTokens(stdout.slice(0, -1)), args.join(" "));
      if (envelope.status === "error") assert.equal(envelope.error?.code, "budget_exceeded");
      else
        assert.ok(
          countTokens(JSON.stringify(envelope.data)) <= budget,
          `${args.join(" ")} ${budget}`,
        );
    }
  }
  for (const name of ["find", "outline"]) {
    const { data } = await answer([name, ".", "--budget", "1"], folder.path);
    assert.equal(data?.["truncated"], true);
  }
  const none = await answer(["find", "--budget", "1"], folder.path);
  assert.deepEqual(findData(none).flat, []);
  assert.equal(findData(none).stats.returned, 0);
});

test("--plain prints text alone", async () => {
  using folder = createTemporaryFolder({ "a.ts": source, "s/b.ts": "" });
  assert.equal((await run(["read", "a.ts", "--plain"], folder.path)).stdout, source);
  assert.equal((await run(["find", "--plain"], folder.path)).stdout, "a.ts\ns/b.ts\n");
  const counted = await run(["find", "--plain", "--outline"], folder.path);
  assert.match(counted.stdout, /^a\.ts\t3\ns\/b\.ts\t\d+\n$/);
  const nothing = await run(["search", "--literal", "zzzq", "--plain"], folder.path);
  assert.equal(nothing.stdout, "no matches\n");
  const cut = await run(["read", "a.ts", "--plain", "--budget", "110"], folder.path);
  assert.ok(source.startsWith(cut.stdout) && cut.stdout.length < source.length);
  assert.equal(
    cut.stderr,
    "codetool: warning: Not everything fits 110 tokens: some was left out\n",
  );
  assert.equal(
    (await run(["find", "--plain", "--tree"], folder.path)).stdout,
    "a.ts\ns/\n  b.ts\n",
  );
  assert.match(
    (await run(["read", "a.ts", "--plain", "--outline"], folder.path)).stdout,
    /^2-4\tfunction greet\t/,
  );
});

test(
  "a reader that goes away ends the program quietly, a full disk with one line",
  { skip: isWindows && "needs a POSIX shell" },
  async () => {
    using folder = createTemporaryFolder({ big: "line\n".repeat(200_000) });
    const words = [command, ...firstArgs, "read", "big", "--plain"];
    const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const closed = await runProgram("sh", ["-c", `${quoted} | head -n 1; echo done`], {
      workingDirectory: folder.path,
    });
    assert.deepEqual(
      { stdout: closed.stdout, stderr: closed.stderr },
      { stdout: "line\ndone\n", stderr: "" },
    );
    if (process.platform !== "linux") return;
    const full = await runProgram("sh", ["-c", `${quoted} > /dev/full`], {
      workingDirectory: folder.path,
    });
    assert.equal(full.code, 1);
    assert.match(full.stderr, /^codetool: [^\n]*ENOSPC[^\n]*\n$/);
  },
);

test("batch answers a line while the next is not written yet", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  const child = spawn(command, [...firstArgs, "batch"], {
    cwd: folder.path,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const id of ["1", "2"]) {
    child.stdin.write(`${JSON.stringify({ cmd: "read", file: "a", id })}\n`);
    const { value } = await lines.next();
    assert.equal((JSON.parse(String(value)) as { id: string }).id, id);
  }
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number];
  assert.equal(code, 0);
});

test(
  "a hard link or a link named after a command is that command",
  { skip: isWindows && "needs POSIX links" },
  async () => {
    using folder = createTemporaryFolder({ a: "text\n" });
    const link = join(folder.path, "codetool-read");
    const launcher = firstArgs[0];
    if (launcher === undefined) {
      try {
        linkSync(command, link);
      } catch {
        // Another file system: a copy has the same name.
        copyFileSync(command, link);
      }
    } else symlinkSync(launcher, link);
    const [program, args] =
      launcher === undefined ? [link, ["a", "--plain"]] : [command, [link, "a", "--plain"]];
    const { code, stdout } = await runProgram(program, args, { workingDirectory: folder.path });
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "text\n" });
  },
);

test(
  "a working directory that is gone is an error of one line",
  { skip: isWindows && "a working directory cannot be removed there" },
  async () => {
    const words = [command, ...firstArgs].map((word) => `'${word}'`).join(" ");
    using folder = createTemporaryFolder({ "gone/x": "" });
    const script = `cd gone && rm -r ../gone && ${words} find`;
    const { code, stdout, stderr } = await runProgram("sh", ["-c", script], {
      workingDirectory: folder.path,
    });
    assert.equal(code, 1);
    assert.equal(stderr.includes("    at "), false);
    assert.match(stdout + stderr, /error/);
  },
);

test(
  "a closed standard output is no crash",
  { skip: isWindows && "needs a POSIX shell" },
  async () => {
    using folder = createTemporaryFolder({ a: "text" });
    const descriptor = openSync(join(folder.path, "a"), "r");
    const child = spawn(command, [...firstArgs, "read", "a"], {
      cwd: folder.path,
      stdio: ["ignore", descriptor, "pipe"],
    });
    closeSync(descriptor);
    let stderr = "";
    child.stderr?.on("data", (text: Buffer) => (stderr += text.toString("utf8")));
    await once(child, "close");
    assert.match(stderr, /^codetool: [^\n]*EBADF[^\n]*\n$/);
  },
);
