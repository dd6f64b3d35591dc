/** How the process of `agentrt run` ends: by itself, whatever user code left open, with a fitting exit code. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, startProgram } from "testkit";

const binary = agentrtLauncher();

const agents = `
import { createServer } from "node:net";
import { Agent } from "agentrt";

export class Keeper extends Agent {
  override async onStart() {
    setInterval(() => {}, 100);
    setTimeout(() => {}, 600_000);
    await new Promise((resolve) => createServer().listen(0, "127.0.0.1", () => resolve(undefined)));
    if (this.config["fails"] === true) throw new Error("not today");
  }
  override async handle() {
    return {};
  }
}
`;

const topology = (config: string): string =>
  `supervision: { name: root, children: [ { agent: { name: keeper, type: agents.Keeper, config: ${config} } } ] }\n`;

/** A process that does not end by itself is killed, and its exit says so. */
function run(directory: string, ...words: string[]) {
  return startProgram(process.execPath, [binary, "run", ...words], {
    workingDirectory: directory,
    timeoutMs: 20_000,
  });
}

test("a run ends behind its stop although an agent left timers and a socket, and names their kinds at debug", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology("{}") });
  await using program = run(folder.path, "--log-level", "debug");
  await program.waitFor(/started; Ctrl\+C stops/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.deepEqual([exit.code, exit.signal], [0, null], exit.stderr);
  assert.match(exit.stderr, /SIGTERM: stopping\nstopped\n/);
  assert.match(exit.stderr, /debug .*left something open left=".*2 Timeout"/);
  assert.match(exit.stderr, / left=".*1 TCPServerWrap/);
});

test("a run whose start fails ends too, although an agent left timers", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology("{ fails: true }"),
  });
  const exit = await run(folder.path).exited();
  assert.deepEqual([exit.code, exit.signal], [1, null], exit.stderr);
  assert.match(exit.stderr, /not today/);
});

test("a run whose error output nobody takes ends behind its stop", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": `import { Agent } from "agentrt";
export class Keeper extends Agent {
  override onStart() {
    for (let line = 0; line < 3000; line += 1) this.log.info("x".repeat(100));
  }
  override async handle() { return {}; }
  override onStop() { process.stdout.write("is stopping\\n"); }
}
`,
    "topology.yaml": topology("{}"),
  });
  await using program = run(folder.path);
  program.process.stderr?.pause();
  await program.waitFor(/started; Ctrl\+C stops/);
  program.kill("SIGTERM");
  const ended = new Promise((resolve) => program.process.once("exit", (...how) => resolve(how)));
  assert.deepEqual(await ended, [0, null]);
});

test("with --log-format json, every line behind the start is JSON, those about the stop too", async () => {
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology("{}") });
  await using program = run(folder.path, "--log-format", "json");
  await program.waitFor(/started; Ctrl\+C stops/);
  program.kill("SIGINT");
  const exit = await program.exited();
  const lines = exit.stderr.trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { [name: string]: unknown });
  assert.deepEqual(
    entries.map(({ message, signal, exitCode }) => [message, signal ?? exitCode]),
    [
      ["SIGINT: stopping", "SIGINT"],
      ["stopped", 0],
    ],
  );
});
