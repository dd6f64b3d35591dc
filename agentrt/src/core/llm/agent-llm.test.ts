import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/index.ts";
import {
  Agent,
  child,
  type LlmOptions,
  type Message,
  type ModelChunk,
  modelErrors,
  type ModelProvider,
  modelReply,
  type ModelReply,
  type ModelRequest,
  supervisor,
  TableError,
  type Tracer,
} from "../index.ts";

/** A provider that plays a script: each attempt takes the next step. */
class Script implements ModelProvider {
  readonly defaultModel: string | undefined = "script-1";
  readonly requests: ModelRequest[] = [];
  readonly #steps: ((request: ModelRequest) => Promise<ModelReply>)[];
  retryCountMax?: number;
  timeoutMs?: number;

  constructor(...steps: ((request: ModelRequest) => Promise<ModelReply>)[]) {
    this.#steps = steps;
  }

  chat(request: ModelRequest): Promise<ModelReply> {
    this.requests.push(request);
    const step = this.#steps[Math.min(this.requests.length, this.#steps.length) - 1];
    assert.ok(step !== undefined);
    return step(request);
  }
}

const asked = { provider: "main", model: "script-1" };
const says =
  (content: string, tokens = { tokensIn: 10, tokensOut: 2, costUsd: 0.25 }) =>
  () =>
    Promise.resolve(modelReply({ model: "script-1", content, ...tokens }));
const fails = (error: Error) => async () => {
  throw error;
};
const never = () => new Promise<never>(() => undefined);

let act: (agent: Asker, message: Message) => Promise<object>;

class Asker extends Agent {
  override async handle(message: Message) {
    return await act(this, message);
  }
  /** For tests: what user code may do after its end. */
  ask(options: Partial<LlmOptions> = {}, name?: string): Promise<ModelReply> {
    const llm = name === undefined ? this.llm : this.llmNamed(name);
    return llm.chat({ messages: [{ role: "user", content: "Hi" }], ...options });
  }
}

async function simulate(
  models: readonly { name: string; provider: ModelProvider }[],
  tracer?: Tracer,
): Promise<Simulation> {
  act = async (agent, { payload }) => {
    const reply = await agent.ask(payload);
    return { content: reply.content };
  };
  const children = [child(Asker, "asker")];
  const supervision = supervisor("root", { backoffBaseMs: 0, children });
  const simulation = new Simulation({ supervision, models, tracer });
  await simulation.start();
  return simulation;
}

/** The code of the error a call of the agent fails with: of the error behind the crash. */
async function codeOf(pending: Promise<unknown>): Promise<string> {
  const error: unknown = await pending.then(
    () => assert.fail("it did not fail"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TableError, String(error));
  return error.cause instanceof TableError ? error.cause.code : error.code;
}

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
  act = async (agent) => {
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
  act = async (agent) => ({
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

test("overload and lost connections are retried with a wait that doubles", async () => {
  const provider = new Script(
    fails(new modelErrors.OVERLOADED({ ...asked, reason: "busy" })),
    fails(new modelErrors.UNREACHABLE({ ...asked, reason: "reset" })),
    fails(new modelErrors.SERVER_FAILED({ ...asked, status: 500, reason: "oops" })),
    says("at last"),
  );
  await using simulation = await simulate([{ name: "main", provider }]);
  const beginMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.call("asker", {}), { content: "at last" });
  const tookMs = simulation.clock.monotonicMs() - beginMs;
  assert.ok(tookMs >= 0.75 * 3500 && tookMs <= 3500, `${tookMs} ms`);
  assert.equal(provider.requests.length, 4);
  assert.equal(simulation.logLines.filter((line) => line.includes("tried again")).length, 3);
  assert.equal(simulation.runtime.snapshot().agents["asker"]?.modelCalls, 1);
});

test("retries end at the provider's maximum with its last error", async () => {
  const provider = new Script(fails(new modelErrors.OVERLOADED({ ...asked, reason: "busy" })));
  provider.retryCountMax = 2;
  await using simulation = await simulate([{ name: "main", provider }]);
  assert.equal(await codeOf(simulation.call("asker", {})), "AGENTRT_MODEL_OVERLOADED");
  assert.equal(provider.requests.length, 3);
  assert.equal(simulation.runtime.snapshot().agents["asker"]?.modelErrors, 1);
});

for (const { title, retryAfterMs, options, attempts, tookMs } of [
  {
    title: "what the provider asked for is waited",
    retryAfterMs: 7000,
    options: {},
    attempts: 2,
    tookMs: 7000,
  },
  {
    title: "a wait of more than a minute fails at once",
    retryAfterMs: 60_001,
    options: {},
    attempts: 1,
    tookMs: 0,
  },
  {
    title: "a wait past the caller's deadline fails at once",
    retryAfterMs: 7000,
    options: { timeoutMs: 5000 },
    attempts: 1,
    tookMs: 0,
  },
]) {
  test(`after 429, ${title}`, async () => {
    const provider = new Script(
      fails(new modelErrors.RATE_LIMITED({ ...asked, reason: "slow down", retryAfterMs })),
      says("ok"),
    );
    await using simulation = await simulate([{ name: "main", provider }]);
    const beginMs = simulation.clock.monotonicMs();
    const call = simulation.call("asker", options);
    if (attempts === 1) assert.equal(await codeOf(call), "AGENTRT_MODEL_RATE_LIMITED");
    else assert.deepEqual(await call, { content: "ok" });
    assert.equal(provider.requests.length, attempts);
    assert.equal(simulation.clock.monotonicMs() - beginMs, tookMs);
  });
}

test("errors that a repetition cannot mend are not retried", async () => {
  for (const error of [
    new modelErrors.REFUSED({ ...asked, status: 401, reason: "bad key" }),
    new modelErrors.REPLY_INVALID({ ...asked, reason: "html" }),
    new TypeError("a fault of the provider"),
  ]) {
    const provider = new Script(fails(error));
    await using simulation = await simulate([{ name: "main", provider }]);
    await assert.rejects(simulation.call("asker", {}));
    assert.equal(provider.requests.length, 1);
  }
});

test("a provider that never answers is given up after its time, its signal aborted", async () => {
  const provider = new Script(never);
  provider.timeoutMs = 5000;
  await using simulation = await simulate([{ name: "main", provider }]);
  const pending = simulation.call("asker", {});
  assert.equal(await codeOf(pending), "AGENTRT_MODEL_TIMEOUT");
  assert.equal(provider.requests[0]?.signal.aborted, true);
});

test("timeoutMs bounds the whole call, and signal ends it at once", async () => {
  const provider = new Script(never);
  await using simulation = await simulate([{ name: "main", provider }]);
  assert.equal(await codeOf(simulation.call("asker", { timeoutMs: 300 })), "AGENTRT_MODEL_TIMEOUT");
  const controller = new AbortController();
  act = async (agent) => {
    const pending = agent.ask({ signal: controller.signal });
    controller.abort();
    const askedBefore = provider.requests.length;
    const codes = [pending, agent.ask({ signal: controller.signal })].map((each) =>
      each.catch((error: unknown) => (error as TableError).code),
    );
    const settled = await Promise.all(codes);
    assert.equal(provider.requests.length, askedBefore, "a call that is cancelled asks nobody");
    return { codes: settled };
  };
  assert.deepEqual(await simulation.call("asker", {}), {
    codes: ["AGENTRT_MODEL_CANCELLED", "AGENTRT_MODEL_CANCELLED"],
  });
});

test("calls of an incarnation that is over reject, those under way included", async () => {
  const provider = new Script(never);
  await using simulation = await simulate([{ name: "main", provider }]);
  const codes: string[] = [];
  const left: Asker[] = [];
  act = async (agent) => {
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
    act = async (agent) => {
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
  act = async (agent) => await agent.ask();
  assert.deepEqual(await simulation.call("asker", {}), {
    content: "short",
    model: "script-1",
    tokensIn: 0,
    tokensOut: 0,
    costUsd: null,
    toolCalls: null,
    stopReason: "end",
    message: { role: "assistant", content: "short" },
  });
});

test("each call makes one span, with what it used, or with its error", async () => {
  const spans: { name: string; attributes: object; error?: unknown }[] = [];
  const tracer: Tracer = {
    addMessageSpan: () => undefined,
    startSpan: (name, { attributes }) => {
      const span: (typeof spans)[number] = { name, attributes: { ...attributes } };
      let isEnded = false;
      spans.push(span);
      return {
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
        "agentrt.agent.name": "asker",
        "agentrt.llm.model": "script-1",
        "agentrt.llm.tokens_in": 10,
        "agentrt.llm.tokens_out": 2,
        "agentrt.llm.cost_usd": 0.25,
      },
    },
    {
      name: "agentrt.llm.chat",
      attributes: { "agentrt.agent.name": "asker", "agentrt.llm.model": "script-1" },
      error: refused,
    },
  ]);
});

/** A provider that streams what each attempt's script says. */
class Streamer extends Script {
  readonly #attempts: (() => AsyncGenerator<ModelChunk>)[];
  streamCount = 0;
  constructor(...attempts: (() => AsyncGenerator<ModelChunk>)[]) {
    super();
    this.#attempts = attempts;
  }
  stream(): AsyncIterable<ModelChunk> {
    const attempt = this.#attempts[this.streamCount];
    this.streamCount += 1;
    assert.ok(attempt !== undefined);
    return attempt();
  }
}

async function read(agent: Asker): Promise<string[]> {
  const parts: string[] = [];
  try {
    for await (const chunk of agent.llm.stream({ messages: [{ role: "user", content: "Hi" }] }))
      parts.push(chunk.type === "text" ? chunk.text : chunk.type);
  } catch (error) {
    parts.push(error instanceof TableError ? error.code : String(error));
  }
  return parts;
}

const text = (part: string): ModelChunk => ({ type: "text", text: part });
const end: ModelChunk = {
  type: "end",
  reply: modelReply({ model: "script-1", content: "ab", tokensIn: 3, tokensOut: 4 }),
};

for (const { title, attempts, parts, streamCount } of [
  {
    title: "hands on each part, and the end with what it used",
    attempts: [
      async function* () {
        yield text("a");
        yield text("b");
        yield end;
      },
    ],
    parts: ["a", "b", "end"],
    streamCount: 1,
  },
  {
    title: "tries again what fails before its first part",
    attempts: [
      // eslint-disable-next-line require-yield
      async function* () {
        throw new modelErrors.OVERLOADED({ ...asked, reason: "busy" });
      },
      async function* () {
        yield end;
      },
    ],
    parts: ["end"],
    streamCount: 2,
  },
  {
    title: "never repeats parts that were handed on",
    attempts: [
      async function* () {
        yield text("a");
        throw new modelErrors.OVERLOADED({ ...asked, reason: "busy" });
      },
    ],
    parts: ["a", "AGENTRT_MODEL_OVERLOADED"],
    streamCount: 1,
  },
  {
    title: "says that an answer without an end was cut",
    attempts: [
      async function* () {
        yield text("a");
      },
    ],
    parts: ["a", "AGENTRT_MODEL_STREAM_CUT"],
    streamCount: 1,
  },
  {
    title: "gives up a part that does not come in time",
    attempts: [
      async function* () {
        yield text("a");
        await never();
      },
    ],
    parts: ["a", "AGENTRT_MODEL_TIMEOUT"],
    streamCount: 1,
  },
]) {
  test(`llm.stream() ${title}`, async () => {
    const provider = new Streamer(...attempts);
    await using simulation = await simulate([{ name: "main", provider }]);
    act = async (agent) => ({ parts: await read(agent) });
    const reply = await simulation.call("asker", {}, { timeoutMs: 1_000_000 });
    assert.deepEqual(reply["parts"], parts);
    assert.equal(provider.streamCount, streamCount);
    const counters = simulation.runtime.snapshot().agents["asker"];
    assert.equal(counters?.tokensOut, parts.includes("end") ? 4 : 0);
  });
}

test("llm.stream() of a provider that only chats hands on the answer in one piece", async () => {
  await using simulation = await simulate([{ name: "main", provider: new Script(says("whole")) }]);
  act = async (agent) => ({ parts: await read(agent) });
  assert.deepEqual(await simulation.call("asker", {}), { parts: ["whole", "end"] });
});

test("to stop reading a stream early aborts the request", async () => {
  let signal: AbortSignal | undefined;
  const provider: ModelProvider = {
    defaultModel: "script-1",
    chat: never,
    async *stream(request) {
      signal = request.signal;
      yield text("a");
      await never();
    },
  };
  await using simulation = await simulate([{ name: "main", provider }]);
  act = async (agent) => {
    for await (const chunk of agent.llm.stream({ messages: [{ role: "user", content: "Hi" }] }))
      return { first: chunk.type };
    return {};
  };
  assert.deepEqual(await simulation.call("asker", {}), { first: "text" });
  assert.equal(signal?.aborted, true);
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
  act = async (agent) => {
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
  act = async (agent) => {
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
  act = async (agent) => {
    for (let index = 0; index < 1001; index += 1) await agent.ask();
    return {};
  };
  await simulation.call("asker", {});
  assert.equal(simulation.runtime.snapshot().agents["asker"]?.sessionTurnCount, 1001);
});
