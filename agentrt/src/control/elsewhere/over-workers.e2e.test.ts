/** The control plane of a topology whose agents are partly on workers, as operators meet it on the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, transportCases, WorkerTopology } from "../test-support/worker-topology.ts";

const agents = `
import { Agent } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }) {
    this.log.info("at the desk", { say: payload.say ?? null });
    if (payload.say === "crash") throw new RangeError("the desk broke");
    return { pid: process.pid };
  }
}
`;

const topology = (transport: string, port: number): string => `transport: ${transport}
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - agent: { name: front, type: agents.Desk }
    - agent: { name: desk, type: agents.Desk, process: back }
    - agent: { name: shelf, type: agents.Desk, process: store }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /front, agent: front }
          - { method: POST, path: /desk, agent: desk }
          - { method: POST, path: /shelf, agent: shelf }
    - { name: control, type: topology_server, config: { attach_to: api, dead_letter_payloads: 10 } }
`;

/** The lines of JSON that a program has printed. */
function linesOf(stdout: string): Json[] {
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Json);
}

for (const each of transportCases)
  test(
    `${each.name}: what happens to agents on workers is in the events of the supervisor, in order, across restarts of both`,
    { skip: each.skip },
    async () => {
      await using setup = await WorkerTopology.open(each, { topology, agents });
      const supervisor = await setup.start();
      const worker = await setup.start("back");
      await setup.served("/desk", {});
      const events = setup.follow("events", "--recent", "1000", "--json", "--agent", "desk");
      await events.waitFor(/"agent.started","agent":"desk"/);

      assert.equal((await setup.ask("POST /desk", { say: "crash" }))[0], 502);
      await events.waitFor(/"type":"agent.crashed"/);
      await setup.served("/desk", {});
      assert.deepEqual(await setup.ask("POST /agents/desk/restart"), [
        200,
        { status: "restart_requested", agent: "desk", initiated_by: "unauthenticated" },
      ]);
      await events.waitFor(/"type":"supervisor.restart".*"restart_count":2/);
      assert.equal((await setup.ask("POST /agents/desk/suspend", { reason: "lunch" }))[0], 200);
      await events.waitFor(/"agent.suspended".*"reason":"lunch".*"process_id":"back"/);

      // While the supervisor is away the worker goes on, and keeps what happens.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      await setup.start();
      await setup.until("GET /agents/desk", ({ status }) => status === "SUSPENDED");
      assert.equal((await setup.ask("POST /agents/desk/resume"))[0], 200);
      await events.waitFor(/"agent.resumed".*"process_id":"back"/);
      events.kill("SIGINT");
      const { stdout } = await events.exited();
      const told = linesOf(stdout);
      const ofWorker = told.filter(({ process_id: id }) => id === "back");
      assert.deepEqual(
        ofWorker.map(({ type }) => type),
        [
          "agent.started",
          "agent.crashed",
          "agent.started",
          "agent.started",
          "agent.suspended",
          "agent.resumed",
        ],
      );
      const crash = told.find(({ type }) => type === "agent.crashed") ?? {};
      const reported = told.find(({ type }) => type === "supervisor.crash") ?? {};
      assert.equal(reported["crash_id"], crash["crash_id"]);
      assert.match(String(reported["at"]), /agents\.ts:7:/);
      assert.equal(told.filter(({ type }) => type === "agent.restart_requested").length, 1);

      worker.kill("SIGKILL");
      await worker.exited();
      // What the supervisor has heard is known where the worker does not answer any more.
      const [, { history }] = await setup.ask("GET /agents/desk/history");
      const kinds = (history as Json[]).map(({ event }) => event);
      assert.deepEqual(kinds, ["resumed"]);
    },
  );

/** The samples of a scrape, by name and labels. */
async function scrape(setup: WorkerTopology, timeoutSeconds = 10): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${setup.port}/metrics`, {
    headers: { "x-prometheus-scrape-timeout-seconds": String(timeoutSeconds) },
  });
  const text = await response.text();
  const samples = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  const found = new Map(samples.map(([, name = "", value]) => [name, Number(value)]));
  assert.equal(found.size, samples.length, "a series is there twice");
  return found;
}

for (const each of transportCases)
  test(
    `${each.name}: agents on workers are in the figures of the supervisor, and their counters only grow`,
    { skip: each.skip },
    async () => {
      await using setup = await WorkerTopology.open(each, { topology, agents });
      const supervisor = await setup.start();
      const back = await setup.start("back");
      const store = await setup.start("store");
      for (let count = 0; count < 3; count += 1) await setup.served("/desk", {});
      await setup.served("/shelf", {});
      await setup.served("/front", {});
      const handled = (agent: string): string => `agentrt_messages_handled_total{agent="${agent}"}`;
      const first = await scrape(setup);
      assert.deepEqual(
        ["front", "desk", "shelf"].map((agent) => first.get(handled(agent))),
        [1, 3, 1],
      );
      assert.equal(first.get('agentrt_agent_handle_duration_seconds_count{agent="desk"}'), 3);
      for (const worker of ["back", "store"]) {
        assert.equal(first.get(`agentrt_worker_up{worker="${worker}"}`), 1);
        assert.ok((first.get(`process_resident_memory_bytes{worker="${worker}"}`) ?? 0) > 1e6);
      }
      const [, overview] = await setup.ask("GET /overview");
      const rows = overview["agents"] as Json[];
      assert.deepEqual(
        rows.slice(0, 3).map((row) => [row["name"], row["class"], row["messages_handled"]]),
        [
          ["front", "Desk", 1],
          ["desk", "Desk", 3],
          ["shelf", "Desk", 1],
        ],
      );
      const ps = await setup.command("ps");
      assert.match(ps.stdout, /desk +.*RUNNING/);

      // One that does not answer holds nobody up, and the others are there.
      store.kill("SIGSTOP");
      await setup.served("/desk", {});
      const silent = await scrape(setup, 1);
      store.kill("SIGCONT");
      assert.deepEqual(
        ['agentrt_worker_up{worker="back"}', 'agentrt_worker_up{worker="store"}'].map((name) =>
          silent.get(name),
        ),
        [1, 0],
      );
      assert.deepEqual([silent.get(handled("desk")), silent.get(handled("shelf"))], [4, 1]);
      assert.equal(silent.get('process_resident_memory_bytes{worker="store"}'), undefined);

      // The next process of the group goes on where the last one has ended.
      back.kill("SIGKILL");
      await back.exited();
      await setup.start("back");
      const away = await scrape(setup);
      assert.equal(away.get(handled("desk")), 4);
      await setup.served("/desk", {});
      const again = await scrape(setup);
      assert.equal(again.get(handled("desk")), 5);
      for (const [name, value] of first)
        if (/_(?:total|count|bucket)\{agent="(?:desk|shelf)"/.test(name))
          assert.ok((again.get(name) ?? -1) >= value, `${name} fell`);

      // What a new supervisor counts begins with 0, also of workers that were there before.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      await setup.start();
      await setup.served("/shelf", {});
      await setup.until("GET /processes", ({ processes }) => (processes as Json[]).length === 3);
      const later = await scrape(setup);
      assert.ok((later.get(handled("desk")) ?? -1) === 0, String(later.get(handled("desk"))));
      assert.ok((later.get(handled("shelf")) ?? -1) <= 1, String(later.get(handled("shelf"))));
    },
  );
