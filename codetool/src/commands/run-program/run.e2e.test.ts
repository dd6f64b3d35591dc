import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { codetoolCommand, createTemporaryFolder, runProgram, startProgram } from "testkit";
import { type Answer, runBatch, runCodetool } from "../../cli/test-support/codetool.ts";
import { runProgramReport } from "./run.ts";

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

type Envelope = Answer<RunData>;

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

test("--exit-code passes on the exit code of the command; a budget and --plain do not change it", async () => {
  using folder = createTemporaryFolder();
  for (const flags of [[], ["--plain"], ["--budget", "400"]]) {
    const args = ["run", "--exit-code", ...flags, ...script("process.exit(7)")];
    const { code } = await runCodetool(args, { workingDirectory: folder.path });
    assert.equal(code, 7, flags.join(" "));
  }
  const well = ["run", "--exit-code", ...script("0")];
  assert.equal((await runCodetool(well, { workingDirectory: folder.path })).code, 0);
  const missing = ["run", "--exit-code", "no-such-program"];
  assert.equal((await runCodetool(missing, { workingDirectory: folder.path })).code, 1);
});

test(
  "--exit-code gives 124 for a command whose time was over, whatever it ended with",
  { skip: isWindows ? "there are no signals" : false },
  async () => {
    using folder = createTemporaryFolder();
    const text = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => 0, 1000)';
    const { code, envelope } = await run(
      ["--exit-code", "--timeout", "2", ...script(text)],
      folder.path,
    );
    assert.equal(code, 124);
    assert.equal(envelope.data.timed_out, true);
  },
);

test("a command in one string is taken apart into words; what needs a shell says so", async () => {
  using folder = createTemporaryFolder({
    "words.cjs": "console.log(JSON.stringify(process.argv.slice(2)))",
    "two words": "",
  });
  const program = JSON.stringify(process.execPath);
  const asked = [
    `${program} words.cjs a 'b c' "d \\"e\\" '" f\\ g "" --x=1`,
    [`${program} words.cjs one`],
  ];
  const answers = await runBatch<RunData>(
    asked.map((line) => ({ cmd: "run", command: line })),
    { workingDirectory: folder.path },
  );
  assert.deepEqual(
    answers.map(({ data }) => JSON.parse(data.tail ?? "") as string[]),
    [["a", "b c", `d "e" '`, "f g", "", "--x=1"], ["one"]],
  );
  const refused = [
    "npm test | tail",
    "echo $HOME",
    'echo "$HOME"',
    "a && b",
    "ls *.ts",
    "x > y",
    "A=1 npm test",
    "echo 'open",
  ];
  const refusals = await runBatch(
    refused.map((line) => ({ cmd: "run", command: line })),
    { workingDirectory: folder.path },
  );
  for (const [index, { error }] of refusals.entries()) {
    const line = refused[index] ?? "";
    assert.equal(error?.code, "invalid_argument", line);
    assert.match(error?.message ?? "", /shell|quote/, line);
  }
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
  assert.equal(missing.envelope.error?.suggestion, undefined);
  if (isWindows) return;
  const denied = await run(["./plain.txt"], folder.path);
  assert.equal(denied.envelope.error?.code, "permission_denied");
  assert.match(denied.envelope.error?.suggestion ?? "", /make it executable/);
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

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  test(
    `${signal} to codetool reaches what it runs, and what that printed then is in the answer`,
    { skip: isWindows ? "there are no signals" : false },
    async () => {
      using folder = createTemporaryFolder({
        "child.cjs": `for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(name, () => { console.log("got " + name); process.exit(9); });
require("node:fs").writeFileSync("ready", "");
setInterval(() => undefined, 1000);`,
      });
      const args = [...firstArgs, "run", process.execPath, "child.cjs"];
      const program = startProgram(command, args, { workingDirectory: folder.path });
      await appeared(join(folder.path, "ready"));
      program.kill(signal);
      const { code, stdout } = await program.exited();
      const { data } = JSON.parse(stdout) as Envelope;
      assert.equal(data.exit_code, 9);
      assert.equal(data.tail, `got ${signal}`);
      // Who ended codetool sees so.
      assert.equal(code, { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    },
  );

test(
  "a second signal does not wait",
  { skip: isWindows ? "there are no signals" : false },
  async () => {
    using folder = createTemporaryFolder({
      "deaf.cjs": `process.on("SIGINT", () => require("node:fs").writeFileSync("heard", ""));
require("node:fs").writeFileSync("ready", String(process.pid));
setInterval(() => undefined, 1000);`,
    });
    const args = [...firstArgs, "run", process.execPath, "deaf.cjs"];
    const program = startProgram(command, args, { workingDirectory: folder.path });
    await appeared(join(folder.path, "ready"));
    program.kill("SIGINT");
    await appeared(join(folder.path, "heard"));
    program.kill("SIGINT");
    const { stdout } = await program.exited();
    const { data } = JSON.parse(stdout) as Envelope;
    assert.equal(data.signal, "SIGKILL");
    assert.equal(data.exit_code, 137);
  },
);

test("output of 100 MB is counted whole, kept in part, and held in little memory", async () => {
  using folder = createTemporaryFolder({
    "flood.cjs": `const line = "x".repeat(99) + "\\n";
const block = line.repeat(10_000);
let left = 100;
const write = () => { while (left > 0) { left -= 1; if (!process.stdout.write(block)) return process.stdout.once("drain", write); } console.log("the end"); };
console.log("the begin");
write();`,
  });
  const args = [...firstArgs, "run", process.execPath, "flood.cjs"];
  const environment = { NODE_OPTIONS: "--max-old-space-size=256" };
  const ended = await runProgram(command, args, { workingDirectory: folder.path, environment });
  const envelope = JSON.parse(ended.stdout) as Envelope;
  assert.equal(envelope.data.output_lines, 1_000_002);
  assert.equal(envelope.data.exit_code, 0);
  assert.match(envelope.data.tail ?? "", /^x{99}\n[\s\S]*\nthe end$/);
  assert.match(envelope.warnings?.join() ?? "", /Of 1000002 lines .* were not kept/);
});

test("output that is binary, without a newline, coloured or empty is answered for", async () => {
  using folder = createTemporaryFolder();
  const tailOf = async (text: string): Promise<string | undefined> =>
    (await run(script(text), folder.path)).envelope.data.tail;
  assert.equal(await tailOf("process.stdout.write('no newline')"), "no newline");
  assert.equal(await tailOf("process.stdout.write('\\u001b[31mred\\u001b[0m\\n')"), "red");
  assert.equal(await tailOf("process.stdout.write('10%\\r100%\\n')"), "100%");
  assert.equal(await tailOf(""), "");
  const binary = "process.stdout.write(Buffer.from([0, 255, 254, 1, 2]))";
  assert.equal(await tailOf(binary), "[binary output, 5 characters]");
  assert.equal(await tailOf("process.stdout.write(Buffer.from([0xff, 0x61, 0x0a]))"), "\ufffda");
  const long = await tailOf("console.log('y'.repeat(5000))");
  assert.equal(long, `${"y".repeat(1000)}\u2026 [4000 more characters]`);
});

test("standard output and standard error stand in the order in which their lines came", async () => {
  using folder = createTemporaryFolder();
  const text = `const steps = [[1, "a\\n"], [2, "b\\n"], [1, "c"], [2, "d\\n"], [1, "e\\n"]];
const next = () => { const step = steps.shift(); if (step === undefined) return;
  require("node:fs").writeSync(step[0], step[1]); setTimeout(next, 60); };
next();`;
  const { envelope } = await run(script(text), folder.path);
  assert.equal(envelope.data.tail, "a\nb\nd\nce");
});

test(
  "what is left in the background does not hold up the answer, and lives on",
  { skip: isWindows ? "it needs a shell" : false },
  async () => {
    using folder = createTemporaryFolder();
    const { envelope } = await run(["sh", "-c", "sleep 30 & echo $!"], folder.path);
    const id = Number(envelope.data.tail);
    assert.equal(envelope.data.exit_code, 0);
    assert.match(envelope.warnings?.join() ?? "", /left something running/);
    assert.equal(isRunning(id), true);
    process.kill(id);
  },
);

test(
  "a program that a signal ends has exit code 128 and the signal's number",
  { skip: isWindows ? "there are no signals" : false },
  async () => {
    using folder = createTemporaryFolder();
    const { code, envelope } = await run(["sh", "-c", "echo before; kill -SEGV $$"], folder.path);
    assert.equal(code, 0);
    assert.deepEqual(
      [envelope.data.exit_code, envelope.data.signal, envelope.data.summary, envelope.data.tail],
      [139, "SIGSEGV", "ended by SIGSEGV", "before"],
    );
  },
);

test("it is run once, also when its output looks like a tool's and is none", async () => {
  using folder = createTemporaryFolder();
  const text = `require("node:fs").appendFileSync("count", "x");
console.log('{"numTotalTests": 3, "testResults": [null, 5, {"assertionResults": "no"}]}'); process.exit(1)`;
  writeFileSync(join(folder.path, "jest"), `#!/usr/bin/env node\n${text}`);
  chmodSync(join(folder.path, "jest"), 0o755);
  const { envelope } = await run(["--auto-json", process.execPath, "-e", text], folder.path);
  assert.equal(envelope.data.exit_code, 1);
  if (!isWindows) await run(["--auto-json", "./jest"], folder.path);
  assert.equal(readFileSync(join(folder.path, "count"), "utf8").length, isWindows ? 1 : 2);
});

test("--full keeps the whole output, --raw nothing else, --plain is text for people", async () => {
  using folder = createTemporaryFolder();
  const many = "for (let i = 0; i < 100; i += 1) console.log(i)";
  const whole = `${Array.from({ length: 100 }, (_, index) => index).join("\n")}\n`;
  for (const flag of ["--full", "--raw"]) {
    const { envelope } = await run([flag, ...script(many)], folder.path);
    assert.equal(envelope.data.tail, whole, flag);
  }
  const plain = await runProgram(command, [...firstArgs, "run", "--plain", ...script(many)], {
    workingDirectory: folder.path,
  });
  assert.equal(plain.stdout, `unknown: exited 0\n${whole.split("\n").slice(90, 100).join("\n")}\n`);
});

test("a budget leaves the last lines, and whole findings", async () => {
  using folder = createTemporaryFolder();
  const many = "for (let i = 0; i < 100; i += 1) console.log('line', i); process.exit(1)";
  const { envelope } = await run(["--budget", "150", ...script(many)], folder.path);
  const data = envelope.data as RunData & { readonly truncated?: boolean };
  assert.equal(data.truncated, true);
  assert.match(data.tail ?? "", /^line \d+\n[\s\S]*line 99$/);
});

test("in a batch each run is its own, has no standard input, and none ends another", async () => {
  using folder = createTemporaryFolder();
  const read =
    "let t = ''; process.stdin.on('data', (d) => (t += d)).on('end', () => console.log('read', t.length))";
  const lines = [
    { id: "a", cmd: "run", command: script("process.exit(3)") },
    { id: "b", cmd: "run", command: ["no-such-program"] },
    { id: "c", cmd: "run", command: script(read) },
    { id: "d", cmd: "run", command: script("setInterval(() => undefined, 1000)"), timeout: 1 },
    { id: "e", cmd: "run", command: [] },
    { id: "f", cmd: "run", command: 7 },
  ];
  const ended = await runProgram(command, [...firstArgs, "batch"], {
    workingDirectory: folder.path,
    input: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  const answers = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
  assert.deepEqual(
    answers.map(({ data, error }) => error?.code ?? [data.exit_code, data.tail, data.timed_out]),
    [
      [3, "", undefined],
      "file_not_found",
      [0, "read 0", undefined],
      [isWindows ? 1 : 143, "", true],
      "invalid_argument",
      "invalid_argument",
    ],
  );
});

test(
  "a signal to a batch reaches what it runs and ends it, though its input is open",
  { skip: isWindows ? "there are no signals" : false },
  async () => {
    using folder = createTemporaryFolder();
    const child = spawn(command, [...firstArgs, "batch"], {
      cwd: folder.path,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    const text =
      "require('node:fs').writeFileSync('ready', ''); setInterval(() => undefined, 1000)";
    child.stdin.write(`${JSON.stringify({ cmd: "run", command: script(text) })}\n`);
    await appeared(join(folder.path, "ready"));
    child.kill("SIGTERM");
    const [code] = (await once(child, "close")) as [number | null];
    assert.equal(code, 143);
    assert.equal((JSON.parse(stdout) as Envelope).data.signal, "SIGTERM");
  },
);

test("a parser that throws leaves the captured output, and a line in the log", async () => {
  using folder = createTemporaryFolder();
  const log = join(folder.path, "errors.jsonl");
  const context = {
    workingDirectory: folder.path,
    environment: { ...process.env, CODETOOL_ERRORS_FILE: log },
  };
  const read = () => ({ tool: "jest", defect: new TypeError("no such thing") });
  const input = { command: script("console.log('all of it'); process.exit(1)") };
  const { data, isFallback } = await runProgramReport(input, context, read);
  assert.equal(isFallback, true);
  assert.deepEqual(
    [data.raw, data.source, data.exit_code, data.tool],
    ["all of it\n", "captured output", 1, "jest"],
  );
  const line = JSON.parse(readFileSync(log, "utf8")) as { readonly error: string };
  assert.match(line.error, /the parser of jest failed: no such thing/);
  await assert.rejects(runProgramReport(input, { ...context, isFallbackOff: true }, read), {
    code: "internal_error",
  });
});

async function appeared(path: string): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    if (existsSync(path)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`${path} did not appear`);
}

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
