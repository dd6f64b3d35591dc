/** What agents on workers count, as operators and Prometheus read it at their supervisor. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agents, topology } from "../test-support/desks.ts";
import { type Json, transportCases, WorkerTopology } from "../test-support/worker-topology.ts";

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
        rows
          .filter(({ name }) => name !== "judge")
          .slice(0, 3)
          .map((row) => [row["name"], row["class"], row["messages_handled"]]),
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
