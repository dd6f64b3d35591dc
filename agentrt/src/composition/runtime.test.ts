import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, freePort } from "testkit";
import {
  Agent,
  child,
  createTextLog,
  dynamicSupervisor,
  GenServer,
  type Message,
  supervisor,
  type TreeNode,
} from "../core/index.ts";
import type { ListeningAddress } from "../gateway/index.ts";
import { httpGateway, topologyServer } from "../node-specs/index.ts";
import { Runtime } from "./runtime.ts";

class Greeter extends Agent {
  override async handle(message: Message) {
    return { greeted: message.payload["name"] ?? null, config: this.config };
  }
}

class Counter extends GenServer {
  #count = 0;

  override handleCall() {
    this.#count += 1;
    return { count: this.#count };
  }
}

const log = createTextLog({ write: () => undefined });

/** A tree without what differs from moment to moment. */
function shapeOf(node: TreeNode): object {
  const { uptimeMs: _, ...shape } = node;
  return node.kind === "supervisor" ? { ...shape, children: node.children.map(shapeOf) } : shape;
}

test("a topology file and a program that say the same give the same tree, before and after the start", async () => {
  using folder = createTemporaryFolder({
    "topology.yaml": `supervision:
  name: root
  strategy: one_for_all
  max_restarts: 7
  restart_window: 12.5
  backoff: linear
  backoff_base: 0.25
  backoff_max: 4
  children:
    - agent: { name: greeter, type: Greeter, process: web, capabilities: [greeting] }
    - supervisor:
        name: inner
        strategy: REST_FOR_ONE
        children:
          - { name: counter, type: gen_server, module: counting, class: Counter }
          - { name: gateway, type: http_gateway, config: { host: 127.0.0.1, port: 0, topology_agent: attached } }
    - { name: attached, type: topology_server, config: { attach_to: gateway } }
    - { name: control, type: topology_server, config: { port: 0 } }
    - name: pool
      type: dynamic_supervisor
      config: { max_children: 5, max_total_spawns: 9, max_children_per_spawner: 3, max_total_spawns_per_spawner: 4,
        restart: never, max_restarts: 2, restart_window: 1.5, spawner_allowlist: [_runtime], class_allowlist: [Greeter] }
`,
  });
  await using fromFile = await Runtime.fromTopology(join(folder.path, "topology.yaml"), {
    typeMap: { Greeter, "counting.Counter": Counter },
    log,
  });
  const inner = supervisor("inner", {
    strategy: "REST_FOR_ONE",
    children: [
      child(Counter, "counter"),
      httpGateway("gateway", { host: "127.0.0.1", port: 0, topologyAgent: "attached" }),
    ],
  });
  await using fromProgram = new Runtime({
    supervision: supervisor("root", {
      strategy: "ONE_FOR_ALL",
      restartCountMax: 7,
      restartWindowMs: 12_500,
      backoff: "LINEAR",
      backoffBaseMs: 250,
      backoffMaxMs: 4000,
      children: [
        child(Greeter, "greeter", { process: "web", capabilities: ["greeting"] }),
        inner,
        topologyServer("attached", { attachTo: "gateway" }),
        topologyServer("control", { port: 0 }),
        dynamicSupervisor("pool", {
          childCountMax: 5,
          spawnCountMax: 9,
          childCountMaxPerSpawner: 3,
          spawnCountMaxPerSpawner: 4,
          restart: "temporary",
          restartCountMax: 2,
          restartWindowMs: 1500,
          spawnerAllowlist: ["_runtime"],
          classAllowlist: [Greeter],
        }),
      ],
    }),
    log,
  });
  assert.deepEqual(shapeOf(fromFile.tree()), shapeOf(fromProgram.tree()));
  await fromFile.start();
  await fromProgram.start();
  assert.deepEqual(shapeOf(fromFile.tree()), shapeOf(fromProgram.tree()));
  assert.deepEqual(await fromFile.call("counter", {}), await fromProgram.call("counter", {}));
  for (const runtime of [fromFile, fromProgram]) await runtime.spawn(Greeter, "spawned");
  assert.deepEqual(shapeOf(fromFile.tree()), shapeOf(fromProgram.tree()));
});

test("httpGateway() and topologyServer() serve the tree they stand in; an attached server keeps its prefix", async () => {
  const addresses = new Map<string, ListeningAddress>();
  await using runtime = new Runtime({
    supervision: supervisor("root", {
      children: [
        child(Greeter, "greeter", { config: { tone: "warm" } }),
        httpGateway("gateway", { host: "127.0.0.1", port: 0, topologyAgent: "control" }),
        topologyServer("control", { attachTo: "gateway", prefix: "/ops" }),
      ],
    }),
    log,
    onListening: (address) => addresses.set(address.node, address),
  });
  await runtime.start();
  const url = addresses.get("gateway")?.url ?? "";
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${url}/agents/greeter`, {
    method: "POST",
    headers,
    body: '{"name":"Ada"}',
  });
  assert.deepEqual(await reply.json(), { greeted: "Ada", config: { tone: "warm" } });
  const health = await fetch(`${url}/ops/health`);
  assert.deepEqual(await health.json(), { status: "ok" });
  const tree = (await (await fetch(`${url}/ops/topology`)).json()) as {
    children: { name: string }[];
  };
  assert.deepEqual(
    tree.children.map((node) => node.name),
    ["greeter", "gateway", "control"],
  );
});

test("one description can be run twice, one after the other", async () => {
  const port = await freePort();
  const supervision = supervisor("root", {
    children: [child(Counter, "counter"), topologyServer("control", { port })],
  });
  for (let round = 0; round < 2; round += 1) {
    await using runtime = new Runtime({ supervision, log });
    await runtime.start();
    assert.deepEqual(await runtime.call("counter", {}), { count: 1 });
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
  }
});
