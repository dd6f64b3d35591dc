import assert from "node:assert/strict";
import { test } from "node:test";
import { CommandError } from "../envelope/index.ts";
import { checkInput } from "./check-input.ts";
import type { CommandDescription } from "./command.ts";
import { defineCommand } from "./define-command.ts";
import { compileFilePatterns } from "./file-pattern.ts";
import { buildFileTree } from "./find/file-tree.ts";
import { parseLineRange } from "./read/line-range.ts";
import { nearestName } from "./nearest-name.ts";
import { executeCommand } from "./execute-command.ts";
import { readSettings } from "./settings.ts";
import { commandTable, findCommand, unknownCommand } from "./table.ts";

/** Runs something that must fail and returns the code and message of its error. */
function failure(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof CommandError);
    return `${error.code}: ${error.message}`;
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

const description: CommandDescription = {
  name: "sample",
  summary: "a sample",
  examples: [],
  positionals: [{ name: "path", aliases: ["file"], isRequired: true, summary: "where" }],
  flags: [
    { name: "deep", kind: "boolean", summary: "" },
    { name: "depth", kind: "integer", minimum: 1, summary: "" },
    { name: "alpha", kind: "number", minimum: 0, maximum: 1, summary: "" },
    { name: "tree", kind: "boolean", aliases: ["tree_only"], summary: "" },
    { name: "mode", kind: "string", choices: ["a", "b"], summary: "" },
    { name: "words", kind: "strings", summary: "" },
  ],
};

test("checkInput() takes what the table allows, by name or alias", () => {
  const raw = {
    file: "x",
    tree_only: true,
    depth: 2,
    alpha: 0.5,
    words: "w",
    mode: null,
    budget: 9,
  };
  assert.deepEqual(checkInput(description, raw), {
    path: "x",
    tree: true,
    depth: 2,
    alpha: 0.5,
    words: ["w"],
    budget: 9,
  });
});

test("checkInput() refuses what it does not allow, saying what was wanted", () => {
  const rows: readonly (readonly [{ readonly [name: string]: unknown }, RegExp])[] = [
    [{}, /"path": sample needs it: where/],
    [{ path: 7 }, /"path": found 7, wanted a string/],
    [{ path: "a\0b" }, /"path": it holds a NUL/],
    [{ path: "x", dept: 1 }, /"dept": sample has no such parameter; did you mean "depth"/],
    [{ path: "x", zzzzzz: 1 }, /it takes path, deep, depth/],
    [{ path: "x", deep: "yes" }, /found "yes", wanted true or false/],
    [{ path: "x", depth: 1.5 }, /found 1.5, wanted a whole number/],
    [{ path: "x", depth: "1" }, /found "1", wanted a whole number/],
    [{ path: "x", depth: 0 }, /"depth 0": wanted a whole number of at least 1/],
    [{ path: "x", budget: 0 }, /"budget 0": wanted a whole number of at least 1/],
    [{ path: "x", alpha: "a" }, /wanted a number/],
    [{ path: "x", alpha: 1.1 }, /"alpha 1.1": wanted a number from 0 to 1/],
    [{ path: "x", mode: "c" }, /"mode c": wanted one of a, b/],
    [{ path: "x", words: [1] }, /wanted a list of strings/],
    [{ path: "x", __proto__: null, constructor: 1 }, /no such parameter/],
  ];
  for (const [raw, pattern] of rows) {
    const message = failure(() => checkInput(description, raw));
    assert.match(message, pattern);
    assert.match(message, /^invalid_argument: /);
  }
});

test("nearestName() finds typing errors and beginnings, and no more", () => {
  const names = ["search", "read", "find", "outline", "batch"];
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["serach", "search"],
    ["raed", "read"],
    ["finds", "find"],
    ["outlien", "outline"],
    ["out", "outline"],
    ["bat", "batch"],
    ["x", undefined],
    ["compile", undefined],
    ["", undefined],
  ];
  for (const [name, expected] of rows) assert.equal(nearestName(name, names), expected, name);
});

test("readSettings() reads sizes with units, numbers and levels", () => {
  const rows: readonly (readonly [string, number])[] = [
    ["1048576", 1_048_576],
    ["1MB", 1_048_576],
    ["1 mb", 1_048_576],
    ["1.5k", 1536],
    ["0.01GiB", 10_737_418],
    ["2GiB", 64 * 2 ** 20],
    ["10b", 10],
    ["", 1_048_576],
  ];
  for (const [text, expected] of rows)
    assert.equal(readSettings({ CODETOOL_MAX_FILE_SIZE: text }).fileSizeBytesMax, expected, text);
  assert.deepEqual(readSettings({}), {
    fileSizeBytesMax: 1_048_576,
    chunkSizeCharacters: 1500,
    cacheDirectory: undefined,
    logLevel: undefined,
  });
  assert.equal(readSettings({ CODETOOL_CHUNK_SIZE: "900" }).chunkSizeCharacters, 900);
});

test("readSettings() reads the log level of the own variable before the foreign one", () => {
  const rows: readonly (readonly [string | undefined, string | undefined, string | undefined])[] = [
    ["debug", "error", "debug"],
    [undefined, "warn,codetool=trace", "trace"],
    [undefined, "codetool=off,info", undefined],
    [undefined, "other=debug", undefined],
    [undefined, "nonsense", undefined],
    ["OFF", "debug", undefined],
  ];
  for (const [own, foreign, expected] of rows)
    assert.equal(readSettings({ CODETOOL_LOG: own, RUST_LOG: foreign }).logLevel, expected);
});

test("readSettings() refuses bad values by variable", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["CODETOOL_MAX_FILE_SIZE", "big"],
    ["CODETOOL_MAX_FILE_SIZE", "0"],
    ["CODETOOL_MAX_FILE_SIZE", "-1"],
    ["CODETOOL_MAX_FILE_SIZE", "1XB"],
    ["CODETOOL_CHUNK_SIZE", "1"],
    ["CODETOOL_CHUNK_SIZE", "many"],
    ["CODETOOL_LOG", "loud"],
  ];
  for (const [name, value] of rows) {
    const message = failure(() => readSettings({ [name]: value }));
    assert.match(message, new RegExp(`^invalid_argument: Cannot use "${name}=${value}": wanted`));
  }
});

test("parseLineRange() reads a line or a range of the file", () => {
  const warnings: string[] = [];
  assert.deepEqual(parseLineRange("7", 9, warnings), { start: 7, end: 7 });
  assert.deepEqual(parseLineRange("1-9", 9, warnings), { start: 1, end: 9 });
  assert.deepEqual(warnings, []);
  assert.deepEqual(parseLineRange("9-10", 9, warnings), { start: 9, end: 9 });
  assert.deepEqual(warnings, ["The file has 9 lines: the range ends there"]);
  const rows: readonly (readonly [string, number, RegExp])[] = [
    ["0", 9, /lines count from 1/],
    ["0-3", 9, /lines count from 1/],
    ["5-4", 9, /the end comes before the start/],
    ["10", 9, /the file has 9 lines/],
    ["10-12", 9, /the file has 9 lines/],
    ["1", 0, /the file is empty/],
    ["a", 9, /wanted a line or a range/],
    ["-3", 9, /wanted a line or a range/],
    ["3-", 9, /wanted a line or a range/],
    ["1-2-3", 9, /wanted a line or a range/],
    ["99999999999999999999", 9, /wanted a line or a range/],
    ["", 9, /wanted a line or a range/],
  ];
  for (const [range, lineCount, pattern] of rows) {
    const message = failure(() => parseLineRange(range, lineCount, []));
    assert.match(message, pattern);
    assert.match(message, /^invalid_range: /);
  }
});

test("compileFilePatterns() matches names without a slash and paths with one", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["*.ts", "a.ts", true],
    ["*.ts", "s/t/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["*.{ts,tsx}", "s/a.tsx", true],
    ["a.ts", "s/a.ts", true],
    ["/a.ts", "s/a.ts", false],
    ["./a.ts", "a.ts", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/t/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/t/u/a.ts", true],
    ["src/**/*.ts", "x/src/a.ts", false],
    ["**/t/*", "src/t/a", true],
    ["src/", "src/t/a", true],
    ["{src,lib}/**", "lib/a", true],
    ["[ab]?c", "s/axc", true],
    ["main", "domain", false],
  ];
  for (const [pattern, path, expected] of rows)
    assert.equal(compileFilePatterns([pattern])(path), expected, `${pattern} on ${path}`);
});

test("compileFilePatterns() refuses what can match nothing", () => {
  for (const pattern of ["", "[", "a\\", "{a,b}".repeat(20)])
    assert.match(
      failure(() => compileFilePatterns([pattern])),
      /^invalid_argument: /,
    );
});

test("buildFileTree() nests files, whatever their names", () => {
  const leaf = { lines: 1, symbols: null, language: null };
  const files = ["a/lines", "a/b/c", "__proto__", "toString/x"].map((path) => ({ path, ...leaf }));
  assert.deepEqual(
    JSON.parse(JSON.stringify(buildFileTree(files, ""))),
    JSON.parse(
      JSON.stringify({
        "a/": { lines: leaf, "b/": { c: leaf } },
        ["__proto__"]: leaf,
        "toString/": { x: leaf },
      }),
    ),
  );
  const below = buildFileTree([{ path: "s/t/u/x", ...leaf }], "s/t/");
  assert.equal(JSON.stringify(below), JSON.stringify({ "s/t/": { "u/": { x: leaf } } }));
});

test("unknownCommand() tells what is only a command line from what is misspelt", () => {
  const names = commandTable.map((row) => row.name);
  assert.match(unknownCommand("raed", names).message, /no such command; did you mean "read"/);
  const offered = names.filter((name) => name !== "index");
  assert.match(
    unknownCommand("index", offered).message,
    /only as a command line: `codetool index`/,
  );
  assert.match(unknownCommand("zzz", names).message, /"zzz": there is no such command$/);
});

test("another program answers for those commands that read, and for no other", () => {
  const replaced = commandTable.filter((row) => {
    const needed = row.positionals.filter(({ isRequired }) => isRequired);
    const raw = needed.map(({ name, isVariadic }) => [name, isVariadic === true ? ["x"] : "x"]);
    return row.bind(Object.fromEntries(raw)).unixEquivalent !== undefined;
  });
  assert.deepEqual(replaced.map(({ name }) => name).toSorted(), [
    "diff",
    "exists",
    "find",
    "outline",
    "read",
    "search",
  ]);
});

test("the command table has rows that are whole and names that are taken once", () => {
  const names = commandTable.map((row) => row.name);
  assert.equal(new Set(names).size, names.length);
  for (const row of commandTable) {
    assert.ok(row.examples.length > 0, row.name);
    assert.match(row.summary, /^[a-z].*[^.]$/, row.name);
    const inputs = [...row.positionals, ...row.flags].flatMap((each) => [
      each.name,
      ...(each.aliases ?? []),
    ]);
    assert.equal(new Set(inputs).size, inputs.length, row.name);
    for (const input of inputs) assert.match(input, /^[a-z]+(_[a-z]+)*$/);
    assert.equal(findCommand(row.name), row);
  }
});

test("executeCommand() turns a defect into internal_error with one line", async () => {
  const logged: string[] = [];
  const definition = defineCommand({
    ...description,
    isBatchable: true,
    renderPlain: () => "",
    run: () => {
      throw new TypeError("broken\nsecond line");
    },
  });
  const outcome = await executeCommand(
    definition,
    { path: "x" },
    {
      workingDirectory: "/",
      environment: {},
      log: (level, message) => logged.push(`${level} ${message}`),
    },
  );
  assert.ok("error" in outcome);
  assert.equal(outcome.error.code, "internal_error");
  assert.equal(outcome.error.message, "codetool failed: broken");
  assert.match(logged.join(), /^error TypeError: broken/);
});
