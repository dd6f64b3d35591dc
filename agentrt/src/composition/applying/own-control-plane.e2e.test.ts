/** A file that is applied by way of the very control plane that it changes: its client is told before that one goes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, freePort } from "testkit";
import { Agent, createTextLog, type JsonObject } from "../../core/index.ts";
import { Runtime } from "../runtime.ts";

/** Starts when its gate is open, or not at all. */
class Desk extends Agent {
  static gate = Promise.resolve();

  override async onStart(): Promise<void> {
    if (this.config["fails"] === true) throw new Error("the till is locked");
    if (this.config["waits"] === true) await Desk.gate;
  }

  override handle(): undefined {
    return undefined;
  }
}

const tree = (port: number, more = "", desk = ""): string => `supervision:
  name: root
  backoff_base: 0
  children:
    - { agent: { name: desk, type: Desk, config: { by: x${desk} } } }
    - { name: topo, type: topology_server, config: { port: ${port} } }
${more}`;

test("a file that moves the control plane is told to be refused at once, or to be under way; its end is told at the new address, and the log has it", async () => {
  const [one, two] = [await freePort(), await freePort()];
  using records = createTemporaryFolder({});
  const audit = `audit: { sink: jsonl, path: "${join(records.path, "audit.jsonl")}" }\n`;
  using folder = createTemporaryFolder({ "topology.yaml": tree(one) + audit });
  const lines: string[] = [];
  const moved = Promise.withResolvers<void>();
  await using runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), {
    log: createTextLog({ write: (line) => void lines.push(line) }),
    typeMap: { Desk },
    onListening: ({ port }) => (port === two ? moved.resolve() : undefined),
  });
  await runtime.start();
  const ask = async (port: number, topology?: string): Promise<readonly [number, JsonObject]> => {
    const response = await fetch(`http://127.0.0.1:${port}/apply`, {
      ...(topology === undefined
        ? {}
        : { method: "POST", body: JSON.stringify({ topology: topology + audit }) }),
      headers: { "content-type": "application/json" },
    });
    return [response.status, (await response.json()) as JsonObject];
  };
  const endAt = async (port: number): Promise<JsonObject> => {
    for (;;) {
      const [, body] = await ask(port);
      if (body["status"] !== "applying") return body;
    }
  };
  const tracing = "tracing: { sample_ratio: 0.1 }\n";
  const [refused, why] = await ask(one, tree(two, tracing));
  assert.deepEqual([refused, why["code"]], [409, "AGENTRT_APPLY_NEEDS_RESTART"]);

  const gate = Promise.withResolvers<void>();
  Desk.gate = gate.promise;
  const [accepted, begun] = await ask(one, tree(two, "", ", waits: true"));
  assert.deepEqual([accepted, begun["status"]], [202, "applying"]);
  const [busy, other] = await ask(one, tree(two));
  assert.deepEqual([busy, other["code"]], [409, "AGENTRT_APPLY_BUSY"]);
  gate.resolve();
  await moved.promise;
  assert.equal((await endAt(two))["status"], "applied");

  // What fails after the answer is told by who asks, and by the log.
  const [again] = await ask(two, tree(one, "", ", fails: true"));
  assert.equal(again, 202);
  const failed = await endAt(two);
  assert.deepEqual([failed["status"], failed["code"]], ["failed", "AGENTRT_CHANGE_START_FAILED"]);
  assert.match(lines.join(""), /a topology was not applied.*the till is locked/);
});
