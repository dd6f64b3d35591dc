/** The control plane of a topology whose agents are partly on workers, as operators meet it on the command line. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
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
plugins: { exporters: [{ type: sqlite }] }
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
        return (found as Json[]).some(({ at }) => /agents\.ts:7:/.test(String(at)));
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

      // Another topology is refused whole, with the first node that a worker knows otherwise; the same one is no change.
      const running = readFileSync(join(setup.folder, "topology.yaml"), "utf8");
      assert.equal((await setup.ask("POST /apply", { topology: running }))[0], 200);
      const [, before] = await setup.ask("GET /topology");
      for (const [from, to, line] of [
        [
          "process: back",
          "process: back, capabilities: [x]",
          /"desk", on the worker "back", is another one/,
        ],
        ["process: back", "process: new", /"desk", on the worker "back", is another one/],
        [
          "name: front, type: agents.Desk",
          "name: front, type: agents.Desk, capabilities: [x]",
          /"front" is another one .* the workers "back", "store" began with/,
        ],
      ] as const) {
        const other = { topology: running.replace(from, to) };
        const [, plan] = await setup.ask("POST /plan", other);
        assert.match((plan["needs_restart"] as string[]).join("\n"), line);
        const [refused, said] = await setup.ask("POST /apply", other);
        assert.equal(refused, 409, JSON.stringify(said));
        assert.match(String(said["error"]), /"(?:desk|front)"/);
      }
      const shape = ({ children }: Json): unknown =>
        (children as Json[]).map(({ name, restart_count, process_id }) => [
          name,
          restart_count,
          process_id,
        ]);
      assert.deepEqual(shape((await setup.ask("GET /topology"))[1]), shape(before));

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
