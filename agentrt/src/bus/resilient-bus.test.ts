/** What `resilience.agents` and `resilience.tools` do with calls that fail. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  keyed,
  type Message,
  type ResilienceOptions,
  supervisor,
  toolErrors,
  type ToolSource,
} from "../core/index.ts";
import { Simulation } from "../testing/index.ts";

/** What the worker does with its next message, and what it got; a test sets it. */
const script: { act: (message: Message) => unknown; got: object[] } = {
  act: () => ({}),
  got: [],
};

class Worker extends Agent {
  override async handle(message: Message) {
    script.got.push(message.payload);
    return (await script.act(message)) as object;
  }
}

/** Calls the worker, and hands its errors on. */
class Front extends Agent {
  override async handle({ payload, type }: Message) {
    if (type === "tool") return { ...(await this.tools.call("test://files/read", {})) };
    return await this.call("worker", payload);
  }
}

const never = () => new Promise<never>(() => undefined);
const crash = () => {
  throw new Error("oops");
};

async function simulate(
  resilience: ResilienceOptions,
  tools: readonly ToolSource[] = [],
): Promise<Simulation> {
  script.got = [];
  const supervision = supervisor("root", {
    restartCountMax: 100,
    backoffBaseMs: 0,
    children: [
      child(Worker, "worker", { concurrency: 200 }),
      child(Front, "front", { concurrency: 200 }),
      keyed(Worker, "sessions", { restartCountMax: 100 }),
    ],
  });
  const simulation = new Simulation({ supervision, resilience, tools });
  await simulation.start();
  return simulation;
}

async function codeOf(pending: Promise<unknown>): Promise<string> {
  return await pending.then(
    () => "answered",
    (error: unknown) => (error as { readonly code: string }).code,
  );
}

test("a call is made again only where that is asked for, with the payload as it was", async () => {
  const answers = [crash, crash, () => ({ done: true })];
  script.act = () => answers.shift()?.();
  await using simulation = await simulate({
    agents: { worker: { retry: { retryCountMax: 2, backoffBaseMs: 100 } } },
  });
  const payload = { n: 1 };
  const pending = simulation.runtime.call("worker", payload);
  payload.n = 2;
  assert.deepEqual(await simulation.until(pending), { done: true });
  assert.deepEqual(script.got, [{ n: 1 }, { n: 1 }, { n: 1 }]);
  const tookMs = simulation.clock.monotonicMs();
  assert.ok(tookMs >= 225 && tookMs <= 300, `${tookMs} ms`);
  script.act = crash;
  assert.equal(await codeOf(simulation.call("sessions/7", {})), "AGENTRT_AGENT_CRASHED");
  assert.equal(script.got.length, 4);
});

test("a call to a keyed agent follows the policy of the whole", async () => {
  const answers = [crash, () => ({ done: true })];
  script.act = () => answers.shift()?.();
  await using simulation = await simulate({
    agents: { sessions: { retry: { backoffBaseMs: 0 } } },
  });
  assert.deepEqual(await simulation.call("sessions/7", {}), { done: true });
});

test("the deadline of the call bounds its attempts and the waits between them", async () => {
  script.act = never;
  await using simulation = await simulate({
    agents: { worker: { timeoutMs: 400, retry: { retryCountMax: 50, backoffBaseMs: 100 } } },
  });
  const code = await codeOf(simulation.call("worker", {}, { timeoutMs: 1000 }));
  assert.equal(code, "AGENTRT_BUS_TIMEOUT");
  const tookMs = simulation.clock.monotonicMs();
  assert.ok(tookMs >= 850 && tookMs <= 1100, `${tookMs} ms`);
  assert.equal(script.got.length, 2);
});

test("a caller that leaves ends the wait before the next attempt at once", async () => {
  script.act = crash;
  await using simulation = await simulate({
    agents: { worker: { retry: { backoffBaseMs: 8000 } } },
  });
  for (const to of ["worker", "front"] as const) {
    const controller = new AbortController();
    const { signal } = controller;
    const pending = codeOf(simulation.runtime.call(to, {}, { signal, timeoutMs: 60_000 }));
    await simulation.advance(1000);
    const handledCount = script.got.length;
    controller.abort();
    assert.equal(await pending, "AGENTRT_BUS_CANCELLED");
    await simulation.advance(20_000);
    assert.equal(script.got.length, handledCount, `no attempt after ${to} was left`);
  }
});

test("a stop ends the wait before the next attempt, and the caller gets what the last one failed with", async () => {
  script.act = crash;
  const simulation = await simulate({
    agents: { worker: { retry: { backoffBaseMs: 8000 } } },
  });
  const pending = codeOf(simulation.runtime.call("worker", {}));
  await simulation.advance(1000);
  await simulation.stop();
  const nowMs = simulation.clock.monotonicMs();
  assert.equal(await pending, "AGENTRT_AGENT_CRASHED");
  assert.equal(nowMs, 1000);
});

test("an open circuit refuses calls at once, through other agents too, and crashes none of them", async () => {
  script.act = crash;
  await using simulation = await simulate({
    agents: { worker: { circuitBreaker: { callCountMin: 3, openMs: 5000 } } },
  });
  for (let count = 0; count < 3; count += 1)
    assert.equal(await codeOf(simulation.call("worker", {})), "AGENTRT_AGENT_CRASHED");
  assert.equal(await codeOf(simulation.call("worker", {})), "AGENTRT_CIRCUIT_OPEN");
  assert.equal(await codeOf(simulation.call("front", {})), "AGENTRT_CIRCUIT_OPEN");
  const stream = simulation.stream("worker", {});
  assert.equal(await codeOf(stream.next()), "AGENTRT_CIRCUIT_OPEN");
  assert.equal(script.got.length, 3);
  const { agents, circuits } = simulation.runtime.snapshot();
  assert.equal(agents["front"]?.restarts, 0, "it is well itself");
  assert.equal(agents["front"]?.errors, 1);
  assert.deepEqual(circuits, [
    {
      kind: "agent",
      name: "worker",
      state: "open",
      callCount: 3,
      failureCount: 3,
      refusedCount: 3,
      openedCount: 1,
      retryAfterMs: circuits[0]?.retryAfterMs,
    },
  ]);
});

test("of a hundred callers at once a half-open circuit lets the probes through and no more", async () => {
  script.act = crash;
  await using simulation = await simulate({
    agents: { worker: { circuitBreaker: { callCountMin: 3, openMs: 5000, probeCount: 2 } } },
  });
  for (let count = 0; count < 3; count += 1) await codeOf(simulation.call("worker", {}));
  await simulation.advance(5000);
  script.got = [];
  let release = (): void => undefined;
  const held = new Promise<object>((resolve) => (release = () => resolve({})));
  script.act = () => held;
  const left = new AbortController();
  const first = codeOf(simulation.runtime.call("worker", {}, { signal: left.signal }));
  const rest = Array.from({ length: 99 }, () => codeOf(simulation.runtime.call("worker", {})));
  await simulation.advance(10);
  assert.equal(script.got.length, 2);
  left.abort();
  assert.equal(await first, "AGENTRT_BUS_CANCELLED");
  const late = codeOf(simulation.runtime.call("worker", {}));
  await simulation.advance(10);
  assert.equal(script.got.length, 3, "who leaves gives its probe to the next caller");
  release();
  assert.equal(await simulation.until(late), "answered");
  const codes = await simulation.until(Promise.all(rest));
  assert.equal(codes.filter((code) => code === "answered").length, 1);
  assert.equal(codes.filter((code) => code === "AGENTRT_CIRCUIT_OPEN").length, 98);
  assert.equal(simulation.runtime.snapshot().circuits[0]?.state, "closed");
});

test("the first chunk of a stream says that an agent is well, its consumer says nothing", async () => {
  await using simulation = await simulate({
    agents: { worker: { circuitBreaker: { callCountMin: 2, failureRate: 1 } } },
  });
  const circuit = () => simulation.runtime.snapshot().circuits[0];
  script.act = never;
  const left = simulation.stream("worker", {});
  await left.return();
  assert.equal(circuit()?.callCount, 0);
  script.act = async () => ({ n: 1 });
  assert.deepEqual((await simulation.stream("worker", {}).next()).value, { n: 1 });
  assert.deepEqual([circuit()?.callCount, circuit()?.failureCount], [1, 0]);
  script.act = crash;
  await assert.rejects(simulation.stream("worker", {}).next());
  assert.deepEqual([circuit()?.callCount, circuit()?.failureCount], [2, 1]);
});

test("a stream is asked for again until its first chunk, with the payload as it was, and never after it", async () => {
  const streams = [
    crash,
    never,
    async function* () {
      yield { n: 1 };
      yield { n: 2 };
      crash();
    },
  ];
  script.act = () => streams.shift()?.();
  await using simulation = await simulate({
    agents: { worker: { timeoutMs: 1000, retry: { retryCountMax: 2, backoffBaseMs: 100 } } },
  });
  const payload = { n: 7 };
  const chunks = simulation.runtime.stream("worker", payload);
  payload.n = 8;
  const reads = [chunks.next(), chunks.next()];
  const [first, second] = await simulation.until(Promise.all(reads));
  assert.deepEqual([first?.value, second?.value], [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(script.got, [{ n: 7 }, { n: 7 }, { n: 7 }]);
  const tookMs = simulation.clock.monotonicMs();
  assert.ok(tookMs >= 1225 && tookMs <= 1300, `${tookMs} ms`);
  assert.equal(await codeOf(simulation.until(chunks.next())), "AGENTRT_AGENT_CRASHED");
  assert.equal((await chunks.next()).done, true);
  assert.equal(script.got.length, 3);
});

test("attempts of a stream end with its own limit, with its consumer, and with the stop of the tree", async () => {
  script.act = never;
  await using simulation = await simulate({
    agents: { worker: { timeoutMs: 400, retry: { retryCountMax: 50, backoffBaseMs: 8000 } } },
  });
  const open = () => simulation.runtime.stream("worker", {}, { firstChunkTimeoutMs: 30_000 });
  const limited = simulation.runtime.stream("worker", {}, { firstChunkTimeoutMs: 1000 });
  const late = codeOf(simulation.until(limited.next()));
  assert.equal(await late, "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT");
  assert.equal(script.got.length, 1);
  const left = open();
  const read = left.next();
  await simulation.advance(1000);
  await left.return();
  assert.equal((await read).done, true);
  const aborted = new AbortController();
  const signalled = simulation.runtime.stream("worker", {}, { signal: aborted.signal });
  const cancelled = codeOf(signalled.next());
  await simulation.advance(1000);
  aborted.abort();
  assert.equal(await cancelled, "AGENTRT_BUS_CANCELLED");
  const stopped = open();
  const refused = codeOf(stopped.next());
  await simulation.advance(1000);
  const countBefore = script.got.length;
  await simulation.stop();
  assert.equal(await refused, "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT");
  assert.equal(script.got.length, countBefore);
});

function files(...answers: readonly (() => unknown)[]): ToolSource & { readonly calls: object[] } {
  const calls: object[] = [];
  return {
    name: "files",
    scheme: "test",
    calls,
    tools: () => [{ name: "read", inputSchema: {} }],
    call: async (_tool, input) => {
      calls.push(input);
      return (await answers[Math.min(calls.length, answers.length) - 1]?.()) as never;
    },
  };
}

const away = () => {
  throw new toolErrors.UNAVAILABLE({ server: "files", reason: "refused" });
};

test("a tool whose server is away is used again, and its circuit opens", async () => {
  const source = files(away, away, () => ({ content: "text", isError: false }), away);
  await using simulation = await simulate(
    { tools: { files: { retry: { retryCountMax: 2 }, circuitBreaker: { callCountMin: 5 } } } },
    [source],
  );
  const ask = () => simulation.call("front", {}, { type: "tool" });
  assert.deepEqual(await ask(), { content: "text" });
  assert.equal(source.calls.length, 3);
  assert.equal(await codeOf(ask()), "AGENTRT_CIRCUIT_OPEN", "its second attempt met it");
  assert.equal(source.calls.length, 5);
  assert.equal(simulation.runtime.snapshot().agents["front"]?.restarts, 0);
});

test("an attempt of a tool ends after its time, and the next one has its own", async () => {
  const source = files(never, () => ({ content: "text", isError: false }));
  await using simulation = await simulate(
    { tools: { files: { timeoutMs: 3000, retry: { backoffBaseMs: 0 } } } },
    [source],
  );
  assert.deepEqual(await simulation.call("front", {}, { type: "tool" }), { content: "text" });
  assert.equal(source.calls.length, 2);
});

for (const [title, resilience, message] of [
  [
    "an unknown agent",
    { agents: { worked: {} } },
    'Cannot configure resilience.agents: unknown option "worked"; did you mean "worker"?',
  ],
  [
    "an unknown option",
    { agents: { worker: { timeoutms: 5 } } },
    'Cannot configure resilience.agents.worker: unknown option "timeoutms"; did you mean "timeoutMs"?',
  ],
  [
    "a number out of its range",
    { agents: { worker: { circuitBreaker: { failureRate: 0 } } } },
    "Cannot configure resilience.agents.worker.circuitBreaker: failureRate: found 0, wanted a number above 0, at most 1",
  ],
  [
    "a model that is not there",
    { models: { main: {} } },
    'Cannot configure resilience.models: unknown option "main"; there are none',
  ],
] as const) {
  test(`${title} is refused when the runtime is made`, async () => {
    await assert.rejects(simulate(resilience as ResilienceOptions), { message });
  });
}
