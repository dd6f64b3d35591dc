/** `run --watch` and `run --exit-on-degraded`, through the real command line. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, startProgram } from "testkit";

const binary = agentrtLauncher();

const agent = (word: string): string => `
import { Agent } from "agentrt";
export class Clerk extends Agent {
  override async onStart() {
    console.log("clerk says ${word}");
  }
  override async onStop() {
    console.log("clerk is stopped");
  }
  override async handle() {
    return {};
  }
}
`;

const topology = (restarts: string): string => `supervision:
  name: root
  max_restarts: ${restarts}
  children:
    - { name: clerk, type: agents.Clerk }
`;

test("run --watch runs the tree again after a change, and leaves it running when the change cannot be used", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agent("one"),
    "topology.yaml": topology("3"),
    "notes.txt": "",
  });
  const write = (file: string, text: string): void => writeFileSync(join(folder.path, file), text);
  await using program = startProgram(process.execPath, [binary, "run", "--watch"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/clerk says one[^]*started/);
  write("notes.txt", "nothing that counts");
  write("agents.ts", agent("two"));
  await program.waitFor(/agents\.ts changed: the tree starts again/);
  await program.waitFor(/clerk is stopped[^]*clerk says two[^]*started/);
  write("agents.ts", "export class {");
  await program.waitFor(/agents\.ts changed and cannot be used: the tree runs on/);
  write("topology.yaml", topology("many"));
  await program.waitFor(
    /topology\.yaml changed and cannot be used: the tree runs on\n {2}topology\.yaml:3:17: /,
  );
  write("agents.ts", agent("three"));
  write("topology.yaml", topology("4"));
  await program.waitFor(/clerk says three[^]*started/);
  program.kill("SIGTERM");
  const { code, stdout, stderr } = await program.exited();
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /notes\.txt/);
  assert.match(stdout, /restarts: 4\/60\.0s[^]*clerk says three[^]*clerk is stopped\n$/);
});

test("run --exit-on-degraded stops the tree and exits 70 when the root is out of budget", async () => {
  const crashing = agent("one")
    .replace("return {};", 'throw new Error("no luck");')
    .replace('console.log("clerk says one");', "this.sendAfter(1, {});");
  using folder = createTemporaryFolder({
    "agents.ts": crashing,
    "topology.yaml": `supervision:
  name: root
  max_restarts: 0
  children:
    - { name: other, type: quiet.Clerk }
    - { name: clerk, type: agents.Clerk }
`,
    "quiet.ts": agent("hello"),
  });
  await using program = startProgram(process.execPath, [binary, "run", "--exit-on-degraded"], {
    workingDirectory: folder.path,
  });
  const { code, stdout, stderr } = await program.exited();
  assert.equal(code, 70, stderr);
  assert.match(stderr, /"clerk" is out of restart budget: stopping/);
  assert.match(stdout, /clerk is stopped/);
});
