/** `read --snap` and the modes that show less, through the real command line. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { type Envelope as CommandEnvelope, runCodetool } from "../../cli/test-support/codetool.ts";

interface Content {
  readonly range: { readonly start: number; readonly end: number };
  readonly snap: string | null;
  readonly snap_reason: string | null;
  readonly text: string;
}

type Envelope = CommandEnvelope<{ readonly content: Content; readonly cached?: boolean }>;

async function reads(
  workingDirectory: string,
  inputs: readonly { readonly [name: string]: unknown }[],
): Promise<Envelope[]> {
  const { stdout } = await runCodetool(["batch"], {
    workingDirectory,
    input: inputs.map((input) => `${JSON.stringify({ cmd: "read", ...input })}\n`).join(""),
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
}

const files = {
  "s.rb": "class Foo\n  def bar(x)\n    if x\n\n      y = 1\n    end\n    y\n  end\nend\n",
  "s.cpp":
    "class A {\n public:\n  A() {\n    x = 1;\n  }\n  int f();\n};\nint A::f() {\n  for (int i = 0; i < 3; i++)\n  {\n    g(i);\n  }\n  return 1;\n}\n",
  "s.py":
    "class A:\n    def __init__(self):\n        self.x = 1\n\n        if self.x:\n            print(1)\n        else:\n            print(2)\n\ndef g():\n    pass\n",
  "s.go":
    "package a\n\nfunc f() int {\n\tfor i := range x {\n\t\tif i > 0 {\n\t\t\tg()\n\t\t} else {\n\t\t\th()\n\t\t}\n\t}\n\treturn 1\n}\n",
  "s.java":
    "class A {\n  A() {\n    x = 1;\n  }\n  void f()\n  {\n    while (true)\n    {\n      g();\n    }\n  }\n}\n",
  "s.ts":
    "const f = () => {\n  return [1].map((x) => {\n    return x;\n  });\n};\n\n\nlet last = 1;\n",
  "s.txt": "one\ntwo\n",
};

test("read --snap widens lines to what they stand in", async () => {
  using folder = createTemporaryFolder(files);
  const rows: readonly (readonly [string, string, string, number, number, string | null])[] = [
    ["s.rb", "4", "function", 2, 8, "method `bar`"],
    ["s.rb", "8", "function", 2, 8, "method `bar`"],
    ["s.rb", "7", "class", 1, 9, "class `Foo`"],
    ["s.rb", "1", "function", 1, 1, null],
    ["s.rb", "4", "block", 3, 6, "if"],
    ["s.rb", "7", "block", 2, 8, "method"],
    ["s.cpp", "4", "function", 3, 5, "method `A`"],
    ["s.cpp", "4", "class", 1, 7, "class `A`"],
    ["s.cpp", "11", "function", 8, 14, "method `A::f`"],
    ["s.cpp", "11", "block", 9, 12, "for_statement"],
    ["s.cpp", "6", "block", 1, 7, "field_declaration_list"],
    ["s.cpp", "4", "block", 3, 5, "compound_statement"],
    ["s.py", "4", "fn", 2, 8, "method `__init__`"],
    ["s.py", "6", "block", 5, 6, "if_statement"],
    ["s.py", "8", "block", 7, 8, "else_clause"],
    ["s.py", "5", "block", 5, 8, "if_statement"],
    ["s.py", "3", "block", 2, 8, "function_definition"],
    ["s.py", "10", "block", 10, 11, "function_definition"],
    ["s.py", "9", "class", 9, 9, null],
    ["s.py", "9-11", "function", 9, 11, "function `g`"],
    ["s.py", "3-10", "function", 2, 11, "method `__init__` and function `g`"],
    ["s.go", "6", "block", 5, 7, "block"],
    ["s.go", "8", "block", 7, 9, "block"],
    ["s.go", "5", "block", 5, 9, "if_statement"],
    ["s.go", "11", "block", 3, 12, "block"],
    ["s.go", "11", "function", 3, 12, "function `f`"],
    ["s.java", "9", "block", 7, 10, "while_statement"],
    ["s.java", "3", "function", 2, 4, "method `A`"],
    ["s.java", "5", "function", 5, 11, "method `f`"],
    ["s.ts", "3", "function", 1, 5, "function `f`"],
    ["s.ts", "3", "block", 2, 4, "statement_block"],
    ["s.ts", "6", "function", 6, 6, null],
    ["s.txt", "1", "function", 1, 1, null],
  ];
  const answers = await reads(
    folder.path,
    rows.map(([file, lines, snap]) => ({ file, lines, snap })),
  );
  for (const [index, [file, lines, snap, start, end, what]] of rows.entries()) {
    const { data, error } = answers[index] as Envelope;
    assert.ok(data !== undefined, error?.message ?? "no data");
    const { content } = data;
    const reason = what === null ? null : `expanded to enclosing ${what}`;
    const label = `${file} ${lines} ${snap}`;
    assert.deepEqual([content.range, content.snap_reason], [{ start, end }, reason], label);
    assert.equal(content.snap, what === null ? null : snap, label);
    const source = readFileSync(join(folder.path, file), "utf8").split("\n");
    assert.equal(content.text, source.slice(start - 1, end).join("\n"), label);
  }
  const [without, unknown] = await reads(folder.path, [
    { file: "s.ts", snap: "function" },
    { file: "s.ts", lines: "1", snap: "method" },
  ]);
  assert.match(without?.error?.message ?? "", /"snap": it widens lines, and no lines are given/);
  assert.match(unknown?.error?.message ?? "", /wanted one of function, fn, class, block/);
});

test("read --snap outlines what is around and inside, not what the lines were widened to", async () => {
  using folder = createTemporaryFolder({
    "a.ts":
      "class A {\n  run() {\n    function inner() {\n      return 1;\n    }\n    return inner();\n  }\n}\n",
  });
  const [found] = await reads(folder.path, [
    { file: "a.ts", lines: "6", snap: "function", outline: true },
  ]);
  const data = found?.data as
    | { readonly outline?: readonly { readonly name: string }[] }
    | undefined;
  assert.deepEqual(
    data?.outline?.map(({ name }) => name),
    ["A", "inner"],
  );
});

test("read --mode aggressive leaves comments and documentation strings out, and strings as they are", async () => {
  using folder = createTemporaryFolder({
    "a.py":
      '#!/usr/bin/env python\n# licence\n"""Module."""\nimport x  # why\n\n\n\nclass A:\n    """Doc\n    more."""\n\n    def f(self):\n        """Only."""\n\n    def g(self):\n        "d"\n        s = "# no"  # yes\n        return f"{s} # no"\n\nx = """not # doc"""\n',
    "a.ts":
      '/* a\n b */\n// c\nconst a = 1; // t\nconst u = "// no";/* x */ const v = `/* no */ ${1 /* yes */}`;\r\nfunction f(/* p */a) { return/*q*/a; }\n\n\n/** doc */\nclass A {\n  // only\n}\n',
    "a.txt": "\n\n# one\n\n\n// two\n\n",
  });
  const [python, script, text, part] = await reads(folder.path, [
    { file: "a.py", mode: "aggressive" },
    { file: "a.ts", mode: "aggressive" },
    { file: "a.txt", mode: "aggressive" },
    { file: "a.py", mode: "aggressive", lines: "9-13" },
  ]);
  assert.equal(
    python?.data?.content.text,
    '#!/usr/bin/env python\nimport x\n\nclass A:\n\n    def f(self):\n        ...\n\n    def g(self):\n        s = "# no"\n        return f"{s} # no"\n\nx = """not # doc"""\n',
  );
  assert.equal(
    script?.data?.content.text,
    'const a = 1;\nconst u = "// no"; const v = `/* no */ ${1 }`;\nfunction f(a) { return a; }\n\nclass A {\n}\n',
  );
  assert.equal(text?.data?.content.text, "# one\n\n// two\n");
  assert.equal(part?.data?.content.text, "    def f(self):\n        ...\n");
});

test("read --mode entropy keeps three lines of a pattern and counts the others", async () => {
  const log = Array.from({ length: 8 }, (_, index) => `  ${index}: GET /items/${index}\n\n`).join(
    "",
  );
  using folder = createTemporaryFolder({
    "a.log": `start\n${log}end`,
    "short.txt": "a\n".repeat(9),
  });
  const [found, short] = await reads(folder.path, [
    { file: "a.log", mode: "entropy" },
    { file: "short.txt", mode: "entropy" },
  ]);
  assert.equal(
    found?.data?.content.text,
    "start\n  0: GET /items/0\n\n  1: GET /items/1\n\n  2: GET /items/2\n\nend\n... (5 repetitive lines filtered)\n",
  );
  assert.equal(short?.data?.content.text, "a\n".repeat(9));
});

test("read answers --if-changed before it looks at a mode, and refuses a mode beside a skeleton", async () => {
  using folder = createTemporaryFolder(files);
  const [first] = await reads(folder.path, [{ file: "s.ts", hash: true }]);
  const hash = (first as { data?: { meta?: { hash?: string } } }).data?.meta?.hash;
  const [stub, both] = await reads(folder.path, [
    { file: "s.ts", mode: "aggressive", if_changed: hash },
    { file: "s.ts", mode: "entropy", skeleton: true },
  ]);
  assert.equal(stub?.data?.cached, true);
  assert.equal(both?.error?.code, "invalid_argument");
});
