/** What is wrong on workers, as `/health`, `/topology` and the commands of an operator tell it at their supervisor. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, transportCases, WorkerTopology } from "../test-support/worker-topology.ts";

const agents = `
import { Agent, EvalAgent } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }) {
    if (payload.say === "enough") await this.emitEval("answer", {});
    if (payload.say === "ask") await this.call("clerk", {}).catch(() => undefined);
    return {};
  }
}
export class Clerk extends Agent {
  override async handle() { throw new RangeError("no clerk today"); }
}
export class Judge extends EvalAgent {
  override onEvalEvent() { return { severity: "halt", reason: "enough" }; }
}
`;

const topology = (transport: string, port: number): string => `transport: ${transport}
resilience:
  agents:
    clerk: { circuit_breaker: { min_calls: 2, failure_rate: 0.5, open_for: 600 } }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - agent: { name: clerk, type: agents.Clerk }
    - { name: judge, type: eval_agent, config: { class: agents.Judge } }
    - agent: { name: desk, type: agents.Desk, process: back }
    - agent: { name: shelf, type: agents.Desk, process: store }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /desk, agent: desk }
          - { method: POST, path: /shelf, agent: shelf }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

for (const each of transportCases)
  test(
    `${each.name}: health and circuits of workers are told by the supervisor`,
    { skip: each.skip },
    async () => {
      await using setup = await WorkerTopology.open(each, { topology, agents });
      await setup.start();
      const [status, none] = await setup.ask("GET /health");
      assert.deepEqual(
        [status, none],
        [200, { status: "degraded", failed: [], workers_away: ["back", "store"] }],
      );
      assert.match((await setup.command("ps")).stdout, /! no worker of "store" is there: /);
      await setup.start("back");
      const store = await setup.start("store");
      await setup.served("/desk", {});
      await setup.served("/shelf", {});
      assert.deepEqual((await setup.ask("GET /health"))[1], { status: "ok" });

      // A circuit that is open there, and closed here.
      for (let count = 0; count < 4; count += 1) await setup.served("/desk", { say: "ask" });
      const { circuits } = await setup.until("GET /topology", (body) =>
        (body["circuits"] as Json[]).some(({ state }) => state === "open"),
      );
      assert.deepEqual(
        (circuits as Json[]).map(({ name, state, worker }) => [name, state, worker]),
        [
          ["clerk", "closed", undefined],
          ["clerk", "open", "back"],
          ["clerk", "closed", "store"],
        ],
      );
      const shown = await setup.command("topology", "show", "topology.yaml");
      assert.match(shown.stdout, /agent clerk on back {2}open/);

      // An agent that is halted there.
      await setup.ask("POST /desk", { say: "enough" });
      const halted = await setup.until("GET /health", (body) => body["halted"] !== undefined);
      assert.deepEqual(halted, { status: "ok", halted: ["desk"] });
      assert.match((await setup.command("ps")).stdout, /! desk is halted by an eval agent/);

      // One that is held up is there, and says nothing.
      store.kill("SIGSTOP");
      const silent = await setup.until(
        "GET /health",
        ({ workers_silent: labels }) => labels !== undefined,
      );
      assert.deepEqual([silent["status"], silent["workers_silent"]], ["degraded", ["store"]]);
      store.kill("SIGKILL");
      await store.exited();
      const gone = await setup.until("GET /health", ({ workers_away: away }) => away !== undefined);
      assert.deepEqual(gone["workers_away"], ["store"]);
    },
  );
