import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/index.ts";
import type { TableError } from "../index.ts";
import {
  child,
  type LlmOptions,
  modelErrors,
  type ModelProvider,
  type ModelReply,
  supervisor,
  type Tracer,
} from "../index.ts";
import {
  Script,
  asked,
  says,
  fails,
  never,
  plan,
  Asker,
  simulate,
  codeOf,
} from "./test-support/scripted-models.ts";

test("llm.chat() gives the answer and counts calls, tokens, cost and the model", async () => {
  await using simulation = await simulate([{ name: "main", provider: new Script(says("Hello")) }]);
  assert.deepEqual(await simulation.call("asker", {}), { content: "Hello" });
  await simulation.advance(2000);
  await simulation.call("asker", {});
  const counters = simulation.runtime.snapshot().agents["asker"];
  assert.ok(counters !== undefined);
  const { tokensIn, tokensOut, costUsd, modelCalls, lastModel, sessionTurnCount } = counters;
  assert.deepEqual(
    { tokensIn, tokensOut, costUsd, modelCalls, lastModel, sessionTurnCount },
    {
      tokensIn: 20,
      tokensOut: 4,
      costUsd: 0.5,
      modelCalls: 2,
      lastModel: "script-1",
      sessionTurnCount: 2,
    },
  );
  assert.equal(simulation.runtime.snapshot().totalCostUsd, 0.5);
  assert.ok(counters.sessionDurationMs >= 2000);
});

test("a restart begins a new model session and keeps the sums", async () => {
  await using simulation = await simulate([{ name: "main", provider: new Script(says("Hello")) }]);
  await simulation.call("asker", {});
  await simulation.crash("asker");
  await simulation.advance(1000);
  const counters = simulation.runtime.snapshot().agents["asker"];
  assert.equal(counters?.sessionTurnCount, 0);
  assert.equal(counters?.sessionDurationMs, 0);
  assert.equal(counters?.tokensIn, 10);
});

test("llm without a provider rejects and says what to configure", async () => {
  await using simulation = await simulate([]);
  plan.act = async (agent) => {
    const error: unknown = await agent.ask().catch((reason: unknown) => reason);
    assert.ok(error instanceof modelErrors.NOT_CONFIGURED);
    return { message: error.message, remedy: error.remedy };
  };
  const { message, remedy } = await simulation.call("asker", {});
  assert.equal(message, 'Cannot ask a model for "asker": no model provider is configured');
  assert.match(JSON.stringify(remedy), /plugins\.models/);
});

test("llmNamed() asks the provider of that name, and names the nearest when there is none", async () => {
  const provider = new Script(says("of the other"));
  await using simulation = await simulate([
    { name: "main", provider: new Script(says("of the first")) },
    { name: "cheap", provider },
  ]);
  plan.act = async (agent) => ({
    first: (await agent.ask()).content,
    cheap: (await agent.ask({}, "cheap")).content,
    error: await agent.ask({}, "cheep").catch((error: unknown) => (error as Error).message),
  });
  assert.deepEqual(await simulation.call("asker", {}), {
    first: "of the first",
    cheap: "of the other",
    error:
      'Cannot ask model provider "cheep" for "asker": there is none of that name; did you mean "cheap"?',
  });
});

test("two providers of one name are refused", () => {
  const models = ["a", "a"].map((name) => ({ name, provider: new Script(says("")) }));
  const supervision = supervisor("root", { children: [child(Asker, "asker")] });
  assert.throws(() => new Simulation({ supervision, models }), {
    code: "AGENTRT_MODEL_DUPLICATE_NAME",
  });
});

test("calls of an incarnation that is over reject, those under way included", async () => {
  const provider = new Script(never);
  await using simulation = await simulate([{ name: "main", provider }]);
  const codes: string[] = [];
  const left: Asker[] = [];
  plan.act = async (agent) => {
    left.push(agent);
    agent.ask().catch((error: unknown) => codes.push((error as TableError).code));
    return {};
  };
  await simulation.call("asker", {});
  await simulation.crash("asker");
  assert.deepEqual(codes, ["AGENTRT_AGENT_STOPPED"]);
  assert.equal(provider.requests[0]?.signal.aborted, true);
  await assert.rejects(left[0]?.ask() ?? Promise.resolve(), { code: "AGENTRT_AGENT_STOPPED" });
  assert.equal(provider.requests.length, 1);
});

for (const { title, options, place } of [
  { title: "no messages", options: { messages: [] }, place: "messages is an empty list" },
  {
    title: "an unknown role",
    options: { messages: [{ role: "robot", content: "" }] },
    place: 'messages[0].role is "robot"',
  },
  {
    title: "content that is no text",
    options: { messages: [{ role: "user", content: 1 }] },
    place: "messages[0].content is 1",
  },
  {
    title: "a tool's answer without an id",
    options: { messages: [{ role: "tool", content: "" }] },
    place: "messages[0].toolCallId is undefined",
  },
  {
    title: "a tool without a schema",
    options: { tools: [{ name: "add" }] },
    place: "tools[0].inputSchema is undefined",
  },
  { title: "a fraction of a token", options: { maxTokens: 0.5 }, place: "maxTokens is 0.5" },
  {
    title: "a signal that is none",
    options: { signal: {} },
    place: "signal is of type object",
  },
  { title: "a negative deadline", options: { timeoutMs: -1 }, place: "timeoutMs is -1" },
]) {
  test(`a request with ${title} is refused before anybody is asked`, async () => {
    const provider = new Script(says(""));
    await using simulation = await simulate([{ name: "main", provider }]);
    plan.act = async (agent) => {
      const error: unknown = await agent
        .ask(options as unknown as Partial<LlmOptions>)
        .catch((reason: unknown) => reason);
      assert.ok(error instanceof modelErrors.REQUEST_INVALID);
      return { message: error.message };
    };
    const { message } = await simulation.call("asker", {});
    assert.ok(typeof message === "string" && message.includes(place), JSON.stringify(message));
    assert.equal(provider.requests.length, 0);
  });
}

test("a call that names no model needs a default_model", async () => {
  const provider = new Script(says(""));
  Object.assign(provider, { defaultModel: undefined });
  await using simulation = await simulate([{ name: "main", provider }]);
  assert.equal(await codeOf(simulation.call("asker", {})), "AGENTRT_MODEL_NO_MODEL");
  await simulation.call("asker", { model: "named" });
  assert.equal(provider.requests[0]?.model, "named");
});

test("an answer that is none is refused, and what is left out is filled in", async () => {
  const answers: unknown[] = [undefined, { content: 5 }, { content: "x", tokensIn: -1 }];
  for (const answer of answers) {
    const provider = new Script(() => Promise.resolve(answer as ModelReply));
    await using simulation = await simulate([{ name: "main", provider }]);
    assert.equal(await codeOf(simulation.call("asker", {})), "AGENTRT_MODEL_REPLY_INVALID");
  }
  const provider = new Script(() => Promise.resolve({ content: "short" } as unknown as ModelReply));
  await using simulation = await simulate([{ name: "main", provider }]);
  plan.act = async (agent) => await agent.ask();
  assert.deepEqual(await simulation.call("asker", {}), {
    content: "short",
    model: "script-1",
    tokensIn: 0,
    tokensOut: 0,
    costUsd: null,
    toolCalls: null,
    stopReason: "end",
    provider: "main",
    message: { role: "assistant", content: "short" },
  });
});

test("each call makes one span, with what it used, or with its error", async () => {
  const begun = {
    "agentrt.agent.name": "asker",
    "agentrt.llm.model": "script-1",
    "gen_ai.operation.name": "chat",
    "gen_ai.agent.name": "asker",
    "gen_ai.provider.name": "main",
    "gen_ai.request.model": "script-1",
  };
  const spans: { name: string; attributes: object; error?: unknown }[] = [];
  const tracer: Tracer = {
    isSampled: () => true,
    addMessageSpan: () => undefined,
    startSpan: (name, { attributes }) => {
      const span: (typeof spans)[number] = { name, attributes: { ...attributes } };
      let isEnded = false;
      spans.push(span);
      return {
        point: { trace: 1, span: 1 },
        traceparent: "",
        rename: () => undefined,
        set: (more) => void Object.assign(span.attributes, more),
        end: (error) => {
          if (!isEnded && error !== undefined) span.error = error;
          isEnded = true;
        },
      };
    },
  };
  const refused = new modelErrors.REFUSED({ ...asked, status: 400, reason: "no" });
  const provider = new Script(says("one"), fails(refused));
  await using simulation = await simulate([{ name: "main", provider }], tracer);
  await simulation.call("asker", {});
  await assert.rejects(simulation.call("asker", {}));
  assert.deepEqual(spans, [
    {
      name: "agentrt.llm.chat",
      attributes: {
        ...begun,
        "agentrt.llm.tokens_in": 10,
        "agentrt.llm.tokens_out": 2,
        "agentrt.llm.cost_usd": 0.25,
        "gen_ai.response.model": "script-1",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2,
      },
    },
    {
      name: "agentrt.llm.chat",
      attributes: begun,
      error: refused,
    },
  ]);
});

test("a provider that refuses to open keeps the runtime from starting", async () => {
  const refusal = new modelErrors.PACKAGE_MISSING({ provider: "main", install: "npm install x" });
  const provider: ModelProvider = {
    chat: never,
    open: () => {
      throw refusal;
    },
  };
  await assert.rejects(simulate([{ name: "main", provider }]), refusal);
});

test("an agent with a credential of its own asks with it, of that provider alone", async () => {
  const [main, other] = [new Script(says("")), new Script(says(""))];
  plan.act = async (agent) => {
    await agent.ask();
    await agent.ask({}, "other");
    return {};
  };
  const options = { credentials: { other: "ASKER_KEY" } };
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Asker, "asker", options)] }),
    models: [
      { name: "main", provider: main },
      { name: "other", provider: other },
    ],
  });
  await simulation.start();
  await simulation.call("asker", {});
  assert.equal(main.requests[0]?.keyVariable, undefined);
  assert.equal(other.requests[0]?.keyVariable, "ASKER_KEY");
});

test("an agent runs no more than a thousand calls at a time", async () => {
  const provider = new Script(never);
  await using simulation = await simulate([{ name: "main", provider }]);
  plan.act = async (agent) => {
    for (let index = 0; index < 1000; index += 1) agent.ask().catch(() => undefined);
    const error: unknown = await agent.ask().catch((reason: unknown) => reason);
    return { code: (error as TableError).code };
  };
  const { code } = await simulation.call("asker", {});
  assert.equal(code, "AGENTRT_MODEL_CALLS_EXHAUSTED");
  assert.equal(provider.requests.length, 1000);
});

test("a call that is over makes room for another: a thousand and one after each other", async () => {
  const provider = new Script(says("ok"));
  await using simulation = await simulate([{ name: "main", provider }]);
  plan.act = async (agent) => {
    for (let index = 0; index < 1001; index += 1) await agent.ask();
    return {};
  };
  await simulation.call("asker", {});
  assert.equal(simulation.runtime.snapshot().agents["asker"]?.sessionTurnCount, 1001);
});
