import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { AgentClass, JsonObject, Message } from "../../index.ts";
import { Agent, child, dynamicSupervisor, SpawnError, supervisor } from "../../index.ts";
import { Runtime } from "../../../runtime/index.ts";
import { Puppet, puppet, simulate } from "../../../testing/puppet.ts";
import { poolNames, spawn, Spawner, startPool } from "../../../testing/spawner.ts";
import { Simulation } from "../../../testing/index.ts";
import { spawnErrors } from "./errors.ts";

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

/** A running pool on the real clock, for requests that need more than JSON. */
async function startRuntime(
  options: Parameters<typeof dynamicSupervisor>[1],
  loadClass?: (type: string) => Promise<unknown>,
): Promise<Runtime> {
  const supervision = supervisor("root", {
    children: [dynamicSupervisor("pool", options), puppet("static"), child(Spawner, "boss")],
  });
  const runtime = new Runtime({ supervision, log: silent, loadClass });
  await runtime.start();
  return runtime;
}

test("a name that is a child already is refused, and so is one that is registered elsewhere", async () => {
  await using simulation = await startPool();
  await spawn(simulation, "w");
  assert.deepEqual(await spawn(simulation, "w"), {
    refused: "AGENTRT_SPAWN_NAME_TAKEN",
    details: { child: "w", supervisor: "pool", spawner: "boss" },
  });
  for (const name of ["static", "root", "boss"]) {
    const { refused } = await spawn(simulation, name);
    assert.equal(refused, "AGENTRT_SPAWN_NAME_REGISTERED");
  }
  assert.deepEqual(poolNames(simulation), ["w"]);
});

test("max_children counts the living, max_total_spawns everybody who was admitted", async () => {
  await using simulation = await startPool({ childCountMax: 1, spawnCountMax: 2 });
  await spawn(simulation, "a");
  const full = await spawn(simulation, "b");
  assert.equal(full["refused"], "AGENTRT_SPAWN_CHILDREN_EXHAUSTED");
  await simulation.call("boss", { op: "despawn", name: "a" });
  Puppet.failingStarts.set("b", 1);
  assert.equal((await spawn(simulation, "b"))["refused"], "AGENTRT_SPAWN_START_FAILED");
  // The one whose start failed was admitted, and is not refunded; refusals never counted.
  assert.deepEqual(await spawn(simulation, "c"), {
    refused: "AGENTRT_SPAWN_SPAWNS_EXHAUSTED",
    details: { child: "c", supervisor: "pool", spawner: "boss", spawnCountMax: 2 },
  });
});

test("quotas of one spawner leave the others theirs", async () => {
  const limits = { childCountMaxPerSpawner: 1, spawnCountMaxPerSpawner: 2 };
  await using simulation = await startPool(limits);
  await spawn(simulation, "a1");
  const full = await spawn(simulation, "a2");
  assert.equal(full["refused"], "AGENTRT_SPAWN_SPAWNER_CHILDREN_EXHAUSTED");
  assert.equal((await spawn(simulation, "b1", { by: "clerk" }))["isReady"], true);
  await simulation.call("clerk", { op: "despawn", name: "a1" });
  assert.equal((await spawn(simulation, "a2"))["isReady"], true);
  await simulation.call("boss", { op: "despawn", name: "a2" });
  const over = await spawn(simulation, "a3");
  assert.equal(over["refused"], "AGENTRT_SPAWN_SPAWNER_SPAWNS_EXHAUSTED");
});

test("the limit that is refused is the first in the order of the checks", async () => {
  const one = { childCountMax: 1, spawnCountMax: 1 };
  await using simulation = await startPool({
    ...one,
    childCountMaxPerSpawner: 1,
    spawnCountMaxPerSpawner: 1,
    spawnerAllowlist: ["boss"],
    onSpawnRequested: () => true,
  });
  await spawn(simulation, "w");
  const refusedOf = async (name: string): Promise<unknown> =>
    (await spawn(simulation, name))["refused"];
  assert.equal(await refusedOf("w"), "AGENTRT_SPAWN_NAME_TAKEN");
  assert.equal(await refusedOf("static"), "AGENTRT_SPAWN_NAME_REGISTERED");
  assert.equal(await refusedOf("x"), "AGENTRT_SPAWN_CHILDREN_EXHAUSTED");
  await simulation.call("boss", { op: "despawn", name: "w" });
  assert.equal(await refusedOf("x"), "AGENTRT_SPAWN_SPAWNS_EXHAUSTED");
});

test("a class that is none, cannot be loaded, or is not allowed is refused", async () => {
  class Other extends Puppet {}
  const loaded: { [type: string]: unknown } = { Puppet, Other, Text: "text" };
  await using runtime = await startRuntime({ classAllowlist: [Puppet] }, async (type) => {
    if (!(type in loaded)) throw new Error("no such module");
    return loaded[type];
  });
  for (const [agentClass, code, message] of [
    ["Missing", "CLASS_NOT_LOADED", /no such module/],
    ["Text", "CLASS_NOT_LOADED", /a value of type string, want a class that derives from Agent/],
    [Agent, "CLASS_NOT_LOADED", /"Agent" cannot be used: it is Agent itself/],
    [Date, "CLASS_NOT_LOADED", /another class/],
    [undefined, "CLASS_NOT_LOADED", /type undefined/],
    [Other, "CLASS_NOT_ALLOWED", /"Other" is not in class_allowlist/],
    ["Other", "CLASS_NOT_ALLOWED", /"Other" is not in class_allowlist/],
  ] as const) {
    await assert.rejects(runtime.spawn(agentClass as AgentClass, "w"), (error) => {
      assert.ok(error instanceof SpawnError);
      assert.equal(error.code, `AGENTRT_SPAWN_${code}`);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal((await runtime.spawn("Puppet", "w")).isReady, true);
  assert.equal(runtime.tree().children[0]?.kind, "supervisor");
});

test("a runtime without a loader refuses classes by name", async () => {
  await using runtime = await startRuntime({});
  const expected = { code: "AGENTRT_SPAWN_CLASS_NOT_LOADED", message: /loads no classes by name/ };
  await assert.rejects(runtime.spawn("agents.Worker", "w"), expected);
});

test("a spawner that is not in the allowlist is refused; the program itself is _runtime", async () => {
  await using simulation = await startPool({ spawnerAllowlist: ["clerk"] });
  assert.equal((await spawn(simulation, "w"))["refused"], "AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED");
  assert.equal((await spawn(simulation, "w", { by: "clerk" }))["isReady"], true);
  await assert.rejects(simulation.until(simulation.runtime.spawn(Puppet, "v")), {
    code: "AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED",
    message: /"_runtime" is not in spawner_allowlist/,
  });
});

test("a spawner cannot pass itself off as another one, by payload, options or reserved messages", async () => {
  const asked: string[] = [];
  await using simulation = await startPool({
    spawnerAllowlist: ["clerk"],
    // oxlint-disable-next-line max-params -- the published form
    onSpawnRequested: (_class, _name, _config, { spawner }) => asked.push(spawner) > 0,
  });
  const options = { spawner: "clerk" };
  assert.equal((await spawn(simulation, "w", { options }))["refused"], "AGENTRT_OPTION_UNKNOWN");
  const forged = { spawner: "clerk", config: { spawner: "clerk" } };
  assert.equal(
    (await spawn(simulation, "w", forged))["refused"],
    "AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED",
  );
  const message = { class_path: "x", name: "w", spawner: "clerk" };
  await assert.rejects(simulation.call("pool", message, { type: "agentrt.dynamic.spawn" }), {
    code: "AGENTRT_BUS_NO_ROUTE",
  });
  await assert.rejects(simulation.call("static", message, { type: "agentrt.dynamic.spawn" }), {
    code: "AGENTRT_BUS_RESERVED_TYPE",
  });
  assert.deepEqual(asked, []);
});

test("the hook sees class, name, a copy of the config and the spawner; only true admits", async () => {
  const seen: unknown[] = [];
  await using simulation = await startPool({
    // oxlint-disable-next-line max-params -- the published form
    onSpawnRequested: (agentClass, name, config, { spawner, supervisor: asked }) => {
      seen.push([agentClass, name, structuredClone(config), spawner, asked]);
      config["changed"] = true;
      return name === "yes" ? true : (name as never);
    },
  });
  assert.equal((await spawn(simulation, "yes", { config: { a: 1 } }))["isReady"], true);
  const { refused, details } = await spawn(simulation, "no");
  assert.equal(refused, "AGENTRT_SPAWN_VETOED");
  assert.equal((details as JsonObject)["reason"], "it answered string, want true");
  assert.deepEqual(seen, [
    [Puppet, "yes", { a: 1 }, "boss", "pool"],
    [Puppet, "no", {}, "boss", "pool"],
  ]);
});

for (const [how, hook] of [
  ["says no", () => false],
  ["says no later", async () => false],
  ["throws", () => assert.fail("out of order")],
  ["rejects", () => Promise.reject(new Error("out of order"))],
  ["takes too long", () => new Promise<boolean>(() => undefined)],
] as const) {
  test(`a hook that ${how} refuses the spawn, and leaves its place to others`, async () => {
    await using simulation = await startPool({
      childCountMax: 1,
      spawnCountMax: 1,
      onSpawnRequested: (_class, name) => (name === "good" ? true : hook()),
      spawnHookTimeoutMs: 50,
    });
    assert.equal((await spawn(simulation, "bad"))["refused"], "AGENTRT_SPAWN_VETOED");
    assert.equal((await spawn(simulation, "good"))["isReady"], true);
  });
}

test("a spawn waits for its hook no longer than its own time-out, and leaves no reservation", async () => {
  let signal: AbortSignal | undefined;
  await using simulation = await startPool({
    childCountMax: 1,
    // oxlint-disable-next-line max-params -- the published form
    onSpawnRequested: (_class, name, _config, context) => {
      if (name === "good") return true;
      signal = context.signal;
      return new Promise(() => undefined);
    },
  });
  const { refused } = await spawn(simulation, "slow", { options: { timeoutMs: 100 } });
  assert.equal(refused, "AGENTRT_SPAWN_TIMEOUT");
  assert.equal((await spawn(simulation, "good"))["isReady"], true);
  await simulation.advance(5000);
  assert.equal(signal?.aborted, true);
});

test("the supervisor that is named has to be there, be dynamic, and be another one", async () => {
  await using simulation = await startPool();
  for (const [into, code, detail] of [
    ["poll", "UNKNOWN_SUPERVISOR", '; did you mean "pool"?'],
    ["root", "NOT_DYNAMIC", "a supervisor of declared children"],
    ["static", "NOT_DYNAMIC", "an agent"],
    ["boss", "INTO_ITSELF", "boss"],
  ] as const) {
    const { refused, details } = await spawn(simulation, "w", { into });
    assert.equal(refused, `AGENTRT_SPAWN_${code}`);
    assert.ok(Object.values(details as JsonObject).includes(detail), JSON.stringify(details));
  }
  assert.equal((await spawn(simulation, "w", { into: "pool" }))["isReady"], true);
});

test("without a dynamic supervisor in the tree a spawn is refused", async () => {
  await using simulation = await simulate(
    supervisor("root", { children: [child(Spawner, "boss")] }),
  );
  assert.equal((await spawn(simulation, "w"))["refused"], "AGENTRT_SPAWN_NO_SUPERVISOR");
});

test("the nearest dynamic supervisor serves: an ancestor, else one below the nearest ancestor", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      children: [
        dynamicSupervisor("far"),
        supervisor("team", {
          children: [
            supervisor("inner", { children: [child(Spawner, "boss")] }),
            supervisor("other", { children: [dynamicSupervisor("near")] }),
          ],
        }),
      ],
    }),
  );
  assert.equal((await spawn(simulation, "w"))["supervisor"], "near");
  const { runtime } = simulation;
  assert.equal((await simulation.until(runtime.spawn(Spawner, "v"))).supervisor, "far");
  const spawner = await simulation.until(runtime.spawnInto("near", Spawner, "s"));
  assert.equal(spawner.supervisor, "near");
  assert.equal((await spawn(simulation, "x", { by: "s" }))["supervisor"], "near");
  assert.equal((await spawn(simulation, "y", { by: "v" }))["supervisor"], "far");
});

test("a spawn into a supervisor that has not started, or is stopping, is refused", async () => {
  class Eager extends Agent {
    static codes: unknown[] = [];
    async #try(): Promise<void> {
      await this.spawn(Puppet, "w").catch((error: { code: string; details: { status: string } }) =>
        Eager.codes.push([error.code, error.details.status]),
      );
    }
    override onStart = () => this.#try();
    override onStop = () => this.#try();
    override handle(_message: Message): void {}
  }
  {
    await using simulation = await simulate(
      supervisor("root", { children: [child(Eager, "eager"), dynamicSupervisor("pool")] }),
    );
    assert.ok(simulation);
  }
  const code = "AGENTRT_SPAWN_SUPERVISOR_NOT_RUNNING";
  assert.deepEqual(Eager.codes, [
    [code, "INITIALIZING"],
    [code, "STOPPED"],
  ]);
});

test("spawns that are asked for while the supervisor stops its children are refused", async () => {
  const simulation = await startPool();
  await spawn(simulation, "slow", { config: { hangs: true } });
  const stopped = simulation.runtime.stop({ timeoutMs: 1000 });
  await simulation.runUntilIdle();
  const refused = assert.rejects(simulation.runtime.spawn(Puppet, "late"), {
    code: "AGENTRT_SPAWN_SUPERVISOR_NOT_RUNNING",
  });
  await simulation.until(stopped);
  await simulation.until(refused);
  await simulation[Symbol.asyncDispose]();
});

test("concurrent spawns race for the last place: one wins, slow hook or not", async () => {
  for (const hook of [undefined, async () => true]) {
    await using simulation = await startPool({ childCountMax: 1, onSpawnRequested: hook });
    const results = await simulation.until(
      Promise.all([
        ...["a", "b", "c"].map((name) => simulation.runtime.call("boss", { op: "spawn", name })),
        ...["d", "e"].map((name) => simulation.runtime.call("clerk", { op: "spawn", name })),
      ]),
    );
    const ready = results.filter((result) => result["isReady"] === true);
    const refused = results.filter(
      (result) => result["refused"] === "AGENTRT_SPAWN_CHILDREN_EXHAUSTED",
    );
    assert.deepEqual([ready.length, refused.length], [1, 4]);
    assert.equal(poolNames(simulation).length, 1);
  }
});

test("the same token and name give the same child, while it starts, while it runs, and while it is examined", async () => {
  let startCount = 0;
  class Slow extends Agent {
    override async onStart(): Promise<void> {
      startCount += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    override handle(_message: Message): void {}
  }
  for (const onSpawnRequested of [undefined, async () => true]) {
    startCount = 0;
    await using runtime = await startRuntime({ onSpawnRequested, spawnCountMax: 1 });
    const options = { token: "t1" };
    const [first, second, hasty] = await Promise.all([
      runtime.spawn(Slow, "w", {}, options),
      runtime.spawn(Slow, "w", {}, options),
      runtime.spawn(Slow, "w", {}, { ...options, wait: false }),
    ]);
    assert.deepEqual([first.isExisting, second.isExisting, hasty.isExisting], [false, true, true]);
    assert.deepEqual([first.isReady, second.isReady, hasty.isReady], [true, true, false]);
    const third = await runtime.spawn(Slow, "w", {}, options);
    assert.deepEqual([third.isExisting, third.isReady, startCount], [true, true, 1]);
    for (const other of [{ token: "t2" }, {}]) {
      await assert.rejects(runtime.spawn(Slow, "w", {}, other), {
        code: "AGENTRT_SPAWN_NAME_TAKEN",
      });
    }
  }
});

test("names, options and configurations that are none are refused before anybody is asked", async () => {
  await using runtime = await startRuntime({});
  for (const [name, options, message] of [
    ["", {}, /name is , want 1 to 255 characters/],
    ["a b", {}, /name is a b/],
    ["_agency.x", {}, /none of the runtime's own/],
    [7, {}, /name is 7/],
    ["w", { timeoutMs: 0 }, /timeoutMs is 0, want a number from 1/],
    ["w", { timeoutMs: "5" }, /timeoutMs is 5/],
    ["w", { token: "" }, /token is , want some text/],
    ["w", { wait: 1 }, /wait is 1, want true or false/],
    ["w", { mailboxLengthMax: 0 }, /mailboxLengthMax is 0/],
  ] as const) {
    await assert.rejects(runtime.spawn(Puppet, name as string, {}, options as never), { message });
  }
  await assert.rejects(runtime.spawn(Puppet, "w", { at: new Date() as never }), {
    code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
  });
  await assert.rejects(runtime.spawn(Puppet, "w", {}, { signal: AbortSignal.abort() }), {
    code: "AGENTRT_BUS_CANCELLED",
  });
  await assert.rejects(runtime.stopChild("static", { drain: "none" as never }), {
    code: "AGENTRT_SPAWN_OPTION_INVALID",
  });
  assert.deepEqual(runtime.registry.list().length, 4);
});

test("only spawned children can be ended, and only while they are there", async () => {
  await using simulation = await startPool();
  for (const op of ["despawn", "stop"]) {
    const unknown = await simulation.call("boss", { op, name: "nobody" });
    assert.equal(unknown["refused"], "AGENTRT_SPAWN_UNKNOWN_CHILD");
    for (const name of ["static", "pool", "root"]) {
      const declared = await simulation.call("boss", { op, name });
      assert.equal(declared["refused"], "AGENTRT_SPAWN_NOT_A_DYNAMIC_CHILD");
    }
  }
});

test("before the start and after the stop nothing can be spawned", async () => {
  const simulation = new Simulation({ supervision: dynamicSupervisor("root") });
  const expected = { code: "AGENTRT_SUPERVISION_NOT_STARTED" };
  await assert.rejects(simulation.runtime.spawn(Puppet, "w"), expected);
  await simulation.start();
  assert.equal((await simulation.until(simulation.runtime.spawn(Puppet, "w"))).supervisor, "root");
  await simulation.stop();
  await assert.rejects(simulation.runtime.spawn(Puppet, "w"), expected);
});

test("every reason that spawns and ends of children are refused with has a test", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const sources = globSync("*.test.ts", { cwd: folder }).map((file) =>
    readFileSync(`${folder}/${file}`, "utf8"),
  );
  const untested = Object.keys(spawnErrors).filter(
    (reason) => !sources.some((source) => new RegExp(`["_]${reason}"`).test(source)),
  );
  assert.deepEqual(untested, []);
  assert.equal(Object.keys(spawnErrors).length, 21);
});
