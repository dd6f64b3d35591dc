import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "./patch-sections.ts";
import { parseRawRecords } from "./raw-records.ts";

const head = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n";

test("parsePatch() counts lines, so that what they hold is taken for nothing else", () => {
  const patch =
    `${head}@@ -1,4 +1,4 @@ f()\n same\n-diff --git a/y b/y\n-@@ -1 +1 @@\n+--- a/z\n+Binary files differ\r\n same\n` +
    `${head}@@ -3 +2,0 @@\n-last\n\\ No newline at end of file\n`;
  assert.deepEqual(parsePatch(Buffer.from(patch)), [
    {
      isBinary: false,
      blocks: [
        {
          oldStart1: 2,
          newStart1: 2,
          oldLines: ["diff --git a/y b/y", "@@ -1 +1 @@"],
          newLines: ["--- a/z", "Binary files differ\r"],
          isOldUnended: false,
          isNewUnended: false,
        },
      ],
    },
    {
      isBinary: false,
      blocks: [
        {
          oldStart1: 3,
          newStart1: 3,
          oldLines: ["last"],
          newLines: [],
          isOldUnended: true,
          isNewUnended: false,
        },
      ],
    },
  ]);
});

test("parsePatch() knows binary files, pieces without a section, and an end in the middle", () => {
  assert.deepEqual(
    parsePatch(
      Buffer.from("* Unmerged path x\ndiff --git a/x b/x\nBinary files a/x and b/x differ\n"),
    ),
    [{ blocks: [], isBinary: true }],
  );
  assert.throws(() => parsePatch(Buffer.from(`${head}@@ -1,2 +1 @@\n-a\n`)), /in the middle/);
});

test("parseRawRecords() reads paths as bytes, two of a rename, and finds the patch behind", () => {
  const odd = Buffer.from([0x61, 0xff, 0x0a]);
  const output = Buffer.concat([
    Buffer.from(":100644 100644 aa bb M\0"),
    odd,
    Buffer.from("\0:100644 100644 aa aa R100\0old\0new\0\0diff --git"),
  ]);
  const { records, end } = parseRawRecords(output);
  assert.deepEqual(
    records.map(({ status, oldPath, newPath }) => [
      status,
      oldPath.toString("hex"),
      newPath.toString("hex"),
    ]),
    [
      ["M", odd.toString("hex"), odd.toString("hex")],
      ["R", Buffer.from("old").toString("hex"), Buffer.from("new").toString("hex")],
    ],
  );
  assert.equal(output.toString("latin1", end), "diff --git");
  assert.throws(() => parseRawRecords(Buffer.from(":100644 100644 aa bb M\0pa")), /in the middle/);
});
