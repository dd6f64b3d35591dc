import { test } from "node:test";
import { type Tree, check } from "./test-support/check-resolved.ts";

test("relative specifiers of TypeScript find sources, indexes and packages in folders", () => {
  check([
    {
      rule: "extensions",
      tree: {
        "a.ts":
          'import "./b.js"; import "./c"; import "./d/index.mjs"; import "./e.json"; import "./f.vue?raw";',
        "b.ts": "",
        "b.js": "",
        "c.tsx": "",
        "d/index.mts": "",
        "e.json": "{}",
        "f.vue": "",
      },
      from: "a.ts",
      expected: [
        "./b.js > b.ts",
        "./c > c.tsx",
        "./d/index.mjs > d/index.mts",
        "./e.json > e.json",
        "./f.vue?raw > f.vue",
      ],
    },
    {
      rule: "JavaScript takes the file as written first",
      tree: {
        "a.js": 'require("./b.js"); require("./c");',
        "b.ts": "",
        "b.js": "",
        "c.js": "",
        "c.ts": "",
      },
      from: "a.js",
      expected: ["./b.js > b.js", "./c > c.js"],
    },
    {
      rule: "folders",
      tree: {
        "x/a.ts": 'import ".."; import "."; import "../p"; import "../../out"; import "../q/";',
        "index.ts": "",
        "x/index.ts": "",
        "p/package.json": '{"main": "./dist/main.js"}',
        "p/src/main.ts": "",
        "q.ts": "",
        "q/index.ts": "",
      },
      from: "x/a.ts",
      expected: [".. > index.ts", ". > x/index.ts", "../p > p/src/main.ts", "../q/ > q/index.ts"],
    },
    {
      rule: "an extension in the name is no extension",
      tree: { "a.ts": 'import "./b.service";', "b.service.ts": "" },
      from: "a.ts",
      expected: ["./b.service > b.service.ts"],
    },
  ]);
});

test("packages of the tree are found by name, exports, main and imports", () => {
  const packages: Tree = {
    "package.json":
      '{"name": "root", "workspaces": ["packages/*"], "imports": {"#lib/*": "./src/lib/*.ts"}}',
    "src/lib/own.ts": "",
    "packages/a/package.json":
      '{"name": "@s/a", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, "./sub/*": "./dist/sub/*.js", "./hidden": null}}',
    "packages/a/src/index.ts": "",
    "packages/a/src/sub/deep.ts": "",
    "packages/b/package.json": '{"name": "b", "main": "lib/b.js"}',
    "packages/b/lib/b.js": "",
    "packages/b/lib/c.js": "",
    "packages/d/package.json": '{"name": "d"}',
    "packages/d/src/index.tsx": "",
    "packages/e/package.json": "{broken",
  };
  check([
    {
      rule: "workspaces",
      tree: {
        ...packages,
        "src/x.ts":
          'import "@s/a"; import "@s/a/sub/deep"; import "b"; import "b/lib/c"; import "d"; import "e"; import "react"; import "node:fs"; import "#lib/own";',
      },
      from: "src/x.ts",
      expected: [
        "@s/a > packages/a/src/index.ts",
        "@s/a/sub/deep > packages/a/src/sub/deep.ts",
        "b > packages/b/lib/b.js",
        "b/lib/c > packages/b/lib/c.js",
        "d > packages/d/src/index.tsx?",
        "#lib/own > src/lib/own.ts",
      ],
    },
    {
      rule: "of two packages of one name the nearest",
      tree: {
        "x/p/package.json": '{"name": "p"}',
        "x/p/index.js": "",
        "y/p/package.json": '{"name": "p"}',
        "y/p/index.js": "",
        "y/q/a.js": 'require("p");',
      },
      from: "y/q/a.js",
      expected: ["p > y/p/index.js?"],
    },
    {
      rule: "a folder that asks for another release of the root's package, or for another package by its name",
      tree: {
        "package.json": '{"name": "p", "version": "4.1.0", "main": "p.js"}',
        "p.js": "",
        "sub.js": "",
        "example/package.json":
          '{"dependencies": {"p": "^3.0.0", "q": "npm:p@^4.0.0", "r": "npm:p@3"}}',
        "example/a.js": 'require("p"); require("p/sub"); require("q"); require("r");',
      },
      from: "example/a.js",
      expected: ["q > p.js"],
    },
    {
      rule: "a range that takes in the version, in whatever group of dependencies",
      tree: {
        "package.json": '{"name": "p", "version": "4.1.0", "main": "p.js"}',
        "p.js": "",
        "example/package.json": '{"devDependencies": {"p": ">=3"}}',
        "example/a.js": 'require("p");',
      },
      from: "example/a.js",
      expected: ["p > p.js"],
    },
  ]);
});

test("aliases of tsconfig.json count, also inherited and in JSON with comments", () => {
  const source = 'import "@app/x"; import "@lib"; import "base/y"; import "@/z";';
  const files = { "app/x.ts": "", "lib/main.ts": "", "base/y.ts": "", "src/z.ts": "" };
  check([
    {
      rule: "paths",
      tree: {
        ...files,
        "tsconfig.json":
          '{ // aliases\n "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["nowhere/*", "app/*"], "@lib": ["lib/main"], }, } }',
        "src/a.ts": source,
      },
      from: "src/a.ts",
      expected: [
        "@app/x > app/x.ts",
        "@lib > lib/main.ts",
        "base/y > base/y.ts",
        "@/z > src/z.ts?",
      ],
    },
    {
      rule: "extends, relative to where the paths are written",
      tree: {
        ...files,
        "config/base.json": '{"compilerOptions": {"paths": {"@app/*": ["../app/*"]}}}',
        "src/tsconfig.json": '{"extends": "../config/base"}',
        "src/a.ts": source,
      },
      from: "src/a.ts",
      expected: ["@app/x > app/x.ts", "base/y > base/y.ts?", "@/z > src/z.ts?"],
    },
    {
      rule: "references stand for a configuration without aliases; cycles end",
      tree: {
        ...files,
        "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
        "tsconfig.app.json":
          '{"extends": "./tsconfig.app.json", "compilerOptions": {"paths": {"@lib": ["./lib/main.ts"]}}}',
        "src/a.ts": source,
      },
      from: "src/a.ts",
      expected: ["@lib > lib/main.ts", "base/y > base/y.ts?", "@/z > src/z.ts?"],
    },
  ]);
});
