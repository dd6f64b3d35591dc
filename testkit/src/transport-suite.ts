import assert from "node:assert/strict";
import { test } from "node:test";

type Payload = { [key: string]: unknown };

/** What the suite sees of a message. */
interface ReceivedMessage {
  readonly payload: Payload;
  readonly sender: string;
  readonly traceId: string;
}

/** What an agent of a scenario may do. */
interface ScenarioContext {
  call(to: string, payload: Payload): Promise<Payload>;
  cast(to: string, payload: Payload): Promise<void>;
}

/** One agent of a scenario: what it does with a message, and what it replies. */
export type ScenarioHandler = (
  message: ReceivedMessage,
  context: ScenarioContext,
) => Payload | undefined | Promise<Payload | undefined>;

/** A running tree over the transport under test; its agents restart at once when they crash. */
export interface ScenarioRuntime extends AsyncDisposable {
  call(to: string, payload: Payload): Promise<Payload>;
  cast(to: string, payload: Payload): Promise<void>;
}

/** Starts one agent a name, each under supervision without backoff. */
export type StartScenario = (agents: {
  readonly [name: string]: ScenarioHandler;
}) => Promise<ScenarioRuntime>;

/**
 * Declares the scenarios that every transport must pass: the promises of messages do not depend on what carries them.
 *
 * @param name Of the transport, for the tests' names.
 * @param start Runs agents over it.
 */
export function testTransport(name: string, start: StartScenario): void {
  const scenario = (title: string, run: () => Promise<void>): void => {
    test(`${name}: ${title}`, run);
  };

  scenario("a call gets the reply of its own request, also with many under way", async () => {
    await using runtime = await start({
      echo: async ({ payload }) => ({ echoed: payload["number"] }),
    });
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, number) => runtime.call("echo", { number })),
    );
    assert.deepEqual(
      replies,
      Array.from({ length: 500 }, (_, number) => ({ echoed: number })),
    );
  });

  scenario("messages of one sender arrive in the order sent, casts and calls alike", async () => {
    const seen: unknown[] = [];
    await using runtime = await start({
      sink: ({ payload }) => {
        seen.push(payload["number"]);
        return {};
      },
    });
    for (let number = 0; number < 300; number += 1) await runtime.cast("sink", { number });
    await runtime.call("sink", { number: 300 });
    assert.deepEqual(
      seen,
      Array.from({ length: 301 }, (_, number) => number),
    );
  });

  scenario("agents call each other, and a trace goes along", async () => {
    const traces = new Set<string>();
    await using runtime = await start({
      front: async (message, context) => {
        traces.add(message.traceId);
        return { from: (await context.call("back", message.payload))["sender"] };
      },
      back: (message) => {
        traces.add(message.traceId);
        return { sender: message.sender };
      },
    });
    assert.deepEqual(await runtime.call("front", {}), { from: "front" });
    assert.equal(traces.size, 1);
  });

  scenario("what either side does to its own object is not seen on the other", async () => {
    const kept: Payload[] = [];
    const shared: Payload = { list: [1] };
    await using runtime = await start({
      keeper: ({ payload }) => {
        kept.push(payload);
        return shared;
      },
    });
    const sent = { inner: { value: 1 } };
    const reply = (await runtime.call("keeper", sent)) as { list: number[] };
    sent.inner.value = 2;
    reply.list.push(2);
    assert.deepEqual(kept, [{ inner: { value: 1 } }]);
    assert.deepEqual(shared, { list: [1] });
  });

  scenario("every kind of JSON value arrives as it was sent", async () => {
    const values: Payload = {
      text: "é\u0000\u{1F600}",
      numbers: [0, -1, 1.5, 2 ** 53, 1e-7],
      nothing: null,
      truth: [true, false],
      nested: { a: [{ b: {} }, []] },
      __proto__key: { ["__proto__"]: 1 },
    };
    await using runtime = await start({ echo: ({ payload }) => ({ payload }) });
    const reply = await runtime.call("echo", values);
    assert.equal(JSON.stringify(reply["payload"]), JSON.stringify(values));
  });

  scenario("a name nobody holds is an error at once", async () => {
    await using runtime = await start({});
    await assert.rejects(runtime.call("nobody", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
    await assert.rejects(runtime.cast("nobody", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  });

  scenario("a payload that is no JSON is refused at the sender", async () => {
    await using runtime = await start({ sink: () => ({}) });
    for (const value of [() => 1, Number.NaN, 10n, new Date(0), Symbol("s")]) {
      await assert.rejects(runtime.call("sink", { value }), {
        code: "AGENTRT_BUS_PAYLOAD_NOT_JSON",
      });
    }
  });

  scenario(
    "a crash tells the caller at once, and the queue goes on with the next incarnation in order",
    async () => {
      const seen: unknown[] = [];
      await using runtime = await start({
        fragile: ({ payload }) => {
          seen.push(payload["number"]);
          if (payload["number"] === 1) throw new Error("told to crash");
          return { number: payload["number"] };
        },
      });
      const calls = [0, 1, 2, 3].map((number) => runtime.call("fragile", { number }));
      const results = await Promise.allSettled(calls);
      assert.deepEqual(
        results.map((result) =>
          result.status === "fulfilled"
            ? result.value["number"]
            : (result.reason as { code: string }).code,
        ),
        [0, "AGENTRT_AGENT_CRASHED", 2, 3],
      );
      assert.deepEqual(seen, [0, 1, 2, 3]);
    },
  );
}
