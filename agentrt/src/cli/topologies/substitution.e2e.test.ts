/** Variables in topologies that run. What else is said of them is tested in `substitution.test.ts`. */
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
import {
  agents,
  assertNoValue,
  topology,
  values,
  type Variables,
} from "../test-support/with-variables.ts";

const binary = agentrtLauncher();

async function agentrt(folder: string, args: readonly string[], environment: Variables = {}) {
  return await runProgram(process.execPath, [binary, ...args], {
    workingDirectory: folder,
    environment: { ...process.env, ...environment },
  });
}

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
