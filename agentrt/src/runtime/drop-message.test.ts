import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, keyed, type Message, pool, supervisor } from "../core/index.ts";
import { Simulation } from "../testing/index.ts";

let gate = Promise.withResolvers<void>();
let handled: unknown[] = [];

class Desk extends Agent {
  override async handle({ payload }: Message) {
    const { n } = payload;
    if (n === 0) await gate.promise;
    handled.push(n);
    return { n: n ?? null };
  }
}

test("a message that is taken out of a mailbox is not handled; its caller gets an error, the others their answers in order", async () => {
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [child(Desk, "desk"), pool(Desk, "desks", { size: 1 }), keyed(Desk, "ticket")],
    }),
  });
  await simulation.start();
  const { runtime } = simulation;
  for (const name of ["desk", "desks", "ticket/7"]) {
    gate = Promise.withResolvers();
    handled = [];
    const calls = [0, 1, 2, 3, 4].map((n) => runtime.call(name, { n }));
    for (const call of calls) call.catch(() => undefined);
    await simulation.runUntilIdle();
    const { messages } = runtime.mailbox(name);
    assert.equal(messages.length, 4, name);
    const id = messages[1]?.id ?? "";
    assert.equal(runtime.dropMessage(name, "none"), false);
    assert.equal(runtime.dropMessage(name, id, { initiatedBy: "ada" }), true);
    assert.equal(runtime.dropMessage(name, id, { initiatedBy: "ada" }), false, "once");
    assert.equal(runtime.mailbox(name).depth, 3);
    gate.resolve();
    const results = await simulation.until(Promise.allSettled(calls));
    assert.deepEqual(handled, [0, 1, 3, 4], name);
    const [dropped] = results.flatMap((each) =>
      each.status === "rejected" ? [each.reason as { code: string; message: string }] : [],
    );
    assert.equal(dropped?.code, "AGENTRT_AGENT_MESSAGE_REMOVED");
    assert.match(dropped.message, /ada took the message out of its mailbox/);
    assert.equal(results[2]?.status, "rejected");
    const letter = runtime.deadLetters().at(-1);
    assert.deepEqual([letter?.id, letter?.reason, letter?.recipient], [id, "removed", name]);
  }
  assert.equal(runtime.snapshot().dropped.removed, 3);
});

test("where a message is taken out of a full mailbox, senders that wait come in", async () => {
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [child(Desk, "desk", { mailboxLengthMax: 1 })],
    }),
  });
  await simulation.start();
  const { runtime } = simulation;
  gate = Promise.withResolvers();
  handled = [];
  const calls = [0, 1, 2].map((n) => runtime.call("desk", { n }));
  await simulation.runUntilIdle();
  const [first] = runtime.mailbox("desk").messages;
  assert.equal(runtime.dropMessage("desk", first?.id ?? ""), true);
  assert.equal(runtime.mailbox("desk").depth, 1);
  gate.resolve();
  const results = await simulation.until(Promise.allSettled(calls));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(handled, [0, 2]);
});

test("what has no mailbox is refused", async () => {
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [keyed(Desk, "ticket")] }),
  });
  await simulation.start();
  const { runtime } = simulation;
  assert.throws(() => runtime.dropMessage("nobody", "x"), {
    code: "AGENTRT_SUPERVISION_UNKNOWN_NAME",
  });
  assert.throws(() => runtime.dropMessage("ticket", "x"), {
    code: "AGENTRT_SUPERVISION_NOT_AN_AGENT",
  });
  assert.equal(runtime.dropMessage("ticket/none", "x"), false);
});
