/** Several objects of one class behind one name: who takes which message, and what ends only one of them. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { Agent, child, type JsonObject, type Message, pool, supervisor } from "../../index.ts";
import { simulatePool, Writer } from "./test-support/writer.ts";
import { Simulation } from "../../../testing/index.ts";

const by = (replies: JsonObject[]): unknown[] => replies.map((reply) => reply["by"]);

test("the members handle one message each, and show as a supervisor's children", async () => {
  await using simulation = await simulatePool({ size: 3 });
  const { runtime } = simulation;
  const calls = [10, 20, 30, 5].map((ms) => runtime.call("writer", { ms }));
  await simulation.runUntilIdle();
  const [node] = runtime.tree().children;
  assert.ok(node?.kind === "supervisor" && node.pool !== undefined);
  assert.deepEqual([node.pool.busyCount, node.pool.mailboxDepth, node.status], [3, 1, "RUNNING"]);
  assert.deepEqual(
    node.children.map(({ name, kind, status }) => [name, kind, status]),
    [1, 2, 3].map((number) => [`writer/${number}`, "agent", "RUNNING"]),
  );
  const replies = await simulation.until(Promise.all(calls));
  assert.deepEqual(by(replies), ["writer/1", "writer/2", "writer/3", "writer/1"]);
  assert.equal(Writer.busyCountMax, 3);
});

test("the member that is free longest takes the next message", async () => {
  await using simulation = await simulatePool({ size: 3 });
  const { runtime } = simulation;
  const first = [30, 10, 20].map((ms) => runtime.call("writer", { ms }));
  await simulation.until(Promise.all(first));
  const next = [5, 5, 5, 5].map((ms) => runtime.call("writer", { ms }));
  const replies = await simulation.until(Promise.all(next));
  assert.deepEqual(by(replies).slice(0, 3), ["writer/2", "writer/3", "writer/1"]);
});

test("who has just ended a message does not take the one that a member was called for", async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    await using simulation = await simulatePool({ size: 2 }, seed);
    const { runtime } = simulation;
    const first = runtime.call("writer", { ms: 10 });
    // Sent at the moment at which the first member ends, before or after it.
    const second = simulation.sleep(10).then(() => runtime.call("writer", { ms: 5 }));
    const replies = await simulation.until(Promise.all([first, second]));
    assert.deepEqual(by(replies), ["writer/1", "writer/2"], `seed ${seed}`);
  }
});

test("a crash takes the message at hand of one member; the others go on, and the queue does not wait for it", async () => {
  await using simulation = await simulatePool({ size: 2, backoffBaseMs: 1000 });
  const { runtime } = simulation;
  const crashing = runtime.call("writer", { ms: 10, crash: true });
  const others = [50, 10, 10].map((ms) => runtime.call("writer", { ms }));
  await assert.rejects(simulation.until(crashing), { code: "AGENTRT_AGENT_CRASHED" });
  const replies = await simulation.until(Promise.all(others));
  assert.deepEqual(by(replies), ["writer/2", "writer/2", "writer/2"]);
  await simulation.advance(2000);
  assert.equal(runtime.snapshot().agents["writer/1"]?.restarts, 1);
  assert.deepEqual(await simulation.call("writer", {}), { by: "writer/2" });
});

test("messages wait in the pool while all members are down, in order", async () => {
  await using simulation = await simulatePool({ size: 2, backoffBaseMs: 1000 });
  const { runtime } = simulation;
  const crashing = [1, 2].map(() => runtime.call("writer", { ms: 10, crash: true }));
  await simulation.until(Promise.allSettled(crashing));
  Writer.begun = [];
  const waiting = [0, 1, 2, 3].map((n) => runtime.call("writer", { n, ms: 10 }));
  await simulation.runUntilIdle();
  assert.deepEqual(Writer.begun, []);
  const replies = await simulation.until(Promise.all(waiting));
  assert.deepEqual(Writer.begun, [0, 1, 2, 3]);
  assert.deepEqual(new Set(by(replies)), new Set(["writer/1", "writer/2"]));
});

test("out of its budget the pool fails upward, and its messages wait for its next life", async () => {
  await using simulation = await simulatePool({ size: 2, restartCountMax: 1, backoffBaseMs: 0 });
  const { runtime } = simulation;
  const calls = [{ crash: true }, { crash: true }, { n: 1, ms: 10 }].map((each) =>
    runtime.call("writer", each),
  );
  const ends = await simulation.until(Promise.allSettled(calls));
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
  const exhausted = simulation.events.lines.filter((line) => line.includes("exhausted"));
  assert.equal(exhausted.length, 1, simulation.events.lines.join("\n"));
  const [node] = runtime.tree().children;
  assert.deepEqual([node?.name, node?.status, node?.restartCount], ["writer", "RUNNING", 1]);
});

test("checkpoint() is refused with a typed error", async () => {
  await using simulation = await simulatePool({ size: 1 });
  const refused = simulation.call("writer", { save: true });
  assert.deepEqual(await refused, { refused: "AGENTRT_AGENT_STATELESS" });
});

test("a class that handles several messages at once is refused in a pool", async () => {
  class Several extends Agent {
    constructor(name: string) {
      super(name, { concurrency: 2 });
    }
    override handle(): void {}
  }
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Several, "several", { size: 1 })] }),
  });
  await assert.rejects(simulation.start(), /concurrency is 2, want 1 in a pool/);
});

test("a chain of calls that occupies all members is refused", async () => {
  class Asker extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      const depth = Number(payload["depth"]);
      return depth === 0 ? { depth } : await this.call("asker", { depth: depth - 1 });
    }
  }
  class Own extends Agent {
    override async handle(): Promise<JsonObject> {
      return await this.call(this.name, {});
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [pool(Asker, "asker", { size: 3 }), pool(Own, "own", { size: 3 })],
    }),
  });
  await simulation.start();
  assert.deepEqual(await simulation.call("asker", { depth: 2 }), { depth: 0 });
  await assert.rejects(
    simulation.call("asker", { depth: 3 }),
    /asker\/1 -> asker\/\d -> asker\/\d -> asker/,
  );
  await assert.rejects(simulation.call("own", {}), /own\/1 -> own\/1/);
});

test("a queued message whose caller has left is not handled, and a member that is left is free again", async () => {
  await using simulation = await simulatePool({ size: 1 });
  const { runtime } = simulation;
  const leaving = new AbortController();
  const held = runtime.call("writer", { n: 1, ms: 1_000_000 }, { signal: leaving.signal });
  const queued = runtime.call("writer", { n: 2 }, { signal: leaving.signal });
  const last = runtime.call("writer", { n: 3 });
  await simulation.runUntilIdle();
  leaving.abort();
  await Promise.all([assert.rejects(held), assert.rejects(queued)]);
  assert.deepEqual(await simulation.until(last), { by: "writer/1" });
  assert.deepEqual(Writer.begun, [1, 3]);
  assert.equal(runtime.snapshot().dropped.abandoned, 1);
});

test("a capability and a pattern find the pool, not its members", async () => {
  await using simulation = await simulatePool({ size: 3, capabilities: ["write"] });
  const { runtime } = simulation;
  const sender = simulation.runtime.registry.withCapability("write");
  assert.deepEqual(
    sender.map(({ name }) => name),
    ["writer"],
  );
  assert.deepEqual(
    runtime.registry.matching("*").map(({ name }) => name),
    ["root", "writer"],
  );
  const status = await simulation.call("writer", {}, { type: "agentrt.supervision.status" });
  assert.equal((status["children"] as JsonObject[]).length, 3);
});

test("what is wrong with the options is refused, with the option's name", () => {
  for (const [options, message] of [
    [{}, /memberCountMax is undefined/],
    [{ size: 0 }, /size is 0/],
    [{ size: 2, memberCountMax: 3 }, /size is 2, want none next to/],
    [
      { memberCountMin: 4, memberCountMax: 3 },
      /memberCountMin is 4, want a whole number from 1 to 3/,
    ],
    [{ size: 2, scaleAfterMs: -1 }, /scaleAfterMs is -1/],
    [{ size: 2, idleMs: 0 }, /idleMs is 0/],
    [{ size: 2, handleTimeoutMs: 0 }, /handleTimeoutMs is 0/],
    [{ size: 2, restartCountMax: -1 }, /restartCountMax is -1/],
  ] as const) {
    assert.throws(() => pool(Writer, "writer", options), { message });
  }
  assert.throws(() => pool(Writer, "x".repeat(254), { size: 10 }), /name is x/);
  const twice = supervisor("root", {
    children: [child(Writer, "writer/2"), pool(Writer, "writer", { size: 2 })],
  });
  assert.throws(() => new Simulation({ supervision: twice }), {
    code: "AGENTRT_SUPERVISION_DUPLICATE_NAME",
  });
});
