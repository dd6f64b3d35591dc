import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { codetoolCommand, createTemporaryFolder, runProgram } from "testkit";

const { command, args: firstArgs } = codetoolCommand();

interface RunData {
  readonly exit_code: number;
  readonly signal?: string;
  readonly timed_out?: boolean;
  readonly tool: string;
  readonly summary: string;
  readonly passed: number;
  readonly failed: number;
  readonly output_lines: number;
  readonly tail?: string;
}

interface Envelope {
  readonly status: string;
  readonly data: RunData;
  readonly error?: { readonly code: string; readonly message: string };
  readonly warnings?: readonly string[];
}

async function run(
  args: readonly string[],
  workingDirectory: string,
): Promise<{ readonly code: number | null; readonly envelope: Envelope }> {
  const ended = await runProgram(command, [...firstArgs, "run", ...args], { workingDirectory });
  return { code: ended.code, envelope: JSON.parse(ended.stdout) as Envelope };
}

/** A program of Node's own, so that it runs wherever codetool does. */
function script(text: string): string[] {
  return [process.execPath, "-e", text];
}

const isWindows = process.platform === "win32";

test("run tells the exit code in its answer and exits 0; words after the command are the command's", async () => {
  using folder = createTemporaryFolder();
  const text = "console.log(JSON.stringify(process.argv.slice(1))); process.exit(7)";
  const words = ["--budget", "x", "--", "-q", "", "a b", "$HOME", "*"];
  const { code, envelope } = await run([...script(text), "--", ...words], folder.path);
  assert.equal(code, 0);
  assert.equal(envelope.data.exit_code, 7);
  assert.equal(envelope.data.tool, "unknown");
  assert.equal(envelope.data.failed, 1);
  assert.deepEqual(JSON.parse(envelope.data.tail ?? ""), words);
});

test("run takes a command after --, and its own flags only before it", async () => {
  using folder = createTemporaryFolder();
  const { envelope } = await run(["--raw", "--", ...script("console.log(1)")], folder.path);
  assert.equal(envelope.data.tool, "raw");
  assert.equal(envelope.data.tail, "1\n");
});

test("a program that is not there, or may not be run, is an error", async () => {
  using folder = createTemporaryFolder({ "plain.txt": "text" });
  const missing = await run(["no-such-program"], folder.path);
  assert.equal(missing.code, 1);
  assert.equal(missing.envelope.error?.code, "file_not_found");
  assert.equal(missing.envelope.error?.message, 'Cannot run "no-such-program": it does not exist');
  if (isWindows) return;
  const denied = await run(["./plain.txt"], folder.path);
  assert.equal(denied.envelope.error?.code, "permission_denied");
});

test(
  "run ends a program whose time is over with all it started, and answers with what it had",
  { skip: isWindows ? "there are no signals" : false },
  async () => {
    using folder = createTemporaryFolder({
      "deaf.cjs": `process.on("SIGTERM", () => undefined);
require("node:fs").writeFileSync("deaf.pid", String(process.pid));
console.log("deaf is there");
setInterval(() => undefined, 1000);`,
      "parent.cjs": `console.log("first line");
const { spawn } = require("node:child_process");
spawn(process.execPath, ["deaf.cjs"], { stdio: "inherit", detached: process.argv[2] === "away" });
setInterval(() => undefined, 1000);`,
    });
    for (const place of ["near", "away"]) {
      const args = ["--timeout", "2", process.execPath, "parent.cjs", place];
      const { code, envelope } = await run(args, folder.path);
      assert.equal(code, 0);
      assert.equal(envelope.data.timed_out, true);
      assert.equal(envelope.data.signal, "SIGTERM");
      assert.equal(envelope.data.exit_code, 143);
      assert.equal(envelope.data.summary, "timed out");
      assert.equal(envelope.data.tail, "first line\ndeaf is there");
      const deafId = Number(readFileSync(join(folder.path, "deaf.pid"), "utf8"));
      await gone(deafId);
    }
  },
);

/** Waits until a process is gone; a zombie that nobody reaps is gone too. */
async function gone(id: number): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    if (!isRunning(id)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`process ${id} still runs`);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${id}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, "utf8"));
}
