/** What an operator sees of a tree that runs: the present of an agent, its past, crashes and events, over real sockets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "testkit";
import {
  type RunningTopology,
  startTopology,
} from "../gateway/e2e/test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

let open = Promise.withResolvers<void>();

export class Desk extends Agent {
  override async handle({ payload }: Message) {
    if (payload.note !== undefined) {
      this.state = { iban: "DE02", inner: { apiKey: "abc", phone: "+49" }, text: "password=hunter22" };
      this.log.info("noted", { note: payload.note, token: "t0ken" });
    }
    if (payload.wait === true) await open.promise;
    if (payload.crash === true) {
      throw new RangeError("the amount 900 is too high", { cause: new TypeError("password=hunter22") });
    }
    return { done: true };
  }
}
export class Gate extends Agent {
  override handle() {
    this.log.warn("opened");
    open.resolve();
    open = Promise.withResolvers();
    return {};
  }
}
`;
const guards = `
import type { JsonObject, Middleware } from "agentrt";

export const hide = (state: JsonObject, agent: string) => ({ ...state, iban: "hidden of " + agent });

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;

interface Ports {
  readonly open: number;
  readonly gated: number;
  readonly api: number;
}

const topology = ({ open, gated, api }: Ports): string => `supervision:
  name: root
  restart_window: 3600
  max_restarts: 100
  backoff: CONSTANT
  backoff_base: 0
  children:
    - agent: { name: desk, type: agents.Desk }
    - agent: { name: gate, type: agents.Gate }
    - { name: members, type: pool, class: agents.Desk, size: 1 }
    - { name: ticket, type: keyed, class: agents.Desk, key: id }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${api}, topology_agent: inside }
    - { name: inside, type: topology_server, config: { attach_to: api, prefix: /ops, redact: guards.hide } }
    - { name: open, type: topology_server, config: { port: ${open}, redact: [iban, phone], dead_letter_payloads: 10 } }
    - { name: gated, type: topology_server, config: { port: ${gated}, auth: { middleware: [guards.badge] } } }
`;

type Json = { readonly [name: string]: unknown };

interface Setup extends AsyncDisposable {
  readonly running: RunningTopology;
  readonly ports: Ports;
  readonly ask: (target: string, options?: AskOptions) => Promise<readonly [number, Json]>;
  /** Asks again until the answer is as wanted. */
  readonly until: (target: string, wanted: (body: Json) => boolean) => Promise<Json>;
}

interface AskOptions {
  readonly port?: keyof Ports;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

async function serve(): Promise<Setup> {
  const ports = { open: await freePort(), gated: await freePort(), api: await freePort() };
  const running = await startTopology({
    topology: topology(ports),
    files: { "agents.ts": agents, "guards.ts": guards },
  });
  const ask: Setup["ask"] = async (target, { port = "open", body, headers = {} } = {}) => {
    const [method = "", path = ""] = target.split(" ");
    const response = await fetch(`http://127.0.0.1:${ports[port]}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Json];
  };
  return {
    running,
    ports,
    ask,
    async until(target, wanted) {
      for (let count = 0; count < 5000; count += 1) {
        const [, body] = await ask(target);
        if (wanted(body)) return body;
      }
      throw new Error(`${target} does not become what is wanted`);
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** The events of a stream, one by one; ends with the test. */
class Watcher implements AsyncDisposable {
  readonly #abort = new AbortController();
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  private constructor(response: Response, abort: AbortController) {
    this.#abort = abort;
    assert.ok(response.body !== null);
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(
    url: string,
    headers: { readonly [name: string]: string } = {},
  ): Promise<Watcher> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    assert.deepEqual(
      [response.status, response.headers.get("content-type")],
      [200, "text/event-stream"],
    );
    return new Watcher(response, abort);
  }

  /** @returns The next event; undefined at the end of the stream. */
  async next(): Promise<{ readonly [field: string]: string } | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const pairs = block.split("\n").map((line) => {
          const colon = line.indexOf(": ");
          return [line.slice(0, colon), line.slice(colon + 2)] as const;
        });
        const fields = Object.fromEntries(pairs);
        if (fields["event"] !== undefined) return fields;
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#reader.cancel().catch(() => undefined);
  }
}

function withoutTime(entry: Json): Json {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== "timestamp"));
}

const atTest = (path: string): RegExp => new RegExp(`/${path}:\\d+:\\d+$`);

test("the present and the past of an agent: at hand, waiting, suspended by whom, crashed where", async () => {
  await using setup = await serve();
  const { ask, until } = setup;
  const beginMs = Date.now();
  // At hand, and waiting behind it.
  for (const payload of [{ wait: true, secret: "s3cret" }, {}])
    await ask("POST /agents/desk/cast", { port: "api", body: payload });
  const busy = await until("GET /agents/desk", (body) => (body["at_hand"] as unknown[]).length > 0);
  const [message = {}] = busy["at_hand"] as Json[];
  const { id, trace_id: traceId, timestamp, since, ...rest } = message;
  assert.deepEqual(rest, { type: "http.request", sender: "api", priority: 0, attempt: 0 });
  assert.match(String(id), /^[\da-f-]{36}$/);
  assert.match(String(traceId), /^[\da-f]{32}$/);
  for (const seconds of [timestamp, since])
    assert.ok(Math.abs(Number(seconds) * 1000 - beginMs) < 60_000);
  const waiting = await until(
    "GET /agents/desk",
    (body) => (body["mailbox"] as Json)["depth"] === 1,
  );
  assert.equal(typeof (waiting["mailbox"] as Json)["oldest_timestamp"], "number");
  assert.deepEqual(
    [waiting["kind"], waiting["class"], waiting["suspension"], waiting["last_crash"]],
    ["agent", "Desk", null, null],
  );
  assert.ok(!JSON.stringify(busy).includes("s3cret"));

  // Suspended: who, why, since when. Then resumed, restarted, crashed.
  const ada = { port: "gated" as const, headers: { "x-badge": "ada" } };
  const asked = { reason: "wrong refunds", category: "governance_pause" };
  await ask("POST /agents/desk/suspend", { ...ada, body: asked });
  await ask("POST /agents/gate", { port: "api", body: {} });
  const held = await until("GET /agents/desk", (body) => body["suspension"] !== null);
  const { since: heldSince, ...suspension } = held["suspension"] as Json;
  assert.deepEqual(suspension, { ...asked, initiated_by: "ada", durable: true, drained: false });
  assert.ok(Number(heldSince) * 1000 >= beginMs - 1000);
  await ask("POST /agents/desk/resume", ada);
  await until("GET /agents/desk", (body) => body["status"] === "RUNNING");
  await ask("POST /agents/desk/restart", ada);
  await until("GET /agents/desk", (body) => body["restart_count"] === 1);
  const [crashed] = await ask("POST /agents/desk", { port: "api", body: { crash: true } });
  assert.equal(crashed, 502);
  const after = await until(
    "GET /agents/desk",
    (body) => body["status"] === "RUNNING" && body["restart_count"] === 2,
  );
  const last = after["last_crash"] as Json;
  assert.deepEqual(
    [last["agent"], last["reason"], last["message"]],
    ["desk", "RangeError", "the amount 900 is too high"],
  );
  assert.match(String(last["at"]), atTest("agents\\.ts"));

  const [, { history, ...others }] = await ask("GET /agents/desk/history");
  assert.deepEqual(others, { agent: "desk" });
  const entries = history as Json[];
  assert.deepEqual(
    entries.map(({ event }) => event),
    [
      "started",
      "suspended",
      "resumed",
      "restart_requested",
      "restarted",
      "started",
      "crashed",
      "restarted",
      "started",
    ],
  );
  const [, suspended, resumed, requested, , , crash, restarted] = entries.map(withoutTime);
  assert.deepEqual(suspended, {
    event: "suspended",
    ...asked,
    initiated_by: "ada",
    durable: true,
  });
  assert.deepEqual(resumed, { event: "resumed", approver: "ada" });
  assert.deepEqual(requested, { event: "restart_requested", initiated_by: "ada" });
  assert.deepEqual(
    [crash?.["crash_id"], crash?.["reason"], crash?.["at"]],
    [last["id"], "RangeError", last["at"]],
  );
  assert.deepEqual(restarted, { event: "restarted", supervisor: "root", restart_count: 2 });

  const [, one] = await ask(`GET /crashes/${String(last["id"])}`);
  const error = one["error"] as Json;
  assert.deepEqual([one["id"], one["agent"]], [last["id"], "desk"]);
  const [cause = {}] = error["causes"] as Json[];
  // What looks like a secret is in no answer.
  assert.deepEqual([cause["name"], cause["message"]], ["TypeError", "password=<secret-1>"]);
  assert.match((error["stack"] as string[])[0] ?? "", /Desk\.handle .*agents\.ts:\d+:\d+/);
  const atHand = one["message_at_hand"] as Json;
  assert.deepEqual([atHand["type"], atHand["sender"]], ["http.request", "api"]);
  assert.equal(one["trace_id"], atHand["trace_id"]);
  const [, crashes] = await ask("GET /crashes");
  assert.deepEqual(crashes, { crashes: [last] });

  // Groups and keys.
  await ask("POST /agents/members/suspend", { body: { reason: "night" } });
  const pool = await until("GET /agents/members", (body) => body["suspension"] !== null);
  assert.deepEqual(
    [pool["kind"], pool["class"], (pool["suspension"] as Json)["initiated_by"]],
    ["pool", "Desk", "unauthenticated"],
  );
  await ask("POST /agents/ticket/cast", { port: "api", body: { id: "7", wait: true } });
  const key = await until(
    "GET /agents/ticket%2F7",
    (body) => ((body["at_hand"] as unknown[] | undefined) ?? []).length === 1,
  );
  assert.deepEqual([key["kind"], key["class"], key["status"]], ["key", "Desk", "RUNNING"]);
  const [, keyed] = await ask("GET /agents/ticket");
  assert.deepEqual([keyed["kind"], (keyed["at_hand"] as unknown[]).length], ["keyed", 1]);
  const [, ofKey] = await ask("GET /agents/ticket%2F7/history");
  assert.deepEqual(
    (ofKey["history"] as Json[]).map(({ event }) => event),
    ["started"],
  );

  // Who asks for what is not there, and who must not ask.
  const refused: readonly (readonly [string, number, Json])[] = [
    ["GET /agents/nobody", 404, { error: "agent 'nobody' not found" }],
    ["GET /agents/root", 404, { error: "agent 'root' not found" }],
    ["GET /agents/nobody/history", 404, { error: "agent 'nobody' not found" }],
    ["GET /crashes/x-c9", 404, { error: "crash 'x-c9' not found" }],
    ["GET /events?follow=no", 400, { error: "follow must be true or false" }],
    ["GET /events?recent=many", 400, { error: "recent must be a whole number of 0 to 1000" }],
  ];
  for (const [target, status, body] of refused)
    assert.deepEqual(await ask(target), [status, body], target);
  const gated = ["/agents/desk", "/agents/desk/history", "/crashes", "/crashes/x", "/events"];
  for (const path of gated) {
    assert.equal((await ask(`GET ${path}`, { port: "gated" }))[0], 401, path);
    if (path !== "/events")
      assert.equal(
        (await ask(`GET /ops${path}`, { port: "api" }))[0],
        path.endsWith("x") ? 404 : 200,
      );
  }
  const [, { processes }] = await ask("GET /processes");
  const delay = (processes as Json[])[0]?.["event_loop_delay"] as Json;
  assert.deepEqual(Object.keys(delay), ["p50_ms", "p99_ms", "max_ms", "window_seconds"]);
  assert.ok(Number(delay["max_ms"]) >= Number(delay["p50_ms"]) && Number(delay["max_ms"]) > 0);
});

test("state, log lines and messages that nobody handled: nothing secret, and sent again once", async () => {
  await using setup = await serve();
  const { ask, until, ports } = setup;
  const logs = `http://127.0.0.1:${ports.open}/agents/desk/logs`;
  await using follower = await Watcher.open(`${logs}?follow=true`);
  await ask("POST /agents/desk", { port: "api", body: { note: 1 } });
  const line = JSON.parse((await follower.next())?.["data"] ?? "null") as Json;
  const { time, traceId, spanId, ...said } = line;
  assert.deepEqual(said, { agent: "desk", level: "info", message: "noted", note: 1, token: "***" });
  assert.match([time, traceId, spanId].join(" "), /^20\S+Z [\da-f]{32} [\da-f]{16}$/);
  assert.deepEqual(await ask("GET /agents/desk/logs"), [200, { lines: [line] }]);
  await ask("POST /agents/gate", { port: "api", body: {} });
  const [, all] = await ask("GET /logs?limit=2");
  assert.deepEqual(
    (all["lines"] as Json[]).map(({ agent, message }) => [agent, message]),
    [
      ["desk", "noted"],
      ["gate", "opened"],
    ],
  );

  const hidden = { iban: "***", inner: { apiKey: "***", phone: "***" }, text: "password=***" };
  assert.deepEqual(await ask("GET /agents/desk/state"), [200, { agent: "desk", state: hidden }]);
  const [, byFunction] = await ask("GET /ops/agents/desk/state", { port: "api" });
  assert.deepEqual(byFunction["state"], {
    iban: "hidden of desk",
    inner: { apiKey: "***", phone: "+49" },
    text: "password=***",
  });
  assert.deepEqual(await ask("GET /agents/ticket%2F9/state"), [
    200,
    { agent: "ticket/9", state: null },
  ]);

  await ask("POST /agents/desk", { port: "api", body: { crash: true, secret: "s3cret" } });
  const { dead_letters: letters } = await until(
    "GET /dead-letters",
    (body) => (body["dead_letters"] as Json[])[0]?.["replayable"] === true,
  );
  const [letter = {}] = letters as Json[];
  assert.ok(!JSON.stringify(letters).includes("s3cret"));
  const target = `POST /dead-letters/${String(letter["id"])}/replay`;
  assert.equal((await ask(target, { port: "gated" }))[0], 401);
  const [status, replayed] = await ask(target);
  const { id, ...others } = replayed;
  assert.deepEqual(
    [status, others],
    [
      202,
      {
        status: "replayed",
        agent: "desk",
        replay_of: letter["id"],
        initiated_by: "unauthenticated",
      },
    ],
  );
  assert.notEqual(id, letter["id"]);
  assert.deepEqual(await ask(target), [
    409,
    { error: `'${String(letter["id"])}' was replayed already, as '${String(id)}'` },
  ]);
  // It crashed again: a dead letter of another id, which can be sent again, too.
  const again = await until(
    "GET /dead-letters",
    (body) => (body["dead_letters"] as Json[]).length === 2,
  );
  assert.deepEqual(
    (again["dead_letters"] as Json[]).map((each) => [each["id"], each["replayable"]]),
    [
      [letter["id"], undefined],
      [id, true],
    ],
  );
  const refused: readonly (readonly [string, number, Json])[] = [
    ["POST /dead-letters/none/replay", 404, { error: "dead letter 'none' not found" }],
    ["GET /agents/nobody/logs", 404, { error: "agent 'nobody' not found" }],
    ["GET /logs?limit=0", 400, { error: "limit must be a whole number of 1 to 1000" }],
    ["GET /logs?limit=0&follow=true", 400, { error: "limit must be a whole number of 1 to 1000" }],
    ["GET /logs?follow=yes", 400, { error: "follow must be true or false" }],
    ["GET /agents/nobody/state", 404, { error: "agent 'nobody' not found" }],
    [
      "GET /agents/members/state",
      409,
      { error: "'members' has no state: want an agent, or a key of it" },
    ],
  ];
  for (const [asked, wanted, body] of refused)
    assert.deepEqual(await ask(asked), [wanted, body], asked);
  for (const path of ["/logs", "/agents/desk/logs", "/agents/desk/state", "/overview"])
    assert.equal((await ask(`GET ${path}`, { port: "gated" }))[0], 401, path);

  const [, overview] = await ask("GET /ops/overview", { port: "api" });
  const rows = overview["agents"] as Json[];
  assert.deepEqual(
    rows.map(({ name, kind }) => `${String(kind)} ${String(name)}`),
    [
      "agent desk",
      "agent gate",
      "pool members",
      "agent members/1",
      "keyed ticket",
      "agent api",
      "agent inside",
      "agent open",
      "agent open_gateway",
      "agent gated",
      "agent gated_gateway",
    ],
  );
  const [desk = {}] = rows;
  assert.deepEqual(
    [desk["class"], desk["mailbox_depth"], desk["at_hand_count"], desk["messages_handled"]],
    ["Desk", 0, 0, 1],
  );
});

test("events are told as they come, and to one that comes back from where it was; the tree waits for nobody", async () => {
  await using setup = await serve();
  const { ask, ports, running } = setup;
  const url = `http://127.0.0.1:${ports.open}/events`;
  await using all = await Watcher.open(url);
  await using crashes = await Watcher.open(`${url}?type=agent.crashed&agent=desk,gate`);
  await using attached = await Watcher.open(
    `http://127.0.0.1:${ports.api}/ops/events?type=supervisor.*`,
  );
  await ask("POST /agents/desk", { port: "api", body: { crash: true } });
  const seen = [await all.next(), await all.next(), await all.next(), await all.next()];
  assert.deepEqual(
    seen.map((event) => event?.["event"]),
    ["agent.crashed", "supervisor.crash", "supervisor.restart", "agent.started"],
  );
  const [first, second] = seen;
  const crash = JSON.parse(first?.["data"] ?? "null") as Json;
  assert.deepEqual(
    [crash["type"], crash["agent"], crash["reason"], crash["message"]],
    ["agent.crashed", "desk", "RangeError", "the amount 900 is too high"],
  );
  assert.equal((await crashes.next())?.["id"], first?.["id"]);
  assert.equal((await attached.next())?.["event"], "supervisor.crash");

  // One comes back behind what it has seen, another asks for the latest, a third comes from another run.
  await using back = await Watcher.open(url, { "last-event-id": second?.["id"] ?? "" });
  assert.equal((await back.next())?.["id"], seen[2]?.["id"]);
  await using latest = await Watcher.open(`${url}?recent=1&type=agent.crashed`);
  assert.equal((await latest.next())?.["id"], first?.["id"]);
  const ended = async (query: string): Promise<string> =>
    await (await fetch(`${url}?follow=false&${query}`)).text();
  const whole = await ended("recent=1000&type=agent.crashed");
  assert.deepEqual(whole.match(/^id: .*$/gm), [`id: ${first?.["id"] ?? ""}`]);
  assert.equal(await ended("recent=1000&type=nothing"), "retry: 1000\n\n");
  assert.equal(await ended("type=agent.crashed"), "retry: 1000\n\n");
  await using foreign = await Watcher.open(url, { "last-event-id": "0-7" });
  const gap = await foreign.next();
  assert.deepEqual([gap?.["event"], gap?.["data"]], ["gap", '{"missed":null}']);

  // A hundred watch; half of them never read, some leave in the middle. All others get all there is.
  const many = await Promise.all(
    Array.from({ length: 100 }, () => Watcher.open(`${url}?type=agent.suspended`)),
  );
  await Promise.all(many.slice(0, 20).map((each) => each[Symbol.asyncDispose]()));
  for (let count = 0; count < 20; count += 1) {
    assert.equal(
      (await ask("POST /agents/desk/suspend", { body: { reason: `${count}` } }))[0],
      200,
    );
  }
  for (const each of many.slice(20, 50)) {
    for (let count = 0; count < 20; count += 1) {
      const { data = "null" } = (await each.next()) ?? {};
      assert.equal((JSON.parse(data) as Json)["reason"], `${count}`);
    }
  }
  await ask("POST /agents/desk/resume");
  assert.equal((await ask("POST /agents/gate", { port: "api", body: {} }))[0], 200);

  // A stop does not wait for watchers: it ends them.
  running.program.kill("SIGTERM");
  let event = await all.next();
  while (event !== undefined) event = await all.next();
  const exit = await running.program.exited();
  assert.equal(exit.code, 0, running.output());
  assert.ok(!running.output().includes("cut off"));
  await Promise.all(many.map((each) => each[Symbol.asyncDispose]()));
});
