import assert from "node:assert/strict";
import { test } from "node:test";
import { classOfPath, type FileClass } from "./file-class.ts";

test("classOfPath() tells what a file is for by its path", () => {
  const rows: readonly (readonly [string, FileClass])[] = [
    ["src/a.ts", "source"],
    ["src/lock.c", "source"],
    ["src/file-lock.ts", "source"],
    ["mutex_lock.go", "source"],
    ["lib/latest.py", "source"],
    ["a/contest.ts", "source"],
    ["package-lock.json", "generated"],
    ["Cargo.lock", "generated"],
    ["poetry.lock", "generated"],
    [".terraform.lock.hcl", "generated"],
    ["pnpm-lock.yaml", "generated"],
    ["dist/a.min.js", "generated"],
    ["api/v1/a.pb.go", "generated"],
    [".pc/fix.patch/src/a.c", "vendored"],
    [".venv/lib/python3/site.py", "vendored"],
    ["deps/lua/src/lua.c", "vendored"],
    ["node_modules/a/index.js", "vendored"],
    [".github/workflows/ci.yml", "config"],
    [".eslintrc.json", "config"],
    ["package.json", "config"],
    ["typings/index.d.ts", "declarations"],
    ["a.pyi", "declarations"],
    ["tests/a.c", "test"],
    ["src/a.test.ts", "test"],
    ["src/test_a.py", "test"],
    ["src/ATest.java", "test"],
    ["README.md", "docs"],
    ["00-RELEASENOTES", "docs"],
    ["Doc/library/a.rst", "docs"],
    ["examples/a.ts", "example"],
    ["data/a.json", "data"],
  ];
  for (const [path, fileClass] of rows) assert.equal(classOfPath(path), fileClass, path);
});
