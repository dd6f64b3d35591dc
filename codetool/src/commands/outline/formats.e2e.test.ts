import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";

interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly lines: { readonly start: number; readonly end: number };
  readonly children: readonly Entry[];
}

interface Answer {
  readonly status: string;
  readonly tokens: number;
  readonly warnings?: readonly string[];
  readonly data: {
    readonly language: string;
    readonly symbols: readonly Entry[];
    readonly outline: readonly Entry[];
    readonly content: { readonly text: string };
    readonly flat: readonly { readonly path: string; readonly symbols: number }[];
    readonly truncated: boolean;
  };
}

/** A file, the language, and what its outline is: kind, name and lines, indented as it is nested. */
const rows: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["a.md", "markdown", "# One\n\ntext\n\n## Two\n\nmore\n", ["module One 1-7", "  module Two 5-7"]],
  [
    "a.yaml",
    "yaml",
    "on:\n  push: yes\nname: x\n",
    ["module on 1-2", "  const push 2-2", "const name 3-3"],
  ],
  ["a.toml", "toml", "[tool]\nname = 1\n", ["module tool 1-2", "  const name 2-2"]],
  ["a.json5", "json", "{a: {b: 1}}\n", ["module a 1-1", "  const b 1-1"]],
  ["a.html", "html", "<h1>One</h1>\n<p id=x>\n", ["module One 1-1", "const x 2-2"]],
  ["a.css", "css", ".a { --b: 1 }\n", ["class .a 1-1", "  const --b 1-1"]],
  ["a.scss", "scss", "$a: 1;\n@mixin b { c: d }\n", ["const $a 1-1", "function b 2-2"]],
  [
    "a.less",
    "less",
    "@a: 1;\n.b { .c { d: e } }\n",
    ["const @a 1-1", "class .b 2-2", "  class .c 2-2"],
  ],
  ["a.sql", "sql", "CREATE TABLE a (\n  b int\n);\n", ["struct a 1-3", "  const b 2-2"]],
  [
    "a.tf",
    "hcl",
    'variable "a" {}\nmodule "b" {}\n',
    ["const variable.a 1-1", "module module.b 2-2"],
  ],
  ["Dockerfile", "dockerfile", "FROM a AS b\nENV C=1\n", ["module b 1-2", "  const C 2-2"]],
  ["Makefile", "makefile", "A = 1\nb: c\n\td\n", ["const A 1-1", "function b 2-3"]],
];

const tree = Object.fromEntries(rows.map(([name, , text]) => [name, text]));

function listed(entries: readonly Entry[], depth = 0): string[] {
  return entries.flatMap(({ name, kind, lines, children }) => [
    `${"  ".repeat(depth)}${kind} ${name} ${lines.start}-${lines.end}`,
    ...listed(children, depth + 1),
  ]);
}

async function codetool(folder: string, words: readonly string[]): Promise<Answer> {
  const exit = await runCodetool(words, { workingDirectory: folder });
  assert.equal(exit.code, 0, exit.stdout + exit.stderr);
  return JSON.parse(exit.stdout) as Answer;
}

for (const [name, language, , expected] of rows) {
  test(`outline of ${name} lists what ${language} has, by kind, depth and budget`, async () => {
    using folder = createTemporaryFolder(tree);
    const { data, warnings } = await codetool(folder.path, ["outline", name]);
    assert.deepEqual(
      [data.language, listed(data.symbols), warnings],
      [language, expected, undefined],
    );
    const kind = expected[0]?.split(" ")[0] ?? "";
    const ofKind = await codetool(folder.path, ["outline", name, "--kind", kind]);
    const wanted = expected.filter((line) => line.trim().startsWith(`${kind} `));
    assert.deepEqual(
      listed(ofKind.data.symbols).map((line) => line.trim()),
      wanted.map((line) => line.trim()),
    );
    const outer = await codetool(folder.path, ["outline", name, "--depth", "1"]);
    assert.deepEqual(
      listed(outer.data.symbols),
      expected.filter((line) => !line.startsWith(" ")),
    );
    const tight = await codetool(folder.path, ["outline", name, "--budget", "46"]);
    assert.deepEqual([tight.data.symbols, tight.data.truncated], [[], true]);
  });
}

test("read and find know the symbols of data formats, too", async () => {
  using folder = createTemporaryFolder({
    ...tree,
    "long.md": `# A\n${"\nword word word\n".repeat(50)}\n## B\n`,
  });
  const outline = await codetool(folder.path, ["read", "a.sql", "--outline"]);
  assert.deepEqual(
    outline.data.outline.map(({ name }) => name),
    ["a", "b"],
  );
  const skeleton = await codetool(folder.path, ["read", "long.md", "--skeleton"]);
  assert.equal(skeleton.data.content.text.trim(), "# A\nword word word\n…\n## B");
  const found = await codetool(folder.path, ["find", ".", "--outline", "--flat"]);
  const counts = new Map(found.data.flat.map(({ path, symbols }) => [path, symbols]));
  for (const [name, , , expected] of rows) assert.equal(counts.get(name), expected.length, name);
});
