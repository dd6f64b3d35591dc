import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/simulation.ts";
import { Agent, type ErrorAction, type AgentClass } from "../agents/agent.ts";
import { GenServer } from "../agents/gen-server.ts";
import type { JsonObject } from "../values/json.ts";
import { httpReply, replyHeadOf } from "../messages/http-reply.ts";
import type { Message } from "../messages/message.ts";
import { child, type ChildOptions } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

async function simulate(producer: AgentClass, options: ChildOptions = {}): Promise<Simulation> {
  const supervision = supervisor("root", {
    backoffBaseMs: 0,
    children: [child(producer, "producer", options)],
  });
  const simulation = new Simulation({ supervision });
  await simulation.start();
  return simulation;
}

/** Takes all chunks; what ended the stream stands behind them. */
async function collect(stream: AsyncIterable<JsonObject>): Promise<unknown[]> {
  const taken: unknown[] = [];
  try {
    for await (const chunk of stream) taken.push(chunk["n"]);
  } catch (error) {
    taken.push((error as { code?: string }).code ?? error);
  }
  return taken;
}

const countOf = (message: Message): number => Number(message.payload["count"] ?? 3);

class AsyncCounter extends Agent {
  override async *handle(message: Message) {
    for (let n = 0; n < countOf(message); n += 1) {
      await Promise.resolve();
      yield { n };
    }
  }
}

class SyncCounter extends Agent {
  override *handle(message: Message) {
    for (let n = 0; n < countOf(message); n += 1) yield { n };
  }
}

class LateCounter extends Agent {
  override async handle(message: Message) {
    await Promise.resolve();
    return (async function* () {
      for (let n = 0; n < countOf(message); n += 1) yield { n };
    })();
  }
}

class EmittingCounter extends Agent {
  override async handle(message: Message) {
    for (let n = 0; n < countOf(message); n += 1) await this.emit(message, { n });
  }
}

class IteratorCounter extends Agent {
  override handle(message: Message) {
    let n = -1;
    const next = async (): Promise<IteratorResult<JsonObject>> => {
      n += 1;
      return n < countOf(message) ? { done: false, value: { n } } : { done: true, value: 0 };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }
}

class ServerCounter extends GenServer {
  override handleCall(message: Message) {
    return (async function* () {
      for (let n = 0; n < countOf(message); n += 1) yield { n };
    })();
  }
}

class EmittingServer extends GenServer {
  override async handleCall(message: Message): Promise<undefined> {
    for (let n = 0; n < countOf(message); n += 1) await this.emit(message, { n });
  }
}

const producers = {
  "an async generator": AsyncCounter,
  "a generator": SyncCounter,
  "a promise of an async generator": LateCounter,
  "a handler that emits": EmittingCounter,
  "an async iterable without return()": IteratorCounter,
  "a GenServer": ServerCounter,
  "a GenServer that emits": EmittingServer,
} as const;

for (const [what, producer] of Object.entries(producers)) {
  for (const count of [0, 1, 3, 1000]) {
    test(`stream() takes ${count} chunks of ${what} in order`, async () => {
      await using simulation = await simulate(producer);
      const stream = simulation.runtime.stream("producer", { count });
      assert.deepEqual(
        await simulation.until(collect(stream)),
        Array.from({ length: count }, (_, n) => n),
      );
      const counters = simulation.runtime.snapshot().agents["producer"];
      assert.equal(counters?.messagesHandled, 1);
      assert.equal(counters?.chunksSent, count);
    });
  }
}

test("a plain reply to a stream request is one chunk and the end; nothing is the end alone", async () => {
  class Plain extends Agent {
    override async handle(message: Message) {
      if (message.payload["nothing"] === true) return undefined;
      return { n: message.isStream };
    }
  }
  await using simulation = await simulate(Plain);
  const { runtime } = simulation;
  assert.deepEqual(await collect(runtime.stream("producer", {})), [true]);
  assert.deepEqual(await collect(runtime.stream("producer", { nothing: true })), []);
  assert.deepEqual(await runtime.call("producer", {}), { n: false });
});

test("what a handler returns after it emitted is the last chunk", async () => {
  class Closing extends Agent {
    override async handle(message: Message) {
      await this.emit(message, { n: 0 });
      void this.emit(message, { n: 1 });
      return { n: "last" };
    }
  }
  await using simulation = await simulate(Closing);
  const { runtime } = simulation;
  assert.deepEqual(await collect(runtime.stream("producer", {})), [0, 1, "last"]);
  const narrow = runtime.stream("producer", {}, { bufferLengthMax: 1 });
  assert.deepEqual(await simulation.until(collect(narrow)), [0, 1, "last"]);
});

for (const [what, producer] of Object.entries(producers)) {
  if (producer === IteratorCounter) continue;
  test(`call() to ${what} is told to use stream(), and the agent goes on`, async () => {
    await using simulation = await simulate(producer);
    const { runtime } = simulation;
    await assert.rejects(simulation.call("producer", {}), {
      code: "AGENTRT_STREAM_NOT_A_REPLY",
      message: /"producer": its handler streams/,
    });
    assert.deepEqual(await simulation.until(collect(runtime.stream("producer", {}))), [0, 1, 2]);
    assert.deepEqual(
      simulation.events.lines.filter((line) => line.includes("crash")),
      [],
    );
  });
}

for (const style of ["yield", "emit"]) {
  test(`GET …/state of an agent that streams is answered as of any other: ${style}`, async () => {
    class Stateful extends Agent {
      override state: JsonObject = { secret: 1, open: 2 };

      override redactState(state: JsonObject): JsonObject {
        if (state["secret"] !== 1) throw new Error("nothing to redact");
        return { open: state["open"] ?? 0 };
      }

      override handle(message: Message) {
        return style === "emit" ? this.#emit(message) : this.#yield(message);
      }

      async #emit(message: Message): Promise<void> {
        this.#forget(message);
        await this.emit(message, { n: 0 });
      }

      *#yield(message: Message) {
        this.#forget(message);
        yield { n: 0 };
      }

      #forget(message: Message): void {
        if (message.payload["forget"] === true) this.state["secret"] = 0;
      }
    }
    await using simulation = await simulate(Stateful);
    const { runtime } = simulation;
    const ask = { __op__: "state" };
    const options = { type: "state" };
    assert.deepEqual(await simulation.call("producer", ask, options), { open: 2 });
    assert.deepEqual(await collect(runtime.stream("producer", { forget: true })), [0]);
    await assert.rejects(simulation.call("producer", ask, options), {
      message: /nothing to redact/,
    });
    await simulation.runUntilIdle();
    assert.equal(runtime.tree().children[0]?.restartCount, 1);
  });
}

test("a call to an agent that streams, made by another one, is that one's failure", async () => {
  class Wrong extends Agent {
    override async handle() {
      return await this.call("producer", {});
    }
  }
  const children = [child(AsyncCounter, "producer"), child(Wrong, "wrong")];
  await using simulation = new Simulation({
    supervision: supervisor("root", { backoffBaseMs: 0, children }),
  });
  await simulation.start();
  await assert.rejects(simulation.call("wrong", {}), {
    code: "AGENTRT_AGENT_CRASHED",
    message: /Cannot reply to a call of "producer": its handler streams/,
  });
  const { agents } = simulation.runtime.snapshot();
  assert.deepEqual([agents["producer"]?.errors, agents["wrong"]?.errors], [0, 1]);
});

test("chunks that a call cannot take are closed, so that what stands behind them is let go", async () => {
  const cancelled: unknown[] = [];
  class Body extends Agent {
    override handle() {
      const cancel = (): void => void cancelled.push("cancel");
      return new ReadableStream({ pull: (source) => source.enqueue({ n: 1 }), cancel });
    }
  }
  await using simulation = await simulate(Body);
  const { runtime } = simulation;
  await assert.rejects(simulation.call("producer", {}), { code: "AGENTRT_STREAM_NOT_A_REPLY" });
  await simulation.runUntilIdle();
  assert.deepEqual(cancelled, ["cancel"]);
  for await (const chunk of runtime.stream("producer", {})) {
    assert.deepEqual(chunk, { n: 1 });
    break;
  }
  await simulation.runUntilIdle();
  assert.deepEqual(cancelled, ["cancel", "cancel"]);
});

test("cast() to a handler that streams runs it to its end without a consumer", async () => {
  const steps: string[] = [];
  class Worker extends Agent {
    override async *handle() {
      try {
        steps.push("first");
        yield { n: 0 };
        steps.push("second");
        yield new Date(0);
        await Promise.resolve();
      } finally {
        steps.push("end");
      }
    }
  }
  await using simulation = await simulate(Worker);
  await simulation.cast("producer", {});
  assert.deepEqual(steps, ["first", "second", "end"]);
  assert.equal(simulation.runtime.snapshot().agents["producer"]?.messagesHandled, 1);
});

test("emit() to a message that nobody waits for does nothing", async () => {
  await using simulation = await simulate(EmittingCounter);
  await simulation.cast("producer", { count: 5000 });
  assert.equal(simulation.runtime.snapshot().agents["producer"]?.messagesHandled, 1);
  assert.equal(simulation.runtime.snapshot().agents["producer"]?.errors, 0);
});

/** Says what its cleanup saw. */
function makeEndless() {
  const seen = { finallyCount: 0, yieldCount: 0, aborted: [] as unknown[] };
  class Endless extends Agent {
    override async *handle(message: Message) {
      message.signal.addEventListener("abort", () => seen.aborted.push(message.signal.reason));
      try {
        for (let n = 0; ; n += 1) {
          seen.yieldCount += 1;
          yield { n };
        }
      } finally {
        seen.finallyCount += 1;
      }
    }
  }
  return { Endless, seen };
}

test("leaving the loop cancels the producer: finally runs once, its signal is aborted, it serves the next", async () => {
  const { Endless, seen } = makeEndless();
  await using simulation = await simulate(Endless);
  for (const round of [1, 2]) {
    const leave = async (): Promise<void> => {
      for await (const { n } of simulation.runtime.stream("producer", {})) if (n === 10) break;
    };
    await simulation.until(leave());
    await simulation.runUntilIdle();
    assert.equal(seen.finallyCount, round);
    assert.equal(seen.aborted.length, round);
  }
  assert.match(String(seen.aborted[0]), /AGENTRT_STREAM_CANCELLED: .*its consumer has left/);
  const counters = simulation.runtime.snapshot().agents["producer"];
  assert.equal(counters?.errors, 0);
  assert.equal(counters?.messagesHandled, 2);
  assert.equal(simulation.clock.timerCount, 1, "no more than the wheel's own next look");
});

test("a consumer that takes nothing holds the producer at bufferLengthMax chunks", async () => {
  const { Endless, seen } = makeEndless();
  await using simulation = await simulate(Endless);
  const stream = simulation.runtime.stream("producer", {});
  await simulation.runUntilIdle();
  assert.equal(seen.yieldCount, 257);
  await stream.next();
  await simulation.runUntilIdle();
  assert.equal(seen.yieldCount, 257, "room is given in portions");
  for (let taken = 1; taken < 128; taken += 1) await stream.next();
  await simulation.runUntilIdle();
  assert.equal(seen.yieldCount, 257 + 128);
  await stream.return();
});

test("a signal ends the stream at once, what waits is lost, and the producer's emit is refused", async () => {
  let refused: unknown;
  class Emitting extends Agent {
    override async handle(message: Message): Promise<void> {
      try {
        for (;;) await this.emit(message, { n: 1 });
      } catch (error) {
        refused = error;
        throw error;
      }
    }
  }
  await using simulation = await simulate(Emitting);
  const controller = new AbortController();
  const { signal } = controller;
  const stream = simulation.runtime.stream("producer", {}, { signal });
  await simulation.runUntilIdle();
  controller.abort(new Error("user left"));
  await assert.rejects(stream.next(), { code: "AGENTRT_BUS_CANCELLED" });
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
  await simulation.runUntilIdle();
  assert.match(String(refused), /AGENTRT_STREAM_CANCELLED/);
  assert.equal(simulation.runtime.snapshot().agents["producer"]?.errors, 0);
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 0);
});

test("a failing producer: the chunks already sent, then its error at once", async () => {
  const actions: ErrorAction[] = [];
  class Failing extends Agent {
    override onError(): ErrorAction {
      return actions.shift() ?? "escalate";
    }

    override async *handle() {
      yield { n: 0 };
      yield { n: 1 };
      throw new Error("boom");
    }
  }
  await using simulation = await simulate(Failing);
  const take = () => simulation.until(collect(simulation.runtime.stream("producer", {})));
  assert.deepEqual(await take(), [0, 1, "AGENTRT_AGENT_CRASHED"]);
  actions.push("skip");
  assert.deepEqual(await take(), [0, 1, "AGENTRT_AGENT_FAILED"]);
  // Chunks were sent: they must not come twice.
  actions.push("retry");
  assert.deepEqual(await take(), [0, 1, "AGENTRT_AGENT_CRASHED"]);
  actions.push("stop");
  assert.deepEqual(await take(), [0, 1, "AGENTRT_AGENT_STOPPED"]);
  assert.deepEqual(await take(), ["AGENTRT_AGENT_STOPPED"]);
});

test("retry before the first chunk begins the stream anew", async () => {
  class Flaky extends Agent {
    override onError(): ErrorAction {
      return "retry";
    }

    override async *handle(message: Message) {
      if (message.attempt < 2) throw new Error("flaky");
      yield { n: message.attempt };
    }
  }
  await using simulation = await simulate(Flaky);
  assert.deepEqual(await collect(simulation.runtime.stream("producer", {})), [2]);
});

test("a chunk made with httpReply keeps its status, which nothing but a listener of HTTP sees", async () => {
  class Teller extends Agent {
    override async *handle(message: Message) {
      yield httpReply({ status: 206, body: { n: 1 } });
      await this.emit(message, httpReply({ status: 207, body: { n: 2 } }));
      yield { n: 3 };
    }
  }
  await using simulation = await simulate(Teller);
  const statuses: unknown[] = [];
  for await (const chunk of simulation.stream("producer", {}))
    statuses.push([JSON.stringify(chunk), replyHeadOf(chunk)?.status]);
  assert.deepEqual(statuses, [
    ['{"n":1}', 206],
    ['{"n":2}', 207],
    ['{"n":3}', undefined],
  ]);
});
