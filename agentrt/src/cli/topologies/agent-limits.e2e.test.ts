/** The limits of agents in a topology, through the real command line. */
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
import { Agent, type Message } from "agentrt";
export class Slow extends Agent {
  override async handle() {
    return {};
  }
  override async onStart() {
    await new Promise(() => setInterval(() => {}, 1000));
  }
}
export class Tries extends Agent {
  count = 0;
  override async handle(message: Message) {
    if (message.payload["wait"] === true) await new Promise(() => {});
    this.count += 1;
    console.log("attempt", this.count);
    throw new Error("no luck");
  }
  override async onError() {
    return "retry" as const;
  }
}
`;

test("start_timeout of an agent and of a pool bounds onStart", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "agent.yaml": `supervision:
  name: root
  children:
    - { name: slow, type: agents.Slow, start_timeout: 0.1 }
`,
    "pool.yaml": `supervision:
  name: root
  children:
    - { name: slow, type: pool, class: agents.Slow, size: 1, max_restarts: 0, config: { start_timeout: 0.1 } }
`,
  });
  for (const file of ["agent.yaml", "pool.yaml"]) {
    const run = await runProgram(process.execPath, [binary, "run", file], {
      workingDirectory: folder.path,
    });
    assert.equal(run.code, 1, run.stderr);
    assert.match(run.stderr, /100 ms/, file);
  }
});

test("max_retries and mailbox_size: one attempt more than retries, and a full mailbox is 503", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    // A stop waits for the message that never ends, for as long as its grace.
    "topology.yaml": `shutdown: { grace: 0 }
supervision:
  name: root
  max_restarts: 100
  children:
    - name: tries
      type: agent
      module: agents
      class: Tries
      max_retries: 1
      hook_timeout: 1
    - { name: full, type: agents.Tries, mailbox_size: 1, shutdown_timeout: 0 }
    - { name: gateway, type: http_gateway, host: 127.0.0.1, port: ${port}, cast_timeout: 0.1 }
`,
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  const ask = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/agents/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  assert.equal(await ask("tries", {}), 502);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push(await ask("full/cast", { wait: true }));
  assert.deepEqual(statuses, [202, 202, 503]);
  program.kill("SIGTERM");
  const { stdout } = await program.exited();
  assert.deepEqual(stdout.match(/attempt \d/g), ["attempt 1", "attempt 2"]);
});
