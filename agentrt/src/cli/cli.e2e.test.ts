import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { agentrtLauncher } from "testkit";

const binary = agentrtLauncher();
const fixtures = fileURLToPath(new URL("../topology/fixtures/", import.meta.url));
const packageFile = fileURLToPath(new URL("../../package.json", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-cli-")));
after(() => rmSync(base, { recursive: true, force: true }));

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function agentrt(
  words: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Outcome {
  const result = spawnSync(process.execPath, [binary, ...words], {
    cwd: base,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", ...environment },
  });
  return { exitCode: result.status, stdout: result.stdout, stderr: result.stderr };
}

interface Wanted {
  readonly exitCode: number;
  readonly stdout?: RegExp;
  /** Without it stderr must be empty; with it, it must be one line. */
  readonly stderr?: RegExp;
}

function check(words: readonly string[], wanted: Wanted): void {
  const { exitCode, stdout, stderr } = agentrt(words);
  assert.equal(exitCode, wanted.exitCode, `${words.join(" ")}: ${stdout}${stderr}`);
  assert.match(stdout, wanted.stdout ?? /^$/);
  assert.match(stderr, wanted.stderr ?? /^$/);
  if (wanted.stderr !== undefined) assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
  assert.ok(!/\n\s+at /.test(stdout + stderr));
  assert.ok(!stdout.includes("\u001B"));
}

test("agentrt prints help and version to stdout", () => {
  check(["--help"], { exitCode: 0, stdout: /Usage: agentrt[\s\S]*topology[\s\S]*Examples:/ });
  check([], { exitCode: 2, stdout: /^Usage: agentrt/ });
  check(["topology"], { exitCode: 2, stdout: /^Usage: agentrt topology/ });
  check(["topology", "validate", "--help"], {
    exitCode: 0,
    stdout: /Usage: agentrt topology validate[\s\S]*Examples:/,
  });
  const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
  const printed = new RegExp(`^agentrt ${version.replaceAll(".", "\\.")}\\n$`);
  check(["version"], { exitCode: 0, stdout: printed });
  check(["--version"], { exitCode: 0, stdout: printed });
  check(["version", "--json"], { exitCode: 0, stdout: /^\{"name":"agentrt","version":"\d/ });
});

test("agentrt of a wrong command line says so in one line and exits 2", () => {
  check(["topologi"], {
    exitCode: 2,
    stderr:
      /^agentrt: unknown command 'topologi' \(Did you mean topology\?\); see agentrt --help\n$/,
  });
  check(["topology", "valdate", "x"], {
    exitCode: 2,
    stderr: /'valdate' \(Did you mean validate\?\); see agentrt topology --help/,
  });
  check(["topology", "validate", "x", "--jsn"], {
    exitCode: 2,
    stderr: /'--jsn' \(Did you mean --json\?\); see agentrt topology validate --help/,
  });
  check(["topology", "diff"], { exitCode: 2, stderr: /missing required argument 'file_a'/ });
  check(["version", "extra"], { exitCode: 2, stderr: /too many arguments/ });
});

test("agentrt tells wrong usage (2) from work that failed (1), in one line each", () => {
  const rows: readonly (readonly [exitCode: number, words: readonly string[], stderr: RegExp])[] = [
    [1, ["run"], /there is no such file/],
    [1, ["run", "--transport", "zmq"], /--transport zmq: this version does not serve it/],
    [1, ["run", "--process", "worker"], /--process: this version does not serve it/],
    [1, ["run", "--nats-url", "nats://x"], /--nats-url: this version does not serve it/],
    [2, ["run", "--transport", "tcp"], /in_process, zmq, nats/],
    [1, ["run", "none.yaml"], /Cannot read topology "none\.yaml": there is no such file/],
    [2, ["run", "a.yaml", "b.yaml"], /too many arguments/],
    [1, ["topology", "validate"], /Cannot read topology "topology\.yaml"/],
    [2, ["run", "--topology"], /argument missing/],
    [1, ["call", "clerk"], /there is no such file/],
    [2, ["call"], /missing required argument 'agent'/],
    [2, ["call", "clerk", "{"], /the payload is not JSON/],
    [2, ["call", "clerk", "[]"], /the payload is not a JSON object/],
    [2, ["call", "clerk", "{}", "--timeout", "0"], /--timeout is "0"/],
    [2, ["call", "clerk", "{}", "--header", "bad"], /"Name: Value" is wanted/],
    [2, ["call", "clerk", "{}", "-H", "a: b", "-H", "c: d\ne"], /Cannot send header "c"/],
    [2, ["topology", "show", fixtures, "-H", ": x"], /"Name: Value" is wanted/],
    [2, ["init"], /missing required argument 'name'/],
    [2, ["completion", "tcsh"], /bash, zsh, fish/],
    [
      1,
      ["dashboard", "a.yaml", "b.yaml", "-r", "2"],
      /"agentrt dashboard": this version does not serve it/,
    ],
    [1, ["telemetry", "--since", "7d"], /"agentrt telemetry": this version does not serve it/],
    [
      1,
      ["deploy", "container-compose", "-t", "x"],
      /container-compose": this version does not serve it/,
    ],
    [
      1,
      ["security", "init", "zmq", "--out", "x"],
      /"agentrt security init": this version does not serve it/,
    ],
  ];
  for (const [exitCode, words, stderr] of rows) check(words, { exitCode, stderr });
});

test("agentrt topology validate prints the checklist and the final line", () => {
  check(["topology", "validate", `${fixtures}ok/served.yaml`], {
    exitCode: 0,
    stdout:
      /^Structure\n {2}✓ YAML syntax[\s\S]*\nNaming\n[\s\S]*\nConfiguration\n[\s\S]*\nValid: 5 agents · 2 supervisors · transport in_process\n$/,
  });
  check(["topology", "validate", `${fixtures}err/bad-strategy.yaml`], {
    exitCode: 1,
    stdout:
      / {2}✗ strategies: [^\n]*\n {6}[^\n]*err\/bad-strategy\.yaml:3:13: supervision\.strategy: found "one_for_on"[\s\S]*\nInvalid: 1 error\n$/,
    stderr: /^agentrt: .*bad-strategy\.yaml is not valid: 1 error\n$/,
  });
  check(["topology", "validate", `${fixtures}err/no-supervision.yaml`], {
    exitCode: 1,
    stdout: /✗ supervision section present[\s\S]*- tree well-formed \(not checked\)/,
    stderr: /1 error/,
  });
  check(["topology", "validate", "none.yaml"], {
    exitCode: 1,
    stderr: /^agentrt: Cannot read topology "none\.yaml": there is no such file/,
  });
});

test("agentrt topology validate reads a pipe, and refuses a device", () => {
  const script = `"$1" "$2" topology validate <(cat "$3")`;
  const file = `${fixtures}ok/minimal.yaml`;
  const result = spawnSync("bash", ["-c", script, "bash", process.execPath, binary, file], {
    encoding: "utf8",
  });
  assert.match(result.stdout, /\nValid: 1 agent /);
  check(["topology", "validate", "/dev/zero"], { exitCode: 1, stderr: /it is not a regular file/ });
});

test("agentrt topology validate says what this build does not serve", () => {
  const { stdout } = agentrt(["topology", "validate", `${fixtures}ok/every-form.yaml`]);
  assert.match(
    stdout,
    /\nnote [^\n]*every-form\.yaml:3:3: transport\.type: this build does not serve "transport\.type: nats" yet/,
  );
});

test("agentrt topology validate --json prints problems with line and column", () => {
  const { stdout, stderr, exitCode } = agentrt([
    "topology",
    "validate",
    `${fixtures}err/route-agent.yaml`,
    "--json",
  ]);
  assert.deepEqual([exitCode, stderr], [1, ""]);
  const printed = JSON.parse(stdout) as {
    valid: boolean;
    problems: { line: number; nearest: string }[];
  };
  assert.equal(printed.valid, false);
  assert.deepEqual([printed.problems[0]?.line, printed.problems[0]?.nearest], [5, "greeter"]);
});

test("agentrt topology show draws the tree, and refuses an invalid one in one line", () => {
  check(["topology", "show", `${fixtures}ok/minimal.yaml`], {
    exitCode: 0,
    stdout:
      /^root {2}ONE_FOR_ONE {2}restarts: 3\/60\.0s {2}backoff: constant\n└── greeter {2}agents\.GreeterAgent\n\nTransport: in_process\nPlugins: 0\nTopology: 1 agent · 1 supervisor · 1 process\n$/,
  });
  check(["topology", "show", `${fixtures}err/root-no-name.yaml`], {
    exitCode: 1,
    stderr: /^agentrt: .*root-no-name\.yaml:2:3: supervision\.name: missing/,
  });
});

test("agentrt init makes a valid project once, and nothing when it cannot", () => {
  check(["init", "deep/er/greeter"], {
    exitCode: 0,
    stdout: /Made deep\/er\/greeter[\s\S]*Next steps:\n {2}cd deep\/er\/greeter\n {2}agentrt run\n/,
  });
  const made = readdirSync(join(base, "deep/er/greeter")).sort();
  assert.deepEqual(made, [
    "README.md",
    "agents.ts",
    "package.json",
    "run.ts",
    "topology.yaml",
    "tsconfig.json",
  ]);
  check(["topology", "validate", "deep/er/greeter/topology.yaml"], {
    exitCode: 0,
    stdout: /\nValid: /,
  });
  check(["init", "deep/er/greeter"], { exitCode: 1, stderr: /it is there already/ });
  check(["init", "bad-name", "--dir", "nowhere"], {
    exitCode: 1,
    stderr: /"bad-name": a project's name has letters/,
  });
  assert.ok(!existsSync(join(base, "nowhere")));
  writeFileSync(join(base, "file"), "");
  check(["init", "x", "-d", "file"], { exitCode: 1, stderr: /AGENTRT_SCAFFOLD_WRITE_FAILED/ });
  check(["init", "greeter", "--dir", "deep"], { exitCode: 0, stdout: /Made deep\/greeter/ });
  assert.deepEqual(readdirSync(join(base, "deep")).sort(), ["er", "greeter"]);
});

test("agentrt ends quietly when the reader of its output goes away", async () => {
  const child = spawn(
    process.execPath,
    [binary, "topology", "show", `${fixtures}ok/every-form.yaml`],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  assert.deepEqual([exitCode, stderr], [0, ""]);
});

const hostile: readonly (readonly [
  name: string,
  content: () => string | Buffer,
  message: RegExp,
])[] = [
  [
    "nested flow lists",
    () => "[".repeat(20_000) + "]".repeat(20_000),
    /nested deeper than 64 levels/,
  ],
  [
    "nested flow mappings",
    () => "{a: ".repeat(20_000) + "1" + "}".repeat(20_000),
    /more than 20000 values/,
  ],
  ["nested block lists", () => `${"- ".repeat(20_000)}a`, /nested deeper than 64 levels/],
  ["nested keys", () => `${"? ".repeat(20_000)}a`, /nested deeper than 64 levels/],
  ["10 MB", () => Buffer.alloc(10_000_000, "a: b\n"), /larger than 1048576 bytes/],
  ["many values", () => "- a\n".repeat(200_000), /more than 20000 values/],
  ["many flow values", () => `[${"a,".repeat(39_000)}]`, /more than 20000 values/],
  [
    "many keys",
    () => Array.from({ length: 19_000 }, (_, index) => `k${index}: v`).join("\n"),
    /unknown key/,
  ],
  ["one long line", () => `a: ${"x".repeat(1_000_000)}`, /unknown key "a"/],
  ["quotes", () => `a: ${'"'.repeat(39_000)}`, /yaml:1:/],
  ["carriage returns", () => "a:\r".repeat(300_000), /more than 20000 values/],
  ["directives", () => "%a\n".repeat(39_000), /YAML directive/],
  [
    "anchors",
    () => Array.from({ length: 15_000 }, (_, index) => `k${index}: &a${index} v`).join("\n"),
    /unknown key/,
  ],
  ["bytes", () => Buffer.from([0xff, 0xfe, 0x00, 0x41]), /not UTF-8/],
];

for (const [name, content, message] of hostile) {
  test(`agentrt topology validate of a hostile file (${name}) ends in time and memory`, () => {
    const path = join(base, "hostile.yaml");
    writeFileSync(path, content());
    measure(path, message);
  });
}

test("agentrt topology validate of every file of fixtures/hostile ends in time and memory", () => {
  for (const file of readdirSync(`${fixtures}hostile`))
    measure(`${fixtures}hostile/${file}`, /yaml:\d+:\d+: |Valid/);
});

/** Far beyond what a file of the largest size takes, and far below what work that grows with its square takes. */
const validationTimeoutMs = 20_000;

/** Runs the command until a deadline, in at most 200 MB. */
function measure(path: string, message: RegExp): void {
  const script = `
    process.on("exit", () => process.stderr.write(JSON.stringify({ rssKb: process.resourceUsage().maxRSS })));
    process.argv = [process.argv[0], "agentrt", "topology", "validate", ${JSON.stringify(path)}];
    require(${JSON.stringify(binary)});
  `;
  const result = spawnSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
    timeout: validationTimeoutMs,
    killSignal: "SIGKILL",
  });
  assert.equal(result.signal, null, `${path}: not done in ${validationTimeoutMs} ms`);
  assert.match(result.stdout, message);
  const used = JSON.parse(/\{.*\}$/.exec(result.stderr)?.[0] ?? "{}") as { rssKb: number };
  assert.ok(used.rssKb < 200 * 1024, `${path}: ${used.rssKb} kB`);
}
