import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { digestOfContents } from "../../search/index.ts";
import { knownByWalk } from "./known-by-walk.ts";

test("what files hold counts where a second change could have the same time, and only there", () => {
  using folder = createTemporaryFolder({ "old.ts": "old();\n", "new.ts": "new();\n" });
  const newestMs = statSync(join(folder.path, "new.ts")).ctimeMs;
  // As a walk saw them; the clock of the file system did not move since.
  const seen = (name: string, changedMs: number) => ({
    absolutePath: join(folder.path, name),
    sizeBytes: 7,
    changedMs,
    inode: 1,
  });
  const files = [
    seen("old.ts", newestMs - 5000),
    seen("new.ts", newestMs),
    seen("gone.ts", newestMs),
  ];
  const digest = (): string => digestOfContents(knownByWalk(files));
  const before = digest();
  writeFileSync(join(folder.path, "old.ts"), "odd();\n");
  assert.equal(digest(), before);
  writeFileSync(join(folder.path, "new.ts"), "now();\n");
  assert.notEqual(digest(), before);
  writeFileSync(join(folder.path, "new.ts"), "new();\n");
  assert.equal(digest(), before);
});
