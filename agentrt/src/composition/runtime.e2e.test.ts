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
