import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { nearestPath } from "./nearest-path.ts";

test("a path that is not there is answered with the one next to it, else with those that end like it", () => {
  using folder = createTemporaryFolder({
    "src/zoned.rs": "",
    "crates/one/src/error.rs": "",
    "crates/two/src/error.rs": "",
    "crates/two/src/tz/posix.rs": "",
    "crates/two/lib/tz/iana.rs": "",
    "many/a/mod.rs": "",
    "many/b/mod.rs": "",
    "many/c/mod.rs": "",
    "many/d/mod.rs": "",
  });
  const rows: readonly (readonly [argument: string, remedy: string | undefined])[] = [
    ["src/zond.rs", 'Did you mean "src/zoned.rs"?'],
    ["src/error.rs", 'Did you mean "crates/one/src/error.rs", "crates/two/src/error.rs"?'],
    ["./lib/posix.rs", 'Did you mean "crates/two/src/tz/posix.rs"?'],
    ["src/tz", 'Did you mean "crates/two/src/tz"?'],
    ["x/tz", 'Did you mean "crates/two/lib/tz", "crates/two/src/tz"?'],
    ["mod.rs", 'Did you mean "many/a/mod.rs", "many/b/mod.rs", "many/c/mod.rs", or one of 1 more?'],
    [join(folder.path, "src/zond.rs"), `Did you mean "${join(folder.path, "src/zoned.rs")}"?`],
    ["nothing/at/all", undefined],
    ["..", undefined],
  ];
  for (const [argument, remedy] of rows)
    assert.equal(nearestPath(argument, folder.path, { environment: {} }).remedy, remedy, argument);
  const mayShow = (path: string): boolean => !path.includes("one");
  assert.equal(
    nearestPath("src/error.rs", folder.path, { environment: {}, mayShow }).remedy,
    'Did you mean "crates/two/src/error.rs"?',
  );
});
