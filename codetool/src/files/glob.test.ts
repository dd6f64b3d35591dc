import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { expandBraces } from "./braces.ts";
import { compileGlob } from "./glob.ts";

function matches(pattern: string, path: string): boolean | undefined {
  return compileGlob(pattern)?.matchPath(path.split("/"), 0);
}

test("compileGlob() matches as git's wildmatch does", () => {
  const rows: readonly (readonly [string, string, boolean | undefined])[] = [
    ["foo", "foo", true],
    ["foo", "bar", false],
    ["???", "foo", true],
    ["??", "foo", false],
    ["*", "foo", true],
    ["f*", "foo", true],
    ["*f", "foo", false],
    ["*ob*a*r*", "foobar", true],
    ["aaaaaaabababab", "aaaaaaabababab", true],
    ["*ab", "aaaaaaabababab", true],
    ["foo\\*", "foo*", true],
    ["foo\\*bar", "foobar", false],
    ["f\\\\oo", "f\\oo", true],
    ["*[al]?", "ball", true],
    ["[ten]", "ten", false],
    ["t[a-g]n", "ten", true],
    ["t[!a-g]n", "ten", false],
    ["t[!a-g]n", "ton", true],
    ["t[^a-g]n", "ton", true],
    ["a[]]b", "a]b", true],
    ["a[]-]b", "a-b", true],
    ["a[]a-]b", "aab", true],
    ["]", "]", true],
    ["foo*bar", "foo/baz/bar", false],
    ["foo**bar", "foo/baz/bar", false],
    ["foo**bar", "foobazbar", true],
    ["foo/**/bar", "foo/baz/bar", true],
    ["foo/**/bar", "foo/b/a/z/bar", true],
    ["foo/**/bar", "foo/bar", true],
    ["foo/**/**/bar", "foo/bar", true],
    ["foo?bar", "foo/bar", false],
    ["**/foo", "foo", true],
    ["**/foo", "XXX/foo", true],
    ["**/foo", "bar/baz/foo", true],
    ["*/foo", "bar/baz/foo", false],
    ["**/bar*", "foo/bar/baz", false],
    ["**/bar/*", "deep/foo/bar/baz", true],
    ["**/bar/*", "deep/foo/bar", false],
    ["**/bar/**", "deep/foo/bar/baz/x", true],
    ["**/bar/**", "deep/foo/bar", false],
    ["a/**", "a", false],
    ["*/bar/**", "foo/bar/baz/x", true],
    ["[[:alpha:]][[:digit:]][[:upper:]]", "a1B", true],
    ["[[:digit:][:upper:][:space:]]", "A", true],
    ["[[:digit:][:upper:][:space:]]", "1", true],
    ["[[:digit:][:upper:][:space:]]", ".", false],
    ["[[:nonsense:]]", "a", undefined],
    ["[a-c]b*", "bbabc", true],
    ["[[:", "a", undefined],
    ["[\\-^]", "-", true],
    ["[\\]]", "]", true],
    ["[a", "a", undefined],
    ["a\\", "a", undefined],
    ["[!]a-]", "b", true],
    ["?", "é", true],
    ["?", "😀", true],
    ["??", "😀", false],
    ["*.[aos]", "😀.o", true],
    ["?*.[aos]", "😀.o", true],
    ["??*[aos]", "😀.o", true],
    ["???*.[aos]", "😀.o", false],
    ["a*[bc]d", "abd", true],
    ["a*[bc]d", "ad", false],
    ["ab*?b", "ab", false],
    ["[é-ü]", "ö", true],
    ["x[a/b]y", "xay", true],
    ["x[a/b]y", "x/y", false],
  ];
  for (const [pattern, path, expected] of rows)
    assert.equal(matches(pattern, path), expected, `${pattern} on ${path}`);
});

test("compileGlob() with a star for some characters matches the original name", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "b", ".", "-"),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(name, fc.nat(12), fc.nat(12), (text, left, right) => {
      const [start, end] = [Math.min(left, right), Math.max(left, right)];
      const pattern = `${text.slice(0, start)}*${text.slice(end)}`;
      assert.equal(matches(pattern, text), true, pattern);
    }),
    { seed: 7 },
  );
});

test("expandBraces() lists what a pattern stands for", () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["*.{ts,tsx}", ["*.ts", "*.tsx"]],
    ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["a{,b}", ["a", "ab"]],
    ["{a}", ["{a}"]],
    ["{a,b", ["{a,b"]],
    ["{{a,b}", ["{a", "{b"]],
    ["\\{a,b}", ["\\{a,b}"]],
    ["[{,}]", ["[{,}]"]],
    ["", [""]],
  ];
  for (const [pattern, expected] of rows)
    assert.deepEqual(expandBraces(pattern), expected, pattern);
});

test("expandBraces() refuses a pattern that stands for too many", () => {
  assert.equal(expandBraces("{a,b}".repeat(30)), undefined);
});
