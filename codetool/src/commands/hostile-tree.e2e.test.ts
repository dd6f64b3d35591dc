/** The commands over a tree of all that is hard to read: no crash, no hang, what was left out is said. */
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  codetoolCommand,
  createTemporaryFolder,
  makeHostileTree,
  type ProgramExit,
  runProgram,
} from "testkit";
import { type Answer } from "../cli/test-support/codetool.ts";

const { command, args: firstArgs } = codetoolCommand();
/** Of one command, on a machine that does other things too. */
const timeoutMs = 60_000;

const nobody = 65_534;
// The user who may do everything is stopped by no mode.
const user = process.getuid?.() === 0 ? { userId: nobody, groupId: nobody } : {};

async function run(workingDirectory: string, ...args: string[]): Promise<ProgramExit> {
  return await runProgram(command, [...firstArgs, ...args], {
    workingDirectory,
    timeoutMs,
    ...user,
  });
}

async function answer(workingDirectory: string, ...args: string[]): Promise<Answer> {
  const { code, signal, stdout, stderr } = await run(workingDirectory, ...args);
  assert.deepEqual(
    [code, signal, stderr],
    [0, null, ""],
    `${args.join(" ")}: ${stdout.slice(0, 500)}`,
  );
  return JSON.parse(stdout) as Answer;
}

test("index, search, find, exists, outline and read go through a hostile tree", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  makeHostileTree(root, { fileCount: 1000, nestingCount: 2000 });
  if (process.platform !== "win32") {
    mkdirSync(join(root, "closed/inner"), { recursive: true });
    writeFileSync(join(root, "closed/inner/a.ts"), "findTheNeedle\n");
    chmodSync(join(root, "closed"), 0);
    writeFileSync(join(root, "good/closed.ts"), "export const closed = 1;\n");
    chmodSync(join(root, "good/closed.ts"), 0);
    if ("userId" in user) chownSync(root, nobody, nobody);
  }
  const socket = createServer();
  await new Promise<void>((resolve) => {
    socket.listen(process.platform === "win32" ? 0 : join(root, "special/socket.ts"), resolve);
  });
  try {
    const built = await answer(root, "index");
    const said = (built.warnings ?? []).join("\n");
    assert.ok(Number(built.data["files_indexed"]) > 1050, JSON.stringify(built.data));
    if (process.platform === "linux") {
      assert.match(said, /Cannot list the folder ".*closed\/": EACCES/);
      assert.match(said, /1 file could not be read/);
      assert.match(said, /1 file has a name that is not UTF-8/);
    }
    // The second run has nothing to do but the file that cannot be read, and says so again.
    const again = await answer(root, "index");
    assert.deepEqual([again.data["files_changed"], again.data["files_removed"]], [0, 0]);
    for (const flags of [
      [],
      ["--mode", "bm25"],
      ["--mode", "hybrid"],
      ["--regex"],
      ["--literal"],
    ]) {
      const found = await answer(root, "search", ...flags, "findTheNeedle");
      const [match] = found.data["matches"] as readonly { readonly file: string }[];
      assert.equal(match?.file, "good/needle.ts", flags.join(" "));
    }
    assert.equal((await answer(root, "exists", "findTheNeedle")).data["exists"], true);
    assert.equal((await answer(root, "exists", "NeverWritten")).data["exists"], false);
    for (const args of [
      ["find", "--flat"],
      ["find", "names", "--flat"],
      ["find", "--pattern", "*.ts", "--budget", "2000"],
      ["outline", "names"],
      ["outline", "deep/closed.ts"],
      ["search", "export const named", "names"],
    ])
      await answer(root, ...args);
    const names = await answer(root, "find", "names", "--flat");
    const paths = (names.data["flat"] as readonly { readonly path: string }[]).map(
      ({ path }) => path,
    );
    const input = paths.map((file) => `${JSON.stringify({ cmd: "read", file })}\n`).join("");
    const reads = await runProgram(command, [...firstArgs, "batch"], {
      workingDirectory: root,
      input,
      ...user,
    });
    const files = reads.stdout.trimEnd().split("\n");
    assert.deepEqual(
      files.map((line) => (JSON.parse(line) as Answer).data["file"]),
      paths,
    );
  } finally {
    if (process.platform !== "win32") chmodSync(join(root, "closed"), 0o700);
    await new Promise((resolve) => socket.close(resolve));
  }
});

test("files that come, go, grow and shrink while they are read: index ends, and the next run has them right", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  if ("userId" in user) chownSync(root, nobody, nobody);
  const text = (index: number): string =>
    `export const value${index} = "${"x".repeat(index % 700)}";\n`;
  for (let index = 0; index < 200; index += 1)
    folder.write({ [`src/f${index}.ts`]: text(index).repeat(3) });
  for (let round = 0; round < 3; round += 1) {
    const ended = new AbortController();
    const running = answer(root, "index").finally(() => ended.abort());
    for (let step = 0; !ended.signal.aborted && step < 2000; step += 1) {
      const path = join(root, `src/f${(step * 37) % 230}.ts`);
      const what = step % 5;
      if (what === 0) rmSync(path, { force: true });
      else if (what === 1) appendFileSync(path, text(step));
      else if (what === 2) writeFileSync(path, "");
      else if (what === 3) {
        rmSync(join(root, "other"), { recursive: true, force: true });
        folder.write({ [`other/deep/f${step}.ts`]: text(step) });
      } else writeFileSync(path, text(step));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    await running;
  }
  writeFileSync(join(root, "src/last.ts"), "export function theVeryLast() {}\n");
  const built = await answer(root, "index");
  const files = (await answer(root, "find", "--flat", "--budget", "100000")).data[
    "flat"
  ] as readonly unknown[];
  assert.equal(built.data["files_indexed"], files.length);
  const found = await answer(root, "search", "theVeryLast");
  const [match] = found.data["matches"] as readonly { readonly file: string }[];
  assert.equal(match?.file, "src/last.ts");
  const anew = await answer(root, "index", "--rebuild");
  assert.deepEqual(
    [anew.data["files_indexed"], anew.data["chunks"]],
    [built.data["files_indexed"], built.data["chunks"]],
  );
});
