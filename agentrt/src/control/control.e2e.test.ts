/** The control plane of `agentrt run`, as an operator with an HTTP client meets it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "testkit";
import {
  type RunningTopology,
  startTopology,
} from "../gateway/e2e/test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle(message: Message) {
    return { type: message.type, payload: message.payload };
  }
}
export class Member extends Agent {
  override async handle() { return { member: this.name }; }
}
`;
const guards = `
import type { Middleware } from "agentrt";

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
  readonly keyed: number;
  readonly api: number;
}

const topology = ({ open, gated, keyed, api }: Ports): string => `supervision:
  name: root
  children:
    - agent: { name: desk, type: agents.Desk }
    - { name: members, type: pool, class: agents.Member, size: 1 }
    - { name: ticket, type: keyed, class: agents.Desk, key: id }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${api}
        request_timeout: 0.3
        topology_agent: inside
    - { name: inside, type: topology_server, config: { attach_to: api, prefix: /ops } }
    - { name: open, type: topology_server, config: { port: ${open} } }
    - { name: gated, type: topology_server, config: { port: ${gated}, auth: { middleware: [guards.badge] } } }
    - name: keyed
      type: topology_server
      config: { port: ${keyed}, auth: { middleware: [agentrt.gateway.auth.require_api_key] } }
`;

type Answer = readonly [status: number, body: unknown];

interface Setup extends AsyncDisposable {
  readonly running: RunningTopology;
  readonly ports: Ports;
  /** Asks the open control plane, or that of another port. */
  readonly ask: (target: string, options?: AskOptions) => Promise<Answer>;
  /** Asks for the status of an agent until it is the wanted one. */
  readonly becomes: (agent: string, status: string) => Promise<void>;
}

interface AskOptions {
  readonly port?: keyof Ports;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

async function serve(): Promise<Setup> {
  const ports = {
    open: await freePort(),
    gated: await freePort(),
    keyed: await freePort(),
    api: await freePort(),
  };
  const running = await startTopology({
    topology: topology(ports),
    files: { "agents.ts": agents, "guards.ts": guards },
    environment: { AGENTRT_GATEWAY_API_KEY: "k1" },
  });
  const ask: Setup["ask"] = async (target, { port = "open", body, headers = {} } = {}) => {
    const [method = "", path = ""] = target.split(" ");
    const response = await fetch(`http://127.0.0.1:${ports[port]}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return [response.status, isJson ? JSON.parse(text) : text];
  };
  return {
    running,
    ports,
    ask,
    async becomes(agent, wanted) {
      let status = "";
      for (let count = 0; status !== wanted; count += 1) {
        assert.ok(count < 5000, `${agent} is ${status}, want ${wanted}`);
        const [, body] = await ask(`GET /agents/${encodeURIComponent(agent)}`);
        ({ status } = body as { readonly status: string });
      }
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
    },
  };
}

const unauthenticated = "unauthenticated";

test("an operator suspends an agent, looks at what waits, puts a message in, and lets it go on", async () => {
  await using setup = await serve();
  const { ask } = setup;
  assert.deepEqual(
    await ask("POST /agents/desk/suspend", {
      body: { reason: "look at the refunds", category: "governance_pause", __principal__: "root" },
    }),
    [200, { status: "suspend_requested", agent: "desk", initiated_by: unauthenticated }],
  );
  await setup.becomes("desk", "SUSPENDED");
  const [, desk] = await ask("GET /agents/desk");
  assert.equal((desk as { suspend_category: string }).suspend_category, "governance_pause");
  // Suspended again: no conflict.
  assert.equal((await ask("POST /agents/desk/suspend"))[0], 200);

  const cast = await ask("POST /agents/desk/cast", { port: "api", body: { secret: "s3cret" } });
  assert.equal(cast[0], 202);
  const [status, injected] = await ask("POST /agents/desk/mailbox", {
    body: { type: "refund", payload: { amount: 7 } },
  });
  const { id, ...rest } = injected as { readonly id: string };
  assert.deepEqual([status, rest], [202, { status: "injected" }]);

  const [, mailbox] = await ask("GET /agents/desk/mailbox");
  const { messages, ...others } = mailbox as {
    readonly messages: readonly { readonly [key: string]: unknown }[];
  };
  assert.deepEqual(others, { agent: "desk", depth: 2 });
  assert.deepEqual(messages.map(Object.keys), [
    ["id", "type", "sender", "priority", "timestamp"],
    ["id", "type", "sender", "priority", "timestamp"],
  ]);
  assert.deepEqual([messages[1]?.["id"], messages[1]?.["type"]], [id, "refund"]);
  assert.ok(!JSON.stringify(mailbox).includes("s3cret"));
  const [, first] = await ask("GET /agents/desk/mailbox?limit=1");
  assert.deepEqual(first, { agent: "desk", depth: 2, messages: [messages[0]] });

  assert.deepEqual(await ask("POST /agents/desk/resume"), [
    200,
    { status: "resume_requested", agent: "desk", approver: unauthenticated },
  ]);
  await setup.becomes("desk", "RUNNING");
  // Behind both that waited.
  assert.deepEqual(await ask("POST /agents/desk", { port: "api", body: { n: 1 } }), [
    200,
    { type: "http.request", payload: { n: 1 } },
  ]);
  assert.deepEqual(await ask("GET /agents/desk/mailbox"), [
    200,
    { agent: "desk", depth: 0, messages: [] },
  ]);
  // Resumed again: no conflict.
  assert.equal((await ask("POST /agents/desk/resume"))[0], 200);
});

test("an operator restarts an agent", async () => {
  await using setup = await serve();
  assert.deepEqual(await setup.ask("POST /agents/desk/restart", { body: { reason: "leaks" } }), [
    200,
    { status: "restart_requested", agent: "desk", initiated_by: unauthenticated },
  ]);
  let restarts = 0;
  for (let count = 0; restarts === 0; count += 1) {
    assert.ok(count < 5000, "it was not restarted");
    const [, snapshot] = await setup.ask("GET /snapshot");
    const { agents: counters } = snapshot as { agents: { desk: { restarts: number } } };
    restarts = counters.desk.restarts;
  }
  assert.equal(restarts, 1);
  assert.match(setup.running.output(), /unauthenticated/);
});

test("an agent that an operator drains refuses clients until somebody resumes it", async () => {
  await using setup = await serve();
  const { ask, ports } = setup;
  assert.deepEqual(await ask("POST /agents/desk/drain", { body: { __principal__: "root" } }), [
    200,
    { status: "drain_requested", agent: "desk", initiated_by: unauthenticated },
  ]);
  await setup.becomes("desk", "SUSPENDED");
  for (const path of ["/agents/desk", "/agents/desk/cast"]) {
    const response = await fetch(`http://127.0.0.1:${ports.api}${path}`, { method: "POST" });
    assert.deepEqual(
      [response.status, response.headers.get("retry-after"), await response.json()],
      [503, "1", { error: "agent 'desk' is drained: it takes no new messages" }],
    );
  }
  assert.deepEqual(await ask("POST /agents/desk/mailbox"), [
    503,
    {
      error:
        'Cannot reach "desk": it is drained and takes no new messages until somebody resumes it',
    },
  ]);
  assert.match(setup.running.output(), /it is drained agent=desk initiatedBy=unauthenticated/);
  assert.equal((await ask("POST /agents/desk/resume"))[0], 200);
  await setup.becomes("desk", "RUNNING");
  assert.equal((await ask("POST /agents/desk", { port: "api", body: {} }))[0], 200);
});

test("a pool, a keyed agent and one of its keys are steered by their names", async () => {
  await using setup = await serve();
  const { ask } = setup;
  for (const name of ["members", "ticket", "ticket/7"]) {
    const path = `/agents/${encodeURIComponent(name)}`;
    assert.deepEqual(await ask(`POST ${path}/suspend`), [
      200,
      { status: "suspend_requested", agent: name, initiated_by: unauthenticated },
    ]);
    assert.equal((await ask(`POST ${path}/resume`))[0], 200);
  }
  await ask("POST /agents/members/suspend");
  assert.equal((await ask("POST /agents/members/mailbox", { body: { payload: {} } }))[0], 202);
  const [, waiting] = await ask("GET /agents/members/mailbox");
  assert.equal((waiting as { depth: number }).depth, 1);
  await ask("POST /agents/ticket%2F8/suspend");
  assert.equal((await ask("POST /agents/ticket%2F8/mailbox", { body: { type: "note" } }))[0], 202);
  const [, ofKey] = await ask("GET /agents/ticket%2F8/mailbox");
  assert.deepEqual((ofKey as { messages: { type: string }[] }).messages[0]?.type, "note");
});

test("what cannot be done is answered with a status and one line, and changes nothing", async () => {
  await using setup = await serve();
  const rows: readonly (readonly [target: string, body: unknown, Answer])[] = [
    ["POST /agents/nobody/suspend", {}, [404, { error: "agent 'nobody' not found" }]],
    ["POST /agents/nobody/resume", {}, [404, { error: "agent 'nobody' not found" }]],
    ["POST /agents/nobody/drain", {}, [404, { error: "agent 'nobody' not found" }]],
    ["POST /agents/root/drain", {}, [409, { error: "'root' is a supervisor, not an agent" }]],
    [
      "POST /agents/api/drain",
      {},
      [409, { error: "'api' is part of the runtime and cannot be drained" }],
    ],
    ["POST /agents/nobody/restart", {}, [404, { error: "agent 'nobody' not found" }]],
    ["POST /agents/nobody/mailbox", {}, [404, { error: "agent 'nobody' not found" }]],
    ["GET /agents/nobody/mailbox", undefined, [404, { error: "agent 'nobody' not found" }]],
    ["POST /agents/root/suspend", {}, [409, { error: "'root' is a supervisor, not an agent" }]],
    ["POST /agents/root/restart", {}, [409, { error: "'root' is a supervisor, not an agent" }]],
    [
      "GET /agents/root/mailbox",
      undefined,
      [409, { error: "'root' is a supervisor, not an agent" }],
    ],
    ["POST /agents/root/mailbox", {}, [409, { error: "'root' is a supervisor, not an agent" }]],
    [
      "POST /agents/api/suspend",
      {},
      [409, { error: "'api' is part of the runtime and cannot be suspended" }],
    ],
    [
      "POST /agents/desk/suspend",
      { category: "hitl_aproval" },
      [
        400,
        {
          error:
            'category must be one of other, hitl_approval, governance_pause; did you mean "hitl_approval"?',
        },
      ],
    ],
    [
      "POST /agents/desk/suspend",
      { reason: "" },
      [400, { error: "reason must be text, not empty" }],
    ],
    [
      "POST /agents/desk/suspend",
      { resaon: "x" },
      [400, { error: "unknown key 'resaon': want reason, category; did you mean \"reason\"?" }],
    ],
    ["POST /agents/desk/resume", { id: 1 }, [400, { error: "unknown key 'id': want approval" }]],
    [
      "POST /agents/desk/mailbox",
      { type: "AgentRT.stop" },
      [
        400,
        { error: "type 'AgentRT.stop' belongs to the runtime: _agency. and agentrt. are reserved" },
      ],
    ],
    ["POST /agents/desk/mailbox", { payload: [] }, [400, { error: "payload must be an object" }]],
    ...["many", "", "%201", "0x1", "1e1", "-1", "10001"].map(
      (limit): [string, undefined, readonly [number, object]] => [
        `GET /agents/desk/mailbox?limit=${limit}`,
        undefined,
        [400, { error: "limit must be a whole number of 0 to 10000" }],
      ],
    ),
    [
      "DELETE /agents/desk/mailbox",
      undefined,
      [405, { error: "method DELETE is not allowed for /agents/desk/mailbox" }],
    ],
  ];
  for (const [target, body, expected] of rows) {
    const options = body === undefined ? {} : { body };
    assert.deepEqual(await setup.ask(target, options), expected, target);
  }
  const foreign = { headers: { origin: "http://evil.example" } };
  assert.equal((await setup.ask("POST /agents/desk/suspend", foreign))[0], 403);
  const [, desk] = await setup.ask("GET /agents/desk");
  assert.equal((desk as { status: string }).status, "RUNNING");
});

test("the principal is the authenticated one, and without it nothing is served but /health and /ready", async () => {
  await using setup = await serve();
  const { ask } = setup;
  const closed = [
    "GET /metrics",
    "GET /processes",
    "GET /agents/desk/mailbox",
    "POST /agents/desk/suspend",
    "POST /agents/desk/resume",
    "POST /agents/desk/drain",
    "POST /agents/desk/restart",
    "POST /agents/desk/mailbox",
  ];
  for (const target of closed) {
    assert.equal((await ask(target, { port: "gated" }))[0], 401, target);
    assert.equal((await ask(target, { port: "keyed" }))[0], 401, target);
  }
  assert.equal((await ask("GET /health", { port: "gated" }))[0], 200);
  assert.deepEqual(await ask("GET /ready", { port: "gated" }), [200, { status: "ready" }]);
  const claimed = {
    body: { reason: "audit", __principal__: { id: "root" } },
    headers: { "x-principal": "root" },
  };
  const target = "POST /agents/desk/suspend?__principal__=root&principal=root";
  const ada = { ...claimed, headers: { ...claimed.headers, "x-badge": "ada" } };
  assert.deepEqual(await ask(target, { ...ada, port: "gated" }), [
    200,
    { status: "suspend_requested", agent: "desk", initiated_by: "ada" },
  ]);
  assert.deepEqual(await ask("POST /agents/desk/resume", { headers: ada.headers, port: "gated" }), [
    200,
    { status: "resume_requested", agent: "desk", approver: "ada" },
  ]);
  const key = { headers: { "x-api-key": "k1" }, port: "keyed" as const };
  const [, byKey] = await ask("POST /agents/desk/restart", key);
  assert.match((byKey as { initiated_by: string }).initiated_by, /^api_key:[\da-f]{16}$/);
});

test("an attached control plane does the same under its prefix, beside the gateway's own routes", async () => {
  await using setup = await serve();
  const attached = { port: "api" as const };
  assert.deepEqual(await setup.ask("POST /ops/agents/desk/suspend", attached), [
    200,
    { status: "suspend_requested", agent: "desk", initiated_by: unauthenticated },
  ]);
  await setup.becomes("desk", "SUSPENDED");
  const [status, body] = await setup.ask("POST /agents/desk", { ...attached, body: {} });
  assert.deepEqual([status, body], [504, { error: "upstream timeout: agent 'desk' is suspended" }]);
  assert.equal((await setup.ask("POST /ops/agents/desk/resume", attached))[0], 200);
  assert.equal((await setup.ask("GET /ops/metrics", attached))[0], 200);
});

test("GET /metrics is what Prometheus scrapes, and GET /processes names the process", async () => {
  await using setup = await serve();
  const { ask, ports, running } = setup;
  await ask("POST /agents/desk", { port: "api", body: {} });
  const response = await fetch(`http://127.0.0.1:${ports.open}/metrics`);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  assert.match(
    text,
    /^# HELP agentrt_messages_handled_total .+\n# TYPE agentrt_messages_handled_total counter\n/,
  );
  assert.match(text, /^agentrt_messages_handled_total\{agent="desk"\} 1$/m);
  assert.match(text, /^# TYPE agentrt_message_latency_ms summary$/m);
  assert.match(text, /^agentrt_message_latency_ms_count\{agent="desk"\} 1$/m);
  assert.match(text, /^agentrt_agent_status\{agent="desk",status="RUNNING"\} 1$/m);
  assert.match(text, /^agentrt_runtime_uptime_seconds \d/m);
  assert.doesNotMatch(text, /agentrt_llm_/);

  const [status, body] = await ask("GET /processes");
  const { deployment, processes } = body as {
    deployment: unknown;
    processes: {
      pid: number;
      cpu_percent: number;
      rss_bytes: number;
      uptime_seconds: number;
      container: { containerized: boolean };
    }[];
  };
  assert.deepEqual(
    [status, deployment],
    [200, { transport: "in_process", mode: "single_process" }],
  );
  const [first] = processes;
  assert.ok(first !== undefined && processes.length === 1);
  process.kill(first.pid, 0);
  assert.ok(first.cpu_percent > 0 && first.rss_bytes > 1e6 && first.uptime_seconds > 0);
  assert.deepEqual(Object.keys(first), [
    "kind",
    "id",
    "pid",
    "cpu_percent",
    "rss_bytes",
    "uptime_seconds",
    "event_loop_delay",
    "container",
  ]);
  assert.deepEqual(running.output().includes("error"), false);
});
