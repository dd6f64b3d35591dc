/** What `agentrt run` says of agents that block, and that signals work all the same. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `import { execFileSync } from "node:child_process";
import { Agent, type Message } from "agentrt";

export class Spinner extends Agent {
  override async onStart() {
    if (this.config["hangs"] === true) await new Promise(() => undefined);
  }
  override async handle(message: Message) {
    await Promise.resolve();
    const until = Date.now() + Number(message.payload["ms"] ?? 0);
    if (message.payload["outside"] === true) execFileSync("sleep", ["2"]);
    while (Date.now() < until);
    return {};
  }
}
`;

function topology(port: number, config = "{}"): string {
  return `supervision:
  name: root
  children:
    - agent: { name: spinner, type: agents.Spinner, config: ${config} }
    - { name: gateway, type: http_gateway, config: { host: 127.0.0.1, port: ${port} } }
`;
}

function run(directory: string, ...words: string[]): Program {
  return startProgram(process.execPath, [binary, "run", ...words], {
    workingDirectory: directory,
    timeoutMs: 40_000,
  });
}

async function ask(port: number, body: object): Promise<number> {
  const url = `http://127.0.0.1:${port}/agents/spinner`;
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

test("an agent that blocks the event loop is named with its message and its place, and that it goes on", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = run(folder.path);
  await program.waitFor(/started/);
  assert.equal(await ask(port, { ms: 2500 }), 200);
  await program.waitFor(/event loop turns again blockedMs=\d{4}/);
  const { output } = program;
  assert.match(
    output,
    /warn {2}the event loop is blocked: .* agent=spinner type=http\.request blockedMs=\d+ .* at=\S*agents\.ts:12:\d+\n/,
  );
  // A call that cannot be interrupted is reported when it is over, and by the thread meanwhile.
  assert.equal(await ask(port, { outside: true }), 200);
  await program.waitFor(/by a call that cannot be interrupted/);
  await program.waitFor(/turns again[^]*blocked: .* agent=spinner [^]*turns again/);
  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});

test("a start that hangs is named every five seconds, and Ctrl+C ends it", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, "{ hangs: true }"),
  });
  await using program = run(folder.path);
  await program.waitFor(/^waiting for agent "spinner": onStart since 5 s$/m);
  program.kill("SIGINT");
  const exit = await program.exited();
  assert.deepEqual([exit.code, exit.signal], [1, null], exit.stderr);
  assert.match(exit.stderr, /SIGINT: stopping\n/);
  assert.match(exit.stderr, /abandoned: spinner\nstopped\n/);
});
