import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, startProgram } from "testkit";

const binary = agentrtLauncher();

const agents = `import { Agent } from "agentrt";

export class Quiet extends Agent {
  constructor(name, options) {
    super(name, { ...options, shutdownTimeoutMs: 300 });
  }
  override async onStart() {
    console.log("start " + this.name);
  }
  override async onStop() {
    console.log("stop " + this.name);
    if (this.config["raises"] === true) throw new Error("no wish to stop");
    if (this.config["hangs"] === true) await new Promise(() => undefined);
  }
  override async handle() {
    return {};
  }
}
`;

const topology = `supervision:
  name: root
  children:
    - agent: { name: first, type: agents.Quiet }
    - supervisor:
        name: sub
        children:
          - agent: { name: second, type: agents.Quiet, config: { raises: true } }
          - agent: { name: third, type: agents.Quiet, config: { hangs: true } }
    - agent: { name: fourth, type: agents.Quiet }
`;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} stops the agents in the reverse order, those that raise and hang too, in bounded time`, async () => {
    using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology });
    await using program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
      // The hanging agent's limit is 0.3 s; a program that waits for it longer is killed, and its exit says so.
      timeoutMs: 30_000,
    });
    await program.waitFor(/started; Ctrl\+C stops/);
    program.kill(signal);
    const exit = await program.exited();
    assert.equal(exit.signal, null);
    const lines = exit.stdout.split("\n").filter((line) => /^(?:start|stop) /.test(line));
    assert.deepEqual(lines, [
      "start first",
      "start second",
      "start third",
      "start fourth",
      "stop fourth",
      "stop third",
      "stop second",
      "stop first",
    ]);
    assert.match(exit.stderr, /third/);
    assert.match(exit.stderr, /no wish to stop/);
    assert.equal(exit.code, 1, exit.stderr);
  });
}
