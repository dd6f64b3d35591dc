import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sourceLengthMax } from "../../syntax/index.ts";
import { editCommand } from "../edit/command.ts";
import { executeCommand } from "../execute-command.ts";
import { readCommand } from "../read/command.ts";
import { outlineCommand } from "./command.ts";

let folder = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "codetool-outline-"));
  mkdirSync(join(folder, "lib"));
  writeFileSync(
    join(folder, "a.ts"),
    "export class A {\n  f() {\n    const g = () => 1;\n    return g;\n  }\n}\nfunction h() {}\n",
  );
  writeFileSync(join(folder, "lib/b.py"), "class B:\n    def m(self): pass\n");
  writeFileSync(join(folder, "lib/broken.js"), "function ok() {}\n(((\n");
  writeFileSync(join(folder, "notes.erl"), "%% Notes\n");
  writeFileSync(join(folder, "image.ts"), Buffer.from([0, 1, 2]));
});
after(() => rmSync(folder, { recursive: true }));

async function outline(input: { readonly [name: string]: unknown }): Promise<{
  readonly data: { readonly [key: string]: unknown };
  readonly warnings: readonly string[];
  readonly plain: string;
}> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(outlineCommand, input, context);
  if ("error" in outcome) throw outcome.error;
  const { data, warnings = [], plain } = outcome;
  return { data, warnings, plain: plain?.() ?? "" };
}

test("outline of a file nests children and says its language once", async () => {
  const { data, warnings } = await outline({ path: "a.ts" });
  assert.deepEqual(data, {
    root: folder,
    file: "a.ts",
    language: "typescript",
    symbols: [
      {
        name: "A",
        kind: "class",
        lines: { start: 1, end: 6 },
        signature: "export class A",
        children: [
          {
            name: "f",
            kind: "method",
            lines: { start: 2, end: 5 },
            signature: "f()",
            children: [
              {
                name: "g",
                kind: "function",
                lines: { start: 3, end: 3 },
                signature: "const g = () =>",
                children: [],
              },
            ],
          },
        ],
      },
      {
        name: "h",
        kind: "function",
        lines: { start: 7, end: 7 },
        signature: "function h()",
        children: [],
      },
    ],
  });
  assert.deepEqual(warnings, []);
});

test("outline of a directory adds file, line and exported, and leaves out what has no symbols", async () => {
  const { data, warnings } = await outline({ path: "." });
  const symbols = data["symbols"] as { file: string; line: number; exported: boolean }[];
  assert.deepEqual(
    symbols.map(({ file, line, exported }) => [file, line, exported]),
    [
      ["a.ts", 1, true],
      ["a.ts", 7, false],
      ["lib/b.py", 1, true],
      ["lib/broken.js", 1, false],
    ],
  );
  assert.deepEqual(warnings, ["1 file has syntax errors; symbols around them are listed"]);
});

test("outline --depth counts folders in a directory and nesting in a file", async () => {
  const directory = await outline({ path: ".", depth: 1 });
  const files = (directory.data["symbols"] as { file: string }[]).map(({ file }) => file);
  assert.deepEqual(files, ["a.ts", "a.ts"]);
  const file = await outline({ path: "a.ts", depth: 2 });
  const [first] = file.data["symbols"] as { children: { children: unknown[] }[] }[];
  assert.deepEqual(first?.children[0]?.children, []);
});

test("outline --kind lifts what is nested in symbols of other kinds and names what held it", async () => {
  const { data } = await outline({ path: ".", kind: "method" });
  const symbols = data["symbols"] as { name: string; container: string }[];
  assert.deepEqual(
    symbols.map(({ name, container }) => `${container}.${name}`),
    ["A.f", "B.m"],
  );
});

test("outline --budget keeps outer and exported symbols first and stays within it", async () => {
  const { data } = await outline({ path: ".", budget: 130 });
  const symbols = data["symbols"] as { name: string }[];
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ["A", "B"],
  );
  assert.equal(data["total_symbols"], 7);
  assert.equal(data["truncated"], true);
  const none = await outline({ path: ".", budget: 48 });
  assert.deepEqual(none.data["symbols"], []);
  assert.equal(none.data["returned"], 0);
});

test("outline of a text without grammar answers with no symbols and a remark", async () => {
  const { data, warnings } = await outline({ path: "notes.erl" });
  assert.deepEqual(data, { root: folder, file: "notes.erl", language: "erlang", symbols: [] });
  assert.deepEqual(warnings, ["no symbols are known for erlang"]);
});

test("outline and read of a text that is too long to parse say so, and nothing of errors", async () => {
  const line = "function f() {}\n";
  const text = line.repeat(sourceLengthMax / line.length + 1);
  writeFileSync(join(folder, "long.js"), text);
  const reason = `"long.js" is not parsed: it has ${text.length} characters, and at most ${sourceLengthMax} are parsed`;
  const { data, warnings } = await outline({ path: "long.js" });
  assert.deepEqual(data["symbols"], []);
  const [remark = "", ...others] = warnings;
  assert.ok(remark.startsWith(`${reason}. `), remark);
  assert.deepEqual(others, []);
  const context = { workingDirectory: folder, environment: {} };
  const asked = { file: "long.js", symbol: "f" };
  const read = await executeCommand(readCommand, asked, context);
  assert.ok("error" in read && read.error.message.includes(reason));
  const change = { file: "long.js", find: ["x"], replace: ["y"], in_function: "f" };
  const edited = await executeCommand(editCommand, change, context);
  assert.ok("error" in edited && edited.error.message.includes(reason));
  rmSync(join(folder, "long.js"));
});

test("outline of a binary or missing file is refused with its code", async () => {
  await assert.rejects(outline({ path: "image.ts" }), { code: "parse_error" });
  await assert.rejects(outline({ path: "none.ts" }), { code: "file_not_found" });
});

test("outline --plain is an indented list of signatures", async () => {
  assert.equal(
    (await outline({ path: "a.ts" })).plain,
    "a.ts:\n1-6  export class A\n2-5    f()\n  3      const g = () =>\n  7  function h()",
  );
});
