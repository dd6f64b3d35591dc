import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { impactCommand } from "./command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";

interface Impact {
  readonly target: string;
  readonly exports: readonly string[];
  readonly dependents: readonly {
    readonly file: string;
    readonly hops: number;
    readonly symbols_used: readonly string[];
    readonly confidence: string;
    readonly is_test?: true;
    readonly via?: string;
    readonly uses?: readonly { readonly line: number; readonly text: string }[];
    readonly more_uses?: number;
  }[];
  readonly stats: { readonly [name: string]: number };
  readonly truncated?: boolean;
}

async function impact(folder: string, input: object): Promise<Impact> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(impactCommand, { ...input }, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return outcome.data as unknown as Impact;
}

function linesOf({ dependents }: Impact): string[] {
  return dependents
    .map(({ file, hops, confidence, symbols_used }) =>
      [hops, confidence, file, ...symbols_used].join(" "),
    )
    .sort();
}

/** Asks without an index, with one, and with one that is older than the files: all must say the same. */
async function check(
  files: { readonly [path: string]: string },
  input: { readonly file: string; readonly symbol?: string; readonly hops?: number },
  expected: readonly string[],
): Promise<void> {
  using folder = createTemporaryFolder(files);
  const context = { workingDirectory: folder.path, environment: {} };
  assert.deepEqual(linesOf(await impact(folder.path, input)), expected, "without an index");
  const indexed = await executeCommand(indexCommand, {}, context);
  assert.ok(!("error" in indexed));
  assert.deepEqual(linesOf(await impact(folder.path, input)), expected, "with an index");
  for (const path of Object.keys(files)) appendFileSync(join(folder.path, path), "\n");
  assert.deepEqual(linesOf(await impact(folder.path, input)), expected, "with a stale index");
}

const web = {
  "src/money.ts":
    "export function round(n: number) { return n; }\nexport const zero = 0;\nexport default class Money {\n  add(n: number) { return n; }\n}\n",
  "src/index.ts": 'export * from "./money.ts";\nexport { default as Cash } from "./money.ts";\n',
  "src/bill.ts": 'import { round as r } from "./money.ts";\nexport const bill = () => r(1);\n',
  "src/all.ts":
    'import * as money from "./money.ts";\n// zero\nexport const all = money.round(2);\n',
  "src/cash.ts":
    'import Money from "./money.ts";\nexport const cash = new Money();\ncash.add(1);\n',
  "src/shop.ts":
    'import { Cash, round } from "./index.ts";\nexport const shop = round(Cash.length);\n',
  "src/other.ts": 'import { nothing } from "./index.ts";\nexport const other = nothing;\n',
  "test/bill.test.ts": 'import { bill } from "../src/bill.ts";\nbill();\n',
  "src/alone.ts": "// round zero Money\nexport const alone = 'round';\n",
};

test("impact names what each dependent binds, over barrels and renamings", async () => {
  await check(web, { file: "src/money.ts" }, [
    "1 resolved src/all.ts round",
    "1 resolved src/bill.ts round",
    "1 resolved src/cash.ts Money",
    "1 resolved src/index.ts round zero Money",
    "2 resolved src/other.ts",
    "2 resolved src/shop.ts round Money",
    "2 resolved test/bill.test.ts",
  ]);
  await check(web, { file: "src/money.ts", hops: 1, symbol: "round" }, [
    "1 resolved src/all.ts round",
    "1 resolved src/bill.ts round",
    "1 resolved src/index.ts round",
  ]);
});

test("impact of a symbol follows those who use it, and not all who import its file", async () => {
  await check(web, { file: "src/money.ts", symbol: "round" }, [
    "1 resolved src/all.ts round",
    "1 resolved src/bill.ts round",
    "1 resolved src/index.ts round",
    "2 resolved src/shop.ts round",
    "2 resolved test/bill.test.ts",
  ]);
  await check(web, { file: "src/money.ts", symbol: "Money" }, [
    "1 resolved src/cash.ts Money",
    "1 resolved src/index.ts Money",
    "2 resolved src/shop.ts Money",
  ]);
  await check(web, { file: "src/money.ts", symbol: "Money/add" }, ["1 resolved src/cash.ts add"]);
  await check(web, { file: "src/money.ts", symbol: "zero" }, ["1 resolved src/index.ts zero"]);
});

test("impact by symbol works where imports name modules, packages or nothing", async () => {
  const python = {
    "app/__init__.py": "from .core import start\n",
    "app/core.py":
      "def start():\n    pass\n\ndef stop():\n    pass\n\nclass Engine:\n    def spin(self):\n        pass\n",
    "app/cli.py": "from . import core\n\ncore.stop()\n",
    "main.py": "from app import start\n\nstart()\n",
    "user.py": "import app.core as c\n# stop\nc.start()\nc.Engine().spin()\n",
  };
  await check(python, { file: "app/core.py", symbol: "start" }, [
    "1 resolved app/__init__.py start",
    "1 resolved user.py start",
    "2 resolved main.py start",
  ]);
  await check(python, { file: "app/core.py", symbol: "stop" }, ["1 resolved app/cli.py stop"]);
  await check(python, { file: "app/core.py", symbol: "Engine/spin" }, ["1 resolved user.py spin"]);
  const go = {
    "go.mod": "module example.com/m\n",
    "store/store.go":
      "package store\n\nfunc Open() {}\nfunc helper() {}\n\ntype Box struct{}\n\nfunc (b Box) Put() {}\n",
    "store/more.go": "package store\n\nfunc More() { helper() }\n",
    "store/talk.go": "package store\n\n// Open and helper\nfunc Talk() {}\n",
    "main.go":
      'package main\n\nimport "example.com/m/store"\n\nfunc main() {\n\tstore.Open()\n\tstore.Box{}.Put()\n}\n',
  };
  await check(go, { file: "store/store.go" }, [
    "1 name store/more.go helper",
    "1 resolved main.go Open Box",
  ]);
  await check(go, { file: "store/store.go", symbol: "Open" }, ["1 resolved main.go Open"]);
  await check(go, { file: "store/store.go", symbol: "Box/Put" }, ["1 resolved main.go Put"]);
  const rust = {
    "Cargo.toml": '[package]\nname = "m"\n',
    "src/lib.rs": "mod store;\npub use store::open;\n",
    "src/store.rs": "pub fn open() {}\npub fn shut() {}\n",
    "src/bin/run.rs": "use m::open;\nfn main() { open() }\n",
    "src/other.rs": "use crate::store;\nfn f() { store::shut() }\n",
  };
  await check(rust, { file: "src/store.rs", symbol: "open" }, [
    "1 resolved src/lib.rs open",
    "2 resolved src/bin/run.rs open",
  ]);
  await check(rust, { file: "src/store.rs", symbol: "shut" }, ["1 resolved src/other.rs shut"]);
});

test("impact finds files of one package or module, which need no import", async () => {
  await check(
    {
      "a/Store.java": "package a;\n\npublic class Store { public void open() {} }\n",
      "a/User.java": "package a;\n\nclass User { Store store; void f() { store.open(); } }\n",
      "a/Talk.java": "package a;\n\n/** Not a Store. */\nclass Talk {}\n",
      "b/Far.java": "package b;\n\nimport a.Store;\n\nclass Far { Store s; }\n",
    },
    { file: "a/Store.java" },
    ["1 name a/User.java Store", "1 resolved b/Far.java Store"],
  );
  await check(
    {
      "a/Store.kt": "package a\n\nclass Store { fun open() {} }\n",
      "a/User.kt": "package a\n\nfun f() = Store().open()\n",
    },
    { file: "a/Store.kt", symbol: "Store/open" },
    ["1 name a/User.kt open"],
  );
  await check(
    {
      "Store.cs": "namespace A {\n  public class Store {}\n}\n",
      "User.cs": "namespace A {\n  class User { Store s; }\n}\n",
    },
    { file: "Store.cs" },
    ["1 name User.cs Store"],
  );
  await check(
    {
      "Package.swift": 'let package = Package(name: "A", targets: [.target(name: "A")])\n',
      "Sources/A/Store.swift": "public struct Store {}\n",
      "Sources/A/User.swift": "let store = Store()\n",
    },
    { file: "Sources/A/Store.swift" },
    ["1 name Sources/A/User.swift Store"],
  );
});

test("impact finds what the linker joins, and what includes a header only to hand it on", async () => {
  const files = {
    "list.c":
      '#include "list.h"\nint list_length(void) { return 0; }\nstatic int grow(void) { return 1; }\n',
    "list.h": "int list_length(void);\n",
    "all.h": '#include "list.h"\n',
    "main.c": '#include "all.h"\n/* list_length */\nint main(void) { return list_length(); }\n',
    "talk.c": "/* list_length */\nint talk(void) { return 0; }\n",
  };
  await check(files, { file: "list.c" }, ["1 name main.c list_length"]);
  await check(files, { file: "list.h", symbol: "list_length" }, [
    "1 resolved list.c list_length",
    "2 resolved main.c list_length",
  ]);
});

test("impact counts and leaves out tests, and says the way", async () => {
  using folder = createTemporaryFolder(web);
  const all = await impact(folder.path, { file: "src/money.ts" });
  assert.equal(all.target, "src/money.ts");
  assert.deepEqual(all.exports, ["round", "zero", "Money"]);
  assert.deepEqual(all.stats, { direct: 4, transitive: 3, test_files: 1 });
  const byTest = all.dependents.find(({ is_test }) => is_test);
  assert.equal(byTest?.via, "src/bill.ts");
  const without = await impact(folder.path, { file: "src/money.ts", no_tests: true });
  assert.deepEqual(without.stats, { direct: 4, transitive: 2, test_files: 1 });
});

test("impact within a budget keeps the nearest, and the whole of its data within it", async () => {
  const users: { [path: string]: string } = { "a.ts": "export const a = 1;\n" };
  for (let at = 0; at < 60; at += 1)
    users[`u${at}.ts`] = 'import { a } from "./a.ts";\nexport const u = a;\n';
  using folder = createTemporaryFolder(users);
  for (const budget of [120, 200, 1000, 100_000]) {
    const answer = await impact(folder.path, { file: "a.ts", budget });
    const used = answer.stats["budget_used"] ?? 0;
    assert.ok(used <= budget, `${used} of ${budget}`);
    assert.equal(answer.truncated, answer.dependents.length < 60);
    assert.equal(answer.stats["direct"], 60);
  }
});

test("impact refuses folders and symbols that are not there, naming the nearest", async () => {
  using folder = createTemporaryFolder(web);
  const context = { workingDirectory: folder.path, environment: {} };
  for (const [input, code, words] of [
    [{ file: "src" }, "invalid_argument", /folder/],
    [{ file: "src/none.ts" }, "file_not_found", /none/],
    [{ file: "src/money.ts", symbol: "roundd" }, "invalid_argument", /did you mean "round"/],
    [{ file: "src/money.ts", symbol: "qqqqqqqq" }, "invalid_argument", /it has round/],
    [{ file: "src/money.ts", hops: 0 }, "invalid_argument", /at least 1/],
    [{}, "invalid_argument", /needs it/],
  ] as const) {
    const outcome = await executeCommand(impactCommand, { ...input }, context);
    assert.ok("error" in outcome, JSON.stringify(input));
    assert.equal(outcome.error.code, code);
    assert.match(outcome.error.message, words);
  }
});

const svc = {
  "svc.ts": "export function mk() {}\nexport class Svc {\n  go() {}\n}\n",
  "taken.ts": 'import * as all from "./svc.ts";\nconst { mk: make } = all;\nmake();\n',
  "out.ts": 'import * as all from "./svc.ts";\nexport default all;\n',
  "in.ts": 'import a from "./out.ts";\na.mk();\n',
  "space.ts": 'export * as tools from "./svc.ts";\n',
  "spaced.ts": 'import { tools } from "./space.ts";\ntools.mk();\n',
  "alias.ts": 'import { Svc } from "./svc.ts";\nexport const S = Svc;\n',
  "aliased.ts": 'import { S } from "./alias.ts";\nnew S().go();\n',
  "asked.ts": 'import * as all from "./svc.ts";\nall["mk"]();\n',
  "other.ts": 'import * as all from "./svc.ts";\nnew all.Svc();\n',
  "exact.ts":
    'import { Svc } from "./svc.ts";\nconst mk = 1;\nexport const s = new Svc().go(mk);\n',
};

test("impact --symbol names files whose use it cannot resolve, and how they hold the symbol", async () => {
  await check(svc, { file: "svc.ts", symbol: "mk" }, [
    "1 resolved space.ts mk",
    "1 unknown asked.ts",
    "1 unknown taken.ts",
    "2 resolved spaced.ts mk",
    "2 unknown in.ts",
  ]);
  const members = ["1 resolved exact.ts go", "2 unknown aliased.ts"];
  await check(svc, { file: "svc.ts", symbol: "Svc/go" }, members);
  const python = {
    "pkg/__init__.py": "from . import core\n",
    "pkg/core.py": "class C:\n    def helper(self):\n        pass\n\ndef free():\n    pass\n",
    "whole.py": "import pkg\n\npkg.core.free()\n",
    "member.py": 'from pkg.core import C\n\ngetattr(C(), "helper")()\n',
    "none.py": "import pkg\n\nprint(pkg)\n",
    "text.py": "from pkg import core\n\n# free\nprint(core)\n",
  };
  await check(python, { file: "pkg/core.py", symbol: "free" }, ["2 unknown whole.py"]);
  await check(python, { file: "pkg/core.py", symbol: "C/helper" }, ["1 unknown member.py"]);
});

test("impact --symbol shows the lines that use it, and leaves out what only shares a package", async () => {
  const files = {
    "go.mod": "module example.com/m\n",
    "data/policy.go": "package data\n\nfunc Apply() {}\n",
    "cmd/a.go":
      'package main\n\nimport "example.com/m/data"\n\nfunc runA() {\n\tdata.Apply()\n\t// Apply\n\tdata.Apply()\n}\n',
    "cmd/main.go": "package main\n\nfunc main() {\n\trunA()\n}\n",
  };
  await check(files, { file: "data/policy.go", symbol: "Apply" }, ["1 resolved cmd/a.go Apply"]);
  using folder = createTemporaryFolder(files);
  const input = { file: "data/policy.go", symbol: "Apply" };
  const { dependents } = await impact(folder.path, input);
  assert.deepEqual(dependents[0]?.uses, [
    { line: 6, text: "data.Apply()" },
    { line: 8, text: "data.Apply()" },
  ]);
  const context = { workingDirectory: folder.path, environment: {} };
  const outcome = await executeCommand(impactCommand, input, context);
  assert.ok(!("error" in outcome));
  assert.match(outcome.warnings?.join() ?? "", /1 file that is known only by names .* --by-name/);
  const all = await impact(folder.path, { ...input, by_name: true });
  assert.deepEqual(linesOf(all), ["1 resolved cmd/a.go Apply", "2 name cmd/main.go"]);
  using many = createTemporaryFolder({
    "a.ts": "export const one = 1;\n",
    "b.ts": `import { one } from "./a.ts";\n${"one;\n".repeat(9)}`,
  });
  const [user] = (await impact(many.path, { file: "a.ts", symbol: "one" })).dependents;
  assert.deepEqual([user?.uses?.length, user?.more_uses], [5, 5]);
});
