import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { nearestProgram } from "./nearest-program.ts";

test("nearestProgram() names a program only where it is most likely the one that was meant", () => {
  using folder = createTemporaryFolder(
    Object.fromEntries(
      ["python3", "pip3.11", "npm", "mv", "tac", "test", "pytest", "cargo-fmt"].map((name) => [
        `bin/${name}`,
        "",
      ]),
    ),
  );
  const path = ["", join(folder.path, "none"), join(folder.path, "bin")].join(delimiter);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["python", "python3"],
    ["pip", "pip3.11"],
    ["nmp", "npm"],
    ["pytset", "pytest"],
    ["pytests", "pytest"],
    ["mvn", undefined],
    ["tsc", undefined],
    ["jest", undefined],
    ["cargo", undefined],
    ["./pytset", undefined],
    ["no-such-program", undefined],
  ];
  for (const [name, expected] of rows) assert.equal(nearestProgram(name, path), expected, name);
  assert.equal(nearestProgram("pytset", ""), undefined);
});
