/** `codetool rename` over imports, re-exports and scopes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { rename } from "./test-support/rename.ts";

/** Each file before and after, and `file:line` of what is left. */
interface Case {
  readonly files: { readonly [path: string]: string | readonly string[] };
  readonly args: readonly string[];
  readonly left?: readonly string[];
}

const cases: { readonly [what: string]: Case } = {
  "TypeScript over imports, aliases, barrels and namespaces; another scope's name stays": {
    args: ["load", "fetchAll", "--in-file", "src/load.ts"],
    files: {
      "src/load.ts": [
        "// load\nexport function load(x: number): string {\n  return x > 0 ? load(x - 1) : 'load';\n}\nexport const o = { load };\n",
        "// load\nexport function fetchAll(x: number): string {\n  return x > 0 ? fetchAll(x - 1) : 'load';\n}\nexport const o = { load: fetchAll };\n",
      ],
      "src/index.ts": ['export * from "./load.ts";\n', 'export * from "./load.ts";\n'],
      "src/named.ts": [
        'export { load } from "./load.ts";\nexport { load as other } from "./load.ts";\n',
        'export { fetchAll } from "./load.ts";\nexport { fetchAll as other } from "./load.ts";\n',
      ],
      "src/a.ts": [
        'import { load } from "./index.ts";\nexport const a = [1].map(load);\nfunction f(load: () => void) { load(); }\nconst { o } = { o: { load: 1 } };\no.load;\nf(() => { const load = 1; return load; });\n',
        'import { fetchAll } from "./index.ts";\nexport const a = [1].map(fetchAll);\nfunction f(load: () => void) { load(); }\nconst { o } = { o: { load: 1 } };\no.load;\nf(() => { const load = 1; return load; });\n',
      ],
      "src/b.ts": [
        'import { load as l } from "./named.ts";\nimport * as all from "./index.ts";\nl(1);\nall.load(2);\nother.load(3);\n((all: any) => all.load(4));\n',
        'import { fetchAll as l } from "./named.ts";\nimport * as all from "./index.ts";\nl(1);\nall.fetchAll(2);\nother.load(3);\n((all: any) => all.load(4));\n',
      ],
      "src/own.ts": "export function unrelated() { return load(); }\nconst load = () => 1;\n",
      "src/required.ts": [
        'const { load } = require("./load.ts");\nload(1);\n',
        'const { fetchAll } = require("./load.ts");\nfetchAll(1);\n',
      ],
      "src/late.ts":
        'const f = () => {\n  const { load } = require("./load.ts");\n  return load(1);\n};\nimport("./load.ts").then((m) => m.load(1));\n',
    },
    left: ["src/late.ts:2", "src/late.ts:5"],
  },
  "Python over packages, star imports, __all__ and module names": {
    args: ["parse", "read_text"],
    files: {
      "app/__init__.py": ["from .core import parse\n", "from .core import read_text\n"],
      "app/core.py": [
        '__all__ = ["parse"]\n\n\ndef parse(text):\n    """parse"""\n    return parse(text[1:]) if text else None\n\n\nclass Reader:\n    def parse(self):\n        return parse(self.text)\n',
        '__all__ = ["read_text"]\n\n\ndef read_text(text):\n    """parse"""\n    return read_text(text[1:]) if text else None\n\n\nclass Reader:\n    def parse(self):\n        return read_text(self.text)\n',
      ],
      "app/star.py": [
        "from .core import *\n\nx = parse('1')\nReader().parse()\n",
        "from .core import *\n\nx = read_text('1')\nReader().parse()\n",
      ],
      "tests/test_core.py": [
        "import app\nfrom app import core\nfrom app import parse as p\nimport app.core\n\np('1')\napp.parse('2')\ncore.parse('3')\napp.core.parse('4')\n\n\ndef f(parse, core):\n    core.parse()\n    return parse(parse=1)\n",
        "import app\nfrom app import core\nfrom app import read_text as p\nimport app.core\n\np('1')\napp.read_text('2')\ncore.read_text('3')\napp.core.read_text('4')\n\n\ndef f(parse, core):\n    core.parse()\n    return parse(parse=1)\n",
      ],
      "tests/test_mock.py": 'import app\n\nmock.patch("app.core.parse")\njson.parse(1)\n',
    },
    left: ["tests/test_mock.py:3"],
  },
  "Go over the package, its tests and those who import it": {
    args: ["Open", "Connect"],
    files: {
      "go.mod": "module example.com/m\n\ngo 1.21\n",
      "db/db.go": [
        "package db\n\n// Open opens.\nfunc Open(n int) int {\n\tif n > 0 {\n\t\treturn Open(n - 1)\n\t}\n\treturn 0\n}\n\ntype Conn struct{ Open bool }\n\nfunc (c Conn) Close() bool { return c.Open }\n",
        "package db\n\n// Open opens.\nfunc Connect(n int) int {\n\tif n > 0 {\n\t\treturn Connect(n - 1)\n\t}\n\treturn 0\n}\n\ntype Conn struct{ Open bool }\n\nfunc (c Conn) Close() bool { return c.Open }\n",
      ],
      "db/more.go": [
        "package db\n\nvar two = Open(2)\n\nfunc local(Open func() int) int { return Open() }\n",
        "package db\n\nvar two = Connect(2)\n\nfunc local(Open func() int) int { return Open() }\n",
      ],
      "db/x_test.go": [
        'package db_test\n\nimport "example.com/m/db"\n\nvar x = db.Open(1)\n',
        'package db_test\n\nimport "example.com/m/db"\n\nvar x = db.Connect(1)\n',
      ],
      "main.go": [
        'package main\n\nimport (\n\t"os"\n\n\tstore "example.com/m/db"\n)\n\nfunc main() {\n\tstore.Open(3)\n\tos.Open("x")\n}\n\nfunc f(store interface{ Open(int) }) { store.Open(4) }\n',
        'package main\n\nimport (\n\t"os"\n\n\tstore "example.com/m/db"\n)\n\nfunc main() {\n\tstore.Connect(3)\n\tos.Open("x")\n}\n\nfunc f(store interface{ Open(int) }) { store.Open(4) }\n',
      ],
    },
  },
};

for (const [what, { files, args, left = [] }] of Object.entries(cases))
  test(`rename of ${what}`, async () => {
    const at = (index: 0 | 1): { [path: string]: string } =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]): [string, string] => [
          path,
          typeof text === "string" ? text : (text[index] ?? ""),
        ]),
      );
    using folder = createTemporaryFolder({ ".git/HEAD": "", ...at(0) });
    const contents = (): { [path: string]: string } =>
      Object.fromEntries(
        Object.keys(files).map((path) => [path, readFileSync(join(folder.path, path), "utf8")]),
      );
    const dry = await rename(folder.path, args);
    assert.equal(dry.error, undefined, String(dry.error?.message));
    assert.deepEqual(contents(), at(0));
    const { data, error } = await rename(folder.path, [...args, "--apply"]);
    assert.equal(error, undefined, String(error?.message));
    assert.ok(data.applied);
    assert.deepEqual(contents(), at(1));
    assert.deepEqual(
      data.unresolved.map(({ file, line }) => `${file}:${line}`),
      left,
    );
  });

test("rename refuses what is not one definition, a name that is taken, and members", async () => {
  using folder = createTemporaryFolder({
    ".git/HEAD": "",
    "a.ts": "export function f() {}\nexport function taken() {}\nclass C { member() {} }\n",
    "b.ts": "export function g() {}\n",
    "c.ts": "export function g() {}\n",
    "d.rb": "def h; end\n",
  });
  for (const [args, message] of [
    [["f", "taken"], /"a.ts" exports this name already, on line 2/],
    [["g", "x"], /it is defined 2 times, at b.ts:1, c.ts:1: name one with --in-file/],
    [["member", "x"], /it is a member of a type: name it with the type, as in "Class\.member"/],
    [["gg", "x"], /did you mean "g"|not defined in the project/],
    [["f", "1x"], /wanted another name/],
    [["h", "x"], /names of ruby are not resolved here/],
  ] as const) {
    const { error } = await rename(folder.path, [...args, "--apply"]);
    assert.equal(error?.code, "invalid_argument");
    assert.match(error.message, message);
  }
  const { data } = await rename(folder.path, ["g", "x", "--in-file", "c.ts", "--apply"]);
  assert.deepEqual(
    data.files.map(({ file }) => file),
    ["c.ts"],
  );
});
