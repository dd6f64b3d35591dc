/** Who applied what: in the events, and in the histories of what changed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, freePort } from "testkit";
import { Agent, createTextLog, type JsonObject } from "../../core/index.ts";
import { Runtime } from "../runtime.ts";

class Desk extends Agent {
  override onStart(): void {
    if (this.config["by"] === "nobody") throw new Error("the till is locked");
  }

  override handle(): JsonObject {
    return {};
  }
}

interface Entry {
  readonly event: string;
  readonly act?: string;
  readonly initiated_by?: string;
}

test("an apply is an event with who and what, and is in the history of a pool that it restarted", async () => {
  const port = await freePort();
  const text = (by: string): string => `supervision:
  name: root
  children:
    - { name: desks, type: pool, class: Desk, size: 2, class_config: { by: ${by} } }
    - agent: { name: kept, type: Desk }
    - { name: topo, type: topology_server, config: { port: ${port} } }
audit: { sink: null }
`;
  using folder = createTemporaryFolder({ "topology.yaml": text("one") });
  const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), {
    log: createTextLog({ write: () => undefined }),
    typeMap: { Desk },
    onListening: () => undefined,
  });
  await runtime.start();
  const apply = async (by: string): Promise<unknown> =>
    await runtime.apply(
      { files: [{ fileName: "next.yaml", text: text(by) }] },
      { initiatedBy: "ada" },
    );
  const historyOf = async (agent: string): Promise<readonly Entry[]> => {
    const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}/history`);
    const { history } = (await response.json()) as { readonly history: readonly Entry[] };
    return history.filter(({ event }) => event === "applied");
  };
  try {
    await apply("two");
    await apply("two");
    await assert.rejects(apply("nobody"), { code: "AGENTRT_CHANGE_START_FAILED" });
    const found = (await historyOf("desks")).map(({ act, initiated_by }) => [act, initiated_by]);
    assert.deepEqual(found, [["restart", "ada"]]);
    assert.deepEqual(await historyOf("kept"), []);
    const response = await fetch(`http://127.0.0.1:${port}/events?recent=100&type=topology.*`);
    let told = "";
    for await (const part of response.body ?? []) {
      told += Buffer.from(part).toString("utf8");
      if (told.includes("not_applied")) break;
    }
    const events = [...told.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => {
      const { timestamp, ...event } = JSON.parse(data) as { readonly timestamp: number };
      assert.ok(timestamp > 1e9);
      return event;
    });
    const about = { type: "topology.applied", agent: null, initiated_by: "ada" };
    assert.deepEqual(events, [
      { ...about, summary: "restarted desks" },
      { ...about, summary: "nothing changed" },
      {
        type: "topology.not_applied",
        agent: null,
        initiated_by: "ada",
        reason: "AGENTRT_CHANGE_START_FAILED",
      },
    ]);
  } finally {
    await runtime.stop();
  }
});
