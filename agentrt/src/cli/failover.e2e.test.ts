/** Two supervisors of one topology over NATS with JetStream: one leads, and the other takes over with states and workers. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  skipUnless,
  startNats,
  startProgram,
} from "testkit";
import { createRealSystem } from "../core/index.ts";
import { NatsCell } from "../leadership/index.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

export class Counter extends Agent {
  override async handle() {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"], pid: process.pid, far: await this.call("far", {}) };
  }
}

export class Far extends Agent {
  #asked = 0;
  override async handle() {
    return { pid: process.pid, asked: (this.#asked += 1) };
  }
}
`;

const topology = (
  url: string,
  port: number,
): string => `transport: { type: nats, servers: "${url}", jetstream: true }
plugins:
  state: { type: nats_kv }
supervision:
  name: root
  children:
    - agent: { name: counter, type: agents.Counter }
    - agent: { name: far, type: agents.Far, process: back }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, routes: [{ method: POST, path: /count, agent: counter }] }
`;

interface Counted {
  readonly count: number;
  readonly pid: number;
  readonly far: { readonly pid: number; readonly asked: number };
}

/** Asks until somebody serves it. */
async function count(port: number): Promise<Counted> {
  for (;;)
    try {
      const response = await fetch(`http://127.0.0.1:${port}/count`, { method: "POST" });
      if (response.status === 200) return (await response.json()) as Counted;
      assert.match(String(response.status), /^50[23]$/, await response.text());
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise(setImmediate);
    }
}

test(
  "of two supervisors one leads; when it is killed or stopped the other goes on with its states and its workers; one that lost the lead ends",
  { skip: skipUnless("nats-server") },
  async () => {
    await using server = await startNats({ jetStream: true });
    const port = await freePort();
    using folder = createTemporaryFolder({
      "topology.yaml": topology(server.url, port),
      "agents.ts": agents,
      "package.json": '{"type":"module"}',
    });
    const run = (...words: string[]): Program =>
      startProgram(process.execPath, [binary, "run", ...words], { workingDirectory: folder.path });
    await using first = run();
    await first.waitFor(/started/);
    await using worker = run("--process", "back");
    const before = await count(port);
    assert.equal(before.pid, first.process.pid);
    assert.equal(before.far.pid, worker.process.pid);

    await using second = run();
    const waits = /another supervisor of this topology leads: .* host=\S+ pid=(\d+)/;
    assert.equal((await second.waitFor(waits))[1], String(first.process.pid));
    first.kill("SIGKILL");
    const after = await count(port);
    assert.deepEqual(
      [after.pid, after.count, after.far],
      [second.process.pid, before.count + 1, { pid: worker.process.pid, asked: 2 }],
    );

    await using third = run();
    await third.waitFor(waits);
    second.kill("SIGTERM");
    assert.equal((await second.exited()).code, 0, second.output);
    const last = await count(port);
    assert.deepEqual([last.pid, last.count], [third.process.pid, before.count + 2]);

    const settings = {
      servers: [server.url],
      system: createRealSystem(),
      onWaiting: () => undefined,
    };
    const cell = new NatsCell({ ...settings, bucket: "agentrt_leader", key: "supervisor" });
    const other = JSON.stringify({ processId: "other", host: "elsewhere", pid: 1 });
    while ((await cell.write(other, (await cell.read())?.revision ?? 0)) === undefined);
    await cell.close();
    assert.equal((await third.exited()).code, 75, third.output);
    assert.match(third.output, /another supervisor leads by now: this one ends/);
  },
);
