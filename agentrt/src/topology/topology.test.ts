import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  agentKind,
  dynamicSupervisorKind,
  evalAgentKind,
  nodeKinds,
  httpGatewayKind,
  topologyServerKind,
} from "../node-kinds/index.ts";
import {
  countTopology,
  findUnservedKeys,
  isSupervisorNode,
  loadTopologyFile,
  parseTopologyFile,
  renderTopology,
  settingsOf,
  walkTree,
} from "./index.ts";
import { fixtures, parse, readOk, nodeOf } from "./test-support/read-fixtures.ts";

test("parseTopology() of every file of fixtures/ok gives a model without problems", () => {
  for (const file of readdirSync(`${fixtures}ok`)) readOk(file.replace(/\.yaml$/, ""));
});

test("parseTopology() of a minimal file fills in the defaults of the specification", () => {
  const topology = readOk("minimal");
  const { name, strategy, restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs } =
    topology.supervision;
  assert.deepEqual(
    { name, strategy, restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs },
    {
      name: "root",
      strategy: "ONE_FOR_ONE",
      restartCountMax: 3,
      restartWindowMs: 60_000,
      backoff: "CONSTANT",
      backoffBaseMs: 1000,
      backoffMaxMs: 60_000,
    },
  );
  assert.deepEqual(topology.transport, {
    type: "in_process",
    pubAddr: "tcp://127.0.0.1:5559",
    subAddr: "tcp://127.0.0.1:5560",
    isProxyStarted: true,
    servers: ["nats://localhost:4222"],
    isJetstream: false,
    streamName: "AGENCY",
    replicaCount: 1,
  });
  assert.deepEqual(topology.plugins, { models: [], exporters: [] });
});

test("parseTopology() accepts every form of a node and joins module and class", () => {
  const topology = readOk("every-form");
  const shape = [...walkTree(topology.supervision)].map((node) =>
    isSupervisorNode(node)
      ? `${node.name}: supervisor`
      : `${node.name}: ${node.kind}${node.type === undefined ? "" : ` ${node.type}`}${node.process === undefined ? "" : ` @${node.process}`}`,
  );
  assert.deepEqual(shape, [
    "root: supervisor",
    "wrapped: agent agents.Wrapped @w1",
    "inline: agent @acme/agents#Clerk",
    "flat: agent billing.invoices.Clerk @w2",
    "by-path: agent ./src/agents.ts#Clerk",
    "short: agent clerk",
    "by-module: agent ./src/agents.ts#Clerk",
    "rate_limiter: gen_server agentrt.gateway.ratelimit.RateLimiter",
    "inner: supervisor",
    "pool: dynamic_supervisor",
    "open_pool: dynamic_supervisor",
    "judge: eval_agent",
    "web: http_gateway",
    "control: topology_server",
    "topology_server: topology_server",
  ]);
  assert.equal(topology.supervision.strategy, "ONE_FOR_ALL");
  assert.equal(topology.supervision.backoff, "LINEAR");
  assert.equal(topology.supervision.backoffBaseMs, 500);
  assert.deepEqual(topology.transport.servers, ["nats://a:4222", "tls://b:4222"]);
});

test("settingsOf() gives settings from node level and from config: alike", () => {
  const topology = readOk("every-form");
  assert.equal(settingsOf(agentKind, nodeOf(topology, "wrapped")).limits.handleTimeoutMs, 2500);
  assert.deepEqual({ ...settingsOf(agentKind, nodeOf(topology, "by-module")).config }, { a: 1 });
  assert.equal(settingsOf(dynamicSupervisorKind, nodeOf(topology, "pool")).childCountMax, 4);
  assert.equal(
    settingsOf(dynamicSupervisorKind, nodeOf(topology, "open_pool")).restart,
    "permanent",
  );
  const judge = settingsOf(evalAgentKind, nodeOf(topology, "judge"));
  assert.deepEqual([judge.correctionCountMax, judge.windowMs], [5, 30_000]);
  assert.equal(settingsOf(topologyServerKind, nodeOf(topology, "control")).attachTo, "web");
  const web = settingsOf(httpGatewayKind, nodeOf(topology, "web"));
  assert.deepEqual(web.routes[1], {
    method: "POST",
    path: "/jobs",
    agent: "wrapped",
    mode: "cast",
    middleware: [],
  });
  assert.equal(web.requestTimeoutMs, 5000);
  assert.throws(() => settingsOf(agentKind, nodeOf(topology, "web")), TypeError);
});

test("findUnservedKeys() of a file that uses only what is served finds nothing", () => {
  assert.deepEqual(findUnservedKeys(readOk("served")), []);
});

test("findUnservedKeys() names every unserved key of the specification in file order", () => {
  const topology = readOk("every-form");
  const uses = findUnservedKeys(topology);
  assert.deepEqual(
    uses.map((use) => use.key),
    ["mcp.servers.sandbox", "agent: public_key: AAAA"],
  );
  assert.deepEqual([uses[0]?.line1, uses[0]?.column1], [24, 91]);
  const nested = uses.find(({ key }) => key === "agent: public_key: AAAA");
  assert.equal(nested?.path, "supervisor.children[0].agent.public_key");
});

test("parseTopology() notes what is kept, ignored or only known later", () => {
  const { notes } = parseTopologyFile(`${fixtures}ok/every-form.yaml`, { kinds: nodeKinds });
  assert.deepEqual(
    notes.map((note) => note.path),
    [
      "supervisor.children[4].type",
      "supervisor.children[7].supervisor.children[2]",
      "supervisor.children[8].config.routes[2].agent",
    ],
  );
  const served = parseTopologyFile(`${fixtures}ok/served.yaml`, { kinds: nodeKinds });
  assert.deepEqual([served.notes[0]?.line1, served.notes[0]?.column1], [10, 59]);
  assert.match(served.notes[0]?.message ?? "", /"flat" runs in this process/);
  assert.match(served.notes[1]?.message ?? "", /^\$\{HOME\} is kept as it is written/);
});

test("parseTopology() reports every fault of a file, in file order", () => {
  const { problems } = parse(
    "supervision:\n  name: root\n  strategy: X\n  max_restarts: -1\n  children:\n    - agent: {name: a}\n    - agent: {type: a.B}\ntransprt: 1\n",
  );
  assert.deepEqual(
    problems.map((problem) => `${problem.line1}:${problem.column1}`),
    ["3:13", "4:17", "6:14", "7:14", "8:1"],
  );
});

test("parseTopology() does not call an agent missing whose own settings are wrong", () => {
  const { problems } = parse(
    'supervision:\n  name: root\n  children:\n    - { name: a, type: a.B, handle_timeout: -1 }\n    - { name: web, type: http_gateway, routes: [{ method: GET, path: "/", agent: a }] }\n',
  );
  assert.deepEqual(
    problems.map((problem) => problem.check),
    ["values"],
  );
});

test("parseTopology() hands on a frozen model", () => {
  const topology = readOk("every-form");
  const seen: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    assert.ok(Object.isFrozen(value));
    seen.push(value);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(topology);
  assert.ok(seen.length > 50);
});

test("renderTopology() draws the first lines of a large tree, and says how many are left out", () => {
  const text = renderTopology(readOk("every-form"), { kinds: nodeKinds, lineCountMax: 3 });
  assert.deepEqual(text.split("\n").slice(0, 5), [
    "root  ONE_FOR_ALL  restarts: 0/30.0s  backoff: linear",
    "├── wrapped  agents.Wrapped  @w1",
    "├── inline  @acme/agents#Clerk",
    "… and 12 more: agentrt topology show",
    "",
  ]);
  const whole = renderTopology(readOk("every-form"), { kinds: nodeKinds });
  assert.equal(renderTopology(readOk("every-form"), { kinds: nodeKinds, lineCountMax: 15 }), whole);
});

test("renderTopology() draws strategies, limits, markers, processes and the footer", () => {
  const text = renderTopology(readOk("every-form"), {
    kinds: nodeKinds,
    annotation: "runtime not running",
  });
  assert.deepEqual(text.split("\n"), [
    "root  ONE_FOR_ALL  restarts: 0/30.0s  backoff: linear  (runtime not running)",
    "├── wrapped  agents.Wrapped  @w1",
    "├── inline  @acme/agents#Clerk",
    "├── flat  billing.invoices.Clerk  @w2",
    "├── by-path  ./src/agents.ts#Clerk",
    "├── short  clerk",
    "├── by-module  ./src/agents.ts#Clerk",
    "├── rate_limiter  agentrt.gateway.ratelimit.RateLimiter  [srv]",
    "├── inner  REST_FOR_ONE  restarts: 3/60.0s  backoff: exponential",
    "│   ├── pool  max_children: 4  [dyn]",
    "│   ├── open_pool  max_children: ∞  [dyn]",
    "│   └── judge  eval_agent  corrections: 5/30s",
    "├── web  http_gateway  https://[::]:8080",
    "├── control  [topo]",
    "└── topology_server  http://0.0.0.0:6790  [topo]",
    "",
    "Transport: nats  nats://a:4222, tls://b:4222  jetstream",
    "Plugins: 4",
    "Topology: 11 agents · 4 supervisors · 3 processes",
    "",
  ]);
});

test("countTopology() counts one process under in_process whatever process: says", () => {
  const counts = countTopology(readOk("served"), nodeKinds);
  assert.deepEqual(counts, { agentCount: 5, supervisorCount: 2, processCount: 1, pluginCount: 1 });
});

test("loadTopologyFile() throws AGENTRT_TOPOLOGY_INVALID with the first problem and all of them", () => {
  assert.throws(
    () =>
      loadTopologyFile(`${fixtures}err/bad-strategy.yaml`, {
        kinds: nodeKinds,
      }),
    (error: Error & { code?: string; details?: { problems: unknown[] } }) =>
      error.code === "AGENTRT_TOPOLOGY_INVALID" &&
      error.message.startsWith(`${fixtures}err/bad-strategy.yaml:3:13: supervision.strategy: `) &&
      error.details?.problems.length === 1,
  );
});

test("parseTopologyFile() of a missing file or a folder throws a typed error", () => {
  assert.throws(() => parseTopologyFile(`${fixtures}none.yaml`, { kinds: nodeKinds }), {
    code: "AGENTRT_TOPOLOGY_FILE_MISSING",
  });
  assert.throws(() => parseTopologyFile(fixtures, { kinds: nodeKinds }), {
    code: "AGENTRT_TOPOLOGY_FILE_UNREADABLE",
  });
});

test("parseTopology() of hostile names of Object.prototype pollutes nothing", () => {
  const config = parseTopologyFile(`${fixtures}hostile/constructor-config.yaml`, {
    kinds: nodeKinds,
  });
  assert.ok(config.topology);
  const settings = settingsOf(agentKind, nodeOf(config.topology, "a"));
  assert.equal(Object.getPrototypeOf(settings.config), null);
  assert.equal(settings.config["hasOwnProperty"], 2);
  const keys = parse(readFileSync(`${fixtures}hostile/constructor-keys.yaml`, "utf8"));
  assert.equal(keys.problems.length, 4);
  for (const name of ["proto-top", "proto-config"]) {
    const { problems } = parse(readFileSync(`${fixtures}hostile/${name}.yaml`, "utf8"));
    assert.match(problems[0]?.message ?? "", /"__proto__" is not allowed/);
    assert.equal(problems.length, 1);
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
