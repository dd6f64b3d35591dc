/** A topology over a cluster of three NATS servers: it goes on when the server dies that places streams, and nothing acknowledged is lost. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  skipUnless,
  startNatsCluster,
  startProgram,
} from "testkit";
import { createRealSystem } from "../core/index.ts";
import { loadJetStream, loadNatsClient, NatsConnector } from "../nats/index.ts";

const agents = `
import { Agent } from "agentrt";

export class Counter extends Agent {
  override async handle() {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"] };
  }
}

// Kept by id: a message may come twice.
export class Tally extends Agent {
  override async handle({ payload }) {
    if (payload.id === undefined) return { ids: Object.keys(this.state) };
    this.state[payload.id] = 1;
    await this.checkpoint();
  }
}

export class Front extends Agent {
  override async handle({ payload }) {
    if (payload.say === "list") return await this.call("tally", {});
    await this.cast("tally", { id: payload.id });
    return { stored: payload.id };
  }
}
`;

const topology = (urls: readonly string[], port: number): string => `transport:
  type: nats
  servers: [${urls.map((url) => `"${url}"`).join(", ")}]
  jetstream: true
  replicas: 3
plugins:
  state: { type: nats_kv }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 1000
  children:
    - { name: counter, type: keyed, process: heavy, config: { class: agents.Counter, key: id } }
    - agent: { name: tally, type: agents.Tally, process: back }
    - agent: { name: front, type: agents.Front, concurrency: 100 }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: POST, path: /count, agent: counter, request_timeout: 60 }
          - { method: POST, path: /front, agent: front, request_timeout: 60 }
`;

type Answer = { readonly count?: number; readonly stored?: string; readonly ids?: string[] };

/** Asks until it is answered; what cannot be is said by a status that says to try again. */
async function ask(port: number, path: string, body: object): Promise<Answer> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer;
    if (response.status === 200) return answer;
    assert.match(String(response.status), /^50\d$/, JSON.stringify(answer));
    await new Promise(setImmediate);
  }
}

/** @returns How many copies each stream of the server has. */
async function copies(urls: readonly string[]): Promise<{ readonly [stream: string]: number }> {
  const settings = { servers: urls, system: createRealSystem(), onWaiting: () => undefined };
  const connector = new NatsConnector({ ...settings, name: "test" });
  const connection = await connector.connect(await loadNatsClient());
  const { streams } = await (await loadJetStream()).jetstreamManager(connection);
  const found: { [stream: string]: number } = {};
  for (const stream of ["AGENCY", "KV_agentrt_leader", "KV_agentrt_state"])
    found[stream] = (await streams.info(stream)).config.num_replicas;
  await connection.close();
  return found;
}

test(
  "over three NATS servers a topology starts before they agree, keeps three copies, and goes on when the one that leads dies",
  { skip: skipUnless("nats-server") },
  async () => {
    await using cluster = await startNatsCluster();
    const port = await freePort();
    using folder = createTemporaryFolder({
      "topology.yaml": topology(cluster.urls, port),
      "agents.ts": agents,
      "package.json": '{"type":"module"}',
    });
    const run = (...words: string[]): Program =>
      startProgram(process.execPath, [agentrtLauncher(), "run", ...words], {
        workingDirectory: folder.path,
      });
    await using supervisor = run();
    await supervisor.waitFor(/started; Ctrl\+C stops/);
    await using back = run("--process", "back");
    await using heavy = run("--process", "heavy");
    assert.ok([back, heavy]);
    assert.deepEqual(await copies(cluster.urls), {
      AGENCY: 3,
      KV_agentrt_leader: 3,
      KV_agentrt_state: 3,
    });

    const stored = new Set<string>();
    const counted = new Map<string, number>();
    const ended = new AbortController();
    const load = Array.from({ length: 8 }, async (_, lane) => {
      for (let turn = 0; !ended.signal.aborted; turn += 1) {
        const key = `k${lane}`;
        const { count = 0 } = await ask(port, "/count", { id: key });
        const before = counted.get(key) ?? 0;
        assert.ok(count > before, `${key}: ${count} after ${before}`);
        counted.set(key, count);
        const id = `${lane}-${turn}`;
        if ((await ask(port, "/front", { id })).stored === id) stored.add(id);
      }
    });
    const more = async (): Promise<void> => {
      const wanted = stored.size + 40;
      while (stored.size < wanted) await Promise.race([new Promise(setImmediate), ...load]);
    };
    await more();
    for (let round = 0; round < 2; round += 1) {
      const leader = await cluster.metaLeader();
      await leader.stop("SIGKILL");
      await more();
      await leader.start();
      await more();
    }
    ended.abort();
    await Promise.all(load);
    let missing: string[] = [...stored];
    while (missing.length > 0) {
      const { ids = [] } = await ask(port, "/front", { say: "list" });
      missing = missing.filter((id) => !ids.includes(id));
    }
    assert.equal(supervisor.process.exitCode, null, supervisor.output);
  },
);
