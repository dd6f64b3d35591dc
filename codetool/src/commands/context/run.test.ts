import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import { contextCommand } from "./command.ts";
import { leadingDoc } from "../project/index.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";
import { loadTokenCounter } from "../../text/index.ts";

interface Context {
  readonly target: string;
  readonly kind: string;
  readonly stats: {
    readonly files: number;
    readonly lines: number;
    readonly symbols: number;
    readonly languages: object;
  };
  readonly doc?: {
    readonly source: string;
    readonly text: string;
    readonly tokens: number;
    readonly truncated: boolean;
  };
  readonly entrypoints: readonly {
    readonly name: string;
    readonly file: string;
    readonly ref_count: number;
  }[];
  readonly files: readonly {
    readonly path: string;
    readonly lines: number;
    readonly language: string;
    readonly skeleton: readonly string[];
  }[];
  readonly edges?: {
    readonly imports_in: readonly object[];
    readonly imports_out: readonly object[];
  };
  readonly truncated: boolean;
}

async function contextOf(folder: string, input: object): Promise<Context> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(contextCommand, { ...input }, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return outcome.data as unknown as Context;
}

const shop = {
  "README.md": "# Shop\n",
  "pay/README.md": "# Payments\n\n[![badge](x.svg)](y)\n\nTakes money.\n",
  "pay/bank.ts":
    'import { log } from "../tools/log.ts";\nexport interface Bank {}\nexport function transfer(): void {\n  log("x");\n}\nfunction hidden() {}\n',
  "pay/cache.ts":
    "export class Cache {\n  get(key: string) {\n    return key;\n  }\n}\nexport function get() {}\n",
  "pay/deep/rate.ts": "export const rate = 1;\n",
  "pay/bank.test.ts": 'import { transfer } from "./bank.ts";\ntransfer();\n',
  "tools/log.ts": "export function log(text: string): void {}\nexport function shout() {}\n",
  ...Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [
      `web/page${at}.ts`,
      'import { transfer } from "../pay/bank.ts";\nconst map = new Map();\nmap.get("get");\nexport const run = () => transfer();\n',
    ]),
  ),
  "web/cached.ts": 'import { Cache } from "../pay/cache.ts";\nnew Cache().get("x");\n',
};

test("context ranks entrypoints by who means them, and edges name what goes over them", async () => {
  using folder = createTemporaryRepository(shop);
  for (const hasIndex of [false, true]) {
    if (hasIndex) {
      const context = { workingDirectory: folder.path, environment: {} };
      assert.ok(!("error" in (await executeCommand(indexCommand, {}, context))));
    }
    const pay = await contextOf(folder.path, { path: "pay" });
    assert.deepEqual(
      pay.entrypoints.map(({ name, file, ref_count }) => `${ref_count} ${name} ${file}`),
      [
        "7 transfer pay/bank.ts",
        "1 Cache pay/cache.ts",
        "0 Bank pay/bank.ts",
        "0 get pay/cache.ts",
        "0 rate pay/deep/rate.ts",
      ],
    );
    assert.deepEqual(pay.edges?.imports_out, [{ file: "tools/log.ts", symbols: ["log"] }]);
    const into = pay.edges.imports_in as readonly { file: string; symbols: string[] }[];
    assert.deepEqual(
      into.find(({ file }) => file === "web/page0.ts"),
      { file: "web/page0.ts", symbols: ["transfer"] },
    );
    assert.deepEqual(
      into.find(({ file }) => file === "web/cached.ts"),
      { file: "web/cached.ts", symbols: ["Cache"] },
    );
    assert.equal(pay.kind, "directory");
    assert.deepEqual(pay.stats, {
      files: 4,
      lines: 18,
      symbols: 8,
      languages: { typescript: 3, markdown: 1 },
    });
    assert.deepEqual(pay.doc, {
      source: "pay/README.md",
      text: "# Payments\n\nTakes money.",
      tokens: 7,
      truncated: false,
    });
    assert.equal(pay.truncated, false);
  }
});

test("who imports a definition through files that offer it on is counted, they are not", async () => {
  using folder = createTemporaryRepository({
    "text/hash.ts": "export function hash() {}\nexport function get() {}\n",
    "text/case.ts": "export default function upper() {}\n",
    "text/index.ts":
      'export { hash, get as read } from "./hash.ts";\nexport { default as toUpper } from "./case.ts";\n',
    "all.ts": 'export * from "./text/index.ts";\n',
    "one.ts": 'import { hash } from "./text/index.ts";\nhash(new Map().get("x"));\n',
    "two.ts": 'import { hash, toUpper } from "./all.ts";\nhash(toUpper());\n',
    "three.ts": 'import * as text from "./all.ts";\ntext.hash();\n',
    "four.ts": 'import { other } from "./all.ts";\nconst hash = 1;\n',
  });
  const { entrypoints } = await contextOf(folder.path, { path: "text" });
  assert.deepEqual(
    entrypoints.map(({ name, ref_count }) => `${ref_count} ${name}`),
    ["3 hash", "1 upper", "0 get"],
  );
});

test("context shows what its flags ask for", async () => {
  using folder = createTemporaryRepository(shop);
  const paths = async (input: object): Promise<string[]> =>
    (await contextOf(folder.path, { path: "pay", ...input })).files.map(({ path }) => path);
  assert.deepEqual(await paths({}), [
    "pay/bank.ts",
    "pay/cache.ts",
    "pay/README.md",
    "pay/deep/rate.ts",
  ]);
  assert.deepEqual(await paths({ depth: 1 }), ["pay/bank.ts", "pay/cache.ts", "pay/README.md"]);
  assert.ok((await paths({ include_tests: true })).includes("pay/bank.test.ts"));
  const bare = await contextOf(folder.path, { path: "pay", no_edges: true, no_doc: true });
  assert.ok(!("edges" in bare) && !("doc" in bare));
  const file = await contextOf(folder.path, { path: "pay/bank.ts" });
  assert.deepEqual([file.kind, file.target, file.files.length], ["file", "pay/bank.ts", 1]);
  assert.deepEqual(file.files[0]?.skeleton, [
    "2 export interface Bank",
    "3 export function transfer(): void",
    "6 function hidden()",
  ]);
});

test("context names what goes over an edge, through files that hand it on as well", async () => {
  using folder = createTemporaryRepository({
    "lib/index.ts": 'export * from "./money.ts";\n',
    "lib/money.ts": "export class Money {}\nexport const zero = 0;\n",
    "app/bill.ts": 'import { Money } from "../lib/index.ts";\nnew Money();\n',
    "c/all.h": '#include "../d/list.h"\nint all(void);\n',
    "d/list.h": "int list_length(void);\nint list_add(void);\n",
    "c/main.c": '#include "../d/list.h"\nint main(void) { return list_add(); }\n',
  });
  const app = await contextOf(folder.path, { path: "app" });
  assert.deepEqual(app.edges?.imports_out, [{ file: "lib/index.ts", symbols: ["Money"] }]);
  const lib = await contextOf(folder.path, { path: "lib" });
  assert.deepEqual(lib.edges?.imports_in, [{ file: "app/bill.ts", symbols: ["Money"] }]);
  const c = await contextOf(folder.path, { path: "c" });
  assert.deepEqual(c.edges?.imports_out, [{ file: "d/list.h", symbols: ["list_add"] }]);
});

test("context shows files with uncommitted changes first", async () => {
  using folder = createTemporaryRepository(shop);
  appendFileSync(join(folder.path, "pay/deep/rate.ts"), "export const later = 2;\n");
  folder.write({ "pay/new.ts": "" });
  const { files } = await contextOf(folder.path, { path: "pay" });
  assert.deepEqual(
    files.map(({ path }) => path),
    ["pay/new.ts", "pay/deep/rate.ts", "pay/bank.ts", "pay/cache.ts", "pay/README.md"],
  );
});

test("context of an ignored folder and of an empty one say what there is", async () => {
  using folder = createTemporaryRepository({
    ...shop,
    ".gitignore": "out/\n",
    "out/made.ts": "export const made = 1;\n",
    "empty/data.bin": "\0\0",
  });
  for (const hasIndex of [false, true]) {
    if (hasIndex) {
      const context = { workingDirectory: folder.path, environment: {} };
      assert.ok(!("error" in (await executeCommand(indexCommand, {}, context))));
      appendFileSync(join(folder.path, "tools/log.ts"), "export const later = 1;\n");
    }
    const out = await contextOf(folder.path, { path: "out" });
    assert.deepEqual(
      out.files.map(({ path }) => path),
      ["out/made.ts"],
    );
    const empty = await contextOf(folder.path, { path: "empty" });
    assert.deepEqual([empty.stats.files, empty.entrypoints, empty.truncated], [0, [], false]);
  }
  const fresh = await contextOf(folder.path, { path: "tools" });
  assert.ok(fresh.files[0]?.skeleton.some((line) => line.includes("later")));
});

test("context fits any budget: the whole data counts at most it, the best parts first", async () => {
  using folder = createTemporaryRepository(shop);
  const count = await loadTokenCounter();
  const whole = await contextOf(folder.path, { path: "pay", include_tests: true });
  const parts = ({ entrypoints, files }: Context): number =>
    entrypoints.length + files.reduce((sum, { skeleton }) => sum + 1 + skeleton.length, 0);
  let least = 0;
  for (const budget of [120, 200, 300, 400, 600, 800, 1200, 5000]) {
    const fitted = await contextOf(folder.path, { path: "pay", include_tests: true, budget });
    assert.ok(count(JSON.stringify(fitted)) <= budget, `${budget}`);
    const shown = new Set(fitted.entrypoints.map(({ name }) => name));
    const inOrder = whole.entrypoints.filter(({ name }) => shown.has(name));
    assert.deepEqual(fitted.entrypoints, inOrder);
    least = parts(fitted);
    if (least < parts(whole)) assert.equal(fitted.truncated, true);
  }
  assert.equal(least, parts(whole));
});

test("the skeleton leaves out what is inside of functions, and the tests of a Rust file", async () => {
  const skeletonOf = async (path: string, text: string, input: object = {}): Promise<unknown> => {
    using folder = createTemporaryFolder({ [path]: text });
    return (await contextOf(folder.path, { path, ...input })).files[0]?.skeleton;
  };
  const script =
    "export class A {\n  run() {\n    function inner() {}\n  }\n}\nfunction f() {\n  const g = () => 1;\n}\n";
  assert.deepEqual(await skeletonOf("a.ts", script), [
    "1 export class A",
    "2   run()",
    "6 function f()",
  ]);
  const rust = "pub fn add() {}\n\nmod tests {\n    #[test]\n    fn adds() {}\n}\n";
  assert.deepEqual(await skeletonOf("a.rs", rust), ["1 pub fn add()"]);
  const all = await skeletonOf("a.rs", rust, { include_tests: true });
  assert.deepEqual((all as string[]).length, 3);
});

test("context has at most 4000 tokens when nobody says how many", async () => {
  const functions = Array.from(
    { length: 400 },
    (_, at) => `export function step${at}(left: number, right: number): number {}\n`,
  );
  using folder = createTemporaryFolder({ "src/many.ts": functions.join("") });
  const count = await loadTokenCounter();
  const usual = await contextOf(folder.path, { path: "src" });
  assert.equal(usual.truncated, true);
  const tokens = count(JSON.stringify(usual));
  assert.ok(tokens <= 4000 && tokens > 3800, `${tokens}`);
  const whole = await contextOf(folder.path, { path: "src", budget: 100_000 });
  assert.equal(whole.truncated, false);
  assert.equal(whole.files[0]?.skeleton.length, 400);
});

test("leadingDoc() reads the head of a file in the way of its language", () => {
  for (const [language, text, expected] of [
    [
      "typescript",
      "/**\n * Sends mail.\n *\n * @example x\n */\nexport {};",
      "Sends mail.\n\n@example x",
    ],
    ["rust", "//! Parses.\n//! Fast.\nmod a;", "Parses.\nFast."],
    ["python", '#!/usr/bin/env python\n"""Does it.\n\nMore."""\nimport x', "Does it.\n\nMore."],
    ["go", "// Copyright 2020 X.\n// license\n\n// Package a does.\npackage a", "Package a does."],
    ["bash", "#!/bin/bash\n# Deploys.\nset -e", "Deploys."],
    ["lua", "-- Makes.\nlocal x", "Makes."],
    ["c", "/* SPDX-License-Identifier: MIT */\n/* Lists. */\nint x;", "Lists."],
    ["c", "#include <x.h>\n/* late */", ""],
    ["rust", "#[cfg(x)]\nfn f() {}", ""],
  ] as const)
    assert.equal(leadingDoc(text, language), expected, text);
});

test("context refuses what is not there", async () => {
  using folder = createTemporaryFolder({ "a.ts": "" });
  const context = { workingDirectory: folder.path, environment: {} };
  for (const [input, code] of [
    [{ path: "none" }, "file_not_found"],
    [{}, "invalid_argument"],
    [{ path: ".", depth: 0 }, "invalid_argument"],
  ] as const) {
    const outcome = await executeCommand(contextCommand, { ...input }, context);
    assert.ok("error" in outcome && outcome.error.code === code, JSON.stringify(outcome));
  }
});
