import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import type { ChunkStream } from "./consumer.ts";
import type { StreamOptions } from "./options.ts";
import { child, type ChildOptions } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

/** Gives a chunk at each of the times that its request names, then rests or ends. */
class Timed extends Agent {
  static wait: (untilMs: number) => Promise<void>;
  static finallyCount = 0;

  override async *handle(message: Message) {
    const { atMs = [], ends = false, text = "" } = message.payload;
    try {
      for (const at of atMs as number[]) {
        await Timed.wait(at);
        yield { at, text };
      }
      if (ends !== true) await Timed.wait(Number.POSITIVE_INFINITY);
    } finally {
      Timed.finallyCount += 1;
    }
  }
}

async function simulate(options: ChildOptions = {}): Promise<Simulation> {
  const simulation = new Simulation({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(Timed, "timed", options)],
    }),
  });
  const { clock } = simulation;
  Timed.finallyCount = 0;
  Timed.wait = (untilMs) =>
    new Promise((resolve) => {
      if (untilMs === Number.POSITIVE_INFINITY) return;
      clock.setTimer(Math.max(0, untilMs - clock.monotonicMs()), resolve);
    });
  await simulation.start();
  return simulation;
}

interface Ending {
  readonly chunks: unknown[];
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly message: string;
  readonly atMs: number;
}

async function take(simulation: Simulation, stream: ChunkStream): Promise<Ending> {
  const chunks: unknown[] = [];
  const atMs = (): number => simulation.clock.monotonicMs();
  try {
    for (;;) {
      const step = await simulation.until(stream.next());
      if (step.done === true) break;
      chunks.push(step.value["at"]);
    }
    return { chunks, code: undefined, reason: undefined, message: "", atMs: atMs() };
  } catch (error) {
    const { code, details, message } = error as {
      code: string;
      details: { reason?: string };
      message: string;
    };
    return { chunks, code, reason: details.reason, message, atMs: atMs() };
  }
}

interface Row {
  readonly what: string;
  readonly request: JsonObject;
  readonly options?: StreamOptions;
  readonly chunks: number[];
  readonly code: string;
  readonly reason?: string;
  readonly atMs: number;
}

const rows: readonly Row[] = [
  {
    what: "no first chunk within 30 s",
    request: { atMs: [30_020] },
    chunks: [],
    code: "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT",
    reason: "no first chunk",
    atMs: 30_000,
  },
  {
    what: "no first chunk within a time-out of its own",
    request: { atMs: [120] },
    options: { firstChunkTimeoutMs: 100, timeoutMs: 5 },
    chunks: [],
    code: "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT",
    reason: "no first chunk",
    atMs: 100,
  },
  {
    what: "timeoutMs is the wait for the first chunk",
    request: { atMs: [90, 5000, 9960] },
    options: { timeoutMs: 100, idleTimeoutMs: 4950 },
    chunks: [90, 5000],
    code: "AGENTRT_STREAM_IDLE_TIMEOUT",
    reason: "stream idle timeout",
    atMs: 9950,
  },
  {
    what: "300 s without a chunk",
    request: { atMs: [0, 299_000, 598_000] },
    chunks: [0, 299_000, 598_000],
    code: "AGENTRT_STREAM_IDLE_TIMEOUT",
    reason: "stream idle timeout",
    atMs: 898_000,
  },
  {
    what: "idle sooner than the first chunk could have been late",
    request: { atMs: [10] },
    options: { idleTimeoutMs: 500 },
    chunks: [10],
    code: "AGENTRT_STREAM_IDLE_TIMEOUT",
    reason: "stream idle timeout",
    atMs: 510,
  },
  {
    what: "older than an hour",
    request: { atMs: Array.from({ length: 40 }, (_, index) => 5 + index * 100_000) },
    chunks: Array.from({ length: 36 }, (_, index) => 5 + index * 100_000),
    code: "AGENTRT_STREAM_DURATION_EXCEEDED",
    reason: "max_stream_duration exceeded",
    atMs: 3_600_000,
  },
  {
    what: "older than durationMsMax before the first chunk",
    request: { atMs: [5000] },
    options: { durationMsMax: 1000 },
    chunks: [],
    code: "AGENTRT_STREAM_DURATION_EXCEEDED",
    reason: "max_stream_duration exceeded",
    atMs: 1000,
  },
  {
    what: "more than chunkCountMax chunks",
    request: { atMs: [10, 20, 30] },
    options: { chunkCountMax: 2 },
    chunks: [10, 20],
    code: "AGENTRT_STREAM_TOO_MANY_CHUNKS",
    reason: "max_frames exceeded",
    atMs: 30,
  },
  {
    what: "a chunk of more than chunkSizeBytesMax bytes",
    request: { atMs: [10, 1000], text: "äöü" },
    options: { chunkSizeBytesMax: 26 },
    chunks: [10],
    code: "AGENTRT_STREAM_CHUNK_TOO_LARGE",
    reason: "chunk too large",
    atMs: 1000,
  },
];

for (const row of rows) {
  test(`a stream fails with ${row.code}: ${row.what}`, async () => {
    await using simulation = await simulate();
    const ending = await take(
      simulation,
      simulation.runtime.stream("timed", row.request, row.options ?? {}),
    );
    assert.deepEqual(
      { chunks: ending.chunks, code: ending.code, reason: ending.reason, atMs: ending.atMs },
      { chunks: row.chunks, code: row.code, reason: row.reason, atMs: row.atMs },
      ending.message,
    );
  });
}

test("a limit that ends a stream is told to its producer, whose finally runs at its next yield", async () => {
  await using simulation = await simulate();
  const request = { atMs: [10, 2000, 3000] };
  const ending = await take(
    simulation,
    simulation.runtime.stream("timed", request, { idleTimeoutMs: 500 }),
  );
  assert.equal(ending.code, "AGENTRT_STREAM_IDLE_TIMEOUT");
  assert.equal(Timed.finallyCount, 0);
  await simulation.advance(2000);
  assert.equal(Timed.finallyCount, 1);
  const again = await take(
    simulation,
    simulation.runtime.stream("timed", { atMs: [0], ends: true }),
  );
  assert.deepEqual(again.chunks, [0]);
});

test("a consumer that takes nothing for idleTimeoutMs gets what waits, then AGENTRT_STREAM_SLOW_CONSUMER", async () => {
  await using simulation = await simulate();
  const atMs = [0, 10, 20, 30, 40];
  const options = { bufferLengthMax: 3, idleTimeoutMs: 1000 };
  const stream = simulation.runtime.stream("timed", { atMs }, options);
  await simulation.advance(1010);
  assert.equal(Timed.finallyCount, 0);
  await simulation.advance(20);
  assert.equal(Timed.finallyCount, 1, "the producer waited for room no longer");
  const ending = await take(simulation, stream);
  assert.deepEqual(ending.chunks, [0, 10, 20]);
  assert.equal(ending.code, "AGENTRT_STREAM_SLOW_CONSUMER");
  assert.equal(ending.reason, "slow_consumer");
  assert.match(ending.message, /3 chunks wait and the consumer took none within 1000 ms/);
});

test("a consumer that is slow, but takes a chunk within idleTimeoutMs, gets them all", async () => {
  await using simulation = await simulate();
  const atMs = Array.from({ length: 20 }, () => 0);
  const options = { bufferLengthMax: 2, idleTimeoutMs: 1000 };
  const stream = simulation.runtime.stream("timed", { atMs, ends: true }, options);
  for (let taken = 0; taken < 20; taken += 1) {
    await simulation.advance(900);
    assert.equal((await simulation.until(stream.next())).done, false);
  }
  assert.equal((await simulation.until(stream.next())).done, true);
});

test("what has come whole may be read late: no limit applies behind the end", async () => {
  await using simulation = await simulate();
  const stream = simulation.runtime.stream("timed", { atMs: [0, 10], ends: true });
  await simulation.advance(10_000_000);
  assert.deepEqual((await take(simulation, stream)).chunks, [0, 10]);
});

test("handleTimeoutMs bounds the time to the next chunk, not the stream, and not the wait for room", async () => {
  await using simulation = await simulate({ handleTimeoutMs: 1000 });
  const steady = { atMs: [900, 1800, 2700, 3600], ends: true };
  const narrow = { bufferLengthMax: 1, idleTimeoutMs: 60_000 };
  const stream = simulation.runtime.stream("timed", steady, narrow);
  await simulation.advance(30_000);
  assert.deepEqual((await take(simulation, stream)).chunks, steady.atMs);
  const late = simulation.clock.monotonicMs();
  const request = { atMs: [late + 900, late + 3000] };
  const ending = await take(simulation, simulation.runtime.stream("timed", request));
  assert.deepEqual(ending.chunks, [late + 900]);
  assert.equal(ending.code, "AGENTRT_AGENT_CRASHED");
  assert.match(ending.message, /handle ran longer than 1000 ms/);
  assert.equal(Timed.finallyCount, 1);
  await simulation.advance(5000);
  assert.equal(Timed.finallyCount, 2, "the late one closes when it gets to its next yield");
});

test("handleTimeoutMs of a handler that emits begins anew with each emit", async () => {
  class Emitting extends Agent {
    override async handle(message: Message): Promise<void> {
      for (const at of message.payload["atMs"] as number[]) {
        await Timed.wait(at);
        await this.emit(message, { at });
      }
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(Emitting, "timed", { handleTimeoutMs: 1000 })],
    }),
  });
  const { clock } = simulation;
  Timed.wait = (untilMs) =>
    new Promise((resolve) => void clock.setTimer(untilMs - clock.monotonicMs(), resolve));
  await simulation.start();
  const stream = simulation.runtime.stream("timed", { atMs: [900, 1800, 2700, 3900] });
  const ending = await take(simulation, stream);
  assert.deepEqual(ending.chunks, [900, 1800, 2700]);
  assert.match(ending.message, /handle ran longer than 1000 ms/);
});

for (const options of [
  { firstChunkTimeoutMs: 1000 },
  { firstChunkTimeoutMs: 60_000, roomTimeoutMs: 1000 },
]) {
  test(`a full mailbox: who waits for room is refused in time, with ${JSON.stringify(options)}`, async () => {
    await using simulation = await simulate({ mailboxLengthMax: 1 });
    const { runtime, clock } = simulation;
    const busy = runtime.stream("timed", { atMs: [0] });
    await simulation.runUntilIdle();
    await runtime.cast("timed", {});
    const askedAtMs = clock.monotonicMs();
    const ending = await take(simulation, runtime.stream("timed", { atMs: [0] }, options));
    assert.deepEqual([ending.code, ending.atMs - askedAtMs], ["AGENTRT_BUS_MAILBOX_FULL", 1000]);
    await busy.return();
  });
}

test("roomTimeoutMs bounds only the wait for room: a stream that has it may take longer", async () => {
  await using simulation = await simulate();
  const options = { firstChunkTimeoutMs: 60_000, roomTimeoutMs: 1 };
  const request = { atMs: [5000], ends: true };
  const ending = await take(simulation, simulation.runtime.stream("timed", request, options));
  assert.deepEqual([ending.code, ending.chunks], [undefined, [5000]]);
});

test("a request that waited longer than its ttlMs is not begun", async () => {
  await using simulation = await simulate();
  const busy = simulation.runtime.stream("timed", { atMs: [0, 1000], ends: true });
  const late = simulation.runtime.stream("timed", { atMs: [0] }, { ttlMs: 500 });
  await simulation.until(take(simulation, busy));
  assert.equal((await take(simulation, late)).code, "AGENTRT_BUS_EXPIRED");
});

for (const [options, message] of [
  [{ idleTimeoutMs: 0 }, /idleTimeoutMs is 0, want a number from 1/],
  [{ durationMsMax: Number.NaN }, /durationMsMax is NaN/],
  [{ firstChunkTimeoutMs: 2 ** 31 }, /firstChunkTimeoutMs is 2147483648/],
  [{ roomTimeoutMs: 0 }, /roomTimeoutMs is 0/],
  [{ timeoutMs: -1 }, /timeoutMs is -1/],
  [{ bufferLengthMax: 1.5 }, /bufferLengthMax is 1.5, want a whole number from 1 to 65536/],
  [{ bufferLengthMax: 65_537 }, /bufferLengthMax is 65537/],
  [{ chunkCountMax: 0 }, /chunkCountMax is 0, want a whole number of 1 or more/],
  [{ chunkSizeBytesMax: "9" as never }, /chunkSizeBytesMax is 9, want a number of 1 or more/],
] as const) {
  test(`stream() refuses ${JSON.stringify(options)} at the first read`, async () => {
    await using simulation = await simulate();
    const stream = simulation.runtime.stream("timed", {}, options);
    await assert.rejects(stream.next(), { code: "AGENTRT_BUS_OPTION_INVALID", message });
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
  });
}

test("a stream asked for a call whose time is over is not begun by anybody", async () => {
  let handledCount = 0;
  class Counted extends Agent {
    override async *handle() {
      handledCount += 1;
      yield { n: handledCount };
    }
  }
  let ended: Ending | undefined;
  class Late extends Agent {
    override async handle(): Promise<JsonObject> {
      // Deadlines are looked at every 10 ms.
      await Timed.wait(1007);
      ended = await take(simulation, this.stream("counted", {}));
      return {};
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Counted, "counted"), child(Late, "late")] }),
  });
  await simulation.start();
  Timed.wait = (untilMs) => simulation.sleep(untilMs - simulation.clock.monotonicMs());
  await assert.rejects(simulation.call("late", {}, { timeoutMs: 1005 }));
  await simulation.advance(100);
  assert.deepEqual([ended?.code, ended?.chunks], ["AGENTRT_STREAM_DURATION_EXCEEDED", []]);
  assert.equal(handledCount, 0);
});
