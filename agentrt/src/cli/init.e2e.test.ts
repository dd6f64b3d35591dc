/** A project made by `agentrt init` runs at once, with nothing installed beside it. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  const reply = await fetch(`http://127.0.0.1:${port}/agents/my_greeter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name": "Grace"}',
  });
  assert.deepEqual(await reply.json(), { greeting: "Hello, Grace!" });
  const called = await agentrt(["call", "my_greeter", '{"name": "Ada"}'], project);
  assert.deepEqual([called.code, called.stdout.trim()], [0, '{"greeting":"Hello, Ada!"}']);
  const shown = await agentrt(["topology", "show", "topology.yaml"], project);
  assert.match(shown.stdout, /^root {2}ONE_FOR_ONE {2}\(live\)\n├── my_greeter {2}RUNNING\n/);

  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});

test("init names the agent and its class after the project, fills an empty folder, and refuses names with a meaning", async () => {
  using folder = createTemporaryFolder({});
  const agentrt = async (directory: string, ...args: string[]) =>
    await runProgram(process.execPath, [agentrtLauncher(), ...args], {
      workingDirectory: directory,
    });
  const shop = join(folder.path, "my_shop");
  mkdirSync(join(shop, ".git"), { recursive: true });
  const made = await agentrt(shop, "init", ".");
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /agentrt call my_shop /);
  assert.match(
    readFileSync(join(shop, "agents.ts"), "utf8"),
    /export class MyShopAgent extends Agent/,
  );
  const valid = await agentrt(shop, "topology", "validate", "--load", "--strict");
  assert.equal(valid.code, 0, valid.stdout);
  assert.match(valid.stdout, /^Valid: 2 agents/m);
  const again = await agentrt(shop, "init", ".");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /it is there already, and not an empty folder/);
  for (const name of ["class", "import", "agentrt"]) {
    const refused = await agentrt(folder.path, "init", name);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /this name means something else to TypeScript or npm/);
  }
});
