import assert from "node:assert/strict";
import { test } from "node:test";
import { commentRangesOf, extractSymbols } from "../syntax/index.ts";
import { symbolEdit, type SymbolAction } from "./symbol-edit.ts";
import { findSymbols, symbolPathsOf, withBodies } from "./symbol-paths.ts";
import { applyEdits } from "./text-edit.ts";

/** The text after an edit at a symbol, or why there is none. */
function at(
  text: string,
  language: string,
  [action, wanted, newText]: readonly [SymbolAction, string, string],
): string {
  const [found] = withBodies(
    findSymbols(wanted, symbolPathsOf(extractSymbols(text, language).symbols)),
  );
  assert.ok(found !== undefined, wanted);
  const comments = commentRangesOf(text, language, { withDocumentation: false }) ?? [];
  const edit = symbolEdit(text, { action, symbol: found.symbol, newText, language, comments });
  return "fault" in edit ? edit.fault : applyEdits(text, [edit]);
}

test("a new body is fitted between what opens and closes the old one", () => {
  for (const [language, text, symbol, newText, expected] of [
    [
      "typescript",
      "class A {\n  f(): void {\n    old();\n  }\n}\n",
      "A/f",
      "if (x) {\n    a();\n}",
      "class A {\n  f(): void {\n    if (x) {\n      a();\n    }\n  }\n}\n",
    ],
    [
      "typescript",
      "function f() { return 1; }\n",
      "f",
      "return 2;",
      "function f() {\n    return 2;\n}\n",
    ],
    [
      "typescript",
      "function f() {\n  return 1;\n}\n",
      "f",
      "{\n  return 2;\n}",
      "function f() {\n  return 2;\n}\n",
    ],
    [
      "typescript",
      "const f = () => {\n  return 1;\n};\n",
      "f",
      "return 2;",
      "const f = () => {\n  return 2;\n};\n",
    ],
    ["typescript", "const f = () => 5;\n", "f", "6", "const f = () => 6;\n"],
    [
      "typescript",
      "/** Old. */\nexport function f() {\n  return 1;\n}\n",
      "f",
      "export function f(a: number) {\n    return a;\n}",
      "/** Old. */\nexport function f(a: number) {\n  return a;\n}\n",
    ],
    [
      "python",
      "class A:\n    def f(self):\n        return 1\n\n    def g(self): return 2\n",
      "A/f",
      "x = 1\nif x:\n  return x",
      "class A:\n    def f(self):\n        x = 1\n        if x:\n            return x\n\n    def g(self): return 2\n",
    ],
    [
      "python",
      "class A:\n    def g(self): return 2\n",
      "A.g",
      "x = 1\nreturn x",
      "class A:\n    def g(self):\n        x = 1\n        return x\n",
    ],
    [
      "python",
      "def f():\n    pass\n",
      "f",
      "def f(a):\n    return a\n",
      "def f(a):\n    return a\n",
    ],
    [
      "go",
      "package a\n\nfunc (s *S) F() int {\n\treturn 1\n}\n",
      "S/F",
      "if s.ok {\n    return 2\n}\nreturn 3",
      "package a\n\nfunc (s *S) F() int {\n\tif s.ok {\n\t\treturn 2\n\t}\n\treturn 3\n}\n",
    ],
    [
      "ruby",
      "class A\n  def f(x)\n    1\n  end\nend\n",
      "A#f",
      "x + 1",
      "class A\n  def f(x)\n    x + 1\n  end\nend\n",
    ],
    [
      "elixir",
      "defmodule A do\n  def f(x) do\n    x\n  end\nend\n",
      "A/f",
      "x + 1",
      "defmodule A do\n  def f(x) do\n    x + 1\n  end\nend\n",
    ],
    [
      "lua",
      "local function f(a)\n  return 1\nend\n",
      "f",
      "return a",
      "local function f(a)\n  return a\nend\n",
    ],
    [
      "cpp",
      "int A::f() {\r\n  return 1;\r\n}\r\n",
      "A::f",
      "int x = 2;\nreturn x;",
      "int A::f() {\r\n  int x = 2;\r\n  return x;\r\n}\r\n",
    ],
    [
      "rust",
      "impl A {\n    fn f(&self) -> i32 {\n        1\n    }\n}\n",
      "A/f",
      "2",
      "impl A {\n    fn f(&self) -> i32 {\n        2\n    }\n}\n",
    ],
    ["bash", "f() {\n  echo 1\n}\n", "f", "echo 2", "f() {\n  echo 2\n}\n"],
  ] as const)
    assert.equal(
      at(text, language, ["replaceBody", symbol, newText]),
      expected,
      `${language} ${symbol}`,
    );
  assert.equal(
    at("abstract class A {\n  abstract f(): void;\n}\n", "typescript", ["replaceBody", "A/f", "x"]),
    "the method has no body",
  );
  assert.equal(
    at("function f() {}\n", "typescript", ["replaceBody", "f", " \n "]),
    "the new text is empty",
  );
});

test("lines put before or after a symbol stand apart from it as its neighbours do", () => {
  const typescript = "class A {\n  /** Of f. */\n  // More.\n  f() {}\n\n  g() {}\n}\n";
  assert.equal(
    at(typescript, "typescript", ["insertBefore", "f", "/** New. */\nh() {\n    return 1;\n}"]),
    "class A {\n  /** New. */\n  h() {\n    return 1;\n  }\n\n  /** Of f. */\n  // More.\n  f() {}\n\n  g() {}\n}\n",
  );
  assert.equal(
    at(typescript, "typescript", ["insertAfter", "A/g", "h() {}\n"]),
    "class A {\n  /** Of f. */\n  // More.\n  f() {}\n\n  g() {}\n\n  h() {}\n}\n",
  );
  const python = "import a\n\n\n@dec\ndef f():\n    pass\n\n\ndef g():\n    pass";
  assert.equal(
    at(python, "python", ["insertBefore", "f", "def h():\n  pass"]),
    "import a\n\n\ndef h():\n    pass\n\n\n@dec\ndef f():\n    pass\n\n\ndef g():\n    pass",
  );
  assert.equal(at(python, "python", ["insertAfter", "g", "x = 1"]), `${python}\n\n\nx = 1`);
  const tight = "const a = 1;\nconst b = 2;\r\n";
  assert.equal(
    at(tight, "typescript", ["insertAfter", "a", "const c = 3;"]),
    "const a = 1;\nconst c = 3;\nconst b = 2;\r\n",
  );
});

test("symbols of data formats are edited as their lines are", () => {
  const markdown = "# One\n\nText.\n\n## Two\n\nMore.\n\n# Three\nEnd.\n";
  assert.equal(
    at(markdown, "markdown", ["replaceBody", "One/Two", "New."]),
    markdown.replace("More.", "New."),
  );
  assert.equal(
    at(markdown, "markdown", ["replaceBody", "Three", "New."]),
    markdown.replace("End.", "New."),
  );
  const yaml = "server:\n  port: 80\n  hosts:\n    - a\nother: 1\n";
  assert.equal(
    at(yaml, "yaml", ["insertAfter", "server", "more:\n    x: 1"]),
    "server:\n  port: 80\n  hosts:\n    - a\nmore:\n  x: 1\nother: 1\n",
  );
  assert.equal(
    at(yaml, "yaml", ["insertBefore", "server/hosts", "name: a"]),
    yaml.replace("  hosts", "  name: a\n  hosts"),
  );
});

test("a name path finds symbols by the end of their path", () => {
  const text = "class A {\n  f() {}\n}\nclass B {\n  f() {}\n}\nfunction f() {}\n";
  const paths = symbolPathsOf(extractSymbols(text, "typescript").symbols);
  const lines = (wanted: string): number[] =>
    findSymbols(wanted, paths).map(({ symbol }) => symbol.startLine1);
  assert.deepEqual(lines("f"), [2, 5, 7]);
  assert.deepEqual(lines("/f"), [7]);
  for (const wanted of ["B/f", "B.f", "B::f", "B#f", "/B/f", "f:5", "B/f:5"])
    assert.deepEqual(lines(wanted), [5], wanted);
  for (const wanted of ["C/f", "f:4", "B/f/g", "", "/"])
    assert.deepEqual(lines(wanted), [], wanted);
});
