/** Variables in topologies, through the real command line. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";
console.log("kinds", "marker");
export class Echo extends Agent {
  override async handle() {
    this.log.info(\`the key is \${String(this.config["key"])}\`, { config: this.config });
    return { config: this.config, kinds: Object.values(this.config).map((value) => typeof value) };
  }
}
export class Fails extends Agent {
  override async handle() {
    return {};
  }
  override async onStart() {
    throw new Error(\`cannot use \${String(this.config["key"])}\`);
  }
}
`;

function topology(extra = "", type = "agents.Echo"): string {
  return `supervision:
  name: root
  max_restarts: 0
  children:
    - name: echo
      type: ${type}
      config:
        number: \${NUMBER}
        text: "\${NUMBER}"
        preset: \${NOT_THERE:-false}
        escaped: $\${NUMBER}
        joined: \${HOST}:\${NUMBER}
        key: \${SECRET_WORD}
    - name: gateway
      type: http_gateway
      host: 127.0.0.1
      port: \${PORT}
${extra}`;
}

type Variables = { readonly [name: string]: string };
const values = { NUMBER: "4711", HOST: "db.example", SECRET_WORD: "sesame-open-77" };

async function agentrt(folder: string, args: readonly string[], environment: Variables = {}) {
  return await runProgram(process.execPath, [binary, ...args], {
    workingDirectory: folder,
    environment: { ...process.env, ...environment },
  });
}

function assertNoValue(text: string, found: Variables = values): void {
  for (const [name, value] of Object.entries(found))
    assert.ok(!text.includes(value), `the value of ${name} is in: ${text}`);
}

test("a variable stays as it is written, unless the command line asks for its value", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology() });
  const plain = await agentrt(folder.path, ["topology", "validate"], { ...values, PORT: "8099" });
  assert.equal(plain.code, 1);
  assert.match(plain.stdout, /17:13: .*port: found "\$\{PORT\}", wanted a whole number/);
  const asked = { ...values, PORT: "8099", AGENTRT_SUBSTITUTE_ENV: "1" };
  const valid = await agentrt(folder.path, ["topology", "validate"], asked);
  assert.equal(valid.code, 0, valid.stdout);
  assert.match(
    valid.stderr,
    /^read from the environment: HOST, NOT_THERE \(default\), NUMBER, PORT, SECRET_WORD$/m,
  );
  assertNoValue(valid.stdout + valid.stderr, { ...values, PORT: "8099" });
});

test("values are typed as YAML reads them, and no log line, drawing or message holds one", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology() });
  const port = await freePort();
  for (const format of ["text", "json"]) {
    await using program = startProgram(
      process.execPath,
      [binary, "run", "--substitute-env", "--log-format", format],
      {
        workingDirectory: folder.path,
        environment: { ...process.env, ...values, PORT: String(port) },
      },
    );
    await program.waitFor(/started/);
    const response = await fetch(`http://127.0.0.1:${port}/agents/echo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const reply = (await response.json()) as { config: object; kinds: string[] };
    assert.deepEqual(reply.config, {
      number: 4711,
      text: "4711",
      preset: false,
      escaped: "${NUMBER}",
      joined: "db.example:4711",
      key: "sesame-open-77",
    });
    program.kill("SIGTERM");
    const exit = await program.exited();
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(exit.stderr, /the key is \$\{SECRET_WORD\}/);
    assertNoValue(exit.stdout + exit.stderr, { ...values, PORT: String(port) });
  }
});

test("all variables that are missing are told at once, with line and column", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology() });
  const { code, stdout, stderr } = await agentrt(
    folder.path,
    ["topology", "validate", "--substitute-env", "--json"],
    { NUMBER: "1" },
  );
  assert.equal(code, 1, stderr);
  const { problems } = JSON.parse(stdout) as {
    problems: { line: number; column: number; message: string }[];
  };
  assert.deepEqual(
    problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
    [
      "12:17 the environment variable HOST is not set",
      "13:14 the environment variable SECRET_WORD is not set",
      "17:13 the environment variable PORT is not set",
    ],
  );
  const run = await agentrt(folder.path, ["run", "--substitute-env"], { NUMBER: "1" });
  assert.equal(run.code, 1);
  assert.match(run.stderr, /HOST is not set \(and 2 more\)/);
});

test("a value that is wrong is in no message: not the found one, nor one that another check quotes", async () => {
  const bad = `supervision:
  name: root
  strategy: \${WORD}
  children:
    - { name: "\${NAME}", type: pool, class: agents.Echo, min: 3, max: 2 }
    - { name: "\${NAME}", type: "\${CLASS_PATH}" }
    - name: one
      type: http_gateway
      port: \${PORT}
      routes: [{ method: GET, path: /x, agent: "\${AGENT}" }]
    - { name: two, type: http_gateway, port: \${FREE:-8099} }
`;
  using folder = createTemporaryFolder({
    "topology.yaml": bad.replace("port: ${FREE:-8099}", "port: 8099"),
  });
  const wrong = {
    WORD: "ONE_FOR_ONCE",
    NAME: "hidden-name",
    CLASS_PATH: "no class at all",
    PORT: "8099",
    AGENT: "hidden-nam",
  };
  const { code, stdout, stderr } = await agentrt(
    folder.path,
    ["topology", "validate", "--substitute-env"],
    wrong,
  );
  assert.equal(code, 1);
  assert.match(
    stdout,
    /3:13: supervision\.strategy: found "\$\{WORD\}", wanted one of ONE_FOR_ONE/,
  );
  for (const each of ["WORD", "NAME", "CLASS_PATH", "AGENT"] as const)
    assertNoValue(stdout + stderr, { [each]: wrong[each] });
});

test("a crash with a value in its message says the name", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology("", "agents.Fails"),
  });
  const { code, stdout, stderr } = await agentrt(folder.path, ["run", "--substitute-env"], {
    ...values,
    PORT: "0",
  });
  assert.equal(code, 1);
  assert.match(stderr, /cannot use \$\{SECRET_WORD\}/);
  assertNoValue(stdout + stderr);
});

test("variables come from files, too: the process goes first, then the later file", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(),
    "a.env": "NUMBER=1\nHOST=a.example\nSECRET_WORD='from a file'\nPORT=1\n",
    "b.env": "# a comment\nHOST=b.example\nPORT=0\n",
  });
  const words = ["--substitute-env", "--env-from", "a.env", "--env-from", "b.env"];
  const shown = await agentrt(folder.path, [
    "topology",
    "diff",
    "topology.yaml",
    "other.yaml",
    ...words,
  ]);
  assert.match(shown.stderr, /Cannot read topology "other\.yaml"/);
  for (const command of [["run"], ["topology", "validate"], ["sim"]]) {
    const missing = await agentrt(folder.path, [...command, "--env-from", "none.env"]);
    assert.deepEqual([missing.code, missing.stdout], [1, ""]);
    assert.match(
      missing.stderr,
      /^agentrt: Cannot read variables from "none\.env": there is no such file\. [^\n]*\n$/,
    );
  }
  await using program = startProgram(process.execPath, [binary, "run", ...words], {
    workingDirectory: folder.path,
    environment: { ...process.env, NUMBER: "9" },
  });
  const [line = ""] = await program.waitFor(/gateway listens on http:\/\/127\.0\.0\.1:\d+/);
  await program.waitFor(/started/);
  const response = await fetch(`${line.split(" ").at(-1) ?? ""}/agents/echo`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { config } = (await response.json()) as { config: { [key: string]: unknown } };
  assert.deepEqual([config["number"], config["joined"]], [9, "b.example:9"]);
  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});

test("a form that is no variable is refused, and a plain one inside braces is explained", async () => {
  using folder = createTemporaryFolder({
    "bad.yaml": "supervision:\n  name: ${1X}\n  children: []\n",
    "flow.yaml":
      "supervision:\n  name: root\n  children:\n    - { type: topology_server, port: ${PORT} }\n",
  });
  const bad = await agentrt(folder.path, ["topology", "validate", "bad.yaml", "--substitute-env"]);
  assert.match(bad.stdout, /bad\.yaml:2:9: \$\{1X\} is not a variable: write \$\{NAME\}/);
  const flow = await agentrt(folder.path, [
    "topology",
    "validate",
    "flow.yaml",
    "--substitute-env",
  ]);
  assert.match(flow.stdout, /inside \{ \} and \[ \] a variable cannot be without quotes/);
});

test("topology diff shows the names of variables, never their values, as text and as JSON", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "old.yaml": topology(),
    "new.yaml": topology()
      .replace("joined: ${HOST}:${NUMBER}", "joined: ${OTHER}")
      .replace("key: ${SECRET_WORD}", "phrase: open ${SECRET_WORD} now"),
  });
  const found = { ...values, OTHER: "other.example", PORT: "8099" };
  for (const format of [[], ["--json"]]) {
    const words = ["topology", "diff", "old.yaml", "new.yaml", "--substitute-env", ...format];
    const { code, stdout, stderr } = await agentrt(folder.path, words, found);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\$\{HOST\}:\$\{NUMBER\}/);
    assert.match(stdout, /\$\{OTHER\}/);
    assert.match(stdout, /open \$\{SECRET_WORD\} now/);
    assertNoValue(stdout + stderr, found);
  }
});
