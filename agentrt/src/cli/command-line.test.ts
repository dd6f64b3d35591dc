/** What the command line says, in process; that the launcher does the same, `cli.e2e.test.ts` shows. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SqliteStateStore } from "../state/index.ts";
import { agentrt } from "./test-support/agentrt.ts";

const fixtures = fileURLToPath(new URL("../topology/fixtures/", import.meta.url));
const packageFile = fileURLToPath(new URL("../../package.json", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-cli-")));
after(() => rmSync(base, { recursive: true, force: true }));

interface Wanted {
  readonly exitCode: number;
  readonly stdout?: RegExp;
  /** Without it stderr must be empty; with it, it must be one line. */
  readonly stderr?: RegExp;
}

async function check(words: readonly string[], wanted: Wanted): Promise<void> {
  const { exitCode, stdout, stderr } = await agentrt(words, { directory: base });
  assert.equal(exitCode, wanted.exitCode, `${words.join(" ")}: ${stdout}${stderr}`);
  assert.match(stdout, wanted.stdout ?? /^$/);
  assert.match(stderr, wanted.stderr ?? /^$/);
  if (wanted.stderr !== undefined) assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
  assert.ok(!/\n\s+at /.test(stdout + stderr));
  assert.ok(!stdout.includes("\u001B"));
}

test("agentrt prints help and version to stdout", async () => {
  await check(["--help"], { exitCode: 0, stdout: /Usage: agentrt[\s\S]*topology[\s\S]*Examples:/ });
  // Each command and each group of commands says what it is for.
  await check(["--help"], { exitCode: 0, stdout: /^(?![\s\S]*\n {2}[a-z-]+ *\n)Usage/ });
  await check([], { exitCode: 2, stdout: /^Usage: agentrt/ });
  await check(["topology"], { exitCode: 2, stdout: /^Usage: agentrt topology/ });
  await check(["topology", "validate", "--help"], {
    exitCode: 0,
    stdout: /Usage: agentrt topology validate[\s\S]*Examples:/,
  });
  const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
  const printed = new RegExp(`^agentrt ${version.replaceAll(".", "\\.")}\\n$`);
  await check(["version"], { exitCode: 0, stdout: printed });
  await check(["--version"], { exitCode: 0, stdout: printed });
  await check(["version", "--json"], { exitCode: 0, stdout: /^\{"name":"agentrt","version":"\d/ });
});

test("agentrt of a wrong command line says so in one line and exits 2", async () => {
  await check(["topologi"], {
    exitCode: 2,
    stderr:
      /^agentrt: unknown command 'topologi' \(Did you mean topology\?\); see agentrt --help\n$/,
  });
  await check(["topology", "valdate", "x"], {
    exitCode: 2,
    stderr: /'valdate' \(Did you mean validate\?\); see agentrt topology --help/,
  });
  await check(["topology", "validate", "x", "--jsn"], {
    exitCode: 2,
    stderr: /'--jsn' \(Did you mean --json\?\); see agentrt topology validate --help/,
  });
  await check(["topology", "diff"], { exitCode: 2, stderr: /missing required argument 'file_a'/ });
  await check(["version", "extra"], { exitCode: 2, stderr: /too many arguments/ });
});

test("agentrt tells wrong usage (2) from work that failed (1), in one line each", async () => {
  const rows: readonly (readonly [exitCode: number, words: readonly string[], stderr: RegExp])[] = [
    [1, ["run"], /there is no such file/],
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
    [1, ["dashboard", "a.yaml", "-r", "2"], /Cannot read topology "a\.yaml"/],
    [1, ["run", "--spawn-workers", "none.yaml"], /Cannot read topology "none\.yaml"/],
    [1, ["run", "--spawn-workers=2", "none.yaml"], /Cannot read topology "none\.yaml"/],
    [2, ["telemetry", "--since", "7x"], /--since must be a number with h, d, w or m/],
    [2, ["telemetry", "--since", "2026-13-01"], /--since must be/],
    [2, ["telemetry", "--window-days", "0"], /--window-days must be a whole number/],
    [2, ["telemetry", "-r", "0"], /--refresh must be a number of seconds/],
    [1, ["deploy", "container-compose", "-t", "x"], /"x": there is no such file/],
    [
      1,
      ["security", "init", "nats", "--cert", "x"],
      /^agentrt: Cannot use "[^"]*x" for TLS: it cannot be read: there is no such file/,
    ],
  ];
  for (const [exitCode, words, stderr] of rows) await check(words, { exitCode, stderr });
});

test("agentrt topology validate prints the checklist and the final line", async () => {
  await check(["topology", "validate", `${fixtures}ok/served.yaml`], {
    exitCode: 0,
    stdout:
      /^Structure\n {2}✓ YAML syntax[\s\S]*\nNaming\n[\s\S]*\nConfiguration\n[\s\S]*\nValid: 5 agents · 2 supervisors · transport in_process\n$/,
  });
  await check(["topology", "validate", `${fixtures}err/bad-strategy.yaml`], {
    exitCode: 1,
    stdout:
      / {2}✗ strategies: [^\n]*\n {6}[^\n]*err\/bad-strategy\.yaml:3:13: supervision\.strategy: found "one_for_on"[\s\S]*\nInvalid: 1 error\n$/,
    stderr: /^agentrt: .*bad-strategy\.yaml is not valid: 1 error\n$/,
  });
  await check(["topology", "validate", `${fixtures}err/no-supervision.yaml`], {
    exitCode: 1,
    stdout: /✗ supervision section present[\s\S]*- tree well-formed \(not checked\)/,
    stderr: /1 error/,
  });
  await check(["topology", "validate", "none.yaml"], {
    exitCode: 1,
    stderr: /^agentrt: Cannot read topology "none\.yaml": there is no such file/,
  });
});

test("agentrt topology validate refuses a device", async () => {
  await check(["topology", "validate", "/dev/zero"], {
    exitCode: 1,
    stderr: /it is not a regular file/,
  });
});

test("agentrt topology validate says what this build does not serve", async () => {
  const { stdout } = await agentrt(["topology", "validate", `${fixtures}ok/every-form.yaml`], {
    directory: base,
  });
  assert.match(
    stdout,
    /\nnote [^\n]*every-form\.yaml:\d+:\d+: mcp\.servers\S*\.sandbox: this build does not serve "mcp\.servers\.sandbox" yet/,
  );
});

test("agentrt topology validate --json prints problems with line and column", async () => {
  const { stdout, stderr, exitCode } = await agentrt(
    ["topology", "validate", `${fixtures}err/route-agent.yaml`, "--json"],
    { directory: base },
  );
  assert.deepEqual([exitCode, stderr], [1, ""]);
  const printed = JSON.parse(stdout) as {
    valid: boolean;
    problems: { line: number; nearest: string }[];
  };
  assert.equal(printed.valid, false);
  assert.deepEqual([printed.problems[0]?.line, printed.problems[0]?.nearest], [5, "greeter"]);
});

test("agentrt topology show draws the tree, and refuses an invalid one in one line", async () => {
  await check(["topology", "show", `${fixtures}ok/minimal.yaml`], {
    exitCode: 0,
    stdout:
      /^root {2}ONE_FOR_ONE {2}restarts: 3\/60\.0s {2}backoff: constant\n└── greeter {2}agents\.GreeterAgent\n\nTransport: in_process\nPlugins: 0\nTopology: 1 agent · 1 supervisor · 1 process\n$/,
  });
  await check(["topology", "show", `${fixtures}err/root-no-name.yaml`], {
    exitCode: 1,
    stderr: /^agentrt: .*root-no-name\.yaml:2:3: supervision\.name: missing/,
  });
});

test("agentrt init makes a valid project once, and nothing when it cannot", async () => {
  await check(["init", "deep/er/greeter"], {
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
  await check(["topology", "validate", join(base, "deep/er/greeter/topology.yaml")], {
    exitCode: 0,
    stdout: /\nValid: /,
  });
  await check(["init", "deep/er/greeter"], { exitCode: 1, stderr: /it is there already/ });
  await check(["init", "bad-name", "--dir", "nowhere"], {
    exitCode: 1,
    stderr: /"bad-name": a project's name has letters/,
  });
  assert.ok(!existsSync(join(base, "nowhere")));
  writeFileSync(join(base, "file"), "");
  await check(["init", "x", "-d", "file"], {
    exitCode: 1,
    stderr: /AGENTRT_SCAFFOLD_WRITE_FAILED/,
  });
  await check(["init", "greeter", "--dir", "deep"], { exitCode: 0, stdout: /Made deep\/greeter/ });
  assert.deepEqual(readdirSync(join(base, "deep")).sort(), ["er", "greeter"]);
});

test("agentrt call says how to send credentials where they are missing", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end('{"error":"invalid or missing API key"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const path = join(base, "guarded.yaml");
  const gateway = `{ name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${port} } }`;
  const clerk = "{ agent: { name: clerk, type: agents.Clerk } }";
  writeFileSync(path, `supervision: { name: root, children: [${clerk}, ${gateway}] }\n`);
  try {
    await check(["call", "clerk", "-t", path], {
      exitCode: 1,
      stdout: /invalid or missing API key/,
      stderr:
        /^agentrt: "clerk" answered with HTTP status 401: send credentials, such as -H "X-API-Key: …"\n$/,
    });
  } finally {
    server.close();
  }
});

test("agentrt budget list of an encrypted store says who can read it", async () => {
  const path = join(base, "sealed.db");
  const store = new SqliteStateStore({ path });
  await store.set("_agency.budget/desk", { __agentrt_enc__: "AQAAAAAA" });
  await store.close();
  await check(["budget", "list", "--db", path], {
    exitCode: 0,
    stdout: /^Budget +Per[^\n]*\ndesk +<encrypted>\n$/,
    stderr:
      /^note: the ledgers of an encrypted store are sealed: \/snapshot of a topology server shows them/,
  });
});
