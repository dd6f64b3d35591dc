import assert from "node:assert/strict";
import { test } from "node:test";
import { lexemesOf } from "./lexemes.ts";

test("blanks inside of a raw string count, whatever its marks", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["lua", "[==[ a   b ]==]", "[==[ a b ]==]"],
    ["lua", "[[ a   b ]]", "[[ a b ]]"],
    ["lua", "x = [=[ ]] a   b ]=]", "x = [=[ ]] a b ]=]"],
    ["rust", 'r##"a "# b   c"##', 'r##"a "# b c"##'],
    ["rust", 'r#"a   b"#', 'r#"a b"#'],
    ["rust", String.raw`r"\" + a + "b   c"`, String.raw`r"\" + a + "b c"`],
  ];
  for (const [language, wide, narrow] of rows)
    assert.notDeepEqual(lexemesOf(wide, language), lexemesOf(narrow, language), wide);
});

test("a comment of Lua ends at the bracket of its own level", () => {
  const { words, comments } = lexemesOf("--[==[ a ]] b ]==] c", "lua") ?? {};
  assert.deepEqual(words, ["c"]);
  assert.deepEqual(comments, ["--[==[ a ]] b ]==]"]);
});

test("blanks between words do not count", () => {
  for (const language of ["lua", "rust", "typescript"])
    assert.deepEqual(lexemesOf("a  =   b", language), lexemesOf("a = b", language));
});
