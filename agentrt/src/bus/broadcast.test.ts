import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  supervisor,
  type JsonObject,
  type Message,
  type TableError,
} from "../core/index.ts";
import { Simulation } from "../testing/simulation.ts";

/** Keeps what it got, and does what a request says with the tree. */
class Member extends Agent {
  static got: { name: string; message: Message }[] = [];

  override async handle(message: Message): Promise<JsonObject> {
    const {
      do: what,
      to,
      options,
    } = message.payload as {
      do?: string;
      to?: string;
      options?: object;
    };
    if (what === "broadcast") {
      const report = await this.broadcast(to ?? "", { note: "all" }, options);
      const failures = report.failures.map(({ name, error }) => ({
        name,
        code: (error as { code?: string }).code ?? "",
      }));
      return { receiverCount: report.receiverCount, failures };
    }
    if (what === "capable") return { name: await this.sendCapable(to ?? "", { note: "one" }) };
    if (what === "depth") return { depth: this.mailboxDepthOf(to ?? "") ?? null };
    Member.got.push({ name: this.name, message });
    if (message.payload["hold"] === true) await new Promise(() => undefined);
    return {};
  }
}

async function simulate(seed = 1): Promise<Simulation> {
  Member.got = [];
  const children = [
    child(Member, "caller"),
    child(Member, "worker-1", { capabilities: ["translate", "fast"], mailboxLengthMax: 1 }),
    child(Member, "worker-2", { capabilities: ["translate"] }),
    child(Member, "_hidden"),
    supervisor("worker-group", { children: [child(Member, "deep", { capabilities: ["fast"] })] }),
  ];
  const simulation = new Simulation({ seed, supervision: supervisor("root", { children }) });
  await simulation.start();
  return simulation;
}

const gotNames = (): string[] => Member.got.map(({ name }) => name).toSorted();

for (const [pattern, names] of [
  ["*", ["caller", "deep", "worker-1", "worker-2"]],
  ["worker-*", ["worker-1", "worker-2"]],
  ["worker-[2-9]", ["worker-2"]],
  ["_*", ["_hidden"]],
  ["nobody*", []],
] as const) {
  test(`broadcast("${pattern}") reaches every agent whose name matches`, async () => {
    await using simulation = await simulate();
    const reply = await simulation.call("caller", { do: "broadcast", to: pattern });
    await simulation.runUntilIdle();
    assert.deepEqual(reply, { receiverCount: names.length, failures: [] });
    assert.deepEqual(gotNames(), names);
    assert.ok(Member.got.every(({ message }) => message.sender === "caller"));
  });
}

test("each receiver of a broadcast has a payload of its own", async () => {
  await using simulation = await simulate();
  await simulation.call("caller", { do: "broadcast", to: "worker-*" });
  await simulation.runUntilIdle();
  const [first, second] = Member.got;
  assert.notEqual(first?.message.payload, second?.message.payload);
});

test("a broadcast leaves out the stopped and names the one without room; the others get it", async () => {
  await using simulation = await simulate();
  await simulation.runtime.stopAgent("deep");
  await simulation.cast("worker-1", { hold: true });
  await simulation.cast("worker-1", {});
  Member.got = [];
  const request = { do: "broadcast", to: "*", options: { timeoutMs: 50 } };
  const reply = await simulation.call("caller", request);
  assert.deepEqual(reply, {
    receiverCount: 2,
    failures: [{ name: "worker-1", code: "AGENTRT_BUS_MAILBOX_FULL" }],
  });
});

test("a broadcast of a reserved type is refused even when nobody matches", async () => {
  await using simulation = await simulate();
  const request = { do: "broadcast", to: "nobody", options: { type: "agentrt.x" } };
  await assert.rejects(simulation.call("caller", request), (error: TableError) => {
    assert.equal(error.code, "AGENTRT_AGENT_CRASHED");
    assert.equal((error.cause as TableError).code, "AGENTRT_BUS_RESERVED_TYPE");
    return true;
  });
});

test("a reserved type is refused in capitals, too", async () => {
  await using simulation = await simulate();
  for (const type of ["agentrt.x", "AgentRT.x", "_agency.x", "_AGENCY.x"]) {
    const expected = { code: "AGENTRT_BUS_RESERVED_TYPE" };
    await assert.rejects(simulation.runtime.cast("worker-1", {}, { type }), expected, type);
  }
  await simulation.runtime.cast("worker-1", {}, { type: "agentrtx" });
});

test("sendCapable() chooses every holder of the tag over the seeds, and only those", async () => {
  const chosen = new Set<unknown>();
  for (let seed = 1; seed <= 12; seed += 1) {
    await using simulation = await simulate(seed);
    const reply = await simulation.call("caller", { do: "capable", to: "translate" });
    await simulation.runUntilIdle();
    assert.deepEqual(gotNames(), [reply["name"]]);
    chosen.add(reply["name"]);
  }
  assert.deepEqual([...chosen].map(String).toSorted(), ["worker-1", "worker-2"]);
});

test("sendCapable() passes over a holder that is stopped, and refuses when none is left", async () => {
  await using simulation = await simulate();
  await simulation.runtime.stopAgent("worker-1");
  assert.deepEqual(await simulation.call("caller", { do: "capable", to: "fast" }), {
    name: "deep",
  });
  await simulation.runtime.stopAgent("deep");
  for (const [tag, reason] of [
    ["fast", /none of the 2 that declare it/],
    ["paint", /no agent declares it/],
  ] as const) {
    await assert.rejects(simulation.call("caller", { do: "capable", to: tag }), (error: Error) => {
      assert.equal((error.cause as { code?: string }).code, "AGENTRT_BUS_NO_CAPABLE");
      assert.match(error.message, reason);
      return true;
    });
    await simulation.advance(1000);
  }
});

test("capabilities are found after a restart", async () => {
  await using simulation = await simulate();
  await simulation.crash("deep");
  await simulation.runtime.stopAgent("worker-1");
  assert.deepEqual(await simulation.call("caller", { do: "capable", to: "fast" }), {
    name: "deep",
  });
});

test("a sender sees how many messages wait for an agent", async () => {
  await using simulation = await simulate();
  await simulation.cast("worker-2", { hold: true });
  for (let count = 0; count < 3; count += 1) await simulation.cast("worker-2", {});
  assert.deepEqual(await simulation.call("caller", { do: "depth", to: "worker-2" }), { depth: 3 });
  assert.deepEqual(await simulation.call("caller", { do: "depth", to: "nobody" }), { depth: null });
});

test("a message to _runtime is dropped and does not fail its sender; a call is answered at once", async () => {
  await using simulation = await simulate();
  await simulation.cast("_runtime", {});
  await assert.rejects(simulation.runtime.call("_runtime", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  assert.equal(simulation.runtime.snapshot().dropped.noRoute, 2);
});
