/** What `topology validate --load` finds in modules, through the real command line. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, runProgram } from "testkit";

const binary = agentrtLauncher();

async function validate(files: { readonly [name: string]: string }, ...words: string[]) {
  using folder = createTemporaryFolder(files);
  const args = [binary, "topology", "validate", ...words];
  return await runProgram(process.execPath, args, { workingDirectory: folder.path });
}

function lines(stdout: string, pattern: RegExp): string[] {
  return stdout.split("\n").filter((line) => pattern.test(line));
}

test("--load imports classes, plugins, hooks and middleware, and tells every fault at once", async () => {
  const files = {
    "agents.ts": `import { Agent } from "agentrt";
export class Good extends Agent { override async handle() { return {}; } }
export class NoAgent {}
setInterval(() => {}, 1000);
`,
    "broken.ts": "export class Broken {\n",
    "guards.ts": "export function good() {}\n",
    "topology.yaml": `plugins:
  models: [{ type: otherai }]
  exporters: [{ type: jaeger }, { type: console }]
  state: { type: encrypted, config: { key_env: K, store: { type: stores.Missing } } }
supervision:
  name: root
  children:
    - { name: good, type: agents.Good }
    - { name: nope, type: agents.Nope }
    - { name: no_agent, type: agents.NoAgent }
    - { name: broken, type: broken.Broken }
    - { name: many, type: pool, size: 1, class: agents.Nope }
    - name: dynamic
      type: dynamic_supervisor
      class_allowlist: [agents.Good, agents.One, agents.Two]
      on_spawn_requested: agents.NoAgent
    - name: web
      type: http_gateway
      middleware: [guards.good, guards.one]
      routes: [{ method: GET, path: /x, agent: good, middleware: [guards.two] }]
`,
  };
  const without = await validate(files, "topology.yaml");
  assert.equal(without.code, 0, without.stdout);
  const { code, stdout } = await validate(files, "topology.yaml", "--load");
  assert.equal(code, 1);
  assert.match(stdout, /✗ classes, plugins and middleware load/);
  const faults = lines(stdout, /^ {6}topology\.yaml:\d+:\d+: /).map((line) => line.trim());
  const expected = [
    /^topology\.yaml:2:\d+: plugins\.models\[0\]: Cannot load "otherai"/,
    /^topology\.yaml:3:\d+: plugins\.exporters\[0\]: Cannot load "jaeger"/,
    /^topology\.yaml:4:\d+: plugins\.state\.config\.store: Cannot load "stores\.Missing"/,
    /^topology\.yaml:9:\d+: .*agents\.ts has no export "Nope"/,
    /^topology\.yaml:10:\d+: .*Cannot build "no_agent": the class of "agents\.NoAgent" does not extend Agent/,
    /^topology\.yaml:11:\d+: .*broken\.ts/,
    /^topology\.yaml:12:\d+: .*no export "Nope"/,
    /^topology\.yaml:13:\d+: .*no export "One"/,
    /^topology\.yaml:13:\d+: .*no export "Two"/,
    /^topology\.yaml:13:\d+: .*has no method onSpawnRequested/,
    /^topology\.yaml:17:\d+: .*no export "(?:one|two)"/,
    /^topology\.yaml:17:\d+: .*no export "(?:one|two)"/,
  ];
  assert.equal(faults.length, expected.length, stdout);
  for (const [index, pattern] of expected.entries()) assert.match(faults[index] ?? "", pattern);
  const right = await validate(
    {
      ...files,
      "t.yaml": "supervision: { name: root, children: [{ name: a, type: agents.Good }] }",
    },
    "t.yaml",
    "--load",
  );
  assert.equal(right.code, 0, right.stdout);
});
