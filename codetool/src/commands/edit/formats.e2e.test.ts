import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";

const files: { readonly [name: string]: string } = {
  "compose.yaml":
    "services:\n  web:\n    image: harbour:1\n    ports: [80]\n  db:\n    image: postgres\n",
  "README.md": "# Harbour\n\nText.\n\n## Use\n\nSteps.\n\n## Licence\n\nSteps of MIT.\n",
  "Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\nlibc = "0.2"\n',
  "package.json": '{\n  "name": "a",\n  "scripts": {\n    "test": "node --test"\n  }\n}\n',
  "style.css": ".a {\n  color: red;\n}\n\n.b {\n  color: red;\n}\n",
  "main.tf": 'resource "x" "quay" {\n  size = 1\n}\n\nresource "x" "pier" {\n  size = 1\n}\n',
  Makefile: "all: test\n\techo all\n\ntest:\n\techo all\n",
};

async function edit(
  folder: string,
  args: readonly string[],
): Promise<{ readonly status: string; readonly error?: { code: string; message: string } }> {
  const { stdout, stderr } = await runCodetool(["edit", ...args], {
    workingDirectory: folder,
  });
  assert.equal(stderr, "");
  assert.match(stdout, /^\{[^\n]*\}\n$/);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof edit>>;
}

/** File, flags of the edit, and what of the file's text becomes what. */
const edits: readonly (readonly [string, readonly string[], string, string])[] = [
  // A key that holds keys, a heading, a table, a rule and a block are scopes.
  [
    "compose.yaml",
    ["--in-class", "services/db", "--find", "image", "--replace", "build"],
    "image: postgres",
    "build: postgres",
  ],
  [
    "README.md",
    ["--in-class", "Licence", "--find", "Steps", "--replace", "Terms"],
    "Steps of",
    "Terms of",
  ],
  [
    "README.md",
    ["--in-class", "Harbour/Use", "--find", "Steps", "--replace", "Ways"],
    "Steps.",
    "Ways.",
  ],
  ["Cargo.toml", ["--in-class", "dependencies", "--find", '"1"', "--replace", '"2"'], '"1"', '"2"'],
  ["package.json", ["--in-class", "scripts", "--find", "test", "--replace", "t"], '"test"', '"t"'],
  ["style.css", ["--in-class", ".b", "--find", "red", "--replace", "blue"], "red;\n}\n$", ""],
  ["Makefile", ["--in-function", "test", "--find", "all", "--replace", "one"], "all\n$", ""],
  // Bodies.
  [
    "compose.yaml",
    ["--replace-body", "services/web", "--text", "image: new\nrestart: always"],
    "image: harbour:1\n    ports: [80]",
    "image: new\n    restart: always",
  ],
  [
    "compose.yaml",
    ["--replace-body", "services/web/image", "--text", "harbour:2"],
    "harbour:1",
    "harbour:2",
  ],
  ["README.md", ["--replace-body", "Use", "--text", "New ones."], "Steps.\n", "New ones.\n"],
  [
    "Cargo.toml",
    ["--replace-body", "dependencies", "--text", 'log = "1"'],
    'serde = "1"\nlibc = "0.2"',
    'log = "1"',
  ],
  [
    "package.json",
    ["--replace-body", "scripts", "--text", '{ "a": "b" }'],
    '{\n    "test": "node --test"\n  }',
    '{ "a": "b" }',
  ],
  // What is put in has the blank lines that part its neighbours.
  [
    "compose.yaml",
    ["--insert-after", "services/web", "--text", "cache:\n  image: redis"],
    "  db:",
    "  cache:\n    image: redis\n  db:",
  ],
  [
    "compose.yaml",
    ["--insert-before", "services/db", "--text", "cache:\n  image: redis"],
    "  db:",
    "  cache:\n    image: redis\n  db:",
  ],
  [
    "README.md",
    ["--insert-before", "Use", "--text", "## Build\n\nMake."],
    "## Use",
    "## Build\n\nMake.\n\n## Use",
  ],
  [
    "README.md",
    ["--insert-after", "Use", "--text", "## Build\n\nMake."],
    "## Licence",
    "## Build\n\nMake.\n\n## Licence",
  ],
  [
    "Cargo.toml",
    ["--insert-before", "dependencies", "--text", "[features]\na = []"],
    "[dependencies]",
    "[features]\na = []\n\n[dependencies]",
  ],
  [
    "Cargo.toml",
    ["--insert-after", "dependencies/serde", "--text", 'log = "1"'],
    "libc",
    'log = "1"\nlibc',
  ],
  [
    "main.tf",
    ["--insert-after", "resource.x.quay", "--text", 'resource "x" "dock" {\n  size = 2\n}'],
    'resource "x" "pier"',
    'resource "x" "dock" {\n  size = 2\n}\n\nresource "x" "pier"',
  ],
];

for (const [file, flags, from, to] of edits) {
  test(`edit ${flags.slice(0, 2).join(" ")} of ${file} changes what it names, and nothing else`, async () => {
    using folder = createTemporaryFolder(files);
    const answer = await edit(folder.path, [file, ...flags, "--apply"]);
    assert.equal(answer.status, "ok", JSON.stringify(answer.error));
    const before = files[file] ?? "";
    // With a `$` only the last occurrence is meant.
    const expected = from.endsWith("$")
      ? before.slice(0, -from.length + 1) +
        from.slice(0, -1).replace(flags[3] ?? "", flags[5] ?? "")
      : before.replace(from, () => to);
    assert.equal(readFileSync(join(folder.path, file), "utf8"), expected);
  });
}

/** File, flags, code and message. */
const refusals: readonly (readonly [string, readonly string[], string, RegExp])[] = [
  [
    "compose.yaml",
    ["--in-function", "services/web", "--find", "image", "--replace", "x"],
    "invalid_range",
    /"services\/web": it is a module, wanted a function/,
  ],
  [
    "compose.yaml",
    ["--in-class", "services/web/image", "--find", "image", "--replace", "x"],
    "invalid_range",
    /it is a const, wanted a class/,
  ],
  [
    "README.md",
    ["--in-class", "Usage", "--find", "Steps", "--replace", "x"],
    "invalid_range",
    /"Usage": there is no such class; did you mean .*Use/,
  ],
  [
    "package.json",
    ["--replace-body", "name", "--text", '"b"'],
    "invalid_range",
    /"name": the const has no body/,
  ],
  [
    "package.json",
    ["--insert-after", "name", "--text", '"version": "1"'],
    "syntax_error",
    /line [34] of the result is not valid syntax/,
  ],
  [
    "Cargo.toml",
    ["--in-class", "dependencies", "--find", '"0.2"', "--replace", '["0.2"'],
    "syntax_error",
    /line 6 of the result is not valid syntax: a bracket or a quote is not closed/,
  ],
  [
    "main.tf",
    ["--replace-body", "resource.x.quay", "--text", "{ size = { }"],
    "syntax_error",
    /of the result is not valid syntax: a bracket or a quote is not closed/,
  ],
  [
    "style.css",
    ["--insert-after", ".a", "--text", "@media print {\n.a {\n"],
    "syntax_error",
    /of the result is not valid syntax: a bracket or a quote is not closed/,
  ],
];

for (const [file, flags, code, message] of refusals) {
  test(`edit ${flags.slice(0, 2).join(" ")} of ${file} that cannot be is ${code}, and nothing is written`, async () => {
    using folder = createTemporaryFolder(files);
    const path = join(folder.path, file);
    const { mtimeNs } = statSync(path, { bigint: true });
    const { status, error } = await edit(folder.path, [file, ...flags, "--apply"]);
    assert.equal(status, "error");
    assert.equal(error?.code, code);
    assert.match(error?.message ?? "", message);
    assert.doesNotMatch(error?.message ?? "", /\n/);
    assert.equal(readFileSync(path, "utf8"), files[file]);
    assert.equal(statSync(path, { bigint: true }).mtimeNs, mtimeNs);
  });
}
