import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFileCycles, checkFolderCycles } from "./cycle-rule.ts";
import { checkDoors } from "./door-rule.ts";
import { checkLayer } from "./layer-rule.ts";
import type { Layers } from "./layers.ts";
import { checkRooms } from "./room-rule.ts";
import { readSource, type Fault, type SourceFile } from "./source-files.ts";
import { checkWorld } from "./world-rule.ts";

const root = "pkg/src";
const layers: Layers = {
  tests: { folders: "*", packages: ["testkit"], node: "*" },
  roots: {
    [root]: {
      low: { folders: [], packages: [], node: ["node:fs"] },
      high: { folders: ["low"], packages: ["zod"], node: [] },
    },
  },
  rooms: { fileCountMax: 2, likeThings: [`${root}/high/parsers`] },
  world: { [root]: ["low/system.ts"] },
};

const source = (path: string, text = ""): SourceFile => readSource(root, path, text);

/** Faults as `path:line`. */
const places = (faults: readonly Fault[]): string[] =>
  faults.map(({ path, line1 }) => `${path}:${line1}`);

test("a folder imports only what its row names: folders, packages, node: modules", () => {
  const good = `import { a } from "../low/index.ts";\nimport { z } from "zod";\n`;
  assert.deepEqual(checkLayer(source("high/a.ts", good), layers), []);
  const bad = [
    `import type { A } from "../high/index.ts";`,
    `import { z } from "zod";`,
    `import { join } from "node:path";`,
    `import { readFileSync } from "fs";`,
    `export { b } from "../../../other/b.ts";`,
    `const c = await import("../high/index.ts");`,
    `import { d } from "./d.test.ts";`,
    `// import { e } from "../high/index.ts";`,
  ].join("\n");
  assert.deepEqual(
    places(checkLayer(source("low/a.ts", bad), layers)),
    [1, 2, 3, 4, 5, 6, 7].map((line1) => `low/a.ts:${line1}`),
  );
});

test("a folder without a row is refused", () => {
  assert.deepEqual(places(checkLayer(source("new/a.ts"), layers)), ["new/a.ts:1"]);
});

test("a test may import all folders, and its programs in template strings are not its imports", () => {
  const text =
    'import { a } from "../high/a.ts";\nconst program = `\nimport "./x.ts"; import "left";\n`;';
  assert.deepEqual(checkLayer(source("low/a.test.ts", text), layers), []);
});

test("a folder is entered through its index.ts, also by types, by import() and from the folder above", () => {
  const text = [
    `import { a } from "../low/index.ts";`,
    `import { b } from "../low/b.ts";`,
    `import type { C } from "../low/c.ts";`,
    `const d = await import("../low/d.ts");`,
    `import { e } from "./inner/e.ts";`,
    `import { f } from "./inner/index.ts";`,
    `import { g } from "./g.ts";`,
    `import { h } from "../low/deep/index.ts";`,
  ].join("\n");
  assert.deepEqual(
    places(checkDoors(source("high/a.ts", text))),
    [2, 3, 4, 5, 8].map((line1) => `high/a.ts:${line1}`),
  );
});

test("a room opens to its own folders upwards, and tests enter everywhere", () => {
  assert.deepEqual(checkDoors(source("high/inner/a.ts", `import "../errors.ts";`)), []);
  assert.deepEqual(checkDoors(source("high/a.test.ts", `import "../low/b.ts";`)), []);
});

test("a cycle of files is found where its imports are only of types, once", () => {
  const files = [
    source("low/a.ts", `import type { B } from "./b.ts";`),
    source("low/b.ts", `import type { C } from "./c.ts";`),
    source("low/c.ts", `import { a } from "./a.ts";`),
    source("low/d.ts", `import { a } from "./a.ts";`),
  ];
  assert.deepEqual(
    checkFileCycles(files).map(({ message }) => message),
    ["import cycle low/a.ts -> low/b.ts -> low/c.ts -> low/a.ts"],
  );
});

test("a circle of folders is found where no file is in one, at every depth", () => {
  const files = [
    source("low/one/a.ts", `import { b } from "../two/index.ts";`),
    source("low/two/c.ts", `import { d } from "../one/index.ts";`),
    source("low/one/a.test.ts", `import { h } from "../../high/index.ts";`),
  ];
  assert.deepEqual(checkFileCycles(files), []);
  assert.deepEqual(
    checkFolderCycles(files).map(({ message }) => message),
    ["folders import each other in a circle: low/one -> low/two -> low/one"],
  );
});

test("a folder holds as many files side by side as the limit says; tests and like things are not counted", () => {
  const fill = (folder: string, ...names: string[]): SourceFile[] =>
    names.map((name) => source(`${folder}/${name}`));
  assert.deepEqual(checkRooms(fill("low", "a.ts", "b.ts", "c.test.ts"), layers), []);
  assert.deepEqual(places(checkRooms(fill("low", "a.ts", "b.ts", "c.ts"), layers)), ["low/a.ts:1"]);
  assert.deepEqual(checkRooms(fill("high/parsers", "a.ts", "b.ts", "c.ts"), layers), []);
});

test("clock, timers and randomness are read only in the files that are named; methods of those names are free", () => {
  const text = "const a = Date.now();\nsystem.setTimeout(b);\nsetTimeout(c, 1);\nMath.random();\n";
  assert.deepEqual(places(checkWorld(source("low/a.ts", text), layers)), [
    "low/a.ts:1",
    "low/a.ts:3",
    "low/a.ts:4",
  ]);
  assert.deepEqual(checkWorld(source("low/system.ts", text), layers), []);
  assert.deepEqual(checkWorld(source("low/a.test.ts", text), layers), []);
});
