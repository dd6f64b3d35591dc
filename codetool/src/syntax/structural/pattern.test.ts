import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern, faultOfPattern, openForPatterns } from "../index.ts";

interface Found {
  /** First lines of the matches. */
  readonly lines: readonly number[];
  /** The captures of the first, `name=text`. */
  readonly captures: readonly string[];
}

/** Matches a pattern against a text; `null` when it does not compile. */
function find(language: string, pattern: string, text: string): Found | null {
  const compiled = compilePattern(pattern, language);
  const source = openForPatterns(text, language);
  assert.ok(source !== null);
  if (compiled === null) return null;
  const matches = compiled.findAll(source);
  if (matches.length > 0) assert.ok(compiled.mayMatch(Buffer.from(text, "utf8")), pattern);
  return {
    lines: matches.map(({ line1 }) => line1),
    captures: (matches[0]?.captures() ?? []).map(({ name, text: held }) => `${name}=${held}`),
  };
}

/** Language, pattern, text, the lines of the matches, the captures of the first. */
const rows: readonly (readonly [string, string, string, readonly number[], string])[] = [
  [
    "typescript",
    "function $NAME($$$ARGS) { $$$ }",
    "function a(b, c) {\n  d();\n}\nconst e = 1;\n",
    [1],
    "NAME=a ARGS=b, c",
  ],
  [
    "typescript",
    "$NAME($$$ARGS) { $$$ }",
    "class A {\n  run(x: number) {\n    go();\n  }\n}\n",
    [2],
    "NAME=run ARGS=x: number",
  ],
  ["typescript", "$A === $A", "f(x === x);\nf(x === y);\n", [1], "A=x"],
  ["typescript", "interface $I { $$$ }", "interface P {\n  q: string;\n}\n", [1], "I=P"],
  [
    "tsx",
    "<Button onClick={$F} />",
    "const a = <Button onClick={go} />;\nconst b = <Button />;\n",
    [1],
    "F=go",
  ],
  ["javascript", "require($M)", "const a = require('b');\nimport c from 'd';\n", [1], "M='b'"],
  ["javascript", "key: $V", "const a = {\n  key: 1,\n};\n", [2], "V=1"],
  [
    "python",
    "def $NAME($$$ARGS): $$$",
    "def f(a, b=1):\n    return a\n\nclass C:\n    def g(self):\n        pass\n",
    [1, 5],
    "NAME=f ARGS=a, b=1",
  ],
  [
    "python",
    "except $E: $$$",
    "try:\n    f()\nexcept ValueError:\n    pass\n",
    [3],
    "E=ValueError",
  ],
  ["rust", "$A.unwrap()", "fn f() {\n    g().unwrap();\n    h.expect(1);\n}\n", [2], "A=g()"],
  ["rust", "fn $NAME($$$) { $$$ }", "fn f(a: u8) {\n    g()\n}\n", [1], "NAME=f"],
  [
    "rust",
    "Some($A) => $B",
    "fn f(x: Option<u8>) {\n    match x {\n        Some(y) => g(y),\n        None => {}\n    }\n}\n",
    [3],
    "A=y B=g(y)",
  ],
  [
    "go",
    "fmt.Println($A)",
    'package p\n\nfunc f() {\n\tfmt.Println("a")\n\tfmt.Print(1)\n}\n',
    [4],
    'A="a"',
  ],
  [
    "go",
    "if $E != nil { return $$$V }",
    "package p\n\nfunc f() (int, error) {\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn 1, nil\n}\n",
    [4],
    "E=err V=0, err",
  ],
  [
    "java",
    "public void $NAME($$$) { $$$ }",
    "class A {\n  public void run(int a) {\n    go();\n  }\n}\n",
    [2],
    "NAME=run",
  ],
  [
    "java",
    "private $T $NAME;",
    "class A {\n  private int size;\n  void f() { int x; }\n}\n",
    [2],
    "T=int NAME=size",
  ],
  ["c", "free($P)", "void f(char *a) {\n  free(a);\n  if (a) free(b);\n}\n", [2, 3], "P=a"],
  ["c", "struct $S { $$$ };", "struct point {\n  int x;\n  int y;\n};\n", [1], "S=point"],
  ["c", "$A == $A", "int f(int x) {\n  return x == x;\n}\n", [2], "A=x"],
  [
    "cpp",
    "$A->$B($$$ARGS)",
    "void f(T *t) {\n  t->run(1, 2);\n  t->size;\n}\n",
    [2],
    "A=t B=run ARGS=1, 2",
  ],
  [
    "csharp",
    "public $T $NAME($$$) { $$$ }",
    "class A {\n  public int Size(int a) {\n    return a;\n  }\n}\n",
    [2],
    "T=int NAME=Size",
  ],
  [
    "csharp",
    "foreach (var $A in $B) { G($C); }",
    "class A {\n  void F() {\n    foreach (var x in xs) {\n      G(x);\n    }\n  }\n}\n",
    [3],
    "A=x B=xs C=x",
  ],
  ["ruby", "$A.each do |$B| $$$ end", "xs.each do |x|\n  puts x\nend\n", [1], "A=xs B=x"],
  ["ruby", "class $C < $B\n$$$\nend", "class A < B\n  def f; end\nend\n", [1], "C=A B=B"],
  [
    "php",
    "function $NAME($$$) { $$$ }",
    "<?php\nfunction a($x) {\n  return $x;\n}\n",
    [2],
    "NAME=a",
  ],
  [
    "php",
    "$this->$M($$$ARGS)",
    "<?php\nclass A {\n  function f() {\n    return $this->g(1, 2);\n  }\n}\n",
    [4],
    "M=g ARGS=1, 2",
  ],
  ["php", "$A = new $C($$$ARGS);", "<?php\n$x = new Thing(1, 2);\n", [2], "A=$x C=Thing ARGS=1, 2"],
  [
    "kotlin",
    "fun $NAME($$$): $T = $E",
    "fun f(a: Int): Int = a + 1\n",
    [1],
    "NAME=f T=Int E=a + 1",
  ],
  ["kotlin", "$A?.let { $$$ }", "fun f(x: Int?) {\n  x?.let { g(it) }\n}\n", [2], "A=x"],
  [
    "swift",
    "guard let $A = $B else { $$$ }",
    "func f() {\n  guard let x = y else { return }\n}\n",
    [2],
    "A=x B=y",
  ],
  [
    "scala",
    "$A match { case $B => $C }",
    "object A {\n  def f(x: Int) = x match { case y => y }\n}\n",
    [2],
    "A=x B=y C=y",
  ],
  ["scala", "$A.map($F)", "object A {\n  val b = xs.map(g)\n}\n", [2], "A=xs F=g"],
  ["bash", "if [ -f $A ]; then $$$; fi", "if [ -f file ]; then\n  cat file\nfi\n", [1], "A=file"],
  ["bash", "$A | grep $B", "cat x | grep y\n", [1], "A=cat x B=y"],
  ["lua", "local $A = require($B)", 'local a = require("b")\nlocal c = 1\n', [1], 'A=a B="b"'],
  ["lua", "function $NAME($$$) $$$ end", "function f(a, b)\n  return a\nend\n", [1], "NAME=f"],
  [
    "elixir",
    "def $NAME($$$ARGS) do $$$ end",
    "defmodule A do\n  def f(x, y) do\n    x\n  end\nend\n",
    [2],
    "NAME=f ARGS=x, y",
  ],
  ["elixir", "defmodule $M do $$$ end", "defmodule A.B do\n  @x 1\nend\n", [1], "M=A.B"],
  [
    "haskell",
    "data $A = $B",
    "module M where\ndata Shape = Circle\nf x = x\n",
    [2],
    "A=Shape B=Circle",
  ],
  ["haskell", "$A >>= $B", "module M where\nmain = f >>= g\n", [2], "A=f B=g"],
  [
    "zig",
    "const $A = @import($B);",
    'const std = @import("std");\nconst x = 1;\n',
    [1],
    'A=std B="std"',
  ],
  ["zig", "try $A", "fn f() !void {\n    try g();\n}\n", [2], "A=g()"],
];

for (const [language, pattern, text, lines, captures] of rows)
  test(`compilePattern() of ${JSON.stringify(pattern)} matches ${language}`, () => {
    const found = find(language, pattern, text);
    assert.deepEqual(found?.lines, lines);
    assert.equal(found.captures.join(" "), captures);
  });

test("a placeholder that begins with an underscore matches anything and is not reported", () => {
  const found = find("typescript", "f($_, $_X, $B)", "f(1, 2, 3);\n");
  assert.deepEqual(found, { lines: [1], captures: ["B=3"] });
});

test("a list of nothing is a capture without lines", () => {
  const compiled = compilePattern("f($$$ARGS)", "typescript");
  const source = openForPatterns("f();\n", "typescript");
  assert.ok(compiled !== null && source !== null);
  const [match] = compiled.findAll(source);
  assert.deepEqual(match?.captures(), [{ name: "ARGS", text: "", lines: null, range: null }]);
});

test("compilePattern() takes no pattern that is broken, several pieces of code, or another language", () => {
  const refused: readonly (readonly [string, string])[] = [
    ["typescript", "f($A"],
    ["typescript", "f($A))"],
    ["python", "f(a) g(b)"],
    ["python", "def $NAME($$$)"],
    ["go", "def $NAME($$$): $$$"],
    ["haskell", "class { $$$"],
    ["markdown", "f($A)"],
    ["nothing", "f($A)"],
  ];
  for (const [language, pattern] of refused)
    assert.equal(compilePattern(pattern, language), null, `${language}: ${pattern}`);
});

test("faultOfPattern() says what is too much for a pattern", () => {
  const check = (pattern: string, fault: RegExp): void => {
    assert.match(faultOfPattern(pattern) ?? "", fault);
    assert.equal(compilePattern(pattern, "typescript"), null);
  };
  check("$A", /nothing but placeholders/);
  check("$$$; $_", /nothing but placeholders/);
  check("f($A)".repeat(1000), /5000 characters/);
  check(`f(${"$A, ".repeat(70)}1)`, /70 placeholders/);
  check(`${"(".repeat(200)}1${")".repeat(200)}`, /deeper than 100/);
  assert.equal(faultOfPattern("f($A)"), null);
});

test("mayMatch() is false where a name of the pattern does not occur, and true for other spelling of PHP's words", () => {
  const compiled = compilePattern("while ($A) { drain($B); }", "c");
  assert.equal(compiled?.mayMatch(Buffer.from("while (x) { drain(y); }")), true);
  assert.equal(compiled?.mayMatch(Buffer.from("while (x) { fill(y); }")), false);
  assert.equal(compiled?.mayMatch(Buffer.from("if (x) { drain(y); }")), false);
  const php = compilePattern("function $NAME() { $$$ }", "php");
  assert.equal(php?.mayMatch(Buffer.from("<?php FUNCTION a() {}")), true);
});
