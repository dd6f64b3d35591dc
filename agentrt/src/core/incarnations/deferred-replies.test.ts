import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  child,
  supervisor,
  type DeferredReply,
  GenServer,
  type HandleResult,
  type JsonObject,
  type Message,
} from "../index.ts";
import { Simulation } from "../../testing/index.ts";

/** Puts every reply off until somebody settles it. */
class Desk extends Agent {
  static open: DeferredReply[] = [];
  override async handle(message: Message): Promise<HandleResult> {
    const { settle, crash, limit } = message.payload;
    if (crash === true) throw new Error("crash");
    if (settle === "all") {
      for (const [index, reply] of Desk.open.splice(0).entries()) reply.send({ index });
      return { settled: true };
    }
    if (typeof limit === "number") return { depth: limit };
    Desk.open.push(message.defer());
    return undefined;
  }
}

async function simulate(): Promise<Simulation> {
  Desk.open = [];
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Desk, "desk")] }),
  });
  await simulation.start();
  return simulation;
}

test("deferred replies come in any order, while other messages are handled", async () => {
  await using simulation = await simulate();
  const calls = [1, 2, 3].map(() => simulation.runtime.call("desk", {}));
  assert.deepEqual(await simulation.runtime.call("desk", { settle: "all" }), { settled: true });
  assert.deepEqual(await Promise.all(calls), [{ index: 0 }, { index: 1 }, { index: 2 }]);
});

test("a deferred reply is given once, and takes another value when the first was no JSON", async () => {
  await using simulation = await simulate();
  const call = simulation.runtime.call("desk", {});
  await simulation.runUntilIdle();
  const [reply] = Desk.open;
  assert.ok(reply !== undefined);
  const wrong: object = { when: new Date(0) };
  assert.throws(() => reply.send(wrong), { code: "AGENTRT_BUS_PAYLOAD_NOT_JSON" });
  reply.send({ fine: true });
  assert.throws(() => reply.send({ twice: true }), { code: "AGENTRT_AGENT_REPLY_GIVEN" });
  assert.throws(() => reply.fail(new Error("twice")), { code: "AGENTRT_AGENT_REPLY_GIVEN" });
  assert.deepEqual(await call, { fine: true });
});

test("a deferred reply fails with its cause", async () => {
  await using simulation = await simulate();
  const call = simulation.runtime.call("desk", {});
  await simulation.runUntilIdle();
  const cause = new Error("no seats");
  Desk.open[0]?.fail(cause);
  await assert.rejects(call, { code: "AGENTRT_AGENT_FAILED", cause });
});

test("the deadline goes on: the signal is aborted, and a late reply goes nowhere", async () => {
  await using simulation = await simulate();
  const call = simulation.runtime.call("desk", {}, { timeoutMs: 100 });
  await assert.rejects(simulation.until(call), { code: "AGENTRT_BUS_TIMEOUT" });
  const [reply] = Desk.open;
  assert.equal(reply?.signal.aborted, true);
  reply?.send({ late: true });
  assert.equal(simulation.runtime.snapshot().agents["desk"]?.repliesUnwanted, 1);
});

test("a crash and a stop of the agent fail the replies that are open", async () => {
  await using simulation = await simulate();
  const first = simulation.runtime.call("desk", {});
  await simulation.runUntilIdle();
  await assert.rejects(simulation.runtime.call("desk", { crash: true }));
  await assert.rejects(first, { code: "AGENTRT_AGENT_CRASHED" });
  assert.throws(() => Desk.open[0]?.send({}), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.advance(5000);
  const second = simulation.runtime.call("desk", {});
  second.catch(() => undefined);
  await simulation.runUntilIdle();
  await simulation.until(simulation.runtime.stopAgent("desk"));
  await assert.rejects(second, { code: "AGENTRT_AGENT_STOPPED" });
});

test("at most 1000 replies are open; one that is given, or no longer wanted, makes room", async () => {
  class Hoarder extends Agent {
    static readonly open: DeferredReply[] = [];
    override handle(message: Message): HandleResult {
      try {
        Hoarder.open.push(message.defer());
        return undefined;
      } catch (error) {
        return { code: (error as { code: string }).code };
      }
    }
  }
  const supervision = supervisor("root", {
    children: [child(Hoarder, "hoarder", { mailboxLengthMax: 5000 })],
  });
  await using simulation = new Simulation({ supervision });
  await simulation.start();
  const { runtime } = simulation;
  const held = Array.from({ length: 1000 }, () =>
    runtime.call("hoarder", {}, { timeoutMs: 1000 }).catch(() => undefined),
  );
  assert.deepEqual(await simulation.until(runtime.call("hoarder", {})), {
    code: "AGENTRT_AGENT_REPLIES_EXHAUSTED",
  });
  Hoarder.open[0]?.send({});
  const one = runtime.call("hoarder", {});
  await simulation.runUntilIdle();
  assert.equal(Hoarder.open.length, 1001);
  await simulation.until(Promise.all(held));
  const next = runtime.call("hoarder", {});
  await simulation.runUntilIdle();
  assert.equal(Hoarder.open.length, 1002);
  for (const reply of Hoarder.open.slice(1000)) reply.send({ fine: true });
  assert.deepEqual(await Promise.all([one, next]), [{ fine: true }, { fine: true }]);
});

test("a stream request that is put off gets one chunk and the end", async () => {
  await using simulation = await simulate();
  const chunks: JsonObject[] = [];
  const reading = (async () => {
    for await (const chunk of simulation.runtime.stream("desk", {})) chunks.push(chunk);
  })();
  await simulation.runUntilIdle();
  Desk.open[0]?.send({ whole: true });
  await simulation.until(reading);
  assert.deepEqual(chunks, [{ whole: true }]);
});

test("a GenServer answers a call later, as with noreply and gen_server:reply", async () => {
  class Server extends GenServer {
    override handleCall(message: Message): HandleResult {
      const reply = message.defer();
      this.sendAfter(100, { n: 1 });
      this.#reply = reply;
      return undefined;
    }
    #reply: DeferredReply | undefined;
    override handleInfo({ payload }: Message): void {
      this.#reply?.send(payload);
    }
  }
  const supervision = supervisor("root", { children: [child(Server, "server")] });
  await using simulation = new Simulation({ supervision });
  await simulation.start();
  assert.deepEqual(await simulation.until(simulation.runtime.call("server", {})), { n: 1 });
});

test("a message that is not at hand cannot be put off, nor one twice", async () => {
  class Late extends Agent {
    static codes: string[] = [];
    static kept: Message | undefined;
    override async handle(message: Message): Promise<HandleResult> {
      for (const each of [Late.kept, message, message]) {
        try {
          each?.defer().send({ fine: true });
        } catch (error) {
          Late.codes.push((error as { code: string }).code);
        }
      }
      Late.kept = message;
      return { not: "used" };
    }
  }
  const supervision = supervisor("root", { children: [child(Late, "late")] });
  await using simulation = new Simulation({ supervision });
  await simulation.start();
  assert.deepEqual(await simulation.runtime.call("late", {}), { fine: true });
  assert.deepEqual(await simulation.runtime.call("late", {}), { fine: true });
  assert.deepEqual(Late.codes, [
    "AGENTRT_AGENT_REPLY_GIVEN",
    "AGENTRT_AGENT_NOT_AT_HAND",
    "AGENTRT_AGENT_REPLY_GIVEN",
  ]);
});

test("a reply that nobody waits for is not open: it takes no place, and no stop waits for it", async () => {
  await using simulation = await simulate();
  for (let count = 0; count < 1001; count += 1) await simulation.runtime.cast("desk", {});
  await simulation.runUntilIdle();
  const { errors, messagesHandled } = simulation.runtime.snapshot().agents["desk"] ?? {};
  assert.deepEqual([errors, messagesHandled], [0, 1001]);
});

test("a stop with a grace waits for replies that were put off", async () => {
  class Later extends Agent {
    override handle(message: Message): void {
      const reply = message.defer();
      void simulation.sleep(5000).then(() => reply.send({ late: true }));
    }
  }
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Later, "later")] }),
    shutdown: { graceMs: 10_000 },
  });
  await simulation.start();
  const called = simulation.runtime.call("later", {});
  await simulation.runUntilIdle();
  await simulation.stop();
  assert.deepEqual(await called, { late: true });
});
