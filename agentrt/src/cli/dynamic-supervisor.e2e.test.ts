/** A dynamic supervisor from a topology, through `agentrt run`, the control plane and `topology show`. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type AgentClass, type Message, type SpawnContext } from "agentrt";

export class Worker extends Agent {
  override async handle() {
    return { greeting: String(this.config["greeting"]) };
  }
}

export class Intruder extends Worker {}

export class Ticket extends Agent {
  override async handle() {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"] };
  }
}

export class Boss extends Agent {
  override async handle({ payload }: Message) {
    const { op, name, type } = payload as { op: string; name: string; type?: string };
    try {
      if (op === "status") return await this.call(name, {}, { type: "agentrt.supervision.status" });
      if (op === "despawn") return { ...(await this.despawn(name)) };
      return { ...(await this.spawn(type ?? Worker, name, { greeting: "hello from " + name })) };
    } catch (error) {
      return { refused: (error as { code: string }).code };
    }
  }
  override onChildTerminated(name: string, reason: string) {
    console.log("gone: " + name + " " + reason);
  }
}

export class Policy {
  onSpawnRequested(agentClass: AgentClass, name: string, config: object, context: SpawnContext) {
    console.log("asked: " + agentClass.name + " " + name + " by " + context.spawner);
    return name !== "vetoed";
  }
}
`;

const topology = (gatewayPort: number, controlPort: number, config: string): string => `supervision:
  name: root
  children:
    - { name: pool, type: dynamic_supervisor, config: { ${config} } }
    - agent: { name: boss, type: agents.Boss }
    - { name: gateway, type: http_gateway, config: { port: ${gatewayPort} } }
    - { name: topo, type: topology_server, config: { port: ${controlPort} } }
`;

const policy =
  "max_children: 2, max_total_spawns: 4, restart: never, spawner_allowlist: [boss], " +
  "class_allowlist: [agents.Worker], on_spawn_requested: agents.Policy";

test("a dynamic supervisor of a topology serves all its keys, and is seen live", async () => {
  const [port, controlPort] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, controlPort, policy),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  const ask = async (agent: string, body: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200);
    return await response.json();
  };
  const spawned = (name: string) => ({
    name,
    supervisor: "pool",
    isReady: true,
    isExisting: false,
  });
  assert.deepEqual(await ask("boss", { op: "spawn", name: "w1" }), spawned("w1"));
  assert.deepEqual(
    await ask("boss", { op: "spawn", name: "w2", type: "agents.Worker" }),
    spawned("w2"),
  );
  assert.deepEqual(await ask("w2", {}), { greeting: "hello from w2" });
  const refusals = [
    [{ name: "w3" }, "AGENTRT_SPAWN_CHILDREN_EXHAUSTED"],
    [{ name: "w1" }, "AGENTRT_SPAWN_NAME_TAKEN"],
    [{ name: "boss" }, "AGENTRT_SPAWN_NAME_REGISTERED"],
  ] as const;
  for (const [request, refused] of refusals) {
    assert.deepEqual(await ask("boss", { op: "spawn", ...request }), { refused });
  }
  const shown = await runProgram(process.execPath, [binary, "topology", "show", "topology.yaml"], {
    workingDirectory: folder.path,
  });
  assert.match(shown.stdout, /pool {2}live: 2\/2 {2}status: RUNNING {2}\[dyn\]/);
  assert.match(shown.stdout, /w1 {2}RUNNING/);
  assert.deepEqual(await ask("boss", { op: "despawn", name: "w1" }), { lateNames: [] });
  for (const [request, refused] of [
    [{ name: "vetoed" }, "AGENTRT_SPAWN_VETOED"],
    [{ name: "i", type: "agents.Intruder" }, "AGENTRT_SPAWN_CLASS_NOT_ALLOWED"],
    [{ name: "i", type: "agents.Nobody" }, "AGENTRT_SPAWN_CLASS_NOT_LOADED"],
  ] as const) {
    assert.deepEqual(await ask("boss", { op: "spawn", ...request }), { refused });
  }
  const status = (await ask("boss", { op: "status", name: "pool" })) as { children: unknown };
  assert.deepEqual(status.children, [
    { name: "w2", kind: "agent", status: "RUNNING", restart_count: 0 },
  ]);
  const listed = (await (await fetch(`http://127.0.0.1:${controlPort}/agents`)).json()) as {
    name: string;
    restart_count?: number;
  }[];
  const counts = Object.fromEntries(listed.map((item) => [item.name, item.restart_count]));
  assert.equal(counts["w2"], 0);
  assert.equal(counts["boss"], undefined);
  program.kill("SIGTERM");
  const { stdout, code } = await program.exited();
  assert.equal(code, 0);
  assert.match(stdout, /asked: Worker w1 by boss/);
  assert.match(stdout, /gone: w1 despawned/);
});

test("a child that was ended leaves no state over kill -9, and one that ran goes on where it was", async () => {
  const port = await freePort();
  const store = "plugins: { state: { type: sqlite, config: { db_path: state.db } } }\n";
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": store + topology(port, await freePort(), "max_children: 2"),
  });
  const run = async (requests: readonly [agent: string, body: object][]): Promise<unknown[]> => {
    await using program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    await program.waitFor(/started/);
    const answers: unknown[] = [];
    for (const [agent, body] of requests) {
      const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      answers.push(await response.json());
    }
    program.kill("SIGKILL");
    await program.exited();
    return answers;
  };
  const spawn = (name: string): [string, object] => [
    "boss",
    { op: "spawn", name, type: "agents.Ticket" },
  ];
  const end: [string, object] = ["boss", { op: "despawn", name: "ended" }];
  const first = await run([spawn("ended"), spawn("kept"), ["ended", {}], ["kept", {}], end]);
  assert.deepEqual(first.at(-1), { lateNames: [] });
  const listed = await runProgram(
    process.execPath,
    [binary, "state", "list", "--db", "state.db", "--json"],
    { workingDirectory: folder.path },
  );
  const { agents: rows } = JSON.parse(listed.stdout) as { agents: { agent: string }[] };
  assert.deepEqual(
    rows.map(({ agent }) => agent),
    ["kept"],
  );
  const second = await run([spawn("ended"), spawn("kept"), ["ended", {}], ["kept", {}]]);
  assert.deepEqual(second.slice(2), [{ count: 1 }, { count: 2 }]);
});

test("what a dynamic supervisor cannot be built from is refused with its place in the file", async () => {
  for (const [config, message] of [
    ["on_spawn_requested: agents.Worker", /topology\.yaml:4:7: .*has no method onSpawnRequested/],
    [
      "class_allowlist: [agents.Policy]",
      /topology\.yaml:4:7: .*"agents\.Policy" does not extend Agent/,
    ],
    ["class_allowlist: [agents.Wroker]", /topology\.yaml:4:7: .*did you mean "?Worker/],
    ["restart: sometimes", /restart.*one of permanent, transient, temporary, never/],
    ["max_children: 0", /max_children.*a whole number from 1/],
  ] as const) {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(await freePort(), await freePort(), config),
    });
    const exit = await runProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    assert.equal(exit.code, 1, config);
    assert.match(exit.stderr, message);
    assert.doesNotMatch(exit.stderr, /^ {4}at /m);
  }
});
