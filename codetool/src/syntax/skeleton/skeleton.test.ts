import assert from "node:assert/strict";
import { test } from "node:test";
import { extractSymbols, skeletonOf } from "../index.ts";

function skeleton(text: string, language: string): string {
  return skeletonOf(text, extractSymbols(text, language).symbols, language);
}

test("skeletonOf() leaves imports, statements, decorators and bodies out and keeps first lines of documentation", () => {
  const python = `"""What the module is for.

More of it."""
import os
from a import (
    b,
)

LIMIT = 10
TABLE = {
    "a": 1,
}
print(LIMIT)

@decorator(1)
class Account(Base):
    """Holds money. And more.

    Much more."""

    owner: str

    def pay(
        self,
        amount: int,
    ) -> bool:
        """Takes an amount off."""
        if amount > LIMIT:
            return False
        return True

    # Says who.
    def name(self): # noqa
        return self.owner
`;
  assert.equal(
    skeleton(python, "python"),
    `# What the module is for.
LIMIT = 10
TABLE = …
class Account(Base):  # Holds money.
  owner: str
  def pay(self, amount: int) -> bool: ...  # Takes an amount off.
  def name(self): ...  # Says who.
`,
  );
});

test("skeletonOf() documents every kind of declaration alike, whatever its comments look like", () => {
  const csharp = `// Copyright (c) somebody
using System;
namespace A
{
    /// <summary>
    /// Converts things; see <see cref="B"/>.
    /// </summary>
    public static class Converter
    {
        /** <summary>The name.</summary> */
        public static readonly string Name = "n";
        /// <param name="value">Only a parameter.</param>
        // eslint-disable-next-line
        public static string Convert(object value) { return value.ToString() + Name + Name + Name + Name; }
    }
}
`;
  assert.equal(
    skeleton(csharp, "csharp"),
    `namespace A {
  // Converts things;
  public static class Converter {
    // The name.
    public static readonly string Name = "n";
    // Only a parameter.
    public static string Convert(object value) {/*...*/}
  }
}
`,
  );
});

/** A class with documented members, public and private. */
function longSource(members: number): string {
  const member = (index: number): string => `
  /** Does the ${index}th of the things that have to be done, with all that goes with it. */
  ${index % 2 === 0 ? "private " : ""}step${index}(value: number): number {
    ${`const a = [value, value + ${index}, value * ${index}, other(value, "${index}")];\n`.repeat(index === 1 ? 40 : 1)}
    return a.length;
  }
`;
  const all = Array.from({ length: members }, (_none, index) => member(index + 1));
  return `/** Does things. */\nexport class Doer {${all.join("")}}\n`;
}

test("skeletonOf() names what is private where the whole takes more than a tenth", () => {
  const few = skeleton(longSource(2), "typescript");
  assert.match(
    few,
    /\/\/ Does the 1th of .*\n {2}step1\(value: number\): number \{\/\*\.\.\.\*\/\}/,
  );
  assert.match(few, /private step2\(value: number\): number \{\/\*\.\.\.\*\/\}/);
  const many = skeleton(longSource(41), "typescript");
  assert.match(many, /\/\/ Does things\.\nexport class Doer \{/);
  assert.match(
    many,
    / step41\(value: number\): number \{\/\*\.\.\.\*\/\}\n {2}\/\/ private: step2, step4,/,
  );
});

test("skeletonOf() leaves fields out before any signature, and never names only what is open to those beside it", () => {
  const body = `${'    let a = other(value, "of the things that have to be done");\n'.repeat(6)}    a\n`;
  const method = (index: number): string =>
    `  /// Does the ${index}th.\n  ${index % 2 === 0 ? "pub(super) " : ""}fn step${index}(value: u8) -> u8 {\n${body}  }\n`;
  const methods = (count: number): string =>
    Array.from({ length: count }, (_none, index) => method(index)).join("");
  const fields = Array.from({ length: 12 }, (_none, index) => `  field${index}: u8,\n`).join("");
  const doer = `pub struct Doer {\n${fields}}\n`;
  const few = skeleton(`${doer}impl Doer {\n${methods(8)}}\n`, "rust");
  assert.doesNotMatch(few, /field3/);
  assert.match(few, /fn step7\(value: u8\) -> u8/);
  const many = skeleton(
    `${doer}impl Doer {\n${methods(40).replaceAll(body, "    1\n")}}\n`,
    "rust",
  );
  assert.match(many, /pub\(super\) fn step38\(value: u8\) -> u8/);
  assert.match(many, /\/\/ private: step1, step3,/);
});

test("skeletonOf() shows the members of a class that no one else sees, in a file of such classes", () => {
  const hidden = longSource(41).replace("export class", "class").replaceAll("private ", "");
  const shown = skeleton(hidden, "typescript");
  assert.match(shown, /\nclass Doer \{\n {2}step1\(value: number\)/);
  assert.match(shown, /\n {2}step41\(value: number\): number \{\/\*\.\.\.\*\/\}\n\}/);
});

test("skeletonOf() names the members of a hidden type, and shows those that are open to others beside it", () => {
  const body = "    one_of_the_things_that_have_to_be_done(self.value, 1);\n".repeat(3);
  const method = (head: string): string => `  ${head}(&self, value: u8) -> u8 {\n${body}  }\n`;
  const hidden = Array.from({ length: 24 }, (_none, index) => method(`fn step${index}`));
  const text = `struct Node;\nimpl Node {\n${hidden.join("")}${method("pub(super) fn open")}}\n${"pub fn offered() -> Vec<String> { Vec::new() }\n".repeat(8)}`;
  const shown = skeleton(text, "rust");
  assert.match(shown, /impl Node \{\n {2}pub\(super\) fn open\(&self, value: u8\) -> u8/);
  assert.match(shown, /\/\/ private: step0, step1, step2,/);
});

test("skeletonOf() shows the outermost lines of a file that defines nothing", () => {
  const script = `#!/bin/sh\n# Says hello.\nset -e\nif true; then\n  echo hello\n  echo again\nfi\n`;
  assert.equal(skeleton(script, "bash"), "# Says hello.\nset -e\nif true; then\nfi\n");
});
