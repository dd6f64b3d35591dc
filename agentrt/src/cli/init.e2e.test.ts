/** A project made by `agentrt init` runs at once, with nothing installed beside it. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

test("a project made by init runs, answers over HTTP and through call, shows its live tree, and stops", async () => {
  using folder = createTemporaryFolder({});
  const agentrt = async (words: readonly string[], workingDirectory: string) =>
    await runProgram(process.execPath, [binary, ...words], { workingDirectory });
  const made = await agentrt(["init", "my_greeter"], folder.path);
  assert.equal(made.code, 0, made.stderr);

  const project = join(folder.path, "my_greeter");
  const [port, controlPort] = [await freePort(), await freePort()];
  const topology = readFileSync(join(project, "topology.yaml"), "utf8");
  writeFileSync(
    join(project, "topology.yaml"),
    `${topology.replace("port: 8080", `port: ${port}`)}    - { type: topology_server, config: { port: ${controlPort} } }\n`,
  );

  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: project,
  });
  await program.waitFor(/started/);
  const reply = await fetch(`http://127.0.0.1:${port}/agents/greeter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name": "Grace"}',
  });
  assert.deepEqual(await reply.json(), { greeting: "Hello, Grace!" });
  const called = await agentrt(["call", "greeter", '{"name": "Ada"}'], project);
  assert.deepEqual([called.code, called.stdout.trim()], [0, '{"greeting":"Hello, Ada!"}']);
  const shown = await agentrt(["topology", "show", "topology.yaml"], project);
  assert.match(shown.stdout, /^root {2}ONE_FOR_ONE {2}\(live\)\n├── greeter {2}RUNNING\n/);

  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});
