import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { createTemporaryFolder, runProgram } from "testkit";
import { type ArchiveContent, tarGz, zip } from "./archives.ts";

const big = Buffer.from("0123456789".repeat(200));
const content: ArchiveContent = {
  changedSeconds: 1_700_000_001,
  files: [
    { path: "tool-1/tool", content: big, isExecutable: true },
    { path: "tool-1/empty", content: Buffer.alloc(0) },
    { path: "tool-1/README.md", content: Buffer.from("# Tool\n") },
  ],
};

test("tarGz() writes what tar unpacks: contents, modes, times and hard links; twice the same", async () => {
  const withLink = {
    ...content,
    files: [
      ...content.files,
      { path: "tool-1/tool-search", content: { sameAs: "tool-1/tool" }, isExecutable: true },
    ],
  };
  const archive = tarGz(withLink);
  assert.deepEqual(tarGz(withLink), archive);
  using folder = createTemporaryFolder({ "tool.tar.gz": archive });
  const workingDirectory = folder.path;
  const exit = await runProgram("tar", ["-xzf", "tool.tar.gz"], { workingDirectory });
  assert.equal(exit.code, 0, exit.stderr);
  const at = (name: string): string => join(folder.path, "tool-1", name);
  assert.deepEqual(readFileSync(at("tool")), big);
  assert.equal(statSync(at("tool")).mode & 0o777, 0o755);
  assert.equal(statSync(at("README.md")).mode & 0o777, 0o644);
  assert.equal(statSync(at("empty")).size, 0);
  assert.equal(statSync(at("tool")).mtimeMs, 1_700_000_001_000);
  assert.equal(statSync(at("tool-search")).ino, statSync(at("tool")).ino);
});

test("zip() lists each file with its place, sizes and mode, and refuses links; twice the same", () => {
  const archive = zip(content);
  assert.deepEqual(zip(content), archive);
  assert.equal(archive.readUInt16LE(archive.length - 12), content.files.length);
  let at = archive.readUInt32LE(archive.length - 6);
  for (const file of content.files) {
    assert.equal(archive.toString("latin1", at, at + 4), "PK\u0001\u0002");
    const [packedBytes, sizeBytes] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const nameBytes = archive.readUInt16LE(at + 28);
    assert.equal(archive.toString("utf8", at + 46, at + 46 + nameBytes), file.path);
    const mode = archive.readUInt32LE(at + 38) >>> 16;
    assert.equal(mode, file.isExecutable === true ? 0o100_755 : 0o100_644);
    const local = archive.readUInt32LE(at + 42);
    assert.equal(archive.toString("latin1", local, local + 4), "PK\u0003\u0004");
    const start = local + 30 + archive.readUInt16LE(local + 26);
    const unpacked = inflateRawSync(archive.subarray(start, start + packedBytes));
    assert.deepEqual(unpacked, file.content);
    assert.equal(sizeBytes, unpacked.length);
    at += 46 + nameBytes;
  }
  const link = { path: "tool-1/link", content: { sameAs: "tool-1/tool" } };
  assert.throws(() => zip({ ...content, files: [link] }), /has no links/);
});
