import assert from "node:assert/strict";
import { test } from "node:test";
import { windowsCommand } from "./windows-command.ts";

const files = new Set(
  [
    "C:\\node\\npm.cmd",
    "C:\\node\\node.exe",
    "C:\\p\\tool.bat",
    "C:\\p\\node_modules\\.bin\\jest.cmd",
  ].map((path) => path.toLowerCase()),
);

function started(...argv: readonly string[]) {
  return windowsCommand(argv, {
    path: "C:\\node;;C:\\other",
    extensions: ".COM;.EXE;.BAT;.CMD",
    workingDirectory: "C:\\p",
    shell: "C:\\Windows\\cmd.exe",
    isFile: (path) => files.has(path.toLowerCase()),
  });
}

test("on Windows a program is started as it is, and one that is not found too", () => {
  assert.deepEqual(started("node", "-e", 'a "b"'), {
    program: "C:\\node\\node.EXE",
    args: ["-e", 'a "b"'],
    isVerbatim: false,
  });
  assert.deepEqual(started("nosuch", "x"), { program: "nosuch", args: ["x"], isVerbatim: false });
});

test("on Windows a script of the command processor runs under it, its arguments quoted", () => {
  assert.deepEqual(started("npm", "run", "a & b", '"%PATH%"', "c\\"), {
    program: "C:\\Windows\\cmd.exe",
    args: [
      "/d",
      "/s",
      "/c",
      '"C:\\node\\npm.CMD ^"run^" ^"a^ ^&^ b^" ^"\\^"^%PATH^%\\^"^" ^"c\\\\^""',
    ],
    isVerbatim: true,
  });
  assert.match(started("tool.bat").args[3] ?? "", /^"C:\\p\\tool\.bat"$/);
});

test("on Windows shims in node_modules read their arguments twice", () => {
  const [, , , line] = started("node_modules\\.bin\\jest", "a&b").args;
  assert.equal(line, '"C:\\p\\node_modules\\.bin\\jest.CMD ^^^"a^^^&b^^^""');
});
