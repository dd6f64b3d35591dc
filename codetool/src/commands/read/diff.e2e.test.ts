import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  codetoolCommand,
  createTemporaryFolder,
  createTemporaryRepository,
  runProgram,
} from "testkit";
import { countTokens } from "../../text/token-counter.ts";
import { type Envelope as CommandEnvelope } from "../../cli/test-support/codetool.ts";

const { command, args: firstArgs } = codetoolCommand();

type Envelope = CommandEnvelope<{
  readonly content: { readonly text: string; readonly range: object };
  readonly truncated?: boolean;
}>;

async function read(args: readonly string[], workingDirectory: string): Promise<Envelope> {
  const words = [...firstArgs, "read", "--mode", "diff", ...args];
  const { stdout } = await runProgram(command, words, {
    workingDirectory,
    environment: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  return JSON.parse(stdout) as Envelope;
}

async function textOf(args: readonly string[], workingDirectory: string): Promise<string> {
  const { data, error } = await read(args, workingDirectory);
  assert.ok(data !== undefined, error?.code ?? "no data");
  return data.content.text;
}

const before = "one\ntwo\nthree\nfour\nfive\nsix\n";
const after = "one\nTWO\nthree\nfive\nsix\nseven\n";
const whole = "-L2: two\n+L2: TWO\n-L4: four\n+L6: seven\n";

test("read --mode diff shows changed lines with their numbers, from any folder", async () => {
  using repository = createTemporaryRepository({ "src/a.txt": before, "same.txt": "same\n" });
  repository.write({ "src/a.txt": after });
  assert.equal(await textOf(["src/a.txt"], repository.path), whole);
  assert.equal(await textOf(["a.txt"], join(repository.path, "src")), whole);
  assert.equal(await textOf(["../src/a.txt"], join(repository.path, "src")), whole);
  assert.equal(await textOf([join(repository.path, "src/a.txt")], "/"), whole);
  repository.git("add", "-A");
  assert.equal(
    await textOf(["src/a.txt"], repository.path),
    whole,
    "staged lines differ from HEAD, too",
  );
  const same = await read(["same.txt"], repository.path);
  assert.equal(same.data?.content.text, "");
  assert.deepEqual(same.warnings, ['"same.txt" is as in HEAD']);
});

test("with --lines only changes in that range are shown, what went where it stood", async () => {
  using repository = createTemporaryRepository({ "a.txt": before });
  repository.write({ "a.txt": after });
  const at = repository.path;
  assert.equal(await textOf(["a.txt", "--lines", "1"], at), "");
  assert.equal(await textOf(["a.txt", "--lines", "1-2"], at), "-L2: two\n+L2: TWO\n");
  assert.equal(await textOf(["a.txt", "--lines", "3-4"], at), "-L4: four\n");
  assert.equal(await textOf(["a.txt", "--lines", "5-6"], at), "+L6: seven\n");
  repository.write({ "a.txt": "one\n" });
  assert.equal(
    await textOf(["a.txt", "--lines", "1"], at),
    "-L2: two\n-L3: three\n-L4: four\n-L5: five\n-L6: six\n",
  );
});

test("untracked and ignored files, and those outside of a repository, are shown whole", async () => {
  using repository = createTemporaryRepository({ "a.txt": before, ".gitignore": "*.log\n" });
  using folder = createTemporaryFolder({ "b.txt": after });
  repository.write({ "new.txt": after, "x.log": after });
  assert.equal(await textOf(["new.txt"], repository.path), after);
  assert.equal(await textOf(["x.log"], repository.path), after);
  assert.equal(await textOf(["b.txt"], folder.path), after);
  repository.git("add", "new.txt");
  assert.match(await textOf(["new.txt"], repository.path), /^\+L1: one\n\+L2: TWO\n/);
});

test(
  "a file under a link is compared where it lies",
  { skip: process.platform === "win32" },
  async () => {
    using repository = createTemporaryRepository({ "src/a.txt": before });
    repository.write({ "src/a.txt": after });
    symlinkSync("src", join(repository.path, "link"));
    assert.equal(await textOf(["link/a.txt"], repository.path), whole);
  },
);

test("a budget keeps whole changed lines, and --if-changed goes first", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
  using repository = createTemporaryRepository({ "a.txt": `${lines.join("\n")}\n` });
  repository.write({ "a.txt": `${lines.map((line) => `${line}!`).join("\n")}\n` });
  const { data } = await read(["a.txt", "--budget", "300"], repository.path);
  assert.ok(data !== undefined);
  assert.equal(data.truncated, true);
  assert.ok(countTokens(JSON.stringify(data)) <= 300);
  assert.match(data.content.text, /^(?:[+-]L\d+: line \d+!?\n)+$/);
  const bad = await read(["a.txt", "--if-changed", "nohash"], repository.path);
  assert.equal(bad.error?.code, "invalid_argument");
});
