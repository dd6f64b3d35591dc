import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, type ProgramExit, runProgram } from "testkit";
import { command, type Envelope, firstArgs } from "../../cli/test-support/codetool.ts";
import { isWindows } from "../../cli/test-support/answer.ts";
import type { InitPayload } from "./payload.ts";

const isExecutable = firstArgs.length === 0;
const skip = isWindows && "starts links by their names";
// A launcher asks for Node on the path.
const environment = { PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) };

async function init(folder: string, ...args: string[]): Promise<ProgramExit> {
  return await runProgram(command, [...firstArgs, "init", ...args], { workingDirectory: folder });
}

function linksOf({ stdout, stderr }: ProgramExit): NonNullable<InitPayload["links"]> {
  const { data } = JSON.parse(stdout) as Envelope<InitPayload>;
  assert.ok(data?.links !== undefined, stdout + stderr);
  return data.links;
}

test(
  "--links names the program after every command, and each name is that command",
  { skip },
  async () => {
    using folder = createTemporaryFolder({ "a.ts": "export const harbour = 1;\n" });
    const links = linksOf(await init(folder.path, "--links", "bin"));
    const names = links.map(({ path }) => path);
    for (const name of ["search", "read", "init", "batch", "mcp", "bench-ndcg"])
      assert.ok(names.includes(`bin/codetool-${name}`), name);
    for (const { path, action, kind } of links) {
      assert.deepEqual([action, kind], ["created", isExecutable ? "hard" : "symbolic"]);
      const help = await runProgram(join(folder.path, path), ["--help"], { environment });
      const name = path.replace("bin/codetool-", "");
      assert.match(help.stdout, new RegExp(`^codetool ${name}: `), help.stderr);
    }
    const program = statSync(realpathSync(firstArgs[0] ?? command));
    for (const path of names) assert.equal(statSync(join(folder.path, path)).ino, program.ino);
    const options = { environment, workingDirectory: folder.path };
    const found = await runProgram(
      join(folder.path, "bin/codetool-search"),
      ["harbour", "--plain"],
      options,
    );
    assert.match(found.stdout, /^a\.ts:1/);
    const again = linksOf(await init(folder.path, "--links", "bin"));
    assert.deepEqual(new Set(again.map(({ action }) => action)), new Set(["unchanged"]));
  },
);

test("--links replaces links to an earlier program, and no other file", { skip }, async () => {
  using folder = createTemporaryFolder({ "bin/x": "" });
  const bin = join(folder.path, "bin");
  symlinkSync("/nowhere/codetool", join(bin, "codetool-read"));
  writeFileSync(join(bin, "codetool-find"), "mine");
  const refused = await init(folder.path, "--links", "bin");
  assert.equal(refused.code, 1);
  const { error } = JSON.parse(refused.stdout) as Envelope;
  assert.equal(
    error?.message,
    'Cannot use "bin/codetool-find": another file has this name; take it away first (nothing was linked)',
  );
  assert.deepEqual(readdirSync(bin), ["codetool-find", "codetool-read", "x"]);
  unlinkSync(join(bin, "codetool-find"));
  const dry = linksOf(await init(folder.path, "--links", "bin", "--dry-run"));
  assert.deepEqual(readdirSync(bin), ["codetool-read", "x"]);
  const links = linksOf(await init(folder.path, "--links", "bin"));
  assert.deepEqual(dry, links);
  assert.equal(links.find(({ path }) => path === "bin/codetool-read")?.action, "changed");
  assert.equal(links.find(({ path }) => path === "bin/codetool-find")?.action, "created");
  writeFileSync(join(bin, "codetool-later"), "mine");
  const removed = linksOf(await init(folder.path, "--links", "bin", "--remove"));
  assert.equal(removed.length, links.length);
  assert.deepEqual(readdirSync(bin), ["codetool-later", "x"]);
});

test("--links says where it may not write", { skip }, async () => {
  using folder = createTemporaryFolder({ "shut/x": "", file: "" });
  chmodSync(folder.path, 0o755);
  chmodSync(join(folder.path, "shut"), 0o555);
  const user = process.getuid?.() === 0 ? { userId: 65_534, groupId: 65_534 } : {};
  for (const [name, code] of [
    ["shut", "permission_denied"],
    ["file", "invalid_argument"],
  ] as const) {
    const exit = await runProgram(command, [...firstArgs, "init", "--links", name], {
      workingDirectory: folder.path,
      ...user,
    });
    const { error } = JSON.parse(exit.stdout) as Envelope;
    assert.deepEqual([exit.code, error?.code], [1, code], name);
  }
  assert.equal(lstatSync(join(folder.path, "file")).size, 0);
});
