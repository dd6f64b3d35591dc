/** `codetool edit` on a file of tens of megabytes. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runBatch } from "../../cli/test-support/codetool.ts";

interface Edited {
  readonly applied: boolean;
  readonly total_replacements: number;
}

test("a file of 50 MB is edited at its end, and everywhere", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "large.txt");
  const line = "a line of no great length, é and more\n";
  const count = 1_300_000;
  const body = Buffer.from(line.repeat(count));
  assert.ok(body.length > 50_000_000);
  writeFileSync(path, Buffer.concat([body, Buffer.from("the end")]));
  const requests = [
    { cmd: "edit", file: "large.txt", find: "the end", replace: "done", apply: true, budget: 500 },
    {
      cmd: "edit",
      file: "large.txt",
      find: "no great",
      replace: "small",
      all: true,
      apply: true,
      budget: 500,
    },
  ];
  const [first, all] = await runBatch<Edited>(requests, { workingDirectory: folder.path });
  assert.deepEqual([first?.data?.applied, all?.data?.total_replacements], [true, count]);
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  const expected = createHash("sha256")
    .update(line.replace("no great", "small").repeat(count))
    .update("done");
  assert.equal(hash.digest("hex"), expected.digest("hex"));
});
