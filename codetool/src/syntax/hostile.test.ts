import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import { repetitions } from "testkit";
import {
  type CodeSymbol,
  extractSymbols,
  isParseable,
  parseSource,
  skeletonOf,
  sourceLengthMax,
} from "./index.ts";

const languages =
  "typescript tsx javascript python rust go java c cpp csharp ruby php kotlin swift scala bash lua elixir haskell zig markdown yaml toml json html css scss less sql hcl dockerfile makefile".split(
    " ",
  );

/** Extracts and shortens, and gives the symbols. How long texts may take is said in `hostile.e2e.test.ts`. */
function survive(text: string, language: string): readonly CodeSymbol[] {
  const { symbols } = extractSymbols(text, language);
  skeletonOf(text, symbols, language);
  const byteLength = Buffer.byteLength(text);
  const check = (symbol: CodeSymbol): void => {
    assert.ok(symbol.startByte >= 0 && symbol.endByte <= byteLength);
    assert.ok(symbol.startLine1 >= 1 && symbol.startLine1 <= symbol.endLine1);
    assert.ok(symbol.signature.length <= 300 && !symbol.signature.includes("\n"));
    assert.notEqual(symbol.name, "");
    for (const child of symbol.children) check(child);
  };
  for (const symbol of symbols) check(symbol);
  return symbols;
}

for (const language of languages) {
  test(`${language}: texts that are no program give no exception`, () => {
    const texts = [
      "",
      "\n",
      "\uFEFF",
      "\0",
      "\0\0\0class A {}\0",
      "\r\r\r",
      '"unterminated',
      "'''unterminated\n",
      "/* unterminated",
      "`${",
      "// only a comment",
      "# only a comment",
      "\uD800 \uDC00 lone surrogates",
      "\uFFFD\uFFFD bytes that were not UTF-8",
      "class class class",
      "(((((]]]]]}}}}}",
      "#if\n#if\n#else\n#endif\n#endif\n#endif\n",
      "#define",
      "template <",
      "def",
      "fn",
      "𝒳𝒴 = '𝒵'",
      "<?php class",
      "<<~HERE\nunterminated",
      "namespace",
      "private",
      "do do do end",
      'def "x"',
      "<<EOF",
      "x() {",
      "[[[[ unterminated",
      "local function",
      "defmodule do",
      "@",
      "module where",
      "f :: \n  where where",
      "pub const = struct {",
      "test",
    ];
    for (const text of texts) survive(text, language);
  });
}

test("a NUL in a text does not end it", () => {
  const { symbols } = extractSymbols("function a() {}\0\nfunction b() {}", "typescript");
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ["a", "b"],
  );
});

test("a megabyte of words is no program, where a parser would take minutes to say so", () => {
  for (const language of ["lua", "scala"]) {
    const { symbols, isComplete } = extractSymbols("end ".repeat(250_000), language);
    assert.deepEqual([symbols.length, isComplete], [0, false], language);
  }
  const prose = `/* ${"word ".repeat(1_900)}. */ def f = 1\n`;
  assert.equal(extractSymbols(prose, "scala").symbols.length, 1);
});

test("a text over the limit is not parsed, and the answer says it is not complete", () => {
  const answer = extractSymbols(" ".repeat(sourceLengthMax + 1), "python");
  assert.deepEqual(answer, {
    symbols: [],
    hasErrors: false,
    isComplete: false,
    unparsed: `it has ${sourceLengthMax + 1} characters, and at most ${sourceLengthMax} are parsed`,
  });
});

test("a language without grammar has no symbols and no errors", () => {
  assert.equal(isParseable("erlang"), false);
  assert.equal(isParseable(null), false);
  assert.deepEqual(extractSymbols("# Title", "erlang"), {
    symbols: [],
    hasErrors: false,
    isComplete: true,
  });
  assert.equal(parseSource("# Title", "erlang"), null);
  assert.equal(skeletonOf("# Title", [], "erlang"), "# Title");
});

test("parseSource() sees what is missing as well as what is wrong", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["typescript", "function f() {", true],
    ["typescript", "let a\nlet b = 1\n", false],
    ["tsx", "const a = <div>{}</div>;", false],
    ["javascript", "let a = (1", true],
    ["python", "def f(:\n  pass", true],
    ["python", 's = ""\n', false],
    ["rust", 'fn f() { let a = r""; }', false],
    ["go", "package a\nvar s = ``\n", false],
    ["go", "package a\nfunc f() {", true],
    ["java", "class A { void f() { }", true],
    ["c", "int x = 3", true],
    ["cpp", "class A {}", true],
    ["python", "", false],
    ["csharp", 'class A { string s = ""; }', false],
    ["csharp", "class A { void F() { }", true],
    ["ruby", "def f\n  ''\nend", false],
    ["ruby", "class A\n  def f\n", true],
    ["php", '<?php\n$a = "";\n', false],
    ["php", "<?php\nclass A {", true],
    ["kotlin", 'val s = ""\n', false],
    ["kotlin", "class A {", true],
    ["swift", 'let s = ""\n', false],
    ["swift", "class A {", true],
    ["scala", 'object A { val s = "" }', false],
    ["scala", "object A {", true],
    ["bash", 's=""\n', false],
    ["bash", "f() {", true],
    ["lua", 'local s = ""\n', false],
    ["lua", "function f()", true],
    ["elixir", 's = ""\n', false],
    ["elixir", "defmodule A do\n", true],
    ["haskell", 's = ""\n', false],
    ["haskell", "f = (1", true],
    ["zig", 'const s = "";\n', false],
    ["zig", "const a = struct {", true],
  ];
  for (const [language, text, hasErrors] of rows) {
    assert.equal(parseSource(text, language)?.hasErrors, hasErrors, `${language}: ${text}`);
  }
});

test("extractSymbols() keeps its promises for any text", () => {
  const words =
    "class function def fn static export if else return case { } ( ) [ ] : ; = , < > a B é 𝒳 \" ' // /* */ #if #endif <?php end do namespace private module fun val object extension let local then fi defmodule where pub const struct :: -> |";
  const word = constantFrom("\n", " ", ...words.split(" "));
  assertProperty(
    property(array(word, { maxLength: 60 }), constantFrom(...languages), (words, language) => {
      survive(words.join(""), language);
      survive(words.join(" "), language);
    }),
    { numRuns: repetitions(150) },
  );
});
