/** `Runtime.fromTopology`: what it opens it gives back, whichever way it ends. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, type TemporaryFolder } from "testkit";
import { SqliteStateStore } from "../state/index.ts";
import { Runtime } from "./index.ts";

const agents = `
import { Agent } from "agentrt";
export class Echo extends Agent {
  override async handle(message) { return { got: message.payload }; }
}
export class Unready extends Echo {
  override async onStart() { throw new Error("not today"); }
}
export class NoAgent {}
`;

function project(type: string): TemporaryFolder {
  const folder = createTemporaryFolder({ "agents.ts": agents });
  const path = JSON.stringify(join(folder.path, "state.db"));
  folder.write({
    "topology.yaml": `plugins:
  state: { type: sqlite, config: { db_path: ${path} } }
supervision:
  name: root
  children:
    - agent: { name: echo, type: ${type} }
`,
  });
  return folder;
}

/** The load hooks answer for imports of \`agentrt\`; without them Node does. */
function areHooksInstalled(): boolean {
  try {
    import.meta.resolve("agentrt/no-such-subpath");
    return true;
  } catch (error) {
    return (error as { code: unknown }).code === "AGENTRT_PLUGIN_BAD_TYPE";
  }
}

async function assertNothingHeld(folder: TemporaryFolder): Promise<void> {
  assert.equal(areHooksInstalled(), false, "load hooks are left");
  // Refused as long as another store writes the file.
  await new SqliteStateStore({ path: join(folder.path, "state.db") }).close();
}

test("fromTopology() gives back the load hooks and the state file when it stops", async () => {
  using folder = project("agents.Echo");
  const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"));
  await runtime.start();
  assert.equal(areHooksInstalled(), true);
  assert.deepEqual(await runtime.call("echo", { a: 1 }), { got: { a: 1 } });
  await Promise.all([runtime.stop(), runtime.stop()]);
  await assertNothingHeld(folder);
});

test("fromTopology() gives everything back when a class cannot be used", async () => {
  for (const [type, code] of [
    ["agents.NoAgent", "AGENTRT_COMPOSITION_NOT_AN_AGENT"],
    ["agents.Missing", "AGENTRT_COMPOSITION_CLASS_NOT_LOADED"],
  ] as const) {
    using folder = project(type);
    await assert.rejects(Runtime.fromTopology(join(folder.path, "topology.yaml")), { code });
    await assertNothingHeld(folder);
  }
});

test("fromTopology() gives everything back when the tree does not start", async () => {
  using folder = project("agents.Unready");
  await using runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"));
  await assert.rejects(runtime.start(), { code: "AGENTRT_SUPERVISION_START_FAILED" });
  await assertNothingHeld(folder);
});

test("fromTopology() lays files over each other and puts variables in, whose values its log hides", async (t) => {
  using folder = createTemporaryFolder({
    "agents.ts": `
import { Agent } from "agentrt";
export class Echo extends Agent {
  override async handle() {
    this.log.warn("asked with " + this.config.word);
    return { ...this.config };
  }
}
`,
    "base.yaml": `supervision:
  name: root
  children:
    - name: echo
      type: agents.Echo
      config: { word: base, size: 1 }
`,
    "over.yaml": `supervision:
  children:
    - name: echo
      config:
        word: \${WORD}
        size: \${SIZE:-7}
`,
  });
  const paths = [join(folder.path, "base.yaml"), join(folder.path, "over.yaml")] as const;
  const written: string[] = [];
  t.mock.method(process.stderr, "write", (text: string) => written.push(text) > 0);
  await using runtime = await Runtime.fromTopology(paths, { environment: { WORD: "sesame-77" } });
  await runtime.start();
  assert.deepEqual(await runtime.call("echo", {}), { word: "sesame-77", size: 7 });
  await runtime.stop();
  assert.match(written.join(""), /asked with \$\{WORD\}/);
  await using plain = await Runtime.fromTopology(paths);
  await plain.start();
  assert.deepEqual(await plain.call("echo", {}), { word: "${WORD}", size: "${SIZE:-7}" });
  await assert.rejects(Runtime.fromTopology(paths, { environment: {} }), {
    code: "AGENTRT_TOPOLOGY_INVALID",
    message: /over\.yaml:5:15: .*the environment variable WORD is not set/,
  });
});
