import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/simulation.ts";
import { Agent, type AgentClass } from "../agents/agent.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import { child, type ChildOptions } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

async function simulate(
  agents: { readonly [name: string]: AgentClass },
  options: ChildOptions = {},
): Promise<Simulation> {
  const children = Object.entries(agents).map(([name, type]) => child(type, name, options));
  const simulation = new Simulation({
    supervision: supervisor("root", { backoffBaseMs: 0, children }),
  });
  await simulation.start();
  return simulation;
}

async function collect(stream: AsyncIterable<JsonObject>): Promise<unknown[]> {
  const taken: unknown[] = [];
  try {
    for await (const chunk of stream) taken.push(chunk["n"]);
  } catch (error) {
    taken.push((error as { code?: string }).code ?? error);
  }
  return taken;
}

/** Gives one chunk for each call of `give`, and counts its cleanups. */
function makeTap() {
  const tap = { give: () => {}, finallyCount: 0, signalReasons: [] as string[] };
  class Tap extends Agent {
    override async *handle(message: Message) {
      message.signal.addEventListener("abort", () => {
        tap.signalReasons.push(String(message.signal.reason));
      });
      try {
        for (let n = 0; ; n += 1) {
          yield { n };
          await new Promise<void>((resolve) => {
            tap.give = resolve;
            message.signal.addEventListener("abort", () => resolve());
          });
        }
      } finally {
        tap.finallyCount += 1;
      }
    }
  }
  return { Tap, tap };
}

test("a producer that is stopped ends its stream at once with AGENTRT_AGENT_STOPPED, and is not late", async () => {
  const { Tap, tap } = makeTap();
  await using simulation = await simulate({ tap: Tap });
  const taking = collect(simulation.runtime.stream("tap", {}));
  await simulation.runUntilIdle();
  const stopping = simulation.runtime.stopAgent("tap");
  assert.deepEqual(await simulation.until(taking), [0, "AGENTRT_AGENT_STOPPED"]);
  assert.deepEqual(await simulation.until(stopping), { lateNames: [] });
  assert.equal(tap.finallyCount, 1);
  assert.match(tap.signalReasons.join(), /the stream is over: .*"tap": it is stopped/);
  assert.equal(simulation.clock.monotonicMs(), 0);
});

test("stop() of the runtime ends all streams, those that wait in the mailbox too", async () => {
  const { Tap, tap } = makeTap();
  const simulation = await simulate({ tap: Tap });
  const streams = [1, 2, 3].map(() => collect(simulation.runtime.stream("tap", {})));
  await simulation.runUntilIdle();
  assert.deepEqual(await simulation.stop(), { lateNames: [] });
  const stopped = "AGENTRT_AGENT_STOPPED";
  assert.deepEqual(await Promise.all(streams), [[0, stopped], [stopped], [stopped]]);
  assert.equal(tap.finallyCount, 1);
  assert.equal(simulation.clock.timerCount, 0);
});

test("a restart on request ends the stream, which is not resumed; the next request is served", async () => {
  const { Tap, tap } = makeTap();
  await using simulation = await simulate({ tap: Tap });
  const taking = collect(simulation.runtime.stream("tap", {}));
  await simulation.runUntilIdle();
  await simulation.runtime.restart("tap");
  assert.deepEqual(await simulation.until(taking), [0, "AGENTRT_AGENT_CRASHED"]);
  assert.equal(tap.finallyCount, 1);
  const next = simulation.runtime.stream("tap", {});
  assert.deepEqual(await simulation.until(next.next()), { done: false, value: { n: 0 } });
  assert.equal(simulation.clock.monotonicMs(), 0);
});

test("one whose generator does not come to a yield is abandoned after shutdownTimeoutMs", async () => {
  class Stuck extends Agent {
    override async *handle() {
      yield { n: 0 };
      await new Promise(() => undefined);
    }
  }
  await using simulation = await simulate({ stuck: Stuck }, { shutdownTimeoutMs: 500 });
  const taking = collect(simulation.runtime.stream("stuck", {}));
  await simulation.runUntilIdle();
  const stopping = simulation.runtime.stopAgent("stuck");
  assert.deepEqual(await taking, [0, "AGENTRT_AGENT_STOPPED"], "its consumer does not wait");
  assert.deepEqual(await simulation.until(stopping), { lateNames: ["stuck"] });
});

test("a plain reply that is under way when a stop is asked for still comes", async () => {
  let answer: (reply: JsonObject) => void = () => undefined;
  class Plain extends Agent {
    override handle() {
      return new Promise<JsonObject>((resolve) => {
        answer = resolve;
      });
    }
  }
  await using simulation = await simulate({ plain: Plain });
  const taking = collect(simulation.runtime.stream("plain", {}));
  await simulation.runUntilIdle();
  const stopping = simulation.runtime.stopAgent("plain");
  answer({ n: "whole" });
  assert.deepEqual(await simulation.until(taking), ["whole"]);
  await simulation.until(stopping);
});

test("nobody has the name, or it is a supervisor: the first read says so", async () => {
  const { Tap } = makeTap();
  await using simulation = await simulate({ tap: Tap });
  const { runtime } = simulation;
  for (const name of ["nobody", "root"]) {
    assert.deepEqual(await collect(runtime.stream(name, {})), ["AGENTRT_BUS_NO_ROUTE"]);
  }
  assert.equal(runtime.snapshot().dropped.noRoute, 2);
  const cause = new Error("too late");
  const aborted = runtime.stream("tap", {}, { signal: AbortSignal.abort(cause) });
  await assert.rejects(aborted.next(), { code: "AGENTRT_BUS_CANCELLED", cause });
  const wrong: object = { at: new Date(0) };
  assert.deepEqual(await collect(runtime.stream("tap", wrong)), ["AGENTRT_BUS_PAYLOAD_NOT_JSON"]);
  const reserved = runtime.stream("tap", {}, { type: "agentrt.stream.chunk" });
  assert.deepEqual(await collect(reserved), ["AGENTRT_BUS_RESERVED_TYPE"]);
});

test("a consuming agent that crashes cancels the streams it left open", async () => {
  const { Tap, tap } = makeTap();
  class Consumer extends Agent {
    override async handle(message: Message): Promise<void> {
      const stream = this.stream("tap", {});
      await stream.next();
      if (message.payload["crash"] === true) throw new Error("crash");
      for await (const _ of stream) break;
    }
  }
  await using simulation = await simulate({ tap: Tap, consumer: Consumer });
  await assert.rejects(simulation.call("consumer", { crash: true }));
  await simulation.runUntilIdle();
  assert.equal(tap.finallyCount, 1);
  assert.match(tap.signalReasons.join(), /its consumer has ended/);
});

test("streams through two agents: leaving the outer one ends the inner one, with or without the signal", async () => {
  const { Tap, tap } = makeTap();
  class Relay extends Agent {
    override async *handle(message: Message) {
      yield* this.stream("tap", {}, { signal: message.signal });
    }
  }
  class Doubler extends Agent {
    override async *handle() {
      for await (const { n } of this.stream("tap", {})) yield { n: Number(n) * 2 };
    }
  }
  await using simulation = await simulate({ tap: Tap, relay: Relay, doubler: Doubler });
  for (const [index, name] of ["relay", "doubler"].entries()) {
    const stream = simulation.runtime.stream(name, {});
    assert.deepEqual(await simulation.until(stream.next()), { done: false, value: { n: 0 } });
    await stream.return();
    await simulation.runUntilIdle();
    // Without the signal the middle one hears of it at its next yield.
    if (name === "doubler") tap.give();
    await simulation.runUntilIdle();
    assert.equal(tap.finallyCount, index + 1, name);
  }
  const { agents } = simulation.runtime.snapshot();
  assert.deepEqual([agents["relay"]?.errors, agents["doubler"]?.errors], [0, 0]);
});

test("an agent that streams from itself is told at once, and goes on", async () => {
  class Narcissus extends Agent {
    override async handle(message: Message) {
      if (message.payload["self"] !== true) return { n: 1 };
      const options = { firstChunkTimeoutMs: 100 };
      return { taken: await collect(this.stream(this.name, {}, options)) };
    }
  }
  await using simulation = await simulate({ self: Narcissus });
  assert.deepEqual(await simulation.call("self", { self: true }), {
    taken: ["AGENTRT_BUS_CALL_CYCLE"],
  });
  assert.deepEqual(await simulation.until(collect(simulation.runtime.stream("self", {}))), [1]);
});

test("a finally that throws after its consumer left crashes nobody", async () => {
  class Unclean extends Agent {
    override *handle() {
      try {
        for (;;) yield { n: 0 };
      } finally {
        // oxlint-disable-next-line no-unsafe-finally -- the point of this test
        throw new Error("unclean");
      }
    }
  }
  await using simulation = await simulate({ unclean: Unclean });
  const leave = async (): Promise<void> => {
    for await (const _ of simulation.runtime.stream("unclean", {})) break;
  };
  await simulation.until(leave());
  await simulation.runUntilIdle();
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 0);
  assert.equal(simulation.runtime.snapshot().agents["unclean"]?.messagesCancelled, 1);
});

test("both sides own their chunks", async () => {
  const kept: { list: number[] }[] = [];
  class Sharing extends Agent {
    override *handle() {
      const chunk = { list: [1] };
      kept.push(chunk);
      yield chunk;
      chunk.list.push(2);
      yield chunk;
    }
  }
  await using simulation = await simulate({ sharing: Sharing });
  const stream = simulation.runtime.stream("sharing", {});
  const first = await simulation.until(stream.next());
  await simulation.runUntilIdle();
  assert.deepEqual(first.value, { list: [1] });
  assert.ok(Array.isArray(first.value?.["list"]));
  first.value["list"].push(9);
  assert.deepEqual((await simulation.until(stream.next())).value, { list: [1, 2] });
  assert.deepEqual(kept[0]?.list, [1, 2]);
});

test("chunks that are not JSON: the consumer gets those before, the producer's finally runs, onError hears of it", async () => {
  const heard: string[] = [];
  let finallyCount = 0;
  class Hostile extends Agent {
    override onError(error: unknown) {
      heard.push(String(error));
      return "skip" as const;
    }

    override *handle(message: Message) {
      try {
        yield { n: 0 };
        const { kind } = message.payload;
        yield { number: 1, text: "a", nothing: null, list: [], date: new Date(0) }[
          kind as "number"
        ] as unknown;
      } finally {
        finallyCount += 1;
      }
    }
  }
  await using simulation = await simulate({ hostile: Hostile });
  for (const kind of ["number", "text", "nothing", "list", "date", "missing"]) {
    const stream = simulation.runtime.stream("hostile", { kind });
    assert.deepEqual(await simulation.until(collect(stream)), [0, "AGENTRT_AGENT_FAILED"], kind);
  }
  assert.equal(finallyCount, 6);
  assert.equal(heard.filter((text) => text.includes("PAYLOAD_NOT_JSON")).length, 6, heard.join());
});

test("a chunk that is a promise is awaited, as for await does", async () => {
  class Promising extends Agent {
    override *handle() {
      yield Promise.resolve({ n: 1 });
      yield Promise.reject(new Error("broken promise"));
    }
  }
  await using simulation = await simulate({ promising: Promising });
  const stream = simulation.runtime.stream("promising", {});
  assert.deepEqual(await simulation.until(collect(stream)), [1, "AGENTRT_AGENT_CRASHED"]);
});

for (const [what, result] of [
  ["an iterator without a step", { [Symbol.asyncIterator]: () => ({ next: () => undefined }) }],
  ["an iterator that is none", { [Symbol.asyncIterator]: () => ({}) }],
  ["an iterable that throws", { [Symbol.asyncIterator]: () => assert.fail("no") }],
  ["a list", [{ n: 1 }]],
  ["a map", new Map()],
  ["a number", 7],
] as const) {
  test(`a handler that returns ${what} to a stream request fails by the way of all handlers`, async () => {
    class Hostile extends Agent {
      override handle() {
        return result as object;
      }
    }
    await using simulation = await simulate({ hostile: Hostile });
    const taken = await simulation.until(collect(simulation.runtime.stream("hostile", {})));
    assert.deepEqual(taken, ["AGENTRT_AGENT_CRASHED"]);
    await simulation.runUntilIdle();
    assert.equal(simulation.runtime.tree().children[0]?.status, "RUNNING");
  });
}

test("emits that are not awaited keep their order; more than 1000 that wait are refused", async () => {
  const refused: string[] = [];
  class Hasty extends Agent {
    override async handle(message: Message): Promise<void> {
      for (let n = 0; n < Number(message.payload["count"]); n += 1) {
        this.emit(message, { n }).catch((error: unknown) => refused.push(String(error)));
      }
    }
  }
  await using simulation = await simulate({ hasty: Hasty });
  const options = { bufferLengthMax: 10 };
  const taken = await simulation.until(
    collect(simulation.runtime.stream("hasty", { count: 1012 }, options)),
  );
  assert.deepEqual(
    taken,
    Array.from({ length: 1010 }, (_, n) => n),
  );
  assert.equal(refused.length, 2);
  assert.match(refused[0] ?? "", /EMITS_NOT_AWAITED: .*1000 wait for the consumer already/);
});

test("an emit that nobody awaits does not crash the agent when its consumer leaves", async () => {
  class Hasty extends Agent {
    override async handle(message: Message): Promise<void> {
      for (let n = 0; n < 20; n += 1) void this.emit(message, { n });
      await new Promise<void>((resolve) =>
        message.signal.addEventListener("abort", () => resolve()),
      );
      void this.emit(message, { n: "late" });
    }
  }
  await using simulation = await simulate({ hasty: Hasty });
  const stream = simulation.runtime.stream("hasty", {}, { bufferLengthMax: 2 });
  await simulation.runUntilIdle();
  await stream.return();
  await simulation.runUntilIdle();
  const counters = simulation.runtime.snapshot().agents["hasty"];
  assert.deepEqual([counters?.errors, counters?.messagesHandled], [0, 1]);
});

test("emit() after handle has returned is refused", async () => {
  let later = async (): Promise<void> => {};
  class Late extends Agent {
    override async handle(message: Message): Promise<void> {
      await this.emit(message, { n: 0 });
      later = () => this.emit(message, { n: 1 });
    }
  }
  await using simulation = await simulate({ late: Late });
  assert.deepEqual(await simulation.until(collect(simulation.runtime.stream("late", {}))), [0]);
  await assert.rejects(later(), { code: "AGENTRT_STREAM_CANCELLED", message: /it has ended/ });
});

test("a busy producer serves one stream at a time, in order of the requests", async () => {
  const { Tap, tap } = makeTap();
  await using simulation = await simulate({ tap: Tap });
  const [first, second] = [1, 2].map(() => simulation.runtime.stream("tap", {}));
  await simulation.runUntilIdle();
  let isServed = false;
  const waiting = second?.next().then(() => {
    isServed = true;
  });
  await simulation.runUntilIdle();
  assert.equal(isServed, false);
  await first?.return();
  await simulation.until(waiting ?? Promise.resolve());
  assert.equal(tap.finallyCount, 1);
});

test("concurrent reads get the chunks in the order in which they were asked for; 1000 may wait", async () => {
  const { Tap, tap } = makeTap();
  await using simulation = await simulate({ tap: Tap });
  const stream = simulation.runtime.stream("tap", {});
  const reads = [1, 2, 3].map(() => stream.next());
  for (const _ of reads) {
    await simulation.runUntilIdle();
    tap.give();
  }
  const steps = await simulation.until(Promise.all(reads));
  assert.deepEqual(
    steps.map(({ value }) => value?.["n"]),
    [0, 1, 2],
  );
  const waiting = Array.from({ length: 1002 }, () => stream.next());
  await assert.rejects(waiting.at(-1) ?? Promise.resolve(), {
    code: "AGENTRT_STREAM_READS_EXHAUSTED",
  });
  await stream.return();
  const rest = await simulation.until(Promise.allSettled(waiting));
  assert.equal(rest.filter((step) => step.status === "fulfilled" && step.value.done).length, 1000);
});

test("a stream that was read to its end, or left, gives nothing a second time", async () => {
  class Two extends Agent {
    override *handle() {
      yield { n: 0 };
      yield { n: 1 };
    }
  }
  await using simulation = await simulate({ two: Two });
  const stream = simulation.runtime.stream("two", {});
  assert.deepEqual(await simulation.until(collect(stream)), [0, 1]);
  assert.deepEqual(await collect(stream), []);
  const left = simulation.runtime.stream("two", {});
  for await (const _ of left) break;
  assert.deepEqual(await collect(left), []);
});

test("await using ends a stream", async () => {
  const { Tap, tap } = makeTap();
  await using simulation = await simulate({ tap: Tap });
  {
    await using stream = simulation.runtime.stream("tap", {});
    await simulation.until(stream.next());
  }
  await simulation.runUntilIdle();
  assert.equal(tap.finallyCount, 1);
});

test("stream() of the runtime before its start is refused", () => {
  const simulation = new Simulation({ supervision: supervisor("root", { children: [] }) });
  assert.throws(() => simulation.runtime.stream("a", {}), {
    code: "AGENTRT_SUPERVISION_NOT_STARTED",
  });
});

test("the trace of a stream goes on in what its handler sends, and priority goes before", async () => {
  const seen: { traceId: string; parentSpanId: string | null; spanId: string }[] = [];
  class Watching extends Agent {
    override async *handle(message: Message) {
      const { traceId, parentSpanId, spanId } = message;
      seen.push({ traceId, parentSpanId, spanId });
      yield { n: 0 };
      if (message.payload["next"] !== undefined) yield* this.stream("other", {});
    }
  }
  await using simulation = await simulate({ first: Watching, other: Watching });
  const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" };
  const stream = simulation.runtime.stream("first", { next: true }, { trace });
  assert.deepEqual(await simulation.until(collect(stream)), [0, 0]);
  assert.deepEqual(
    seen.map(({ traceId }) => traceId),
    [trace.traceId, trace.traceId],
  );
  assert.equal(seen[0]?.parentSpanId, trace.parentSpanId);
  assert.equal(seen[1]?.parentSpanId, seen[0]?.spanId);
});
