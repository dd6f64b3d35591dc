import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Agent, child, supervisor, type JsonObject, type Message } from "../core/index.ts";
import { Simulation } from "../testing/simulation.ts";

/** Answers with what it saw; holds a message until it is released when told to. */
class Witness extends Agent {
  static seen: Message[] = [];
  static release: () => void = () => undefined;

  override async handle(message: Message): Promise<JsonObject> {
    Witness.seen.push(message);
    if (message.payload["hold"] === true) {
      await new Promise<void>((resolve) => {
        Witness.release = resolve;
      });
    }
    const forward = message.payload["forward"];
    if (typeof forward === "string") await this.call(forward, { from: this.name });
    return message.payload;
  }
}

async function simulate(mailboxLengthMax = 1000): Promise<Simulation> {
  Witness.seen = [];
  const simulation = new Simulation({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(Witness, "a", { mailboxLengthMax }), child(Witness, "b")],
    }),
  });
  await simulation.start();
  return simulation;
}

test("a payload is isolated both ways: request from sender, reply from receiver", async () => {
  await using simulation = await simulate();
  const payload = { list: [1] };
  const call = simulation.runtime.call("a", payload);
  payload.list.push(2);
  const reply = (await call) as { list: number[] };
  assert.deepEqual(reply, { list: [1] });
  reply.list.push(3);
  assert.deepEqual(Witness.seen[0]?.payload, { list: [1] });
});

test("a call to nobody and to a supervisor is refused, named and counted", async () => {
  await using simulation = await simulate();
  for (const name of ["nobody", "root", "__proto__"]) {
    await assert.rejects(simulation.runtime.call(name, {}), {
      code: "AGENTRT_BUS_NO_ROUTE",
      message: new RegExp(`"${name}"`),
    });
  }
  assert.equal(simulation.runtime.snapshot().dropped.noRoute, 3);
});

for (const type of ["_agency.shutdown", "agentrt.dynamic.spawn", "agentrt."]) {
  test(`the reserved type ${type} is refused in call, cast and send`, async () => {
    await using simulation = await simulate();
    const expected = { code: "AGENTRT_BUS_RESERVED_TYPE" };
    await assert.rejects(simulation.runtime.call("a", {}, { type }), expected);
    await assert.rejects(simulation.runtime.cast("a", {}, { type }), expected);
    assert.equal(Witness.seen.length, 0);
  });
}

for (const options of [
  { timeoutMs: 0 },
  { timeoutMs: Number.NaN },
  { timeoutMs: 2 ** 31 },
  { timeoutMs: "5" as never },
  { ttlMs: -1 },
  { priority: Number.POSITIVE_INFINITY },
]) {
  const [option = "", value] = Object.entries(options)[0] ?? [];
  test(`${option} ${value} is refused`, async () => {
    await using simulation = await simulate();
    const expected = { code: "AGENTRT_BUS_OPTION_INVALID", message: new RegExp(`${option} is`) };
    await assert.rejects(simulation.runtime.call("a", {}, options), expected);
    await assert.rejects(simulation.runtime.cast("a", {}, options), expected);
  });
}

test("a call times out after its timeoutMs, never early, and its late reply is dropped", async () => {
  await using simulation = await simulate();
  let outcome = "open";
  const call = simulation.runtime.call("a", { hold: true }, { timeoutMs: 1234 });
  call.catch((error: Error & { code: string }) => {
    outcome = `${error.code}: ${error.message}`;
  });
  await simulation.advance(1233);
  assert.equal(outcome, "open");
  await simulation.advance(27);
  assert.match(outcome, /^AGENTRT_BUS_TIMEOUT: .*"a".*1234 ms/);
  Witness.release();
  assert.deepEqual(await simulation.runtime.call("a", { next: true }), { next: true });
});

test("a call without a timeoutMs waits 30 seconds", async () => {
  await using simulation = await simulate();
  const rejected = assert.rejects(simulation.runtime.call("a", { hold: true }), {
    code: "AGENTRT_BUS_TIMEOUT",
  });
  const beganMs = simulation.clock.monotonicMs();
  await simulation.advance(30_010);
  await rejected;
  assert.ok(simulation.clock.monotonicMs() - beganMs >= 30_000);
  Witness.release();
});

test("an aborted signal ends the call, before and after it was sent", async () => {
  await using simulation = await simulate();
  const controller = new AbortController();
  const call = simulation.runtime.call("a", { hold: true }, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { code: "AGENTRT_BUS_CANCELLED" });
  const { signal } = controller;
  await assert.rejects(simulation.runtime.call("b", {}, { signal }), {
    code: "AGENTRT_BUS_CANCELLED",
  });
  await simulation.runUntilIdle();
  Witness.release();
});

test("a message carries what the interface promises", async () => {
  await using simulation = await simulate();
  await simulation.runtime.call("a", { x: 1 }, { type: "order", priority: 2, ttlMs: 500 });
  const message = Witness.seen[0];
  assert.ok(message !== undefined);
  assert.match(message.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(message.correlationId, message.id);
  assert.equal(message.replyTo, `_reply.${message.id}`);
  assert.match(message.traceId, /^[0-9a-f]{32}$/);
  assert.match(message.spanId, /^[0-9a-f]{16}$/);
  const { type, sender, recipient, priority, ttlMs, attempt, parentSpanId, timestampMs } = message;
  assert.deepEqual(
    { type, sender, recipient, priority, ttlMs, attempt, parentSpanId },
    {
      type: "order",
      sender: "",
      recipient: "a",
      priority: 2,
      ttlMs: 500,
      attempt: 0,
      parentSpanId: null,
    },
  );
  assert.equal(timestampMs, simulation.clock.nowMs());
  assert.match(inspect(message), new RegExp(`id: '${message.id}'.*payload: \\{ x: 1 \\}`, "s"));
  assert.throws(() => {
    (message as { type: string }).type = "changed";
  }, TypeError);
});

test("a trace goes on through the messages a handler sends, and comes in from outside", async () => {
  await using simulation = await simulate();
  const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" };
  await simulation.runtime.call("a", { forward: "b" }, { trace });
  const [first, second] = Witness.seen;
  assert.equal(first?.traceId, trace.traceId);
  assert.equal(first?.parentSpanId, trace.parentSpanId);
  assert.equal(second?.traceId, trace.traceId);
  assert.equal(second?.parentSpanId, first?.spanId);
  assert.notEqual(second?.spanId, first?.spanId);
  assert.equal(second?.sender, "a");
});

test("messages of one sender are handled in the order in which they were sent", async () => {
  await using simulation = await simulate();
  await Promise.all(Array.from({ length: 300 }, (_, n) => simulation.runtime.cast("a", { n })));
  await simulation.runUntilIdle();
  assert.deepEqual(
    Witness.seen.map((message) => message.payload["n"]),
    Array.from({ length: 300 }, (_, n) => n),
  );
});

test("a message with a priority above 0 is served before those without", async () => {
  await using simulation = await simulate();
  const held = simulation.runtime.call("a", { hold: true });
  await simulation.runUntilIdle();
  await simulation.runtime.cast("a", { n: 1 });
  await simulation.runtime.cast("a", { n: 2 }, { priority: 1 });
  Witness.release();
  await held;
  await simulation.runUntilIdle();
  assert.deepEqual(
    Witness.seen.slice(1).map((message) => message.payload["n"]),
    [2, 1],
  );
});

test("a message older than its ttlMs is dropped and counted, one that is not is handled", async () => {
  await using simulation = await simulate();
  const held = simulation.runtime.call("a", { hold: true });
  await simulation.runUntilIdle();
  await simulation.runtime.cast("a", { n: 1 }, { ttlMs: 99 });
  await simulation.runtime.cast("a", { n: 2 }, { ttlMs: 100 });
  await simulation.advance(100);
  Witness.release();
  await held;
  await simulation.runUntilIdle();
  assert.deepEqual(
    Witness.seen.slice(1).map((message) => message.payload["n"]),
    [2],
  );
  assert.equal(simulation.runtime.snapshot().dropped.expired, 1);
});

test("senders wait in order when a mailbox is full, and nothing is dropped", async () => {
  await using simulation = await simulate(2);
  const held = simulation.runtime.call("a", { hold: true });
  await simulation.runUntilIdle();
  const accepted: number[] = [];
  const sends = [1, 2, 3, 4, 5].map(async (n) => {
    await simulation.runtime.cast("a", { n });
    accepted.push(n);
  });
  await simulation.runUntilIdle();
  assert.deepEqual(accepted, [1, 2]);
  const [node] = simulation.runtime.tree().children;
  assert.ok(node?.kind === "agent");
  assert.deepEqual([node.mailboxDepth, node.waitingSenderCount], [2, 3]);
  Witness.release();
  await Promise.all([held, ...sends]);
  await simulation.runUntilIdle();
  assert.deepEqual(accepted, [1, 2, 3, 4, 5]);
  assert.deepEqual(
    Witness.seen.slice(1).map((message) => message.payload["n"]),
    [1, 2, 3, 4, 5],
  );
});

test("a sender that finds no room in its time is refused, a call and a cast alike, and never delivered", async () => {
  await using simulation = await simulate(1);
  const held = simulation.runtime.call("a", { hold: true }, { timeoutMs: 60_000 });
  await simulation.runUntilIdle();
  await simulation.runtime.cast("a", { n: 1 });
  const expected = { code: "AGENTRT_BUS_MAILBOX_FULL", httpStatus: 503 };
  const cast = simulation.runtime.cast("a", { n: 2 }, { timeoutMs: 100 });
  const call = simulation.runtime.call("a", { n: 3 }, { timeoutMs: 100 });
  const refused = Promise.all([assert.rejects(cast, expected), assert.rejects(call, expected)]);
  await simulation.advance(200);
  await refused;
  Witness.release();
  await held;
  await simulation.runUntilIdle();
  assert.deepEqual(
    Witness.seen.slice(1).map((message) => message.payload["n"]),
    [1],
  );
});

test("calls while the runtime stops are refused at once", async () => {
  const simulation = await simulate();
  const stopped = simulation.runtime.stop();
  await simulation.runUntilIdle();
  await stopped;
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
  await assert.rejects(simulation.runtime.start(), { code: "AGENTRT_SUPERVISION_NOT_STARTED" });
});

test("a call, a cast and a send whose signal is aborted already never reach the agent", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const signal = AbortSignal.abort(new Error("no longer wanted"));
  const expected = { code: "AGENTRT_BUS_CANCELLED", message: /"a".*cancelled/ };
  await assert.rejects(runtime.call("a", {}, { signal }), expected);
  await assert.rejects(runtime.cast("a", {}, { signal }), expected);
  await simulation.runUntilIdle();
  assert.equal(Witness.seen.length, 0);
});

test("an aborted signal ends the wait for room, and the message is not delivered later", async () => {
  await using simulation = await simulate(1);
  const held = simulation.runtime.call("a", { hold: true });
  await simulation.runUntilIdle();
  await simulation.runtime.cast("a", { n: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  const expected = { code: "AGENTRT_BUS_CANCELLED" };
  const cast = assert.rejects(simulation.runtime.cast("a", { n: 2 }, { signal }), expected);
  const call = assert.rejects(simulation.runtime.call("a", { n: 3 }, { signal }), expected);
  const last = simulation.runtime.cast("a", { n: 4 }, { signal: new AbortController().signal });
  await simulation.runUntilIdle();
  controller.abort();
  await Promise.all([cast, call]);
  Witness.release();
  await Promise.all([held, last]);
  await simulation.runUntilIdle();
  assert.deepEqual(
    Witness.seen.slice(1).map((message) => message.payload["n"]),
    [1, 4],
  );
});

test("whoever finds no room is counted, and those that gave up waiting are not shown as waiting", async () => {
  await using simulation = await simulate(1);
  const { runtime } = simulation;
  const waitingSenderCount = () => {
    const [node] = runtime.tree().children;
    assert.ok(node?.kind === "agent");
    return node.waitingSenderCount;
  };
  const held = runtime.call("a", { hold: true }, { timeoutMs: 60_000 });
  await simulation.runUntilIdle();
  await runtime.cast("a", { n: 1 });
  const refused = ["call", "cast", "call"].map((kind) =>
    assert.rejects(runtime[kind as "call"]("a", { n: 2 }, { timeoutMs: 100 }), {
      code: "AGENTRT_BUS_MAILBOX_FULL",
    }),
  );
  const patient = runtime.call("a", { n: 3 }, { timeoutMs: 60_000 });
  assert.equal(waitingSenderCount(), 4);
  await simulation.advance(200);
  await Promise.all(refused);
  assert.equal(waitingSenderCount(), 1);
  Witness.release();
  await Promise.all([held, patient]);
  await simulation.runUntilIdle();
  assert.equal(runtime.snapshot().dropped.refused, 3);
});

test("senders that wait for room when the agent is stopped are told, and counted", async () => {
  await using simulation = await simulate(1);
  const { runtime } = simulation;
  const expected = { code: "AGENTRT_AGENT_STOPPED" };
  const held = assert.rejects(runtime.call("a", { hold: true }, { timeoutMs: 100_000 }), expected);
  await simulation.runUntilIdle();
  await runtime.cast("a", { n: 1 });
  const call = assert.rejects(runtime.call("a", { n: 2 }), expected);
  const cast = assert.rejects(runtime.cast("a", { n: 3 }), expected);
  const stopping = runtime.stopAgent("a");
  await Promise.all([call, cast]);
  await simulation.advance(30_000);
  await Promise.all([held, stopping]);
  const { dropped } = runtime.snapshot();
  assert.deepEqual([dropped.refused, dropped.stopped], [2, 2]);
});

test("a caller that is refused because ten thousand wait already is told at once", async () => {
  await using simulation = await simulate(1);
  const { runtime } = simulation;
  const held = runtime.call("a", { hold: true }, { timeoutMs: 100_000 });
  await simulation.runUntilIdle();
  await runtime.cast("a", { n: 0 });
  const impatient = Array.from({ length: 10_000 }, () =>
    runtime.call("a", { n: 1 }, { timeoutMs: 1000 }).catch((error: { code: string }) => error.code),
  );
  await assert.rejects(runtime.call("a", { n: 2 }), { code: "AGENTRT_BUS_MAILBOX_FULL" });
  await simulation.advance(1010);
  assert.deepEqual(new Set(await Promise.all(impatient)), new Set(["AGENTRT_BUS_MAILBOX_FULL"]));
  // Those gave up: there is a place in the line again.
  const next = runtime.call("a", { n: 3 }, { timeoutMs: 60_000 });
  Witness.release();
  await held;
  assert.deepEqual(await next, { n: 3 });
});
