import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { mapCommand } from "./command.ts";
import type { MapPayload } from "./payload.ts";

async function ask(folder: string, input: object): Promise<MapPayload> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(mapCommand, { ...input }, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return outcome.data as unknown as MapPayload;
}

/** Asks without an index, with one, and with one that is older than the files: all must say the same. */
async function map(
  files: { readonly [path: string]: string },
  input: object,
): Promise<MapPayload["files"]> {
  using folder = createTemporaryFolder(files);
  const first = await ask(folder.path, input);
  const context = { workingDirectory: folder.path, environment: {} };
  const indexed = await executeCommand(indexCommand, {}, context);
  assert.ok(!("error" in indexed));
  const said = ({ files: found, stats }: MapPayload) => ({ found, stats });
  assert.deepEqual(said(await ask(folder.path, input)), said(first), "with an index");
  for (const path of Object.keys(files)) appendFileSync(join(folder.path, path), "\n");
  assert.deepEqual(said(await ask(folder.path, input)), said(first), "with a stale index");
  return first.files;
}

const tree = {
  "src/store.ts": [
    "export class Store {",
    "  constructor(readonly path: string) {}",
    "  read(key: string): string {",
    "    return key;",
    "  }",
    "  unused(): void {}",
    "}",
    "export function openStore(path: string): Store {",
    "  return new Store(path);",
    "}",
    "function hidden(): void {}",
    "",
  ].join("\n"),
  "src/text.ts": "export function upper(text: string): string {\n  return text;\n}\n",
  "src/index.ts": 'export * from "./store.ts";\n',
  "src/a.ts":
    'import { openStore } from "./index.ts";\nexport const a = () => openStore("a").read("k");\n',
  "src/b.ts":
    'import { openStore, Store } from "./store.ts";\nexport const b = (): Store => openStore("b");\n',
  "src/c.ts":
    'import { upper } from "./text.ts";\nimport { a } from "./a.ts";\nexport const c = () => upper(String(a()));\n',
  "test/a.test.ts": 'import { a } from "../src/a.ts";\nfunction check() {}\ncheck();\na();\n',
  "package.json": '{ "name": "tree" }\n',
};

test("map puts what most files use first, with the type of a member above it", async () => {
  const files = await map(tree, {});
  assert.deepEqual(files.slice(0, 1), [
    {
      path: "src/store.ts",
      symbols: [
        "1 export class Store",
        "3   read(key: string): string",
        "6   unused(): void",
        "8 export function openStore(path: string): Store",
        "11 function hidden(): void",
      ],
    },
  ]);
  assert.deepEqual(files.map(({ path }) => path).sort(), [
    "src/a.ts",
    "src/b.ts",
    "src/c.ts",
    "src/store.ts",
    "src/text.ts",
  ]);
  // The name of the folder takes some tokens more or less: which budget has room for what is not the same each time.
  const shown: string[] = [];
  for (const budget of [80, 89, 99, 109]) {
    const [few] = await map(tree, { budget });
    assert.equal(few?.path, "src/store.ts");
    const has = (symbol: string): boolean => few.symbols.includes(symbol);
    assert.ok(has("8 export function openStore(path: string): Store"));
    shown.push(has("11 function hidden(): void") ? "hidden, too" : "what is used");
  }
  assert.ok(shown.includes("what is used"), "what is hidden comes last");
});

test("map with a focus shows first what these files use, and not them", async () => {
  const usual = (await map(tree, {})).map(({ path }) => path);
  const focused = (await map(tree, { focus: ["src/c.ts"] })).map(({ path }) => path);
  const isBefore = (paths: readonly string[]): boolean =>
    paths.indexOf("src/text.ts") < paths.indexOf("src/store.ts");
  assert.deepEqual([isBefore(usual), isBefore(focused)], [false, true]);
  assert.deepEqual(focused.toSorted(), usual.filter((path) => path !== "src/c.ts").sort());
});

test("map of a folder or a file shows nothing else, and tests only where they are asked for", async () => {
  const paths = async (input: object): Promise<string[]> =>
    (await map(tree, input)).map(({ path }) => path).sort();
  assert.deepEqual(await paths({ path: "src/text.ts" }), ["src/text.ts"]);
  assert.deepEqual(await paths({ path: "test" }), ["test/a.test.ts"]);
  assert.ok((await paths({ include_tests: true })).includes("test/a.test.ts"));
});

test("map keeps any budget, counts what it ranked, and refuses a focus outside of the project", async () => {
  using folder = createTemporaryFolder(tree);
  for (const budget of [60, 90, 150, 400]) {
    const { stats, files } = await ask(folder.path, { budget });
    assert.ok((stats.budget_used ?? Infinity) <= budget);
    assert.equal(stats.files, 5);
    assert.equal(stats.symbols, 9);
    assert.equal(
      stats.shown,
      files.reduce((sum, { symbols }) => sum + symbols.length, 0),
    );
  }
  assert.equal((await ask(folder.path, {})).truncated, false);
  const context = { workingDirectory: folder.path, environment: {} };
  const refused = await executeCommand(mapCommand, { focus: ["src"] }, context);
  assert.ok("error" in refused);
  assert.equal(refused.error.code, "invalid_argument");
});

test("map of C shows what headers declare to many files", async () => {
  const users = Object.fromEntries(
    ["one", "two", "three"].map((name) => [
      `${name}.c`,
      `#include "buffer.h"\nint ${name}(void) {\n  return buffer_get(1);\n}\n`,
    ]),
  );
  const files = await map(
    {
      ...users,
      "t/test-lib.sh": "LF=1\nsay() {\n  echo\n}\n",
      "run.sh": "PATHS=1\nrun() {\n  echo\n}\n",
      "buffer.h": "int buffer_get(int at);\nint buffer_rare(int at);\n",
    },
    {},
  );
  const [first] = files;
  assert.deepEqual(
    files.filter(({ path }) => path.endsWith(".sh")),
    [{ path: "run.sh", symbols: ["2 run()"] }],
  );
  assert.deepEqual([first?.path, first?.symbols[0]], ["buffer.h", "1 int buffer_get(int at)"]);
});
