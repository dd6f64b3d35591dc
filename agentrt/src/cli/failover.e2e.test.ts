/** Two supervisors of one topology over NATS with JetStream: one leads, and the other takes over with states and workers. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
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
    // While no worker is there, this throws, and nothing is counted.
    const far = await this.call("far", {});
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"], pid: process.pid, far };
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
  max_restarts: 100
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

test(
  "a supervisor that waits answers reads of its control plane for the one that leads, and refuses what changes something",
  { skip: skipUnless("nats-server") },
  async () => {
    await using server = await startNats({ jetStream: true });
    const [port, control, other] = [await freePort(), await freePort(), await freePort()];
    const plane = (at: number): string => `supervision:
  name: root
  children:
    - { name: control, type: topology_server, config: { port: ${at}, auth: { middleware: [guards.badge] } } }
`;
    using folder = createTemporaryFolder({
      "topology.yaml": topology(server.url, port),
      "here.yaml": plane(control),
      "there.yaml": plane(other),
      "guards.ts": `
export const badge = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`,
      "agents.ts": agents,
      "package.json": '{"type":"module"}',
    });
    const files = (overlay: string): string[] => ["-t", "topology.yaml", "-t", overlay];
    const run = (overlay: string, ...words: string[]): Program =>
      startProgram(process.execPath, [binary, "run", ...files(overlay), ...words], {
        workingDirectory: folder.path,
      });
    const ask = async (at: number, path: string, method = "GET"): Promise<[number, string]> => {
      const response = await fetch(`http://127.0.0.1:${at}${path}`, {
        method,
        headers: { "x-badge": "ada", "content-type": "application/json" },
        ...(method === "POST" ? { body: '{"reason":"lunch"}' } : {}),
      });
      return [response.status, await response.text()];
    };
    await using first = run("here.yaml");
    await first.waitFor(/started/);
    await using worker = run("here.yaml", "--process", "back");
    await count(port);
    await using second = run("there.yaml");
    await second.waitFor(/the control plane answers reads while this supervisor waits/);

    const agent = async (at: number): Promise<unknown> => {
      const [status, text] = await ask(at, "/agents/counter");
      const { status: state, process_id: where } = JSON.parse(text) as {
        readonly [member: string]: unknown;
      };
      return [status, state, where];
    };
    assert.deepEqual(await agent(other), [200, "RUNNING", "control"]);
    for (const path of ["/agents/far/state", "/agents/nobody"])
      assert.deepEqual(await ask(other, path), await ask(control, path));
    assert.match(
      (await ask(other, "/metrics"))[1],
      /^agentrt_messages_handled_total\{agent="counter"\} [1-9]\d*$/m,
    );
    assert.match(
      (await ask(other, "/health"))[1],
      new RegExp(`"leader":".*pid ${first.process.pid}`),
    );
    assert.equal((await ask(other, "/ready"))[0], 503);
    assert.equal((await fetch(`http://127.0.0.1:${other}/agents`)).status, 401);
    const [status, text] = await ask(other, "/agents/counter/suspend", "POST");
    assert.equal(status, 503);
    assert.match(
      text,
      new RegExp(`this supervisor waits: the one on .*pid ${first.process.pid}.* leads`),
    );
    assert.deepEqual(await agent(control), [200, "RUNNING", "control"]);
    const words = [...files("there.yaml"), "-H", "X-Badge: ada"];
    const command = async (...name: string[]) =>
      await runProgram(process.execPath, [binary, ...name, ...words], {
        workingDirectory: folder.path,
      });
    assert.match((await command("ps")).stdout, /counter .*RUNNING/);
    const refused = await command("suspend", "counter", "--reason", "lunch");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /this supervisor waits: .* leads/);

    // It leads: the same port serves all. On one machine both need ports of their files, so the worker knows the first one only.
    worker.kill("SIGTERM");
    assert.equal((await worker.exited()).code, 0, worker.output);
    first.kill("SIGTERM");
    await second.waitFor(/started/);
    assert.equal((await ask(other, "/agents/counter/suspend", "POST"))[0], 200);
    assert.equal((await ask(other, "/ready"))[0], 200);
    second.kill("SIGTERM");
    assert.equal((await second.exited()).code, 0, second.output);
  },
);
