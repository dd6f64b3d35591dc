import assert from "node:assert/strict";
import { test } from "node:test";
import { RawHttpClient } from "testkit";
import {
  Agent,
  type AuditEvent,
  type AuditRefusal,
  child,
  createRealSystem,
  createTextLog,
  type JsonObject,
  supervisor,
  type Message,
} from "../core/index.ts";
import { httpGatewaySpec } from "../gateway/index.ts";
import { Runtime, type SuspendOptions, type TraceQuery } from "../runtime/index.ts";
import { controlRoutes, Observer, topologyAgentSpec, topologyServerSpec } from "./index.ts";

class Worker extends Agent {
  override handle(message: Message): object {
    if (message.type === "crash") throw new TypeError("as told");
    return {};
  }
}

interface Setup extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly started: Promise<void>;
  readonly ports: { readonly [node: string]: number };
  get(target: string, headers?: { readonly [name: string]: string }): Promise<[number, unknown]>;
  failed(name: string): Promise<void>;
}

/** A tree with a worker, a topology server of its own, and one attached to a gateway under /admin. */
async function serve(lateStart?: Promise<void>): Promise<Setup> {
  const listening = Promise.withResolvers<void>();
  class Late extends Agent {
    override async onStart(): Promise<void> {
      await lateStart;
    }
    override handle(): undefined {
      return undefined;
    }
  }
  const ports: { [node: string]: number } = {};
  const observer = new Observer({ system: createRealSystem() });
  const runtimePorts = {
    get system() {
      return runtime.system;
    },
    environment: {},
    chooseCapable: (tag: string): string => runtime.registry.chooseCapable(tag, { random: 0 }),
    hasAgent: (name: string): boolean => runtime.registry.get(name)?.kind === "agent",
    isClosed: () => false,
    isInfrastructure: () => false,
    onListening: (address: { readonly node: string; readonly port: number }): void => {
      ports[address.node] = address.port;
      if (address.node === "api") listening.resolve();
    },
    control: {
      transportName: "in_process",
      get status() {
        return runtime.status;
      },
      tree: () => runtime.tree(),
      health: () => runtime.health(),
      circuits: () => runtime.circuits(),
      snapshot: (names?: readonly string[]) => runtime.snapshot(names),
      findNode: (name: string) => runtime.findNode(name),
      awaitedModels: () => runtime.awaitedModels(),
      deadLetters: () => runtime.deadLetters(),
      activity: (name: string) => runtime.activity(name),
      modelAnsweredMs: (name: string) => runtime.modelAnsweredMs(name),
      agentState: (name: string) => runtime.agentState(name),
      agentNode: (name: string) => runtime.agentNode(name),
      keys: (name: string) => runtime.keys(name),
      observer,
      crashRecord: (id: string) => runtime.crashRecord(id),
      crashRecords: () => runtime.crashRecords(),
      findTrace: (traceId: string) => runtime.findTrace(traceId),
      traces: (query: TraceQuery) => runtime.traces(query),
      requestMetrics: () => ({ requests: [], durations: [] }),
      processUsage: () => ({
        nowMs: 0,
        cpuSeconds: 1.5,
        rssBytes: 4096,
        heapUsedBytes: 1024,
        startTimeSeconds: 1,
        loopDelay: undefined,
      }),
      mailbox: (name: string, options: { readonly limit?: number }) =>
        runtime.mailbox(name, options),
      process: () => ({
        pid: 7,
        cpuPercent: 12.34,
        rssBytes: 4096,
        uptimeMs: 1500,
        isContainerized: true,
        orchestrator: "docker" as const,
      }),
      suspend: (name: string, options: SuspendOptions) => runtime.suspend(name, options),
      resume: (name: string, options: { readonly approver: string }) =>
        runtime.resume(name, options),
      restart: (name: string, options: { readonly initiatedBy: string }) =>
        runtime.restart(name, options),
      inject: (name: string, message: { readonly type: string; readonly payload: JsonObject }) =>
        runtime.inject(name, message),
      dropMessage: (name: string, id: string) => runtime.dropMessage(name, id),
      get approvals() {
        return runtime.approvals;
      },
      drain: (name: string, asked: { readonly initiatedBy: string }) => runtime.drain(name, asked),
      plan: () => ({ isChange: false, nodes: [], parts: [], refusals: [], awayGroups: [] }),
      apply: () => Promise.reject(new TypeError("nothing is applied here")),
      applyState: { status: "none" } as const,
      isClosed: (name: string) => name === "inside" || name === "api",
      recordAudit: (event: AuditEvent) => runtime.recordAudit(event),
      noteRefusal: (refusal: AuditRefusal) => runtime.noteRefusal(refusal),
      auditReport: () => runtime.auditReport(),
      warn: () => undefined,
      turnEnd: () => new Promise<void>((resolve) => runtime.system.yieldTurn(resolve)),
    },
  };
  const { control } = runtimePorts;
  const attached = {
    host: "127.0.0.1",
    port: 0,
    ownRoutes: controlRoutes({ name: "inside", control, prefix: "/admin", boundHost: "127.0.0.1" }),
    routes: [{ method: "GET", path: "/{any}", agent: "worker" }],
  };
  const runtime: Runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      restartCountMax: 1,
      backoffBaseMs: 0,
      children: [
        child(Worker, "worker", { capabilities: ["work"], capabilityMetadata: { level: 3 } }),
        topologyServerSpec("topo", { port: 0 }, runtimePorts),
        topologyAgentSpec("inside", control),
        httpGatewaySpec("api", attached, runtimePorts),
        ...(lateStart === undefined ? [] : [child(Late, "late")]),
      ],
    }),
  });
  observer.watch(runtime);
  const started = runtime.start();
  await (lateStart === undefined ? started : listening.promise);
  return {
    runtime,
    started,
    ports,
    async get(target, headers = {}) {
      const [node = "", path = ""] = target.split(" ");
      await using client = await RawHttpClient.open(ports[node] ?? 0);
      const lines = Object.entries({ Host: "127.0.0.1:6789", ...headers });
      const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      client.send(`GET ${path} HTTP/1.1\r\n${text}\r\n`);
      const response = await client.response();
      return [response?.status ?? 0, JSON.parse(response?.body || "null")];
    },
    async failed(name) {
      if (runtime.health().failed.includes(name)) return;
      await new Promise<void>((resolve) => {
        runtime.onEvent((event) => {
          if (event.type === "supervisor.exhausted" && event.child === name) resolve();
        });
      });
    },
    async [Symbol.asyncDispose]() {
      await runtime.stop();
    },
  };
}

const agentOf = (name: string): object => ({
  name,
  status: "RUNNING",
  process_id: "topo",
  capabilities: name === "worker" ? ["work"] : [],
  capability_metadata: name === "worker" ? { level: 3 } : {},
  uptime_seconds: 0,
  session_turn_count: 0,
  session_duration_seconds: 0,
  suspend_category: null,
});

/** The same agent alone, at rest. */
const detailOf = (name: string): object => ({
  ...agentOf(name),
  restart_count: 0,
  kind: "agent",
  class: "Worker",
  mailbox: { depth: 0, oldest_timestamp: null, waiting_senders: 0 },
  at_hand: [],
  suspension: null,
  last_crash: null,
  above: ["root"],
});

/** Sets every uptime to 0 after checking that it is a number of seconds. */
function withoutUptime(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (key !== "uptime_seconds") return value;
      assert.ok(typeof value === "number" && value >= 0 && value < 60);
      return 0;
    }),
  );
}

test("GET /topology shows the tree, its own supervisor included", async () => {
  await using setup = await serve();
  const [status, body] = await setup.get("topo_gateway /topology");
  const node = (name: string): object => {
    const { name: _, ...rest } = agentOf(name) as { readonly name: string };
    return { name, type: "agent", restart_count: 0, ...rest };
  };
  const supervisorNode = (name: string, children: object[]): object => ({
    name,
    type: "supervisor",
    strategy: "ONE_FOR_ONE",
    restart_count: 0,
    crashes_in_window: 0,
    process_id: "topo",
    children,
  });
  assert.equal(status, 200);
  const { revision, ...tree } = withoutUptime(body) as { readonly revision: string };
  assert.deepEqual(
    tree,
    supervisorNode("root", [
      node("worker"),
      supervisorNode("topo_supervisor", [node("topo"), node("topo_gateway")]),
      node("inside"),
      node("api"),
    ]),
  );

  const since = `topo_gateway /topology?since=${revision}`;
  assert.deepEqual(await setup.get(since), [204, null], "nothing has happened");
  await setup.runtime.suspend("worker", { reason: "a look", initiatedBy: "ada" });
  const [changed, after] = await setup.get(since);
  assert.equal(changed, 200);
  assert.notEqual((after as { readonly revision: string }).revision, revision);
});

test("GET /snapshot has the counters of all agents, or of those that are named", async () => {
  await using setup = await serve();
  const named = async (query: string): Promise<string[]> => {
    const [, body] = await setup.get(`topo_gateway /snapshot${query}`);
    const { agents, total_messages: total } = body as {
      readonly agents: object;
      readonly total_messages: unknown;
    };
    assert.equal(typeof total, "number");
    return Object.keys(agents);
  };
  assert.ok((await named("")).includes("inside"));
  assert.deepEqual(await named("?agent=worker,api,nobody"), ["worker", "api"]);
  assert.deepEqual(await named("?agent="), []);
});

test("GET /agents lists agents alone, and GET /agents/{name} one of them", async () => {
  await using setup = await serve();
  const [, agents] = await setup.get("topo_gateway /agents");
  assert.deepEqual(
    withoutUptime(agents),
    ["worker", "topo", "topo_gateway", "inside", "api"].map(agentOf),
  );
  const [status, one] = await setup.get("topo_gateway /agents/worker/");
  assert.deepEqual([status, withoutUptime(one)], [200, detailOf("worker")]);
  for (const name of ["nobody", "root", "topo_supervisor", "constructor"]) {
    assert.deepEqual(await setup.get(`topo_gateway /agents/${name}`), [
      404,
      { error: `agent '${name}' not found` },
    ]);
  }
});

test("GET /health is 200 and says who is crashed for good; /snapshot tells the restarts", async () => {
  await using setup = await serve();
  assert.deepEqual(await setup.get("topo_gateway /health"), [200, { status: "ok" }]);
  for (let crashCount = 0; crashCount < 2; crashCount += 1) {
    await assert.rejects(setup.runtime.call("worker", {}, { type: "crash" }), {
      code: "AGENTRT_AGENT_CRASHED",
    });
    if (crashCount === 0) await setup.runtime.call("worker", {});
  }
  await setup.failed("worker");
  assert.deepEqual(await setup.get("topo_gateway /health"), [
    200,
    { status: "degraded", failed: ["worker"] },
  ]);
  assert.deepEqual(await setup.get("topo_gateway /ready"), [200, { status: "ready" }]);
  const [, worker] = await setup.get("topo_gateway /agents/worker");
  assert.equal((worker as { status: string }).status, "CRASHED");
  const [, snapshot] = (await setup.get("topo_gateway /snapshot")) as [
    number,
    {
      agents: { [name: string]: { restarts: number; errors: number; last_model: null } };
      restart_history: { agent_name: string; reason: string; timestamp: number }[];
    },
  ];
  assert.equal(snapshot.agents["worker"]?.restarts, 1);
  assert.equal(snapshot.agents["worker"]?.last_model, null);
  const last = snapshot.restart_history.at(-1);
  assert.deepEqual([last?.agent_name, last?.reason], ["worker", "TypeError"]);
  assert.ok(Math.abs((last?.timestamp ?? 0) - setup.runtime.system.nowMs() / 1000) < 60);
});

test("GET /ready is 503 until the whole tree has started, and names no agent", async () => {
  const gate = Promise.withResolvers<void>();
  await using setup = await serve(gate.promise);
  const notReady = [503, { status: "not_ready" }];
  assert.deepEqual(await setup.get("topo_gateway /ready"), notReady);
  gate.resolve();
  await setup.started;
  assert.deepEqual(await setup.get("topo_gateway /ready"), [200, { status: "ready" }]);
  await assert.rejects(setup.runtime.call("worker", {}, { type: "crash" }));
  assert.deepEqual(await setup.get("topo_gateway /ready"), [200, { status: "ready" }]);
});

test("GET /dead-letters lists what nobody handled, without payloads, and the topology agent too", async () => {
  await using setup = await serve();
  const lost = setup.runtime.cast("nobody", { secret: "s3cret" }, { type: "lost" });
  await assert.rejects(lost, { code: "AGENTRT_BUS_NO_ROUTE" });
  const [status, body] = await setup.get("topo_gateway /dead-letters");
  const { counts, dead_letters: letters } = body as {
    counts: { noRoute: number };
    dead_letters: { reason: string; recipient: string; type: string; id: null }[];
  };
  assert.equal(status, 200);
  assert.equal(counts.noRoute, 1);
  assert.deepEqual(
    letters.map(({ reason, recipient, type, id }) => [reason, recipient, type, id]),
    [["noRoute", "nobody", "lost", null]],
  );
  assert.ok(!JSON.stringify(body).includes("s3cret"));
  assert.deepEqual(await setup.runtime.call("inside", { __op__: "dead_letters" }), body);
});

test("a topology server's own gateway has no routes to agents", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.ports["topo_gateway"] ?? 0);
  const rows = ["POST /agents/worker", "POST /agents/worker/cast"];
  for (const row of rows) {
    client.send(`${row} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const response = await client.response();
    assert.equal(response?.status, row === rows[0] ? 405 : 404, row);
  }
  assert.equal(setup.runtime.snapshot().agents["worker"]?.messagesHandled, 0);
});

test("an attached topology server answers under its prefix, before the gateway's own routes", async () => {
  await using setup = await serve();
  assert.deepEqual(await setup.get("api /admin/health"), [200, { status: "ok" }]);
  assert.deepEqual(await setup.get("api /health"), [200, {}]);
  const [, one] = await setup.get("api /admin/agents/worker");
  assert.equal((one as { process_id: string }).process_id, "inside");
});

test("a loopback control port serves only requests that name this machine", async () => {
  await using setup = await serve();
  const ask = async (headers: { readonly [name: string]: string }): Promise<unknown> =>
    (await setup.get("topo_gateway /health", headers))[0];
  for (const host of ["localhost", "LOCALHOST:6789", "127.0.0.1", "127.1.2.3:1", "[::1]:6789"]) {
    assert.equal(await ask({ Host: host }), 200, host);
  }
  for (const host of [
    "evil.example",
    "evil.example:6789",
    "127.0.0.1.evil.example",
    "localhost.",
    "10.0.0.1",
    "",
  ]) {
    assert.equal(await ask({ Host: host }), 403, host);
  }
  for (const malformed of ["[::1", "127.0.0.1:80:90", "localhost@evil"]) {
    assert.equal(await ask({ Host: malformed }), 400, malformed);
  }
  assert.equal(await ask({ Host: "localhost:6789", Origin: "http://localhost:6789" }), 200);
  for (const origin of [
    "null",
    "http://evil.example",
    "http://localhost:3000",
    "https://evil@localhost:6789",
    "http://localhost:6789/x",
    "",
  ]) {
    assert.equal(await ask({ Host: "localhost:6789", Origin: origin }), 403, origin);
  }
  const absolute = await setup.get("topo_gateway http://evil.example/health");
  assert.equal(absolute[0], 403);
});

test("the topology agent gives the same bodies to messages", async () => {
  await using setup = await serve();
  const ask = (payload: object): Promise<unknown> => setup.runtime.call("topo", payload);
  assert.deepEqual(await ask({ __op__: "health" }), { status: "ok" });
  const [, tree] = await setup.get("topo_gateway /topology");
  const { revision: _, ...told } = withoutUptime(tree) as { readonly revision: string };
  assert.deepEqual(withoutUptime(await ask({ __op__: "topology" })), told);
  const detail = { __op__: "agent_detail", name: "worker" };
  assert.deepEqual(withoutUptime(await ask(detail)), detailOf("worker"));
  assert.deepEqual(await ask({ __op__: "agent_detail", name: "x" }), {
    error: "agent 'x' not found",
  });
  const { agents } = (await ask({ __op__: "agents" })) as { agents: unknown[] };
  assert.equal(agents.length, 5);
  const snapshot = (await ask({ __op__: "snapshot" })) as { total_cost_usd: number };
  assert.equal(snapshot.total_cost_usd, 0);
  assert.match(JSON.stringify(await ask({})), /unknown operation/);
});
