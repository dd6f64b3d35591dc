/** What `resilience.models` does with calls that fail. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { modelErrors, type ModelChunk, modelReply, type ModelRequest } from "../index.ts";
import {
  asked,
  codeOf,
  fails,
  never,
  plan,
  says,
  Script,
  simulate,
} from "./test-support/scripted-models.ts";

const busy = fails(new modelErrors.OVERLOADED({ ...asked, reason: "busy" }));
const refused = fails(new modelErrors.REFUSED({ ...asked, status: 400, reason: "bad request" }));
const noRetry = { retryCountMax: 0 };

/** A call that keeps its error to itself, so that the agent goes on. */
function catching(): void {
  plan.act = async (agent, { payload }) => {
    try {
      const { content, provider } = await agent.ask(payload);
      return { content, provider };
    } catch (error) {
      return { code: (error as { readonly code?: string }).code, text: String(error) };
    }
  };
}

test("a provider that is down is replaced by its fallback, which answers with its own model and key", async () => {
  const main = new Script(busy);
  const local = new (class extends Script {
    override readonly defaultModel = "local-1";
  })(says("from the fallback"));
  await using simulation = await simulate(
    [
      { name: "main", provider: main },
      { name: "local", provider: local },
    ],
    undefined,
    { models: { main: { retry: { retryCountMax: 1 }, fallback: "local" } } },
  );
  const reply = await simulation.call("asker", { model: "script-9", maxTokens: 7 });
  assert.deepEqual(reply, { content: "from the fallback", provider: "local" });
  assert.deepEqual(
    main.requests.map(({ model }) => model),
    ["script-9", "script-9"],
    "its own retries go first",
  );
  assert.deepEqual(
    local.requests.map(({ model, maxTokens }) => [model, maxTokens]),
    [["local-1", 7]],
  );
  const counters = simulation.runtime.snapshot().agents["asker"];
  assert.equal(counters?.modelCalls, 1);
  assert.equal(counters?.modelErrors, 0);
  assert.equal(counters?.modelFallbacks, 1);
  const told = simulation.logLines.filter((line) => line.includes("falls back"));
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /provider=main fallback=local/);
});

test("the span says who was asked and who answered", async () => {
  const spans: { [name: string]: unknown }[] = [];
  const tracer = {
    startSpan: (name: string, { attributes }: { attributes: object }) => {
      const span = { name, ...attributes };
      spans.push(span);
      const set = (more: object): void => void Object.assign(span, more);
      const end = (): void => undefined;
      return { point: { trace: 1, span: 1 }, traceparent: "", rename: end, set, end };
    },
    isSampled: () => true,
    addMessageSpan: () => undefined,
  };
  await using simulation = await simulate(
    [
      { name: "main", provider: new Script(busy) },
      { name: "local", provider: new Script(says("yes")) },
    ],
    tracer,
    { models: { main: { retry: noRetry, fallback: ["local"] } } },
  );
  await simulation.call("asker", {});
  const [span] = spans.filter(({ name }) => name === "agentrt.llm.chat");
  assert.equal(span?.["agentrt.llm.provider"], "local");
  assert.equal(span?.["agentrt.llm.fallback_from"], "main");
});

for (const [title, step] of [
  ["a request that the provider refuses", refused],
  [
    "arguments of a tool that are no JSON",
    fails(new modelErrors.TOOL_INPUT_INVALID({ ...asked, tool: "add", reason: "cut" })),
  ],
] as const) {
  test(`${title} goes to no fallback`, async () => {
    const local = new Script(says("never"));
    await using simulation = await simulate(
      [
        { name: "main", provider: new Script(step) },
        { name: "local", provider: local },
      ],
      undefined,
      { models: { main: { fallback: "local" } } },
    );
    assert.match(await codeOf(simulation.call("asker", {})), /REFUSED|TOOL_INPUT_INVALID/);
    assert.equal(local.requests.length, 0);
  });
}

test("a fallback that refuses is passed over, and an error names all that were asked", async () => {
  const last = new Script(says("third"), busy);
  await using simulation = await simulate(
    [
      { name: "main", provider: new Script(busy) },
      { name: "second", provider: new Script(refused) },
      { name: "third", provider: last },
    ],
    undefined,
    {
      models: {
        main: { retry: noRetry, fallback: "second" },
        second: { retry: noRetry, fallback: "third" },
        third: { retry: noRetry },
      },
    },
  );
  catching();
  assert.deepEqual(await simulation.call("asker", {}), { content: "third", provider: "third" });
  const failed = await simulation.call("asker", {});
  assert.equal(failed["code"], "AGENTRT_MODEL_FALLBACKS_FAILED");
  assert.match(
    failed["text"] as string,
    /neither it nor a fallback answered: "main": .*; "second": .*bad request; "third": .*busy/,
  );
});

test("with a fallback, a provider that asks for a long wait is not waited for", async () => {
  const limited = fails(
    new modelErrors.RATE_LIMITED({ ...asked, reason: "slow down", retryAfterMs: 20_000 }),
  );
  await using simulation = await simulate(
    [
      { name: "main", provider: new Script(limited) },
      { name: "local", provider: new Script(says("at once")) },
    ],
    undefined,
    { models: { main: { fallback: "local" } } },
  );
  assert.equal((await simulation.call("asker", {}))["content"], "at once");
  assert.equal(simulation.clock.monotonicMs(), 0);
});

test("an attempt that takes too long is ended, and the fallback has the rest of the call's time", async () => {
  const main = new Script(never);
  const local = new Script(never);
  await using simulation = await simulate(
    [
      { name: "main", provider: main },
      { name: "local", provider: local },
    ],
    undefined,
    { models: { main: { timeoutMs: 2000, fallback: "local" } } },
  );
  const beganAtMs = simulation.clock.monotonicMs();
  assert.equal(
    await codeOf(simulation.call("asker", { timeoutMs: 5000 })),
    "AGENTRT_MODEL_TIMEOUT",
  );
  const tookMs = simulation.clock.monotonicMs() - beganAtMs;
  assert.ok(tookMs >= 5000 && tookMs < 5200, `${tookMs} ms`);
  assert.equal(main.requests[0]?.signal.aborted, true);
  assert.equal(local.requests[0]?.signal.aborted, true);
});

test("a caller that leaves ends the turn of a fallback at once", async () => {
  const local = new Script(never);
  await using simulation = await simulate(
    [
      { name: "main", provider: new Script(busy) },
      { name: "local", provider: local },
    ],
    undefined,
    { models: { main: { retry: noRetry, fallback: "local" } } },
  );
  const controller = new AbortController();
  plan.act = async (agent) => {
    const pending = agent.ask({ signal: controller.signal });
    const failed = pending.catch((error: unknown) => (error as { readonly code: string }).code);
    while (local.requests.length === 0) await Promise.resolve();
    controller.abort();
    return { code: await failed };
  };
  assert.deepEqual(await simulation.call("asker", {}), { code: "AGENTRT_MODEL_CANCELLED" });
  assert.equal(local.requests[0]?.signal.aborted, true);
});

test("while a circuit is open its provider is not asked, and its fallback is", async () => {
  const main = new Script(busy);
  const local = new Script(says("local"));
  await using simulation = await simulate(
    [
      { name: "main", provider: main },
      { name: "local", provider: local },
    ],
    undefined,
    {
      models: {
        main: {
          retry: noRetry,
          circuitBreaker: { callCountMin: 2, openMs: 10_000 },
          fallback: "local",
        },
      },
    },
  );
  for (let count = 0; count < 5; count += 1) await simulation.call("asker", {});
  assert.equal(main.requests.length, 2);
  assert.equal(local.requests.length, 5);
  const told = simulation.logLines.filter((line) => line.includes("falls back"));
  assert.equal(told.length, 2, "that it is open is said once, when it opens");
  assert.match(simulation.logLines.join("\n"), /circuit is open.* model=main/);
  const [circuit] = simulation.runtime.snapshot().circuits;
  assert.equal(circuit?.state, "open");
  assert.equal(circuit?.refusedCount, 3);
});

test("a closed circuit without a fallback fails at once, and its probe brings the provider back", async () => {
  const main = new Script(busy, busy, says("well again"));
  await using simulation = await simulate([{ name: "main", provider: main }], undefined, {
    models: { main: { retry: noRetry, circuitBreaker: { callCountMin: 2, openMs: 10_000 } } },
  });
  catching();
  for (const code of ["MODEL_OVERLOADED", "MODEL_OVERLOADED", "CIRCUIT_OPEN"])
    assert.equal((await simulation.call("asker", {}))["code"], `AGENTRT_${code}`);
  await simulation.advance(10_000);
  assert.equal((await simulation.call("asker", {}))["content"], "well again");
  assert.equal(simulation.runtime.snapshot().circuits[0]?.state, "closed");
});

test("callers that leave say nothing about a provider, those whose deadline passed do", async () => {
  const main = new Script(never);
  await using simulation = await simulate([{ name: "main", provider: main }], undefined, {
    models: { main: { circuitBreaker: { callCountMin: 2 } } },
  });
  catching();
  for (let count = 0; count < 3; count += 1) {
    const controller = new AbortController();
    const pending = simulation.runtime.call("asker", {}, { signal: controller.signal });
    const failed = assert.rejects(pending);
    await simulation.advance(100);
    controller.abort();
    await failed;
  }
  assert.equal(simulation.runtime.snapshot().circuits[0]?.failureCount, 0);
  for (let count = 0; count < 2; count += 1)
    await assert.rejects(simulation.call("asker", {}, { timeoutMs: 1000 }));
  const [circuit] = simulation.runtime.snapshot().circuits;
  assert.equal(circuit?.failureCount, 2);
  assert.equal(circuit?.state, "open");
});

/** A provider that streams: some parts, then an end or a failure. */
class Streamer extends Script {
  readonly #parts: readonly (string | Error)[];
  constructor(...parts: readonly (string | Error)[]) {
    super(says("whole"));
    this.#parts = parts;
  }
  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    this.requests.push(request);
    for (const part of this.#parts) {
      if (part instanceof Error) throw part;
      yield { type: "text", text: part };
    }
    const content = this.#parts.join("");
    yield { type: "end", reply: modelReply({ model: "script-1", content }) };
  }
}

for (const { title, main, parts } of [
  {
    title: "before its first part falls back",
    main: new Streamer(new modelErrors.UNREACHABLE({ ...asked, reason: "reset" })),
    parts: ["one", "end of local"],
  },
  {
    title: "after its first part fails",
    main: new Streamer("half", new modelErrors.UNREACHABLE({ ...asked, reason: "reset" })),
    parts: ["half", "AGENTRT_MODEL_UNREACHABLE"],
  },
]) {
  test(`a streamed answer that breaks ${title}`, async () => {
    await using simulation = await simulate(
      [
        { name: "main", provider: main },
        { name: "local", provider: new Streamer("one") },
      ],
      undefined,
      { models: { main: { retry: noRetry, fallback: "local" } } },
    );
    plan.act = async (agent) => {
      const parts: string[] = [];
      try {
        const messages = [{ role: "user" as const, content: "Hi" }];
        for await (const chunk of agent.llm.stream({ messages })) {
          if (chunk.type === "text") parts.push(chunk.text);
          if (chunk.type === "end") parts.push(`end of ${chunk.reply.provider}`);
        }
      } catch (error) {
        parts.push((error as { readonly code: string }).code);
      }
      return { parts };
    };
    assert.deepEqual(await simulation.call("asker", {}), { parts });
  });
}
