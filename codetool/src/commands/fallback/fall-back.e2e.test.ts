/** What fails inside is answered by the Unix equivalent, told, and logged; unless it is not wanted. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { codetoolLauncher, createTemporaryFolder, type ProgramExit, runProgram } from "testkit";
import type { Answer } from "../../cli/test-support/codetool.ts";

/** The launcher: into the executable no defect can be planted from outside. */
const launcher = codetoolLauncher();

/**
 * Breaks what every command finds its path with, as a defect of ours would; a path that is not there is left alone. And it
 * breaks the parser of one tool that `run` knows.
 */
const fault = `import path from "node:path";
import { syncBuiltinESMExports } from "node:module";
const { resolve } = path;
path.resolve = (...parts) => {
  if (/broken-project$/.test(parts[0]) && parts[1] !== "nowhere.ts") throw new TypeError("planted defect");
  return resolve(...parts);
};
syncBuiltinESMExports();
const { matchAll } = String.prototype;
String.prototype.matchAll = function (pattern) {
  if (pattern.source?.startsWith("^test result") && String(this).includes("test result")) throw new TypeError("planted defect");
  return matchAll.call(this, pattern);
};
`;

const files = {
  "fault.mjs": fault,
  "broken-project/src/server.ts": 'export function startServer() {\n  return "needle";\n}\n',
  "broken-project/-dash.txt": "needle in a dash\n",
  "broken-project/cargo": `#!/bin/sh
echo started >> starts
echo "test result: FAILED. 1 passed; 1 failed; 0 ignored;"
exit 3
`,
};

type Envelope = Answer<{
  readonly raw: string;
  readonly source: string;
  readonly truncated?: boolean;
}>;

interface Broken extends Disposable {
  readonly log: string;
  readonly workingDirectory: string;
  run(args: readonly string[], stdin?: string): Promise<ProgramExit>;
  answer(...args: string[]): Promise<Envelope>;
}

function brokenProject(): Broken {
  const folder = createTemporaryFolder(files);
  const workingDirectory = join(folder.path, "broken-project");
  chmodSync(join(workingDirectory, "cargo"), 0o755);
  const log = join(folder.path, "home/.codetool/errors.jsonl");
  const preload = pathToFileURL(join(folder.path, "fault.mjs")).href;
  const run = async (args: readonly string[], stdin = ""): Promise<ProgramExit> =>
    await runProgram(process.execPath, [launcher, ...args], {
      workingDirectory,
      input: stdin,
      environment: {
        HOME: join(folder.path, "home"),
        CODETOOL_LOG: "off",
        NODE_OPTIONS: `--import=${preload}`,
      },
    });
  return {
    log,
    workingDirectory,
    run,
    async answer(...args) {
      const { stdout, stderr } = await run(args);
      assert.equal(stderr, "");
      return JSON.parse(stdout) as Envelope;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test("each command that fails inside is answered by its Unix equivalent", async () => {
  using broken = brokenProject();
  const expected: readonly (readonly [args: string[], program: RegExp, raw: RegExp])[] = [
    [["search", "needle"], /^grep -rn /, /src\/server\.ts:2:.*"needle"/],
    [["search", "--regex", "need.e", "src"], /^grep -rn .*-E/, /server\.ts:2:/],
    [["search", "where does startServer begin"], /^grep -rn .*-i/, /server\.ts:1:/],
    [["read", "src/server.ts"], /^cat /, /^export function startServer/],
    [["read", "src/server.ts", "--lines", "2-3"], /^sed -n 2,3p/, /^ {2}return "needle";\n\}\n$/],
    [["read", "src/server.ts:2"], /^sed -n 2,2p/, /^ {2}return "needle";\n$/],
    [["find"], /^find \. /, /src\/server\.ts/],
    [["find", "--pattern", "*.txt"], /-name '\*\.txt' '\)'$/, /^\.\/-dash\.txt\n$/],
    [
      ["find", "--pattern", "*.txt", "--pattern", "src/*", "--pattern", "!-*"],
      / -o -path '\*\/src\/\*' '\)' -not -name '-\*'$/,
      /^\.\/src\/server\.ts\n$/,
    ],
    [["exists", "needle"], /^grep -rl /, /src\/server\.ts/],
    [["outline", "src"], /^grep -rnE /, /server\.ts:1:export function startServer/],
  ];
  for (const [args, program, raw] of expected) {
    const envelope = await broken.answer(...args);
    const told = JSON.stringify([args, envelope]);
    assert.equal(envelope.status, "ok", told);
    assert.equal(envelope.fallback, true, told);
    assert.match(envelope.data.source, program, told);
    assert.match(envelope.data.raw, raw, told);
    assert.match(envelope.warnings?.[0] ?? "", /planted defect; this is what `\w+` says/, told);
  }
  const records = readFileSync(broken.log, "utf8").trim().split("\n");
  assert.equal(records.length, expected.length);
  const first = JSON.parse(records[0] ?? "") as { [name: string]: unknown };
  assert.deepEqual(Object.keys(first), [
    "ts",
    "command",
    "args",
    "error",
    "fallback_cmd",
    "fallback_bytes",
  ]);
  assert.deepEqual([first["command"], first["args"]], ["search", ["query=needle"]]);
  assert.equal(statSync(broken.log).mode & 0o777, 0o600);
});

test("diff that fails inside is answered by git diff", async () => {
  using broken = brokenProject();
  const { workingDirectory } = broken;
  const git = async (...args: string[]): Promise<ProgramExit> =>
    await runProgram("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      workingDirectory,
    });
  await git("init", "-q", "-b", "main");
  await git("add", ".");
  await git("commit", "-qm", "one");
  appendFileSync(join(workingDirectory, "src/server.ts"), "// changed\n");
  const added = /^\+\/\/ changed$/m;
  const answer = await broken.answer("diff");
  assert.equal(answer.fallback, true, JSON.stringify(answer));
  assert.match(answer.data.source, /^git --no-pager diff .*HEAD --$/);
  assert.match(answer.data.raw, added);
  const ofFile = await broken.answer("diff", "src/server.ts", "--since", "main");
  assert.match(ofFile.data.source, / main -- src\/server\.ts$/);
  assert.match(ofFile.data.raw, added);
  const staged = await broken.answer("diff", "--staged");
  assert.match(staged.data.source, / --staged HEAD --$/);
  assert.equal(staged.data.raw, "");
  assert.equal(readFileSync(broken.log, "utf8").trimEnd().split("\n").length, 3);
});

test("run whose parser fails is answered by what the program printed; it is not run a second time", async () => {
  using broken = brokenProject();
  const { workingDirectory } = broken;
  const { code, stdout } = await broken.run(["run", "./cargo", "test"]);
  const envelope = JSON.parse(stdout) as Answer<{ readonly [name: string]: unknown }>;
  assert.deepEqual([code, envelope.status, envelope.fallback], [0, "ok", true], stdout);
  const { raw, source, exit_code } = envelope.data;
  assert.equal(raw, "test result: FAILED. 1 passed; 1 failed; 0 ignored;\n");
  assert.deepEqual([source, exit_code], ["captured output", 3]);
  assert.equal(readFileSync(join(workingDirectory, "starts"), "utf8"), "started\n");
  const record = JSON.parse(readFileSync(broken.log, "utf8")) as { [name: string]: unknown };
  assert.deepEqual([record["command"], record["fallback_cmd"]], ["run", "./cargo test"]);
  const bare = await broken.run(["run", "--no-fallback", "./cargo", "test"]);
  assert.equal((JSON.parse(bare.stdout) as Envelope).error?.code, "internal_error");
});

test("what writes or has no Unix equivalent fails as it is, and nothing is logged", async () => {
  using broken = brokenProject();
  const rows: readonly (readonly string[])[] = [
    ["edit", "src/server.ts", "--find", "needle", "--replace", "pin", "--apply"],
    ["index", "."],
    ["context", "src"],
    ["impact", "src/server.ts"],
  ];
  for (const args of rows) {
    const { code, stdout } = await broken.run(args);
    const { status, error, fallback } = JSON.parse(stdout) as Envelope;
    assert.deepEqual(
      [code, status, error?.code, fallback],
      [1, "error", "internal_error", undefined],
      args.join(" "),
    );
  }
  assert.equal(existsSync(broken.log), false);
  const text = readFileSync(join(broken.workingDirectory, "src/server.ts"), "utf8");
  assert.ok(text.includes("needle"));
});

test("--no-fallback tells of the defect, and nothing is logged", async () => {
  using broken = brokenProject();
  const { code, stdout } = await broken.run(["search", "needle", "--no-fallback"]);
  const { status, error } = JSON.parse(stdout) as Envelope;
  assert.deepEqual([code, status, error?.code], [1, "error", "internal_error"]);
  assert.match(error?.message ?? "", /planted defect/);
  assert.equal(existsSync(broken.log), false);
});

test("an answer of another program keeps the budget, in whole lines", async () => {
  using broken = brokenProject();
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} needle\n`).join("");
  await broken.run(["search", "x"]);
  writeFileSync(join(broken.log, "../../../broken-project/src/long.txt"), lines);
  const envelope = await broken.answer("search", "needle", "--budget", "200");
  assert.equal(envelope.data.truncated, true);
  assert.match(envelope.data.raw, /\n$/);
  assert.ok(envelope.data.raw.split("\n").length > 5);
  assert.ok(envelope.tokens < 200 + 100, String(envelope.tokens));
});

test("in a batch each line falls back on its own; what a user did wrong never does", async () => {
  using broken = brokenProject();
  const lines = [
    { cmd: "search", query: "needle" },
    { cmd: "read", file: "nowhere.ts" },
    { cmd: "exists", pattern: "" },
  ];
  const { stdout } = await broken.run(
    ["batch"],
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
  assert.deepEqual(
    answers.map(({ fallback, error }) => fallback ?? error?.code),
    [true, "file_not_found", "invalid_argument"],
  );
});

test("--plain prints what the other program says", async () => {
  using broken = brokenProject();
  const { stdout, stderr } = await broken.run(["read", "src/server.ts", "--plain"]);
  assert.match(stdout, /^export function startServer/);
  assert.match(stderr, /warning: codetool failed: planted defect/);
});

test("the log begins again at 10 MB, and the one before is kept", async () => {
  using broken = brokenProject();
  await broken.run(["search", "needle"]);
  writeFileSync(broken.log, "x".repeat(10_000_001));
  await broken.run(["search", "needle"]);
  assert.equal(readFileSync(broken.log, "utf8").split("\n").length, 2);
  assert.equal(statSync(`${broken.log}.1`).size, 10_000_001);
  writeFileSync(broken.log, "y".repeat(10_000_001));
  await broken.run(["search", "needle"]);
  assert.equal(readFileSync(`${broken.log}.1`, "utf8")[0], "y");
  const { code } = await broken.run(["search", "needle"]);
  assert.equal(code, 0);
  assert.equal(readFileSync(broken.log, "utf8").split("\n").length, 3);
});
