import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownProse, typescriptCode, typescriptProse } from "./prose.ts";

const read = (text: string): string[] =>
  typescriptProse(text).map(({ line1, text: prose }) => `${line1}:${prose.trim()}`);

test("typescriptProse() finds doc comments and texts with a blank, and leaves code, names and comments out", () => {
  const rows: readonly (readonly [text: string, wanted: readonly string[]])[] = [
    ["/** A tree. */\nconst a = 1;", ["1:A tree. */"]],
    ["/**\n * One.\n * Two `a b` three.\n */", ["1:", "2:One.", "3:Two       three.", "4:"]],
    ["// not this\n/* nor that */\nf('two words', \"name\");", ["3:two words"]],
    ["f(`one ${g(`in ner`)} two`);", ["1:one", "1:in ner", "1:two"]],
    ["f(`a b ${{ c: { d: 1 } }.c} e f`, 'g h');", ["1:a b", "1:e f", "1:g h"]],
    ["const a = /it's \"one/.test(b), c = 'd e';", ["1:d e"]],
    ["const a = b / c; const d = 'e f' / 2;", ["1:e f"]],
    ["const a = [/[/'] x/]; f('it\\'s one');", ["1:it\\'s one"]],
    ["f('not closed here\n, 'a b');", ["1:not closed here", "2:a b"]],
  ];
  for (const [text, wanted] of rows) assert.deepEqual(read(text), wanted, text);
});

test("typescriptCode() blanks comments, texts and expressions, and every line stays where it is", () => {
  const text = "a(); // b\n/* c\n d */ e('f', /g/, `h ${i} j`);\n";
  const code = typescriptCode(text);
  assert.equal(code.length, text.length);
  assert.deepEqual(code.match(/\w+/g), ["a", "e", "i"]);
  assert.deepEqual(code.split("\n").length, text.split("\n").length);
});

test("markdownProse() leaves fenced code and code in backticks out", () => {
  const page = "# One\n\n```sh\ntwo alone\n```\nthree `four` five\n";
  assert.deepEqual(
    markdownProse(page).map(({ line1, text }) => `${line1}:${text.replaceAll(/ +/g, " ")}`),
    ["1:# One", "2:", "6:three five", "7:"],
  );
});
