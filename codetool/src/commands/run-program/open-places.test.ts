import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { openPlaces } from "./open-places.ts";

interface Row {
  /** Below the tree; default its root. */
  readonly from?: string;
  readonly printed?: string;
  readonly name?: string;
  readonly origin?: string;
  readonly location: string;
  readonly wanted: string;
}

const trees: readonly {
  readonly title: string;
  readonly files: readonly string[] | { readonly [path: string]: string };
  readonly rows: readonly Row[];
}[] = [
  {
    title: "packages and modules of Go",
    files: {
      "go.mod": "module example.com/m\n\ngo 1.26\n",
      "a_test.go": "",
      "sub/pkg/a_test.go": "",
      "tools/go.mod": "// Tools.\nmodule example.com/m/tools\n",
      "tools/gen/a_test.go": "",
    },
    rows: [
      { origin: "example.com/m", location: "a_test.go:3", wanted: "a_test.go:3" },
      { origin: "example.com/m/sub/pkg", location: "a_test.go:3", wanted: "sub/pkg/a_test.go:3" },
      {
        origin: "example.com/m/sub/pkg_test",
        location: "a_test.go:3:7",
        wanted: "sub/pkg/a_test.go:3:7",
      },
      {
        origin: "example.com/m/tools/gen",
        location: "a_test.go:1",
        wanted: "tools/gen/a_test.go:1",
      },
      {
        from: "sub",
        origin: "example.com/m/sub/pkg",
        location: "a_test.go:3",
        wanted: "pkg/a_test.go:3",
      },
      {
        from: "sub/pkg",
        origin: "example.com/m",
        location: "a_test.go:3",
        wanted: "../../a_test.go:3",
      },
      { location: "./sub/pkg/a_test.go:3:1", wanted: "sub/pkg/a_test.go:3:1" },
      { origin: "other.org/x", location: "b_test.go:3", wanted: "b_test.go:3" },
    ],
  },
  {
    title: "workspaces of npm and pnpm",
    files: [
      "packages/app/src/cart.test.js",
      "packages/app/src/index.test.js",
      "packages/lib/src/index.test.js",
    ],
    rows: [
      { location: "src/cart.test.js:6:1", wanted: "packages/app/src/cart.test.js:6:1" },
      {
        printed:
          "> @shop/app@1.0.0 test\n> jest\nok\n> @shop/lib@1.0.0 test\n> jest\nFAIL src/index.test.js:2\n",
        location: "src/index.test.js:2",
        wanted: "packages/lib/src/index.test.js:2",
      },
      {
        printed: "packages/app test$ vitest\npackages/app test: src/index.test.js:2\n",
        location: "src/index.test.js:2",
        wanted: "packages/app/src/index.test.js:2",
      },
      // Nothing tells which.
      {
        printed: "src/index.test.js:2",
        location: "src/index.test.js:2",
        wanted: "src/index.test.js:2",
      },
    ],
  },
  {
    title: "crates of a workspace, from a crate and with headings",
    files: ["Cargo.toml", "crates/a/src/lib.rs", "crates/b/src/lib.rs", "crates/b/tests/it.rs"],
    rows: [
      { from: "crates/a", location: "crates/a/src/lib.rs:3:5", wanted: "src/lib.rs:3:5" },
      { from: "crates/a", location: "crates/b/src/lib.rs:3:5", wanted: "../b/src/lib.rs:3:5" },
      { location: "tests/it.rs:9:1", wanted: "crates/b/tests/it.rs:9:1" },
      {
        printed:
          "     Running unittests src/lib.rs (target/debug/deps/b-0123456789abcdef)\nsrc/lib.rs:4:9\n",
        location: "src/lib.rs:4:9",
        wanted: "crates/b/src/lib.rs:4:9",
      },
    ],
  },
  {
    title: "modules of Maven and Gradle, whose traces name no folder",
    files: [
      "core/src/test/java/shop/PriceTest.java",
      "web/src/test/java/web/PriceTest.java",
      "web/src/test/java/shop/cart/CartTest.java",
      "core/src/test/java/shop/SameTest.java",
      "web/src/test/java/shop/SameTest.java",
      "web/src/main/kotlin/web/App.kt",
    ],
    rows: [
      {
        name: "shop.cart.CartTest.adds",
        location: "CartTest.java:7",
        wanted: "web/src/test/java/shop/cart/CartTest.java:7",
      },
      {
        name: "shop.PriceTest.divides",
        location: "PriceTest.java:28",
        wanted: "core/src/test/java/shop/PriceTest.java:28",
      },
      {
        printed:
          "[INFO] --- surefire:3.2.5:test (default-test) @ core ---\nok\n[INFO] --- surefire:3.2.5:test (default-test) @ web ---\n[ERROR] shop.SameTest.sums\n",
        name: "shop.SameTest.sums",
        location: "SameTest.java:3",
        wanted: "web/src/test/java/shop/SameTest.java:3",
      },
      {
        printed: "> Task :core:test\nshop.SameTest > sums FAILED\n    at SameTest.java:3\n",
        name: "shop.SameTest.sums",
        location: "SameTest.java:3",
        wanted: "core/src/test/java/shop/SameTest.java:3",
      },
      { from: "web", location: "App.kt:1:1", wanted: "src/main/kotlin/web/App.kt:1:1" },
    ],
  },
];

const sameNames: (typeof trees)[number] = {
  title: "packages that say their names, with files that are called the same",
  files: {
    "package.json": '{"name":"shop","workspaces":["packages/*"]}',
    "src/index.ts": "",
    "packages/app/package.json": '{"name":"@shop/app"}',
    "packages/app/src/index.ts": "",
    "packages/lib/package.json": '{"name":"@shop/lib"}',
    "packages/lib/src/index.ts": "",
    "packages/lib/node_modules/copy/package.json": '{"name":"@shop/app"}',
    "packages/lib/node_modules/copy/src/index.ts": "",
    "packages/broken/package.json": "{",
    "java/pom.xml": "<project><artifactId>parent</artifactId></project>",
    "java/core/pom.xml":
      "<project><parent><artifactId>parent</artifactId></parent><artifactId>shop-core</artifactId></project>",
    "java/core/src/test/java/shop/SumTest.java": "",
    "java/web/pom.xml":
      "<project><parent><artifactId>parent</artifactId></parent><artifactId>shop-web</artifactId></project>",
    "java/web/src/test/java/shop/SumTest.java": "",
    "gradle/settings.gradle": "",
    "gradle/web/api/src/test/java/shop/SumTest.java": "",
  },
  rows: [
    { location: "src/index.ts:1:14", wanted: "src/index.ts:1:14" },
    { origin: "shop", location: "src/index.ts:1:14", wanted: "src/index.ts:1:14" },
    {
      origin: "@shop/app",
      location: "src/index.ts:1:14",
      wanted: "packages/app/src/index.ts:1:14",
    },
    {
      from: "packages/lib",
      origin: "@shop/app",
      location: "src/index.ts:1",
      wanted: "../app/src/index.ts:1",
    },
    {
      from: "packages/lib",
      origin: "@shop/lib",
      location: "src/index.ts:1",
      wanted: "src/index.ts:1",
    },
    { origin: "unheard-of", location: "src/index.ts:2", wanted: "src/index.ts:2" },
    {
      origin: "shop-web",
      location: "SumTest.java:6",
      wanted: "java/web/src/test/java/shop/SumTest.java:6",
    },
    {
      from: "java",
      origin: "shop-core",
      location: "SumTest.java:6",
      wanted: "core/src/test/java/shop/SumTest.java:6",
    },
    {
      origin: ":web:api",
      location: "SumTest.java:6",
      wanted: "gradle/web/api/src/test/java/shop/SumTest.java:6",
    },
  ],
};

for (const { title, files, rows } of [...trees, sameNames])
  test(`places are paths that can be opened: ${title}`, () => {
    const made = Array.isArray(files)
      ? Object.fromEntries(files.map((path: string) => [path, ""]))
      : (files as { readonly [path: string]: string });
    using folder = createTemporaryFolder({ ...made, ".git/HEAD": "" });
    for (const { from = ".", printed = "", name = "it", origin, location, wanted } of rows) {
      const finding = { name, location, message: "", ...(origin === undefined ? {} : { origin }) };
      const workingDirectory = join(folder.path, from);
      const [found] = openPlaces([finding], printed, { workingDirectory, environment: {} });
      assert.deepEqual(found, { name, location: wanted, message: "" }, `${from} ${location}`);
    }
  });

test("absolute places in the tree become relative, others stay, and no place stays none", () => {
  using folder = createTemporaryFolder({ ".git/HEAD": "", "a/b.c": "" });
  const findings = [
    { name: "x", location: `${join(folder.path, "a/b.c")}:3`, message: "" },
    { name: "x", location: "/usr/include/stdio.h:9", message: "" },
    { name: "x", location: null, message: "" },
  ];
  const context = { workingDirectory: join(folder.path, "a"), environment: {} };
  assert.deepEqual(
    openPlaces(findings, "", context).map(({ location }) => location),
    ["b.c:3", "/usr/include/stdio.h:9", null],
  );
});
