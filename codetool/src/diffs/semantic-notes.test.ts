import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions } from "./compare-file.ts";
import { readVersion } from "./file-version.ts";
import { semanticNotes } from "./semantic-notes.ts";

type Versions = readonly [old: string | null, next: string | null];

/** What is said of one change of each file; of a single file without its name, each on its own. */
function notesOf(files: { readonly [path: string]: Versions }, language = "typescript"): string[] {
  const notes = semanticNotes(
    Object.entries(files).map(([path, [old, next]]) => {
      const version = (text: string | null) =>
        text === null ? undefined : readVersion(text, { path, language });
      const status = old === null ? "added" : next === null ? "deleted" : "modified";
      return {
        path,
        status,
        remarks: [],
        comparison: compareVersions(version(old), version(next)),
      };
    }),
  );
  const [only] = Object.keys(files);
  return Object.keys(files).length > 1
    ? [...notes]
    : notes.flatMap((note) => note.replace(`${only}: `, "").split("; "));
}

function check(old: string, next: string, expected: readonly string[]): void {
  assert.deepEqual(notesOf({ "a.x": [old, next] }), expected);
}

function checkIn(language: string): typeof check {
  return (old, next, expected) =>
    assert.deepEqual(notesOf({ "a.x": [old, next] }, language), expected);
}

const sum =
  "function sum(list: number[]): number {\n  let total = 0;\n  for (const each of list) total += each;\n  return total;\n}\n";
const other = "function other(): void {\n  console.log('other', 1, 2, 3);\n}\n";

test("what came and what went is named with its kind, the outermost alone", () => {
  check(sum, `${sum}${other}`, ["added function `other`"]);
  check(`${sum}${other}`, sum, ["removed function `other`"]);
  check(sum, `${sum}class A {\n  m() {}\n  n() {}\n}\n`, ["added class `A`"]);
  check("class A {\n  m() {}\n}\n", "class A {\n  m() {}\n  n() { return 1; }\n}\n", [
    "added method `A/n`",
  ]);
});

test("what has another name and the same words else was renamed", () => {
  check(sum, sum.replaceAll("sum", "add"), ["renamed function `sum` to `add`"]);
  const recursive = "def walk(node):\n    for child in node:\n        walk(child)\n";
  checkIn("python")(recursive, recursive.replaceAll("walk", "visit"), [
    "renamed function `walk` to `visit`",
  ]);
  check(
    "class A {\n  run() {\n    return this.x + 1;\n  }\n}\n",
    "class B {\n  run() {\n    return this.x + 1;\n  }\n}\n",
    ["renamed class `A` to `B`"],
  );
  // Another body is another function.
  check(sum, sum.replaceAll("sum", "add").replace("+=", "*="), [
    "added function `add`",
    "removed function `sum`",
  ]);
  // So short a body is the same by chance.
  check("const a = 1;\n", "const b = 1;\n", ["added const `b`", "removed const `a`"]);
});

test("what stands elsewhere was moved, within a file and between files", () => {
  const third = "function third(): string {\n  return 'third';\n}\n";
  check(`${sum}${other}${third}`, `${other}${third}${sum}`, ["moved function `sum`"]);
  check(
    "class A {\n  run() {\n    return this.x + this.y + 1;\n  }\n}\nclass B {\n  z = 1;\n}\n",
    "class A {\n}\nclass B {\n  z = 1;\n  run() {\n    return this.x + this.y + 1;\n  }\n}\n",
    ["moved method `A/run` to `B/run`"],
  );
  assert.deepEqual(
    notesOf({ "a.ts": [`${sum}${other}`, other], "b.ts": [third, `${third}${sum}`] }),
    ["b.ts: moved here from a.ts: function `sum`"],
  );
  assert.deepEqual(
    notesOf({ "a.ts": [`${sum}${other}`, other], "b.ts": [null, sum.replaceAll("sum", "add")] }),
    ["b.ts: new file; moved here from a.ts: function `add` (was `sum`)"],
  );
});

test("signatures and bodies are told apart", () => {
  check(sum, sum.replace("number[]", "readonly number[]"), [
    "signature of `sum` changed: `function sum(list: number[]): number` -> `function sum(list: readonly number[]): number`",
  ]);
  check(sum, sum.replace("total = 0", "total = 1"), ["body changed: `sum`"]);
  check(sum, sum.replace("): number", "): bigint").replace("= 0", "= 0n"), [
    "signature and body of `sum` changed: `function sum(list: number[]): number` -> `function sum(list: number[]): bigint`",
  ]);
  check(
    "class A {\n  x = 1;\n  m() { return 1; }\n}\n",
    "class A {\n  x = 2;\n  m() { return 1; }\n}\n",
    ["definition changed: `A/x`"],
  );
  const overloads = "int f(int a) { return a + 1; }\nint f(char b) { return b + 2; }\n";
  checkIn("cpp")(overloads, overloads.replace("b + 2", "b + 3"), ["body changed: `f`"]);
});

test("imports that came and went are named", () => {
  check(
    'import { a, b } from "./m.ts";\nimport "gone";\n',
    'import { a, c } from "./m.ts";\nimport { x } from "new";\n',
    ["imports changed: `./m.ts` (+c, -b), +`new` (x), -`gone`"],
  );
  checkIn("python")("import os\n", "import os\nimport sys\n", ["imports changed: +`sys`"]);
});

test("formatting alone is the same tree from other white space", () => {
  check(sum, sum.replace("for (const each of list) total", "for (const each of list)\n    total"), [
    "only formatting changed",
  ]);
  check(sum, sum.replace("let total", "// So far.\n  let total"), [
    "only comments and formatting changed",
  ]);
  check(`${sum}${other}`, `${sum.replace("  let", "    let")}${other.replace("1, 2", "1, 4")}`, [
    "body changed: `other`",
    "only formatting changed: `sum`",
  ]);
  const nested = "def f(a):\n    if a:\n        g()\n    h()\n";
  checkIn("python")(nested, nested.replace("    h()", "        h()"), ["body changed: `f`"]);
  checkIn("python")(nested, nested.replaceAll("    ", "  "), ["only formatting changed"]);
  check("const a = 'x y';\n", "const a = 'x  y';\n", ["definition changed: `a`"]);
  check("const a = `x y`;\nf();\n", "const a = `x\ny`;\nf();\n", ["definition changed: `a`"]);
  check("function f() {\n  return g();\n}\n", "function f() {\n  return\n  g();\n}\n", [
    "body changed: `f`",
  ]);
});

test("new and deleted files are told with what is in them", () => {
  assert.deepEqual(notesOf({ "a.ts": [null, `${sum}class A {\n  m() {}\n}\n`] }), [
    "new file with function `sum`, class `A`",
  ]);
  assert.deepEqual(notesOf({ "a.ts": [sum, null] }), ["deleted file with function `sum`"]);
});
