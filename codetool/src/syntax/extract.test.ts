import assert from "node:assert/strict";
import { test } from "node:test";
import { type CodeSymbol, extractSymbols } from "./index.ts";

/** One line a symbol: indentation for nesting, `+` for exported, kind, name, lines. */
function listed(symbols: readonly CodeSymbol[], depth = 0): string[] {
  return symbols.flatMap((symbol) => [
    `${"  ".repeat(depth)}${symbol.isExported ? "+" : "-"}${symbol.kind} ${symbol.name} ${symbol.startLine1}-${symbol.endLine1}`,
    ...listed(symbol.children, depth + 1),
  ]);
}

test("extractSymbols() nests members and tells what a TypeScript module exports", () => {
  const { symbols, hasErrors } = extractSymbols(
    "export abstract class A {\n  abstract f(): void;\n  g = () => 1;\n}\nconst h = function () {};\nexport { h };\n",
    "typescript",
  );
  assert.equal(hasErrors, false);
  assert.deepEqual(listed(symbols), [
    "+class A 1-4",
    "  +method f 2-2",
    "  +method g 3-3",
    "+function h 5-5",
  ]);
});

test("extractSymbols() takes Python's decorators into the range and constants once", () => {
  const { symbols } = extractSymbols(
    "X = 1\nX = 2\n@dec\nasync def f():\n    def _g(): pass\nclass _C:\n    def m(self): pass\n",
    "python",
  );
  assert.deepEqual(listed(symbols), [
    "+const X 1-1",
    "+function f 3-5",
    "  -function _g 5-5",
    "-class _C 6-7",
    "  -method m 7-7",
  ]);
});

test("comments between a Python header and its body are no part of the signature", () => {
  const { symbols } = extractSymbols(
    "def f(a, *, b=1) -> int:  # noqa\n    # Why.\n    # How.\n    return a\n" +
      "class C(A):  # C\n    # Only this.\n    x = 1\n" +
      "def g(\n    a,  # first: it\n    b,\n): pass\n" +
      "def h(a='#:', b=\":\", c={1: 2}) -> 'x:#':\n    # Why.\n    pass\n",
    "python",
  );
  assert.deepEqual(
    symbols.map(({ signature }) => signature),
    [
      "def f(a, *, b=1) -> int",
      "class C(A)",
      "def g(a, b)",
      `def h(a='#:', b=":", c={1: 2}) -> 'x:#'`,
    ],
  );
});

test("byte ranges count UTF-8 bytes, so they cut the source's buffer", () => {
  const text = 'const s = "é𝒳";\nfunction f() { return "ü"; }\n';
  const { symbols } = extractSymbols(text, "javascript");
  const f = symbols[1];
  const bytes = Buffer.from(text);
  assert.equal(bytes.toString("utf8", f?.startByte, f?.endByte), 'function f() { return "ü"; }');
  assert.equal(bytes.toString("utf8", f?.bodyStartByte, f?.endByte), '{ return "ü"; }');
});

test("extractSymbols() reads the other forms of a namespace", () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "csharp",
      "namespace A.B;\n\npublic class C\n{\n    int x;\n}\n",
      ["+module A.B 1-1", "+class C 3-6", "  -const x 5-5"],
    ],
    [
      "php",
      "<?php\nnamespace A {\n    class C {}\n}\nnamespace {\n    function f() {}\n}\n",
      ["+module A 2-4", "  +class C 3-3", "+function f 6-6"],
    ],
  ];
  for (const [language, text, expected] of rows) {
    assert.deepEqual(listed(extractSymbols(text, language).symbols), expected);
  }
});

test("extractSymbols() reads Scala 3: indentation, given, extension, main", () => {
  const text = `enum Color(val rgb: Int):
  case Red extends Color(1)
  def hex: String = rgb.toHexString

given intShow: Show[Int] with
  def show(a: Int): String = a.toString

extension (text: String)
  def half: String = text.take(1)
  private def own: Int =
    val x = 1
    x + 1

opaque type Id = Long

@main def run(args: String*): Unit =
  def inner = 1
  println("x")

val top = 1
`;
  const { symbols, hasErrors } = extractSymbols(text, "scala");
  assert.equal(hasErrors, false);
  assert.deepEqual(listed(symbols), [
    "+enum Color 1-3",
    "  +const rgb 1-1",
    "  +method hex 3-3",
    "+const intShow 5-6",
    "  +method show 6-6",
    "+function half 9-9",
    "-function own 10-12",
    "+type Id 14-14",
    "+function run 16-18",
    "  -function inner 17-17",
    "+const top 20-20",
  ]);
  assert.equal(symbols[2]?.container, "String");
});

test("extractSymbols() takes a Lua function declared before for the function, not for a variable", () => {
  const text = "local walk\nwalk = function(n)\n  return walk(n - 1)\nend\nA.__index = A\n";
  assert.deepEqual(listed(extractSymbols(text, "lua").symbols), ["-function walk 2-4"]);
});

test("extractSymbols() reads names in backticks, conditions in parameters and constants set at once", () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "swift",
      "nonisolated(unsafe) private let key = 1\nstruct A {\n  static let `default` = A()\n  func `init`() {}\n}\n",
      ["-const key 1-1", "-struct A 2-5", "  -const default 3-3", "  -method init 4-4"],
    ],
    ["kotlin", "class A {\n  fun `a b`() {}\n}\n", ["+class A 1-3", "  +method a b 2-2"]],
    ["scala", "object A {\n  val `type` = 1\n}\n", ["+class A 1-3", "  +const type 2-2"]],
    [
      "csharp",
      "class A {\n  void F(\n#if SPAN\n    Span<char> a,\n#else\n    string a,\n#endif\n    out int b)\n  {\n#if X\n    G();\n#endif\n  }\n#if X\n  int c;\n#endif\n}\n",
      ["-class A 1-17", "  -method F 2-13", "  -const c 15-15"],
    ],
    ["ruby", "A = B = 1\n", ["+const A 1-1", "+const B 1-1"]],
  ];
  for (const [language, text, expected] of rows) {
    assert.deepEqual(listed(extractSymbols(text, language).symbols), expected);
  }
});

test("prose in a file of Lua and a thousand blocks in a line of Haskell are not parsed", () => {
  for (const [language, text] of [
    ["lua", "prose is no program\n".repeat(2_000)],
    ["lua", "[[".repeat(2_000)],
    ["haskell", `f = ${"let x = ".repeat(1_000)}`],
  ] as const) {
    assert.deepEqual(extractSymbols(text, language), {
      symbols: [],
      hasErrors: false,
      isComplete: false,
      unparsed: "it has a form that no program has, and a parser would take minutes",
    });
  }
  const prose = `--[[ ${"prose is no program\n".repeat(2_000)} ]]\nlocal t = [==[ ${"a b ".repeat(3_000)}]==]\nf = 1\n`;
  assert.equal(extractSymbols(prose, "lua").symbols.length, 2);
});

test("types of C# without a body end where they are written", () => {
  const text =
    "class A(string m) : B(m);\nclass C(\n  int x) : I, J;\nstruct S<T>(int x);\nrecord R(int x) : P(x);\nclass K : L where L : class { void F<T>() where T : class; }\nclass Y { }\ninterface Z {\n  /// A class thing: what is said of it\n  void F();\n}\n";
  const { symbols, hasErrors } = extractSymbols(text, "csharp");
  assert.deepEqual(listed(symbols), [
    "-class A 1-1",
    "-class C 2-3",
    "-struct S 4-4",
    "-class R 5-5",
    "-class K 6-6",
    "  -method F 6-6",
    "-class Y 7-7",
    "-interface Z 8-11",
    "  -method F 10-10",
  ]);
  assert.equal(symbols[0]?.signature, "class A(string m) : B");
  assert.equal(hasErrors, false);
});

test("named function and class expressions are symbols where nothing around names them", () => {
  const text = `getter(req, "secure", function secure() {
  function inner() {}
  return inner;
});
app.init = function init() {
  this.on("mount", function onMount(parent) {});
  Object.defineProperty(this, "router", { get: function getRouter() {} });
  self.stop = function stop() {};
};
export const Button = forwardRef(function Button(props) {});
exports.handler = wrap(function handler() {});
const made = [function first() {}, class Second { go() {} }, function* third() {}];
const named = function other() {};
function mixin(Base) {
  const local = function same() {};
  return class Mixed extends Base { run() {} };
}
(function start() {})();
export default (function whole() {});
call(function () {}, class {});
`;
  assert.deepEqual(listed(extractSymbols(text, "javascript").symbols), [
    "-function secure 1-4",
    "  -function inner 2-2",
    "-method init 5-9",
    "  -function onMount 6-6",
    "  -function getRouter 7-7",
    "  -function stop 8-8",
    "+const Button 10-10",
    "+const handler 11-11",
    "-const made 12-12",
    "  -function first 12-12",
    "  -class Second 12-12",
    "    -method go 12-12",
    "  -function third 12-12",
    "-function named 13-13",
    "-function mixin 14-17",
    "  -function local 15-15",
    "  -class Mixed 16-16",
    "    -method run 16-16",
    "-function start 18-18",
    "+function whole 19-19",
  ]);
});

test("a translation of Qt is no TypeScript, whatever its extension", () => {
  const text =
    '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS><source>The interface to x</source></TS>\n';
  assert.deepEqual(extractSymbols(text, "typescript"), {
    symbols: [],
    hasErrors: false,
    isComplete: false,
    unparsed: "it has a form that no program has, and a parser would take minutes",
  });
  assert.equal(extractSymbols("<T>(a)\nfunction f() {}\n", "typescript").symbols.length, 1);
});

test("a loop that a macro makes and a condition cut by the preprocessor are no functions", () => {
  const loop =
    "void f() {\n  foreach(QAction *a, all) {\n    a->go();\n  }\n}\nclass A { A(int x) { } };\n";
  assert.deepEqual(listed(extractSymbols(loop, "cpp").symbols), [
    "+function f 1-5",
    "+class A 6-6",
    "  -method A 6-6",
  ]);
  const cut =
    "void f() {\n  if (a > B) {\n    g();\n  }\n#if B > 0\n  else if (a < B) {\n    g();\n  }\n#endif\n}\n";
  assert.deepEqual(listed(extractSymbols(cut, "c").symbols), ["+function f 1-10"]);
});

test("extractSymbols() reads pointers to functions behind macros, whatever their types are called", () => {
  const text = `#define MODULE_API
#define MODULE_ATTR
MODULE_API int (*Module_Create)(Context *context, const char *name) MODULE_ATTR;
MODULE_API String * (*Module_Hold)(Context *context, String *text) MODULE_ATTR;
MODULE_API mstime_t (*Module_Expire)(Key *key) MODULE_ATTR;
MODULE_API void (*Module_Log)(Context *context, const char *format, ...) MODULE_ATTR MODULE_ATTR_PRINTF(2,3);
MODULE_API int Module_Plain(void) MODULE_ATTR;
`;
  const { symbols, hasErrors } = extractSymbols(text, "c");
  assert.equal(hasErrors, false);
  assert.deepEqual(
    symbols.slice(2).map(({ kind, name, signature }) => [kind, name, signature]),
    [
      ["const", "Module_Create", "int (*Module_Create)(Context *context, const char *name)"],
      ["const", "Module_Hold", "String * (*Module_Hold)(Context *context, String *text)"],
      ["const", "Module_Expire", "mstime_t (*Module_Expire)(Key *key)"],
      ["const", "Module_Log", "void (*Module_Log)(Context *context, const char *format, ...)"],
      ["function", "Module_Plain", "int Module_Plain(void)"],
    ],
  );
});

test("extractSymbols() reads TypeScript classes that extend what a call with type arguments gives", () => {
  const text = `class A extends f()<B> {}
export class C extends Context.Tag("c")<C, { readonly a: string }>() { static x = 1; }
export default class D extends mixin(Base)<string, number> implements E { go(): void {} }
`;
  assert.deepEqual(listed(extractSymbols(text, "typescript").symbols), [
    "-class A 1-1",
    "+class C 2-2",
    "  +const x 2-2",
    "+class D 3-3",
    "  +method go 3-3",
  ]);
});
