/** What happens to agents on workers, as operators read it in the events of their supervisor. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agents, linesOf, topology } from "../test-support/desks.ts";
import { type Json, transportCases, WorkerTopology } from "../test-support/worker-topology.ts";

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

      // Events of a supervisor that is killed before it acknowledges them are told once more: a question to the worker goes behind
      // the acknowledgement.
      assert.equal((await setup.ask("GET /agents/desk/mailbox"))[0], 200);

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
      assert.match(String(reported["at"]), /agents\.ts:8:/);
      assert.equal(told.filter(({ type }) => type === "agent.restart_requested").length, 1);

      // An eval agent here halts one there: nothing but a resume starts it.
      assert.equal((await setup.ask("POST /desk", { say: "enough" }))[0], 200);
      const halted = await setup.until("GET /agents/desk", ({ halted: by }) => by !== undefined);
      assert.equal((halted["halted"] as Json)["initiated_by"], "judge");
      const [refused, why] = await setup.ask("POST /agents/desk/restart");
      assert.deepEqual(
        [refused, /"judge" has halted it, .*: enough/.test(String(why["error"]))],
        [409, true],
        String(why["error"]),
      );
      assert.equal((await setup.ask("POST /agents/desk/resume"))[0], 200);
      await setup.served("/desk", {});

      worker.kill("SIGKILL");
      await worker.exited();
      // What the supervisor has heard is known where the worker does not answer any more.
      const [, { history }] = await setup.ask("GET /agents/desk/history");
      const kinds = (history as Json[]).map(({ event }) => event);
      assert.deepEqual(kinds.slice(0, 3), ["resumed", "stopped", "halted"]);
    },
  );
