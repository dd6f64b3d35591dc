/** Topologies that are made of several files, through the real command line. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, runProgram, startProgram } from "testkit";

const binary = agentrtLauncher();

const base = `x-defaults: &defaults
  handle_timeout: 5
  config: { word: base }
transport: { type: nats, servers: nats://somewhere:4222 }
supervision:
  name: root
  children:
    - agent: { <<: *defaults, name: first, type: agents.Echo }
    - agent: { <<: *defaults, name: second, type: agents.Echo, handle_timeout: 7 }
    - { type: topology_server, port: 0 }
`;

const production = `supervision:
  max_restarts: 9
  children:
    - { name: first, config: { word: production } }
    - second: null
    - agent: { name: third, type: agents.Echo }
`;

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

async function agentrt(folder: string, ...args: string[]) {
  return await runProgram(process.execPath, [binary, ...args], { workingDirectory: folder });
}

test("run lays files over each other, and --transport goes before the file's", async () => {
  using folder = createTemporaryFolder({
    "b.yaml": base,
    "p.yaml": production,
    "agents.ts": agents,
  });
  const refused = await agentrt(folder.path, "run", "b.yaml", "-t", "p.yaml");
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /b\.yaml:4:14: transport\.type: nats: this version does not serve it/,
  );
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

test("a fault names the file that it is in, also where it is about two files", async () => {
  using folder = createTemporaryFolder({
    "b.yaml": base,
    "p.yaml": `supervision:
  strategy: sometimes
  children:
    - supervisor: { name: inner, children: [{ name: first, type: agents.Echo }] }
    - { name: topology_server, prot: 1 }
`,
  });
  const { code, stdout } = await agentrt(
    folder.path,
    "topology",
    "validate",
    "b.yaml",
    "-t",
    "p.yaml",
  );
  assert.equal(code, 1);
  assert.match(stdout, /p\.yaml:2:13: supervision\.strategy: found "sometimes"/);
  assert.match(
    stdout,
    /p\.yaml:4:\d+: .*duplicate agent name "first": first used at line 8 of b\.yaml/,
  );
  assert.match(stdout, /p\.yaml:5:\d+: .*unknown key "prot"; did you mean "port"/);
  const broken = await agentrt(folder.path, "topology", "validate", "b.yaml", "-t", "none.yaml");
  assert.match(broken.stderr, /Cannot read topology "none\.yaml"/);
});

test("show and diff take several files: diff of one file tells what those over it change", async () => {
  using folder = createTemporaryFolder({
    "b.yaml": base,
    "p.yaml": production,
    "topology.yaml": base,
  });
  const shown = await agentrt(folder.path, "topology", "show", "-t", "b.yaml", "-t", "p.yaml");
  assert.match(shown.stdout, /root .*restarts: 9\/60\.0s[^]*first[^]*topology_server[^]*third/);
  const diff = await agentrt(folder.path, "topology", "diff", "b.yaml", "-t", "p.yaml");
  assert.equal(diff.code, 0, diff.stderr);
  assert.match(diff.stdout, /max_restarts[^\n]*3 -> 9/);
  assert.match(diff.stdout, /- [^\n]*second/);
  assert.match(diff.stdout, /\+ [^\n]*third/);
  const same = await agentrt(
    folder.path,
    "topology",
    "diff",
    "b.yaml",
    "topology.yaml",
    "-t",
    "p.yaml",
  );
  assert.equal(same.stdout, "No differences\n");
  const alone = await agentrt(folder.path, "topology", "diff", "b.yaml");
  assert.equal(alone.code, 2);
});

test("merge keys and top-level keys that begin with x- shorten a file; own keys go before merged ones", async () => {
  using folder = createTemporaryFolder({
    "a.yaml": base,
    "b.yaml": base.replace("  handle_timeout: 5", "  handle_timeout: 6"),
  });
  const diff = await agentrt(folder.path, "topology", "diff", "a.yaml", "b.yaml");
  assert.match(diff.stdout, /first[^\n]*handle_timeout[^\n]*5 -> 6/);
  assert.doesNotMatch(diff.stdout, /second/);
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
