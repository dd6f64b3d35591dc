/** Variables in topologies: what commands say that only read the files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { agentrt as runAgentrt, type Outcome } from "../test-support/agentrt.ts";
import {
  agents,
  assertNoValue,
  topology,
  values,
  type Variables,
} from "../test-support/with-variables.ts";

async function agentrt(
  directory: string,
  words: readonly string[],
  environment: Variables = {},
): Promise<Outcome> {
  return await runAgentrt(words, { directory, environment });
}

test("a variable stays as it is written, unless the command line asks for its value", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology() });
  const plain = await agentrt(folder.path, ["topology", "validate"], { ...values, PORT: "8099" });
  assert.equal(plain.exitCode, 1);
  assert.match(plain.stdout, /17:13: .*port: found "\$\{PORT\}", wanted a whole number/);
  const asked = { ...values, PORT: "8099", AGENTRT_SUBSTITUTE_ENV: "1" };
  const valid = await agentrt(folder.path, ["topology", "validate"], asked);
  assert.equal(valid.exitCode, 0, valid.stdout);
  assert.match(
    valid.stderr,
    /^read from the environment: HOST, NOT_THERE \(default\), NUMBER, PORT, SECRET_WORD$/m,
  );
  assertNoValue(valid.stdout + valid.stderr, { ...values, PORT: "8099" });
});

test("all variables that are missing are told at once, with line and column", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology() });
  const { exitCode, stdout, stderr } = await agentrt(
    folder.path,
    ["topology", "validate", "--substitute-env", "--json"],
    { NUMBER: "1" },
  );
  assert.equal(exitCode, 1, stderr);
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
  assert.equal(run.exitCode, 1);
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
  const { exitCode, stdout, stderr } = await agentrt(
    folder.path,
    ["topology", "validate", "--substitute-env"],
    wrong,
  );
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /3:13: supervision\.strategy: found "\$\{WORD\}", wanted one of ONE_FOR_ONE/,
  );
  for (const each of ["WORD", "NAME", "CLASS_PATH", "AGENT"] as const)
    assertNoValue(stdout + stderr, { [each]: wrong[each] });
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
    const { exitCode, stdout, stderr } = await agentrt(folder.path, words, found);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /\$\{HOST\}:\$\{NUMBER\}/);
    assert.match(stdout, /\$\{OTHER\}/);
    assert.match(stdout, /open \$\{SECRET_WORD\} now/);
    assertNoValue(stdout + stderr, found);
  }
});
