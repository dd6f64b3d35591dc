import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { explainCommand } from "./command.ts";
import type { ExplainPayload, UsePlace } from "./payload.ts";

async function ask(folder: string, input: object): Promise<ExplainPayload> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(explainCommand, { ...input }, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return outcome.data as unknown as ExplainPayload;
}

async function refusal(folder: string, input: object): Promise<string> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(explainCommand, { ...input }, context);
  assert.ok("error" in outcome, JSON.stringify(outcome));
  return `${outcome.error.code}: ${outcome.error.message}`;
}

function placesOf(places: readonly UsePlace[]): string[] {
  return places.map(({ file, line, in: around, confidence, via }) =>
    [confidence, `${file}:${line}`, around ?? "-", ...(via === undefined ? [] : [via])].join(" "),
  );
}

function calleesOf({ callees }: ExplainPayload): string[] {
  return callees.map(({ confidence, name, file, line }) => `${confidence} ${name} ${file}:${line}`);
}

/** Asks without an index and with one: both must say the same. */
async function explain(
  files: { readonly [path: string]: string },
  input: object,
): Promise<ExplainPayload> {
  using folder = createTemporaryFolder(files);
  const { root: first, ...plain } = await ask(folder.path, input);
  const context = { workingDirectory: folder.path, environment: {} };
  const indexed = await executeCommand(indexCommand, {}, context);
  assert.ok(!("error" in indexed));
  const { root, ...again } = await ask(folder.path, input);
  assert.equal(root, first);
  assert.deepEqual(again, plain);
  return { root, ...again };
}

const shop = {
  "src/money.ts": [
    "/**",
    " * Rounds to cents.",
    " *",
    " * @returns The amount.",
    " */",
    "export function round(amount: number): number {",
    "  return Math.round(amount * scale) / scale;",
    "}",
    "const scale = 100;",
    "export class Money {",
    "  constructor(readonly amount: number) {}",
    "  add(other: Money): Money {",
    "    return new Money(round(this.amount + other.amount));",
    "  }",
    "  twice(): Money {",
    "    return this.add(this);",
    "  }",
    "}",
    "",
  ].join("\n"),
  "src/index.ts": 'export * from "./money.ts";\n',
  "src/bill.ts": [
    'import { round as cents, Money } from "./index.ts";',
    "// round is used below.",
    "export function bill(): number {",
    "  const round = (n: number) => n;",
    "  return round(1) + cents(2) + cents(3);",
    "}",
    "export const sum = (parts: Money[]) => parts.reduce((all, part) => all.add(part));",
    "",
  ].join("\n"),
  "src/basket.ts": [
    "export class Basket {",
    "  add(n: number) {",
    "    return n;",
    "  }",
    "}",
    'import { Money } from "./money.ts";',
    "export function fill(basket: Basket, money: Money) {",
    "  basket.add(1);",
    "  return money.add(money);",
    "}",
    "",
  ].join("\n"),
  "test/bill.test.ts": 'import { bill } from "../src/bill.ts";\nbill();\n',
  "test/money.test.ts":
    'import { Money } from "../src/money.ts";\nnew Money(1).add(new Money(2));\n',
};

test("explain tells what a function is, who calls it under which name, and what it uses", async () => {
  const found = await explain(shop, { symbol: "round" });
  assert.deepEqual(found.definition, {
    name: "round",
    kind: "function",
    file: "src/money.ts",
    lines: { start: 6, end: 8 },
    signature: "export function round(amount: number): number",
    exported: true,
    doc: "Rounds to cents.\n\n@returns The amount.",
    code: "export function round(amount: number): number {\n  return Math.round(amount * scale) / scale;\n}",
  });
  assert.deepEqual(placesOf(found.callers), [
    "resolved src/money.ts:13 Money.add",
    "resolved src/bill.ts:5 bill",
  ]);
  assert.deepEqual(placesOf(found.tests), [
    "likely test/money.test.ts:2 - Money.add",
    "likely test/bill.test.ts:2 - bill",
  ]);
  assert.deepEqual(calleesOf(found), ["resolved scale src/money.ts:9"]);
  assert.deepEqual(found.stats, { callers: 2, caller_files: 2, tests: 2, callees: 1, others: 0 });
});

test("explain of a member leaves out the members of other types, and says what is a guess", async () => {
  const found = await explain(shop, { symbol: "Money.add" });
  assert.deepEqual(placesOf(found.callers), [
    "resolved src/money.ts:16 Money.twice",
    "likely src/basket.ts:9 fill",
    "name src/bill.ts:7 sum",
  ]);
  assert.deepEqual(placesOf(found.tests), ["resolved test/money.test.ts:2 -"]);
  assert.deepEqual(calleesOf(found), [
    "resolved round src/money.ts:6",
    "resolved Money src/money.ts:10",
  ]);
  const other = await explain(shop, { symbol: "Basket/add" });
  assert.deepEqual(placesOf(other.callers), ["likely src/basket.ts:8 fill"]);
});

test("explain takes a file before the name or behind it, and lists the other definitions", async () => {
  const files = {
    "lib/a.py": "def load():\n    'Loads A.'\n    return 1\n",
    "lib/b.py": "def load():\n    return 2\n",
    "main.py": "from lib.b import load\nimport lib.b as other\n\nprint(load(), other.load())\n",
    "again.py": "from lib.b import load as get\n\ndef run():\n    return get()\n",
  };
  const best = await explain(files, { symbol: "load" });
  assert.equal(best.definition.file, "lib/b.py");
  assert.deepEqual(
    best.others.map(({ file, line }) => `${file}:${line}`),
    ["lib/a.py:1"],
  );
  assert.deepEqual(placesOf(best.callers), ["resolved again.py:4 run", "resolved main.py:4 -"]);
  for (const input of [
    { symbol: "lib/a.py:load" },
    { symbol: "load", path: "lib/a.py" },
    { symbol: "./lib/a.py:load" },
  ]) {
    const named = await explain(files, input);
    assert.deepEqual(
      [named.definition.file, named.definition.doc, named.callers],
      ["lib/a.py", "Loads A.", []],
      JSON.stringify(input),
    );
  }
});

test("explain follows C from a definition over its header to those who include that", async () => {
  const files = {
    "lib/buffer.h": "int buffer_get(int at);\n",
    "lib/buffer.c":
      '#include "buffer.h"\n/* Reads one byte. */\nint buffer_get(int at) {\n  return at;\n}\n',
    "app/main.c": '#include "../lib/buffer.h"\n\nint main(void) {\n  return buffer_get(1);\n}\n',
    "app/other.c": "/* buffer_get */\nint other(void) {\n  return 1;\n}\n",
  };
  const found = await explain(files, { symbol: "buffer_get" });
  assert.deepEqual(
    [found.definition.file, found.definition.doc],
    ["lib/buffer.c", "Reads one byte."],
  );
  assert.deepEqual(placesOf(found.callers), ["resolved app/main.c:4 main"]);
  assert.deepEqual(
    found.others.map(({ file, line }) => `${file}:${line}`),
    ["lib/buffer.h:1"],
  );
  const main = await explain(files, { symbol: "app/main.c:main" });
  assert.deepEqual(calleesOf(main), ["likely buffer_get lib/buffer.c:3"]);
});

test("explain finds uses in a package of Go and Java without an import", async () => {
  const go = {
    "go.mod": "module example.org/shop\n",
    "money/money.go": "package money\n\nfunc Round(n int) int { return n }\n",
    "money/bill.go": "package money\n\nfunc Bill() int { return Round(1) }\n",
    "main.go":
      'package main\n\nimport "example.org/shop/money"\n\nfunc main() { money.Round(2) }\n',
    "money/money_test.go": "package money\n\nfunc TestRound(t *T) { Round(3) }\n",
  };
  const found = await explain(go, { symbol: "Round" });
  assert.deepEqual(placesOf(found.callers), [
    "resolved main.go:5 main",
    "resolved money/bill.go:3 Bill",
  ]);
  assert.deepEqual(placesOf(found.tests), ["resolved money/money_test.go:3 TestRound"]);
  const java = {
    "shop/Money.java":
      "package shop;\npublic class Money {\n  public int twice() { return 2; }\n}\n",
    "shop/Bill.java":
      "package shop;\nclass Bill {\n  int sum(Money money) { return money.twice(); }\n}\n",
  };
  const member = await explain(java, { symbol: "Money.twice" });
  assert.deepEqual(placesOf(member.callers), ["likely shop/Bill.java:3 Bill.sum"]);
});

test("explain names what is nearest where nothing has the name", async () => {
  using folder = createTemporaryFolder(shop);
  assert.match(
    await refusal(folder.path, { symbol: "ruond" }),
    /^invalid_argument: .*"?symbol ruond"?.*not defined in the project; nearest are round \(src\/money\.ts:6\)/,
  );
  assert.match(await refusal(folder.path, { symbol: "qqqqqqqq" }), /not defined in the project$/);
  assert.match(await refusal(folder.path, { symbol: "src/no.ts:round" }), /^file_not_found: /);
  assert.match(
    await refusal(folder.path, { symbol: "src/money.ts:round", path: "src" }),
    /it names a file/,
  );
  const lower = await ask(folder.path, { symbol: "money" });
  assert.equal(lower.definition.name, "Money");
});

test("explain has the latest commits of the lines, also where lines above them changed since", async () => {
  using repository = createTemporaryRepository({
    "a.ts": "export function one() {\n  return 1;\n}\n",
  });
  const write = (text: string): void => writeFileSync(join(repository.path, "a.ts"), text);
  write("export function one() {\n  return 2;\n}\n");
  repository.git("commit", "-qam", "second");
  write("// above\nexport function one() {\n  return 2;\n}\n// below\n");
  repository.git("commit", "-qam", "around");
  write("// more\n// above\nexport function one() {\n  return 2;\n}\n// below\n");
  const { changes, uncommitted } = await ask(repository.path, { symbol: "one" });
  assert.equal(uncommitted, undefined);
  assert.equal(changes[0]?.subject, "second");
  assert.equal(changes.length, 2);
  assert.match(changes[0].date, /^\d{4}-\d\d-\d\d$/);
  write("// more\n// above\nexport function one() {\n  return 3;\n}\n// below\n");
  const changed = await ask(repository.path, { symbol: "one" });
  assert.deepEqual([changed.uncommitted, changed.changes], [true, changes]);
  const without = await ask(repository.path, { symbol: "one", no_changes: true, no_code: true });
  assert.deepEqual([without.changes, without.definition.code], [[], undefined]);
});

test("explain keeps whole parts within any budget, and says what there is", async () => {
  using folder = createTemporaryFolder(shop);
  const whole = await ask(folder.path, { symbol: "Money", budget: 5000 });
  assert.equal(whole.truncated, false);
  const sizes = new Set<number>();
  for (let budget = 200; budget <= 900; budget += 100) {
    const fitted = await ask(folder.path, { symbol: "Money", budget });
    assert.ok((fitted.stats.budget_used ?? Infinity) <= budget);
    assert.deepEqual(
      { ...fitted.stats, budget_used: 0 },
      { ...whole.stats, budget_used: 0 },
      `${budget}`,
    );
    for (const caller of fitted.callers)
      assert.ok(whole.callers.some((each) => JSON.stringify(each) === JSON.stringify(caller)));
    sizes.add(fitted.callers.length + fitted.tests.length + fitted.callees.length);
  }
  assert.ok(sizes.size > 1);
  assert.match(await refusal(folder.path, { symbol: "Money", budget: 10 }), /^budget_exceeded: /);
});

test("explain counts neither a variable nor an attribute of something else that has the name", async () => {
  const python = {
    "lib.py": [
      "import ctypes",
      "native = ctypes.windll.fetch",
      "def fetch():",
      "    return native()",
      "class Text:",
      "    def join(self):",
      "        return fetch()",
      "def outer():",
      "    def inner():",
      "        return 1",
      "    return inner()",
      "",
    ].join("\n"),
    "user.py": "from lib import Text\ndef show(text: Text):\n    join = text.append\n    join(1)\n",
    "patch.py": 'from lib import Text\npatch(Text, "join")\n',
  };
  const found = await explain(python, { symbol: "fetch" });
  assert.deepEqual(placesOf(found.callers), ["resolved lib.py:7 Text.join"]);
  const member = await explain(python, { symbol: "Text.join" });
  assert.deepEqual(placesOf(member.callers), ["unknown patch.py:2 -"]);
  const inner = await explain(python, { symbol: "outer.inner" });
  assert.deepEqual(placesOf(inner.callers), ["resolved lib.py:11 outer"]);
  const java = {
    "shop/Helper.java": [
      "package shop;",
      "class Helper {",
      "  static boolean check(int n) { return new Inner().check(n); }",
      "  static class Inner {",
      "    boolean check(int n) { return n > 0; }",
      "  }",
      "}",
      "",
    ].join("\n"),
    "shop/User.java":
      "package shop;\nclass User {\n  boolean use() { boolean check = Helper.check(1); this.check = check; return check; }\n}\n",
  };
  const go = {
    "go.mod": "module example.org/ui\n",
    "ui.go": [
      "package ui",
      "type Light struct{}",
      "type Dark struct{}",
      "func (w *Light) draw() {}",
      "func (w *Dark) draw() {}",
      "func (w *Light) All() { w.draw() }",
      "func (w *Dark) All() { w.draw() }",
      "",
    ].join("\n"),
  };
  const drawn = await explain(go, { symbol: "Light.draw" });
  assert.deepEqual(placesOf(drawn.callers), ["resolved ui.go:6 Light.All"]);
  const nested = await explain(java, { symbol: "Inner.check" });
  assert.deepEqual(placesOf(nested.callers), ["resolved shop/Helper.java:3 Helper.check"]);
});
