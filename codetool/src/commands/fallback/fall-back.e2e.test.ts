/** What fails inside is answered by the Unix equivalent, told, and logged; unless it is not wanted. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { codetoolLauncher, createTemporaryFolder, type ProgramExit, runProgram } from "testkit";
import type { Answer } from "../../cli/test-support/codetool.ts";

/** The launcher: into the executable no defect can be planted from outside. */
const launcher = codetoolLauncher();

/** Breaks what every command finds its path with, as a defect of ours would; a path that is not there is left alone. */
const fault = `import path from "node:path";
import { syncBuiltinESMExports } from "node:module";
const { resolve } = path;
path.resolve = (...parts) => {
  if (/broken-project$/.test(parts[0]) && parts[1] !== "nowhere.ts") throw new TypeError("planted defect");
  return resolve(...parts);
};
syncBuiltinESMExports();
`;

const files = {
  "fault.mjs": fault,
  "broken-project/src/server.ts": 'export function startServer() {\n  return "needle";\n}\n',
  "broken-project/-dash.txt": "needle in a dash\n",
};

type Envelope = Answer<{
  readonly raw: string;
  readonly source: string;
  readonly truncated?: boolean;
}>;

interface Broken extends Disposable {
  readonly log: string;
  run(args: readonly string[], stdin?: string): Promise<ProgramExit>;
  answer(...args: string[]): Promise<Envelope>;
}

function brokenProject(): Broken {
  const folder = createTemporaryFolder(files);
  const workingDirectory = join(folder.path, "broken-project");
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

test("the log begins anew at 10 MB", async () => {
  using broken = brokenProject();
  await broken.run(["search", "needle"]);
  writeFileSync(broken.log, "x".repeat(10_000_001));
  await broken.run(["search", "needle"]);
  assert.equal(readFileSync(broken.log, "utf8").split("\n").length, 2);
  assert.equal(statSync(`${broken.log}.1`).size, 10_000_001);
});
