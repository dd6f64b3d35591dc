/** Log lines, crashes, traces and dead letters of workers, and another topology, as operators meet them at their supervisor. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agents, linesOf, topology } from "../test-support/desks.ts";
import { type Json, transportCases, WorkerTopology } from "../test-support/worker-topology.ts";

/** An event of a stream: its id, and what it says. */
interface Streamed {
  readonly id: string;
  readonly data: Json;
}

/** Follows log lines until one says what is wanted. */
async function followed(
  setup: WorkerTopology,
  path: string,
  { lastId, until }: { readonly lastId?: string; readonly until: string },
): Promise<Streamed[]> {
  const headers = lastId === undefined ? {} : { "last-event-id": lastId };
  const response = await fetch(`http://127.0.0.1:${setup.port}${path}`, { headers });
  assert.equal(response.status, 200);
  const found: Streamed[] = [];
  let text = "";
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(
    new TextDecoderStream(),
  )) {
    text += piece;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const [, id, data] = /^id: (.*)\nevent: log\ndata: (.*)$/.exec(event) ?? [];
      if (id === undefined || data === undefined) continue;
      found.push({ id, data: JSON.parse(data) as Json });
      if (found.at(-1)?.data["say"] === until) return found;
    }
  }
  assert.fail(`the stream has ended before ${until}`);
}

for (const each of transportCases)
  test(
    `${each.name}: log lines, crashes, traces and dead letters of workers are found at the supervisor`,
    { skip: each.skip },
    async () => {
      await using setup = await WorkerTopology.open(each, { topology, agents });
      await setup.start();
      await setup.start("back");
      const store = await setup.start("store");
      await setup.served("/desk", { say: "one" });
      await setup.served("/shelf", { say: "two" });
      await setup.served("/front", { say: "three" });

      const logs = await setup.command("logs", "desk", "--json");
      assert.deepEqual(
        linesOf(logs.stdout).map(({ agent, say }) => [agent, say]),
        [["desk", "one"]],
      );
      const [, { lines }] = await setup.ask("GET /logs");
      const said = (lines as Json[]).flatMap(({ say }) => (say === undefined ? [] : [say]));
      assert.deepEqual(said, ["one", "two", "three"]);
      assert.equal((await setup.ask("GET /agents/nobody/logs"))[0], 404);
      assert.equal((await setup.ask("GET /logs?limit=0"))[0], 400);
      assert.equal((await setup.ask("GET /logs?follow=true&recent=x"))[0], 400);
      assert.equal((await setup.ask("GET /logs?follow=true&last_event_id=x=1"))[0], 400);

      // The latest of all first, then those that come; who comes back goes on in each process.
      const following = followed(setup, "/logs?follow=true&recent=1000", { until: "four" });
      await setup.served("/shelf", { say: "four" });
      const first = await following;
      const ofAgents = first.filter(({ data }) => data["say"] !== undefined);
      assert.deepEqual(
        ofAgents.map(({ data }) => data["say"]),
        ["one", "two", "three", "four"],
      );
      await setup.served("/desk", { say: "five" });
      await setup.served("/front", { say: "six" });
      await setup.served("/shelf", { say: "seven" });
      const lastId = ofAgents[1]?.id ?? "";
      const again = await followed(setup, "/agents/desk/logs?follow=true", {
        lastId,
        until: "five",
      });
      assert.deepEqual(
        again.map(({ data }) => data["say"]),
        ["five"],
      );

      assert.equal((await setup.ask("POST /desk", { say: "crash" }))[0], 502);
      const { crashes } = await setup.until("GET /crashes", ({ crashes: found }) => {
        return (found as Json[]).some(({ at }) => /agents\.ts:8:/.test(String(at)));
      });
      const [crash = {}] = crashes as Json[];
      assert.equal((crashes as Json[]).length, 1);
      const [status, detail] = await setup.ask(`GET /crashes/${String(crash["id"])}`);
      const { stack } = detail["error"] as { readonly stack: readonly string[] };
      assert.deepEqual([status, stack[0]?.includes("Desk.handle")], [200, true]);

      // One trace through both processes.
      const path = `GET /traces/${String(detail["trace_id"])}`;
      const { spans } = await setup.until(path, ({ spans: found }) => {
        return (
          (found as Json[] | undefined)?.some(({ name }) => name === "agentrt.agent.handle") ===
          true
        );
      });
      const named = new Map((spans as Json[]).map((span) => [span["name"], span] as const));
      const sent = named.get("send http.request");
      assert.equal(sent?.["parent_span_id"], named.get("POST /desk")?.["span_id"]);
      for (const name of ["recv http.request", "agentrt.agent.handle"])
        assert.equal(named.get(name)?.["parent_span_id"], sent?.["span_id"], name);
      assert.equal(
        new Set((spans as Json[]).map((span) => span["span_id"])).size,
        (spans as Json[]).length,
      );

      // Once in the list, whichever processes have it.
      const wanted = String(detail["trace_id"]);
      const { traces } = await setup.until("GET /traces?agent=desk&status=error", (list) =>
        (list["traces"] as Json[]).some(({ trace_id: id }) => id === wanted),
      );
      const ofTrace = (traces as Json[]).filter(({ trace_id: id }) => id === wanted);
      assert.deepEqual(
        ofTrace.map(({ name, agents: named }) => [name, named]),
        [["POST /desk", ["api", "desk"]]],
      );

      const [, letters] = await setup.ask("GET /dead-letters");
      const [letter = {}] = letters["dead_letters"] as Json[];
      assert.deepEqual(
        [(letters["counts"] as Json)["crashed"], letter["recipient"], letter["replayable"]],
        [1, "desk", true],
      );
      const replay = `POST /dead-letters/${String(letter["id"])}/replay`;
      const [replayed, body] = await setup.ask(replay);
      assert.deepEqual([replayed, body["agent"], body["status"]], [202, "desk", "replayed"]);
      assert.equal((await setup.ask(replay))[0], 409);
      assert.equal((await setup.ask("POST /dead-letters/none/replay"))[0], 404);

      // The same topology is no change; an agent that is to be in another process is another node.
      const running = readFileSync(join(setup.folder, "topology.yaml"), "utf8");
      assert.equal((await setup.ask("POST /apply", { topology: running }))[0], 200);
      for (const [to, actions, away] of [
        ["process: back, capabilities: [x]", ["restart"], []],
        ["process: new", ["stop", "start"], ["new"]],
      ] as const) {
        const other = { topology: running.replace("process: back", to) };
        const [, plan] = await setup.ask("POST /plan", other);
        assert.deepEqual(
          (plan["nodes"] as Json[]).map(({ name, action }) => [name, action]),
          actions.map((action) => ["desk", action]),
        );
        assert.deepEqual([plan["workers_away"], plan["needs_restart"]], [away, []]);
      }

      // One that does not answer is left out of what all are asked for.
      store.kill("SIGSTOP");
      const [ok, partly] = await setup.ask("GET /logs");
      store.kill("SIGCONT");
      const saidNow = (partly["lines"] as Json[]).flatMap(({ say }) =>
        say === undefined ? [] : [say],
      );
      assert.deepEqual(
        [ok, saidNow.includes("five"), saidNow.includes("seven")],
        [200, true, false],
      );
    },
  );
