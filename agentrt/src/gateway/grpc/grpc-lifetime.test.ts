import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { busErrors } from "../../core/errors.ts";
import type { System } from "../../core/ports/system.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { ManualTime } from "../test-support/manual-time.ts";
import { serve, frame, request, reply, invoke, greet } from "./test-support/grpc-calls.ts";

test("a failure of the bus has the status that says so", async () => {
  const rows = [
    [new busErrors.NO_ROUTE({ address: "chat" }), 5, "agent 'chat' not found"],
    [new busErrors.TIMEOUT({ address: "chat", timeoutMs: 1 }), 4, "upstream timeout"],
  ] as const;
  for (const [error, code, message] of rows) {
    await using setup = await serve({
      bus: {
        call: () => Promise.reject(error),
        cast: () => Promise.reject(error),
        stream: () => ({ next: () => Promise.reject(error) }),
      },
    });
    for (const method of ["Invoke", "Cast", "Stream"]) {
      const result = await setup.call(`/agentrt.Agent/${method}`, greet);
      assert.deepEqual([result.code, result.message], [code, message], method);
    }
  }
});

test("a deadline ends the call, and the agent is told", async () => {
  let isTold = false;
  await using setup = await serve({
    bus: {
      call: ({ signal, timeoutMs }) => {
        assert.ok(timeoutMs <= 50, `${timeoutMs} ms`);
        return new Promise(() => {
          signal.addEventListener("abort", () => {
            isTold = true;
          });
        });
      },
    },
  });
  const result = await setup.call(invoke, greet, { "grpc-timeout": "50m" });
  assert.deepEqual([result.code, result.message, isTold], [4, "deadline exceeded", true]);
});

test("Stream gives each chunk, and a client that leaves or reads slowly is felt by the agent", async () => {
  let yielded = 0;
  let onLeft: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    onLeft = resolve;
  });
  const endless = async function* (): AsyncGenerator<JsonObject, undefined> {
    try {
      for (;;) {
        yielded += 1;
        yield { text: "x".repeat(16_384) };
      }
    } finally {
      onLeft?.();
    }
  };
  const three = async function* (): AsyncGenerator<JsonObject, undefined> {
    for (let n = 1; n <= 3; n += 1) yield { n };
    return undefined;
  };
  await using setup = await serve({
    bus: { stream: ({ recipient }) => (recipient === "three" ? three() : endless()) },
  });
  const whole = await setup.call("/agentrt.Agent/Stream", frame(request({ recipient: "three" })));
  assert.deepEqual(
    whole.messages.map((bytes) => reply(bytes).payload["n"]),
    [1, 2, 3],
  );
  assert.equal(whole.code, 0);
  const stream = setup.session.request({
    ":method": "POST",
    ":path": "/agentrt.Agent/Stream",
    "content-type": "application/grpc",
  });
  stream.on("error", () => undefined);
  stream.end(frame(request({ recipient: "endless" })));
  await new Promise((resolve) => stream.once("response", resolve));
  for (let seen = -1; seen !== yielded;) {
    seen = yielded;
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }
  assert.ok(yielded < 100, `${yielded} chunks for a client that reads none`);
  stream.close(8);
  await left;
});

test("an agent gets no more time than the call has left, whatever the middleware took of it", async () => {
  const given: number[] = [];
  const tookMs = 20;
  await using setup = await serve({
    middleware: [
      async (request, next) => {
        const beganMs = performance.now();
        while (performance.now() - beganMs < tookMs) await new Promise(setImmediate);
        return await next(request);
      },
    ],
    bus: {
      stream: ({ timeoutMs }, { durationMsMax }) => {
        given.push(timeoutMs, durationMsMax);
        return { next: () => Promise.resolve({ done: true, value: undefined }) };
      },
    },
  });
  const timeout = { "grpc-timeout": "5S" };
  await setup.call(invoke, greet, timeout);
  await setup.call("/agentrt.Agent/Stream", greet, timeout);
  given.push(...setup.seen.map(({ timeoutMs }) => timeoutMs));
  assert.equal(given.length, 3);
  for (const timeoutMs of given) assert.ok(timeoutMs <= 5_000 - tookMs, `${timeoutMs} ms`);
});

test("a client that pings or takes calls back without end loses its connection alone", async () => {
  await using setup = await serve({
    limits: { wastedFrameCountMax: 20, wastedFramesForgivenPerSecond: 1 },
  });
  await setup.call(invoke, greet);
  const closed = new Promise((resolve) => setup.session.once("close", resolve));
  for (let count = 0; count < 60 && !setup.session.destroyed; count += 1) {
    await new Promise<void>((resolve) => {
      if (!setup.session.ping(() => resolve())) resolve();
    });
  }
  await closed;
});

test("a stop lets calls in work finish, refuses others, and cuts off what is late", async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: answer, resolve: finish } = Promise.withResolvers<JsonObject>();
  const call = (): Promise<JsonObject> => {
    onAsked();
    return answer;
  };
  await using setup = await serve({ bus: { call } });
  const inWork = setup.call(invoke, greet);
  await asked;
  const stopped = setup.server.stop({ timeoutMs: 5_000 });
  finish({ isLast: true });
  assert.deepEqual(reply((await inWork).messages[0]).payload["isLast"], true);
  assert.deepEqual(await stopped, { cutCount: 0 });

  const { promise: askedLate, resolve: onAskedLate } = Promise.withResolvers<void>();
  const never = (): Promise<JsonObject> => {
    onAskedLate();
    return new Promise(() => undefined);
  };
  await using late = await serve({ bus: { call: never } });
  const cut = late.call(invoke, greet).catch(() => "broken off");
  await askedLate;
  assert.deepEqual(await late.server.stop({ timeoutMs: 10 }), { cutCount: 1 });
  await cut;
});

test("a stop serves the call that was on its way when the port closed, and refuses later ones by GOAWAY", async () => {
  const time = new ManualTime();
  await using setup = await serve({ system: time as unknown as System });
  await setup.call(invoke, greet);
  const wentAway = once(setup.session, "goaway");
  const stopped = setup.server.stop({ timeoutMs: 60_000 });
  // The port is closed when this timer is there.
  await time.timer(200);
  const onItsWay = await setup.call(invoke, greet);
  assert.deepEqual([onItsWay.code, setup.seen.length], [0, 2]);
  await time.fire(200);
  assert.deepEqual((await wentAway).slice(0, 2), [0, 3]);
  assert.deepEqual(await stopped, { cutCount: 0 });
});
