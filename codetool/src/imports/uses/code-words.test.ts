import assert from "node:assert/strict";
import { test } from "node:test";
import { codeWordsOf } from "./code-words.ts";

function check(language: string, text: string, expected: string): void {
  const { names, members } = codeWordsOf(text, language, ["alpha", "beta", "gamma"]);
  const found = [...names].sort().map((name) => (members.has(name) ? `.${name}` : name));
  assert.equal(found.join(" "), expected, `${language}: ${text}`);
}

test("codeWordsOf() takes whole words of code, not those of comments and strings", () => {
  check("typescript", "alpha(beta); // gamma", "alpha beta");
  check("typescript", "/* alpha\n beta */ gamma();", "gamma");
  check("typescript", "const alphabet = 1; x = 'beta' + \"gamma\";", "");
  check("typescript", "a.alpha; b?.beta; [...gamma]", ".alpha .beta gamma");
  check("python", "'''alpha\n''' + beta # gamma", "beta");
  check("python", "def f():\n  return x.alpha\n", ".alpha");
  check("rust", "fn f<'a>(x: &'a str) { m::alpha(x, '\\'', 'b'); beta } // gamma", ".alpha beta");
  check("go", "x := `alpha\n\\`; p.Beta(); beta()", "beta");
  check("c", '#include "alpha"\np->beta = gamma;', ".beta gamma");
  check("cpp", "int x = 1'000; alpha(); // '\nbeta();", "alpha beta");
  check("lua", "--[[ alpha\n]] beta() -- gamma", "beta");
  check("haskell", "f' x = alpha x -- beta\n{- gamma -}", "alpha");
  check("bash", "alpha \"$beta\" 'gamma' $#", "alpha beta");
  check("sql", "select alpha -- beta\nfrom 'gamma'", "alpha");
  check("cobol", "alpha", "alpha");
});

test("codeWordsOf() takes the code in the holes of strings", () => {
  check("typescript", "`alpha ${beta(`${gamma}`)}`", "beta gamma");
  check("typescript", "`${{ a: { b: beta } }} alpha` + gamma", "beta gamma");
  check("python", 'f"alpha {beta} {{gamma}}"', "beta");
  check("kotlin", '"alpha ${x.beta}"', ".beta");
  check("swift", '"alpha \\(beta)" + gamma', "beta gamma");
  check("ruby", "\"alpha #{beta}\" + 'gamma'", "beta");
  check("csharp", '$"alpha {beta}" + @"gamma\\"', "beta");
});

test("codeWordsOf() goes on behind what only looks like a string", () => {
  check("typescript", "x = /'/.test(y); alpha", "alpha");
  check("typescript", "x = a / b; y = 'c'; alpha / beta", "alpha beta");
  check("typescript", "it's; alpha", "alpha");
  check("javascript", "const s = 'open\nalpha()", "alpha");
  check("python", "x = 'open\nalpha()", "alpha");
});

test("codeWordsOf() keeps names as they are written", () => {
  const { names } = codeWordsOf("Alpha; empty? x; Foo.Bar.baz", "elixir", [
    "alpha",
    "empty?",
    "Foo.Bar",
  ]);
  assert.deepEqual([...names], ["empty?", "Foo.Bar"]);
});
