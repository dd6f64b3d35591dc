import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import {
  type CodeSymbol,
  extractDefinitions,
  extractSource,
  extractSymbols,
  hasSymbols,
  isDataFormat,
} from "../index.ts";
import { formatNames } from "./index.ts";

/** Kind, name and lines of each symbol, indented as it is nested. */
function listed(symbols: readonly CodeSymbol[], depth = 0): string[] {
  return symbols.flatMap((symbol) => [
    `${"  ".repeat(depth)}${symbol.kind} ${symbol.name} ${symbol.startLine1}-${symbol.endLine1}`,
    ...listed(symbol.children, depth + 1),
  ]);
}

function check(language: string, text: string, expected: readonly string[]): void {
  assert.deepEqual(listed(extractSymbols(text, language).symbols), expected, text);
}

test("markdown: what looks like a heading and is none", () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["# A\n```\n# b\n", ["module A 1-3"]],
    ["- a\n  ```\n  # b\n\nText\n\n# C\n", ["module C 7-7"]],
    ["1. a\n\n   ~~~~\n   # b\n   ~~~\n   # c\n   ~~~~\n\n# D\n", ["module D 9-9"]],
    ["* a:\n```\n// b\n```\n* c\n# D\n", ["module D 6-6"]],
    ["- a\n  - b\n    ```\n    # c\n    ```\n\n## D\n", ["module D 7-7"]],
    ["A\n-\n", ["module A 1-2"]],
    ["- a\n---\nB\n===\n", ["module B 3-4"]],
    ["> a\n---\n", []],
    ["a | b\n--- | ---\n", []],
    ["----\n| a | b |\n|---|---|\n| c | d |\n--------\n\nE\n-\n", ["module E 7-8"]],
    ["<pre>\n# a\n\n# b\n</pre>\n# C\n", ["module C 6-6"]],
    ["```a`b```\n# C\n", ["module C 2-2"]],
    ["####### seven\n# \n##\n", []],
    ["# C#\n## D #\n", ["module C# 1-2", "  module D 2-2"]],
    ["---\ntitle: a\n", []],
    [
      "## B\n# A\n### C\n## B\n",
      ["module B 1-1", "module A 2-4", "  module C 3-3", "  module B 4-4"],
    ],
  ];
  for (const [text, expected] of rows) check("markdown", text, expected);
});

test("yaml: values that look like keys, and keys that look like values", () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["a: >-\n  b: c\nd: 1\n", ["const a 1-2", "const d 3-3"]],
    [
      "a:\n- b: 1\n- name: n\n  c: 2\n",
      ["module a 1-4", "  module n 3-4", "    const name 3-3", "    const c 4-4"],
    ],
    ['a: "b\n  c: d"\ne: 1\n', ["const a 1-2", "const e 3-3"]],
    ["a: {b: 1,\nc: 2}\nd: 1\n", ["module a 1-2", "const d 3-3"]],
    ["a: it's\nb: don't\n", ["const a 1-1", "const b 2-2"]],
    ["a:\r\n\tb: 1\r\n", ["module a 1-2", "  const b 2-2"]],
    [
      "{{- if .x }}\na: 1\n{{- end }}\nb: {{ .y }}\nc: 2\n",
      ["const a 2-2", "const b 4-4", "const c 5-5"],
    ],
    ["http://a.test/b\n", []],
    ["a: 1 # b: 2\n# c: 3\n", ["const a 1-1"]],
    ["- - a: 1\n", []],
  ];
  for (const [text, expected] of rows) check("yaml", text, expected);
});

test("toml, json: strings and brackets hold no keys", () => {
  check("toml", "a = '''\n[b]\n'''\n[c] # [d]\ne = '#' # f = 1\n", [
    "const a 1-3",
    "module c 4-5",
    "  const e 5-5",
  ]);
  check("json", '[{"a": 1}]', []);
  check("json", '{"a": [{"b": 1}, {"c": {"d": 1}}], "e": {"f": {"g": 1}}}', [
    "const a 1-1",
    "module e 1-1",
    "  module f 1-1",
  ]);
  check("json", '{"a\\"b": "c\\\\", "d": "}"}', ['const a\\"b 1-1', "const d 1-1"]);
  assert.equal(extractSymbols('{"a": [1}', "json").hasErrors, true);
  assert.equal(extractSymbols('{"a": [1]}', "json").hasErrors, false);
});

test("html: what nothing closes ends with what is around it", () => {
  check("html", '<div id="a"><p id="b">x<div id="c"></div></div><h2>T', [
    "const a 1-1",
    "  const b 1-1",
    "    const c 1-1",
  ]);
  check("html", '<script>if (a < b) "<h1>no</h1>"</script><h1 id=i>Yes</h1>', [
    "module Yes 1-1",
    "  const i 1-1",
  ]);
  check("html", "<a href='<h1>x</h1>'></a><H3>Upper</H3>", ["module Upper 1-1"]);
});

test("sql: a statement ends where it does, whatever is in it", () => {
  check("sql", "create table a (x int); create index b on a (x);\ncreate index on a (x);\n", [
    "struct a 1-1",
    "  const x 1-1",
    "const b 1-1",
  ]);
  check(
    "sql",
    "CREATE TABLE a (\n  x enum('b)', ',c'),\n  `key` int,\n  KEY k (x)\n) COMMENT='d\\'e;';\n",
    ["struct a 1-5", "  const x 2-2", "  const key 3-3"],
  );
  check(
    "sql",
    "CREATE PACKAGE p AS\n  PROCEDURE q;\n  x NUMBER;\nEND p;\n/\nCREATE VIEW v AS SELECT 1;\n",
    ["module p 1-4", "type v 6-6"],
  );
});

test("sql: an event trigger is a trigger", () => {
  check(
    "sql",
    "CREATE EVENT TRIGGER a ON sql_drop EXECUTE FUNCTION b();\nCREATE EVENT c ON SCHEDULE EVERY 1 DAY DO SELECT 1;\n",
    ["function a 1-1", "function c 2-2"],
  );
});

test("makefile: variables of a target, static patterns and blanks in names", () => {
  check("makefile", "a b: X = 1\na: Y += 2\n$(OBJ): %.o: %.c\n\tcc\nGit\\ Gui.app: a\n", [
    "const X 1-1",
    "function $(OBJ) 3-4",
    "function Git\\ Gui.app 5-5",
  ]);
});

test("makefile, dockerfile, hcl: what continues a line and what is quoted", () => {
  check("makefile", "a: b \\\n  c\n\td: e\n\nf := $(shell x:y=z)\n", [
    "function a 1-3",
    "const f 5-5",
  ]);
  check("makefile", "ifeq ($(A),b:c)\na:\n\tb\nelse\n\tc\nendif\n", ["function a 2-5"]);
  check("dockerfile", "# escape=`\nFROM a AS b\nRUN c `\n  FROM d AS e\n", ["module b 2-4"]);
  check("hcl", 'a "b" {\n  c = "}${"{"}"\n}\nd {}\n', ["module a.b 1-3", "module d 4-4"]);
});

test("any text of a format gives symbols whose ranges hold one another", () => {
  const words =
    "# ## --- === ``` ~~~ - > : key: [ ] { } [[ ]] = \" ' \"\"\" ''' <h1> </h1> <div id=a> </div> <style> <!-- --> @media --x: $a ; /* */ // create table function begin end as ( ) , $$ FROM AS ENV ARG \\ : := define endef <<EOF EOF \t \r & * | name é 𝒳 \0";
  const word = constantFrom("\n", "\n", " ", "  ", ...words.split(" "));
  assertProperty(
    property(array(word, { maxLength: 80 }), constantFrom(...formatNames()), (parts, language) => {
      const text = parts.join("");
      const bytes = Buffer.from(text);
      const { symbols } = extractSymbols(text, language);
      const lineOf = (offset: number): number =>
        bytes.subarray(0, offset).toString("latin1").split("\n").length;
      const visit = (symbol: CodeSymbol, outer: CodeSymbol | null): void => {
        const { startByte, bodyStartByte, endByte } = symbol;
        assert.ok(startByte < endByte && endByte <= bytes.length, symbol.name);
        assert.ok(startByte <= bodyStartByte && bodyStartByte <= endByte, symbol.name);
        assert.equal(lineOf(startByte), symbol.startLine1, symbol.name);
        assert.equal(lineOf(endByte), symbol.endLine1, symbol.name);
        assert.notEqual(symbol.name, "");
        assert.ok(
          outer === null || (outer.startByte <= startByte && endByte <= outer.endByte),
          `${symbol.name} in ${outer?.name}`,
        );
        for (const child of symbol.children) visit(child, symbol);
      };
      for (const symbol of symbols) visit(symbol, null);
    }),
    { numRuns: 3_000 },
  );
});

test("hasSymbols() knows the formats and the languages", () => {
  assert.ok(formatNames().every((name) => hasSymbols(name)));
  assert.equal(hasSymbols("typescript"), true);
  assert.equal(hasSymbols("erlang"), false);
  assert.equal(hasSymbols(null), false);
});

test("what is indexed of a format is its outline, of HTML without the ids", () => {
  const page = '<main id="a"><h1 id="b">One</h1><p id="c"><h2>Two</h2></main><title>T</title>';
  const expected = ["module a 1-1", "  module One 1-1", "  module Two 1-1"];
  assert.deepEqual(listed(extractDefinitions(page, "html")), expected);
  const indexed = extractSource(page, "html");
  assert.deepEqual(listed(indexed.symbols), expected);
  assert.deepEqual([indexed.imports, indexed.isComplete], [[], true]);
  assert.deepEqual(listed(extractSource("a: b\n\tc\n", "makefile").symbols), ["function a 1-2"]);
  assert.deepEqual(
    [isDataFormat("html"), isDataFormat("python"), isDataFormat(null)],
    [true, false, false],
  );
});
