import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { cacheFolders, type EmbeddedFile, unpackFile } from "./unpack-file.ts";

const contentOf = ({ path }: EmbeddedFile): Uint8Array => readFileSync(path);
const isWindows = process.platform === "win32";

test(
  "cacheFolders() tries the folder given, the user's cache, the temporary directory",
  { skip: isWindows ? "POSIX paths" : false },
  () => {
    const last = join(tmpdir(), `codetool-${process.getuid?.()}`);
    const home =
      process.platform === "darwin" ? "/h/Library/Caches/codetool" : "/h/.cache/codetool";
    assert.deepEqual(cacheFolders({ HOME: "/h" }), [home, last]);
    assert.deepEqual(cacheFolders({ HOME: "/h", XDG_CACHE_HOME: "/x", CODETOOL_CACHE_DIR: "/c" }), [
      "/c",
      "/x/codetool",
      last,
    ]);
    // A relative XDG_CACHE_HOME is to be ignored.
    assert.deepEqual(cacheFolders({ HOME: "/h", XDG_CACHE_HOME: "x" }), [home, last]);
  },
);

test("unpackFile() writes once, replaces what is damaged or a link, and refuses a wrong content", () => {
  const folder = mkdtempSync(join(tmpdir(), "codetool-unpack-"));
  try {
    const source = join(folder, "source");
    writeFileSync(source, "library");
    const digestOf = (path: string): string =>
      createHash("sha256").update(readFileSync(path)).digest("hex");
    const file = { name: "x.so", path: source, digest: digestOf(source), sizeBytes: 7 };
    const options = { folder: join(folder, "cache"), digestOf, contentOf };
    const path = unpackFile(file, options);
    assert.equal(readFileSync(path, "utf8"), "library");
    assert.equal(unpackFile({ ...file, path: join(folder, "gone") }, options), path);
    writeFileSync(path, "planted");
    unpackFile(file, options);
    assert.equal(readFileSync(path, "utf8"), "library");
    rmSync(path);
    symlinkSync(source, path);
    unpackFile(file, options);
    chmodSync(path, 0);
    unpackFile(file, { ...options, check: "stamp" });
    assert.equal(isWindows || (statSync(path).mode & 0o777) === 0o600, true);
    rmSync(source);
    assert.equal(readFileSync(path, "utf8"), "library");
    writeFileSync(source, "damaged");
    assert.throws(() => unpackFile(file, { ...options, folder: join(folder, "other") }), /damaged/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("unpackFile() by stamp reads no content, and sees a file of the same size that was changed", () => {
  const folder = mkdtempSync(join(tmpdir(), "codetool-unpack-"));
  try {
    const source = join(folder, "source");
    writeFileSync(source, "library");
    let readCount = 0;
    const digestOf = (): string => {
      readCount += 1;
      return "d1";
    };
    const file = { name: "x.so", path: source, digest: "d1", sizeBytes: 7 };
    const options = { folder: join(folder, "cache"), digestOf, contentOf, check: "stamp" } as const;
    const path = unpackFile(file, options);
    assert.equal(readCount, 1);
    assert.equal(unpackFile({ ...file, path: join(folder, "gone") }, options), path);
    assert.equal(readCount, 1);
    writeFileSync(path, "planted");
    unpackFile(file, options);
    assert.equal(readFileSync(path, "utf8"), "library");
    // A copy of the right content without its stamp, in a folder that cannot be written anew, is used all the same.
    utimesSync(path, 1, 1);
    assert.equal(unpackFile({ ...file, path: join(folder, "gone") }, options), path);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
