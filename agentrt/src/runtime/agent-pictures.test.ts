import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  createTextLog,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
} from "../core/index.ts";
import { MemoryStateStore } from "../state/index.ts";
import { Runtime } from "./index.ts";

class Holder extends Agent {
  static release = Promise.withResolvers<void>();

  override async handle({ payload }: Message): Promise<object> {
    this.state = { ...this.state, ...payload };
    if (payload["hold"] === true) await Holder.release.promise;
    return {};
  }

  override redactState({ secret: _, ...rest }: JsonObject): object {
    return rest;
  }
}

/** Lets the loops have their turns. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count += 1)
    await new Promise((resolve) => void setImmediate(resolve));
}

test("activity() shows what is at hand and what waits, of agents, pools and keys, without payloads", async () => {
  Holder.release = Promise.withResolvers();
  await using runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      children: [
        child(Holder, "one"),
        child(Holder, "many", { concurrency: 3 }),
        pool(Holder, "members", { size: 2 }),
        keyed(Holder, "ticket", { key: "id" }),
      ],
    }),
  });
  await runtime.start();
  // Beyond the messages that are timed one by one.
  for (let count = 0; count < 20; count += 1) await runtime.call("one", { count });
  assert.deepEqual(runtime.activity("one"), {
    className: "Holder",
    atHand: [],
    mailboxDepth: 0,
    oldestMs: null,
    awaitsStore: false,
    awaits: null,
  });
  const beginMs = Date.now();
  for (const name of ["one", "many", "members"]) {
    for (let count = 0; count < 4; count += 1) await runtime.cast(name, { hold: true, id: 1 });
  }
  await runtime.cast("ticket", { hold: true, id: "7" });
  await turns();
  const shown = ["one", "many", "members", "ticket", "ticket/7"].map((name) => {
    const { atHand, mailboxDepth, oldestMs, className } = runtime.activity(name);
    for (const { type, sender, sinceMs } of atHand) {
      assert.deepEqual([type, sender], ["message", ""]);
      assert.ok(sinceMs >= beginMs - 100 && sinceMs <= Date.now() + 100);
    }
    assert.equal(oldestMs === null, mailboxDepth === 0);
    return `${name} ${className} ${atHand.length} ${mailboxDepth}`;
  });
  assert.deepEqual(shown, [
    "one Holder 1 3",
    "many Holder 3 1",
    "members Holder 2 2",
    "ticket Holder 1 0",
    "ticket/7 Holder 1 0",
  ]);
  assert.equal(runtime.agentNode("ticket/7")?.status, "RUNNING");
  assert.deepEqual(runtime.activity("ticket/8").atHand, []);
  assert.throws(() => runtime.activity("root"), { code: "AGENTRT_SUPERVISION_NOT_AN_AGENT" });
  assert.throws(() => runtime.activity("nobody"), { code: "AGENTRT_SUPERVISION_UNKNOWN_NAME" });
  Holder.release.resolve();
});

test("agentState() copies the state, without what redactState takes out", async () => {
  await using runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      children: [child(Holder, "one"), keyed(Holder, "ticket", { key: "id" })],
    }),
  });
  await runtime.start();
  await runtime.call("one", { secret: "s", list: [1] });
  assert.deepEqual(runtime.agentState("one"), { list: [1] });
  assert.equal(runtime.agentState("ticket/7"), undefined);
  assert.throws(() => runtime.agentState("ticket"), { code: "AGENTRT_SUPERVISION_NOT_AN_AGENT" });
});

test("activity() says of agents and keys that they wait for the state store, as long as it does not answer", async () => {
  const state = new MemoryStateStore();
  let answer = Promise.withResolvers<void>();
  const set = state.set.bind(state);
  state.set = async (...given) => {
    await answer.promise;
    await set(...given);
  };
  class Saver extends Agent {
    override async handle(): Promise<object> {
      await this.checkpoint();
      return {};
    }
  }
  await using runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    state,
    supervision: supervisor("root", {
      children: [child(Saver, "desk"), keyed(Saver, "ticket", { key: "id" })],
    }),
  });
  await runtime.start();
  const waits = (): boolean[] =>
    ["desk", "ticket", "ticket/7"].map((name) => runtime.activity(name).awaitsStore);
  const asked = [runtime.call("desk", {})];
  await turns();
  assert.deepEqual(waits(), [true, false, false]);
  asked.push(runtime.call("ticket", { id: "7" }));
  await turns();
  assert.deepEqual(waits(), [true, true, true]);
  answer.resolve();
  await Promise.all(asked);
  answer = Promise.withResolvers();
  await turns();
  assert.deepEqual(waits(), [false, false, false]);
  answer.resolve();
});
