/** Topologies that are made of several files, run, and from standard input. What is said of them is tested in `overlays.test.ts`. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, runProgram, startProgram } from "testkit";
import { base, production } from "../test-support/laid-over.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";
export class Echo extends Agent {
  override async onStart() {
    console.log(this.name, "says", this.config["word"] ?? "nothing");
  }
  override async handle() {
    return {};
  }
}
`;

test("run lays files over each other, and --transport goes before the file's", async () => {
  using folder = createTemporaryFolder({
    "b.yaml": base,
    "p.yaml": production,
    "agents.ts": agents,
  });
  await using away = startProgram(process.execPath, [binary, "run", "b.yaml", "-t", "p.yaml"], {
    workingDirectory: folder.path,
  });
  await away.waitFor(/nats:\/\/somewhere:4222/);
  await using program = startProgram(
    process.execPath,
    [binary, "run", "-t", "b.yaml", "-t", "p.yaml", "--transport", "in_process"],
    { workingDirectory: folder.path },
  );
  await program.waitFor(/started/);
  program.kill("SIGTERM");
  const { code, stdout, stderr } = await program.exited();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /root {2}ONE_FOR_ONE {2}restarts: 9\/60\.0s/);
  assert.match(stdout, /first says production[^]*third says nothing/);
  assert.doesNotMatch(stdout, /second/);
});

test("a file may come from standard input, and run says when a gateway is reached at every address", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": `supervision:
  name: root
  children:
    - agent: { name: first, type: agents.Echo }
    - { name: web, type: http_gateway, host: 0.0.0.0, port: 0 }
`,
  });
  const piped = await runProgram(process.execPath, [binary, "topology", "validate", "-"], {
    workingDirectory: folder.path,
    input: base,
  });
  assert.equal(piped.code, 0, piped.stderr);
  assert.match(piped.stdout, /^Valid: 3 agents/m);
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/web listens on http:\S+ and on every other address of this machine\n/);
  await program.waitFor(/started/);
  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
});
