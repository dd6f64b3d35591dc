/** Both vendors' own packages, on real sockets, against servers that answer by a script. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import * as fc from "fast-check";
import { inspect } from "node:util";
import { freePort, type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from "testkit";
import {
  Agent,
  child,
  createTextLog,
  type Llm,
  type LlmOptions,
  type ModelChunk,
  type ModelReply,
  supervisor,
  TableError,
  type Tracer,
} from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { Simulation } from "../../testing/index.ts";
import { AnthropicModel } from "./anthropic-model.ts";
import type { VendorModelOptions } from "./model-options.ts";
import { OpenAiModel } from "./openai-model.ts";

const key = "sk-very-secret-0123456789";

class Asker extends Agent {
  override async handle() {
    return {};
  }
  override onStart(): void {
    askers.push(this);
  }
}
/** The one that started last asks. */
const askers: Asker[] = [];
const llm = (): Llm => {
  const asker = askers.at(-1);
  assert.ok(asker !== undefined);
  return asker.llm;
};

/** What a test does with a provider that runs in a runtime. */
interface Running {
  readonly ask: (options?: Partial<LlmOptions>) => Promise<ModelReply>;
  readonly read: (options?: Partial<LlmOptions>) => Promise<ModelChunk[]>;
  readonly requests: readonly ScriptedRequest[];
  readonly runtime: Runtime;
  /** Everything that anybody could see: logs, spans, errors. */
  readonly printed: string[];
}

interface VendorCase {
  readonly name: "anthropic" | "openai";
  readonly make: (options: VendorModelOptions) => AnthropicModel | OpenAiModel;
  readonly suffix: string;
  readonly answer: (parts?: object) => ScriptedAnswer;
  readonly toolAnswer: (inputText: string) => ScriptedAnswer;
  readonly stream: readonly object[];
  readonly streamed: ScriptedAnswer;
}

const json =
  (body: unknown, status = 200, headers: { [name: string]: string } = {}): ScriptedAnswer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

const question: LlmOptions = { messages: [{ role: "user", content: "Hi" }] };

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

function writeEvent(response: ServerResponse, event: object): void {
  const { type } = event as { readonly type?: string };
  const name = type === undefined ? "" : `event: ${type}\n`;
  response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
}

/** Streams events; `isWhole: false` cuts the connection after them. */
const events =
  (list: readonly object[], { isWhole = true, last = "" } = {}): ScriptedAnswer =>
  (response) => {
    beginStream(response);
    for (const event of list) writeEvent(response, event);
    if (isWhole) response.end(last);
    else response.write(": cut\n\n", () => response.socket?.destroy());
  };

const anthropicStream = [
  {
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content: [],
      usage: { input_tokens: 1000, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "t1", name: "add", input: {} },
  },
  {
    type: "content_block_delta",
    index: 1,
    delta: { type: "input_json_delta", partial_json: '{"a": 1,' },
  },
  {
    type: "content_block_delta",
    index: 1,
    delta: { type: "input_json_delta", partial_json: ' "b": 2}' },
  },
  { type: "content_block_stop", index: 1 },
  {
    type: "message_delta",
    delta: { stop_reason: "tool_use" },
    usage: { output_tokens: 500, input_tokens: null },
  },
  { type: "message_stop" },
];

const chunk = (delta: object, finishReason: string | null = null): object => ({
  id: "c",
  object: "chat.completion.chunk",
  model: "gpt-5.5",
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});
const openAiStream = [
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "Hel" }),
  chunk({ content: "lo" }),
  chunk({
    tool_calls: [
      { index: 0, id: "t1", type: "function", function: { name: "add", arguments: '{"a": 1,' } },
    ],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ' "b": 2}' } }] }),
  chunk({}, "tool_calls"),
  {
    id: "c",
    model: "gpt-5.5",
    choices: [],
    usage: { prompt_tokens: 1000, completion_tokens: 500 },
  },
];

const vendors: readonly VendorCase[] = [
  {
    name: "anthropic",
    make: (options) => new AnthropicModel(options),
    suffix: "",
    answer: (parts = {}) =>
      json({
        id: "m",
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [{ type: "text", text: "Hello" }],
        stop_reason: "end_turn",
        usage: { input_tokens: 1000, output_tokens: 500 },
        ...parts,
      }),
    toolAnswer: (inputText) =>
      events([
        ...anthropicStream.slice(0, 6),
        {
          type: "content_block_delta",
          index: 1,
          delta: { type: "input_json_delta", partial_json: inputText },
        },
        ...anthropicStream.slice(8),
      ]),
    stream: anthropicStream,
    streamed: events(anthropicStream),
  },
  {
    name: "openai",
    make: (options) => new OpenAiModel(options),
    suffix: "/v1",
    answer: (parts = {}) =>
      json({
        id: "c",
        object: "chat.completion",
        model: "gpt-5.5",
        choices: [
          { index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" },
        ],
        usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
        ...parts,
      }),
    toolAnswer: (inputText) =>
      events(
        [
          chunk({ content: "Hello" }),
          chunk({
            tool_calls: [{ index: 0, id: "t1", function: { name: "add", arguments: inputText } }],
          }),
          chunk({}, "tool_calls"),
          openAiStream.at(-1) ?? {},
        ],
        { last: "data: [DONE]\n\n" },
      ),
    stream: openAiStream,
    streamed: events(openAiStream, { last: "data: [DONE]\n\n" }),
  },
];

/** Runs a provider in a runtime against a scripted server, and sees that the key was printed nowhere. */
async function withProvider(
  vendor: VendorCase,
  answers: readonly ScriptedAnswer[],
  work: (running: Running) => Promise<void>,
  options: VendorModelOptions = {},
): Promise<void> {
  await using server = await startScriptedServer(...answers);
  const printed: string[] = [];
  const tracer: Tracer = {
    addMessageSpan: () => undefined,
    startSpan: (name, { attributes }) => ({
      set: (more) => void printed.push(inspect(more)),
      end: (error) => void printed.push(inspect({ name, attributes, error }, { depth: 9 })),
    }),
  };
  const provider = vendor.make({
    baseUrl: `${server.url}${vendor.suffix}`,
    defaultModel: "asked-model",
    retryBaseMs: 1,
    environment: { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key },
    ...options,
  });
  const log = createTextLog({ write: (line) => void printed.push(line), level: "debug" });
  await using runtime = new Runtime({
    supervision: supervisor("root", { children: [child(Asker, "asker")] }),
    models: [{ name: vendor.name, provider }],
    log,
    tracer,
  });
  await runtime.start();
  const keep = (error: unknown): never => {
    log.error("it failed", { error });
    printed.push(inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error));
    throw error;
  };
  await work({
    ask: (more) =>
      llm()
        .chat({ ...question, ...more })
        .catch(keep),
    read: async (more) => {
      const chunks: ModelChunk[] = [];
      try {
        for await (const each of llm().stream({ ...question, ...more })) chunks.push(each);
      } catch (error) {
        keep(Object.assign(error as Error, { chunks }));
      }
      return chunks;
    },
    requests: server.requests,
    runtime,
    printed,
  });
  printed.push(inspect(provider, { depth: 9, showHidden: true }), JSON.stringify(provider));
  assert.equal(
    printed.some((text) => text.includes(key)),
    false,
    printed.join("\n"),
  );
}

const code = (suffix: string) => ({ code: `AGENTRT_MODEL_${suffix}` });
const tool = { name: "add", description: "Adds", inputSchema: { type: "object" } };
const refusal = (text: string): object => ({ error: { type: "some_error", message: text } });

for (const vendor of vendors) {
  const { name, answer, streamed } = vendor;

  test(`${name}: chat gives text, tokens and the cost of the price list`, async () => {
    await withProvider(vendor, [answer()], async ({ ask, requests }) => {
      const reply = await ask({ maxTokens: 77 });
      const { message: _, ...rest } = reply;
      assert.deepEqual(rest, {
        content: "Hello",
        model: name === "anthropic" ? "claude-opus-5-5" : "gpt-5.5",
        tokensIn: 1000,
        tokensOut: 500,
        costUsd: name === "anthropic" ? 0.014 : 0.02,
        toolCalls: null,
        stopReason: "end",
      });
      const [request] = requests;
      assert.equal(request?.path, name === "anthropic" ? "/v1/messages" : "/v1/chat/completions");
      const sent = request.body as { readonly [key: string]: unknown };
      assert.equal(sent["model"], "asked-model");
      assert.equal(sent["max_tokens"], 77);
      assert.deepEqual(sent["messages"], [{ role: "user", content: "Hi" }]);
      assert.equal(request.headers["authorization"], `Bearer ${key}`);
    });
  });

  test(`${name}: a model without a price costs null, a price of the user's goes first`, async () => {
    const other = answer({ model: "house-model-2" });
    await withProvider(vendor, [other], async ({ ask }) => {
      assert.equal((await ask()).costUsd, null);
    });
    const prices = { "house-": { input: 9, output: 9 }, "house-model": { input: 1, output: 2 } };
    await withProvider(
      vendor,
      [other],
      async ({ ask }) => assert.equal((await ask()).costUsd, 0.002),
      { prices },
    );
  });

  test(`${name}: a stream hands on text and tool calls, and ends with what it used`, async () => {
    await withProvider(vendor, [streamed], async ({ read, requests, runtime }) => {
      const chunks = await read({ tools: [tool] });
      const toolCall = { id: "t1", name: "add", input: { a: 1, b: 2 } };
      assert.deepEqual(chunks.slice(0, -1), [
        { type: "text", text: "Hel" },
        { type: "text", text: "lo" },
        { type: "toolCall", toolCall },
      ]);
      const end = chunks.at(-1);
      assert.ok(end?.type === "end");
      assert.equal(end.reply.content, "Hello");
      assert.deepEqual(end.reply.toolCalls, [toolCall]);
      assert.equal(end.reply.stopReason, "toolCalls");
      assert.equal(end.reply.costUsd, name === "anthropic" ? 0.014 : 0.02);
      assert.equal((requests[0]?.body as { stream?: boolean } | undefined)?.stream, true);
      const counters = runtime.snapshot().agents["asker"];
      assert.deepEqual([counters?.tokensIn, counters?.tokensOut], [1000, 500]);
    });
  });

  test(`${name}: 429 is retried after what Retry-After says, in seconds or as a date`, async () => {
    const date = new Date(Date.UTC(2030, 0, 1)).toUTCString();
    const limited = (headers: { [header: string]: string }) => json(refusal("slow"), 429, headers);
    const answers = [
      limited({ "retry-after": "0" }),
      limited({ "retry-after": date, date }),
      limited({ "retry-after-ms": "1" }),
      answer(),
    ];
    await withProvider(vendor, answers, async ({ ask, requests, printed }) => {
      assert.equal((await ask()).content, "Hello");
      assert.equal(requests.length, 4);
      const waits = printed.flatMap((line) => /delayMs=(\d+)/.exec(line)?.[1] ?? []);
      assert.deepEqual(waits, ["0", "0", "1"]);
    });
  });

  test(`${name}: a Retry-After of an hour fails at once and says when`, async () => {
    const answers = [json(refusal("slow"), 429, { "retry-after": "3600" })];
    await withProvider(vendor, answers, async ({ ask, requests }) => {
      await assert.rejects(ask(), {
        ...code("RATE_LIMITED"),
        message: /again in 3600000 ms: .*slow/,
      });
      assert.equal(requests.length, 1);
    });
  });

  for (const [status, failure] of [
    [529, "OVERLOADED"],
    [503, "OVERLOADED"],
    [500, "SERVER_FAILED"],
    [429, "RATE_LIMITED"],
  ] as const) {
    test(`${name}: status ${status} is retried up to max_retries, then it is ${failure}`, async () => {
      const options = { retryCountMax: 2 };
      const answers = [json(refusal("no"), status)];
      await withProvider(
        vendor,
        answers,
        async ({ ask, requests }) => {
          await assert.rejects(ask(), code(failure));
          assert.equal(requests.length, 3);
        },
        options,
      );
    });
  }

  test(`${name}: 400 and 401 are refused without a retry, in the server's words but not the key`, async () => {
    const echo: ScriptedAnswer = (response, { headers }) =>
      json(refusal(`bad: ${headers["authorization"]?.toString()}`), 401)(
        response,
        undefined as never,
      );
    await withProvider(vendor, [echo], async ({ ask, requests, printed }) => {
      await assert.rejects(ask(), {
        ...code("REFUSED"),
        message: /status 401: .*bad: .*\(hidden\)/,
      });
      assert.equal(requests.length, 1);
      assert.ok(printed.some((text) => text.includes("(hidden)")));
    });
  });

  test(`${name}: a stream that is cut after its first part says so and is not repeated`, async () => {
    const cut = events(vendor.stream.slice(0, 3), { isWhole: false });
    await withProvider(vendor, [cut], async ({ read, requests }) => {
      await assert.rejects(read(), (error) => {
        assert.ok(error instanceof TableError);
        assert.equal(error.code, "AGENTRT_MODEL_STREAM_CUT");
        assert.ok((error as unknown as { chunks: ModelChunk[] }).chunks.length > 0);
        return true;
      });
      assert.equal(requests.length, 1);
    });
  });

  test(`${name}: a stream that ends well but without its end is cut, too`, async () => {
    await withProvider(vendor, [events(vendor.stream.slice(0, 3))], async ({ read }) => {
      await assert.rejects(read(), { ...code("STREAM_CUT"), message: /its end is missing/ });
    });
  });

  test(`${name}: an error inside a stream is the error it names`, async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "busy" } };
    const failing = events([...vendor.stream.slice(0, 3), error]);
    await withProvider(vendor, [failing], async ({ read }) => {
      await assert.rejects(read(), code("OVERLOADED"));
    });
    // Nothing was handed on yet: the request may be made again.
    await withProvider(vendor, [events([error]), streamed], async ({ read, requests }) => {
      assert.equal((await read()).at(-1)?.type, "end");
      assert.equal(requests.length, 2);
    });
  });

  test(`${name}: malformed JSON in an answer, in a stream and in the arguments of a tool`, async () => {
    await withProvider(vendor, [json("{ this is no JSON")], async ({ ask, requests }) => {
      await assert.rejects(ask(), { ...code("REPLY_INVALID"), message: /it is no JSON/ });
      assert.equal(requests.length, 1);
    });
    const broken: ScriptedAnswer = (response) => {
      beginStream(response);
      writeEvent(response, vendor.stream[0] ?? {});
      response.end("event: content_block_delta\ndata: { this is no JSON\n\n");
    };
    await withProvider(vendor, [broken], async ({ read }) => {
      await assert.rejects(read(), code("REPLY_INVALID"));
    });
    for (const text of ['{"a": ', "[1]", "5"]) {
      await withProvider(vendor, [vendor.toolAnswer(text)], async ({ read, runtime }) => {
        await assert.rejects(read(), { ...code("TOOL_INPUT_INVALID"), message: /tool "add"/ });
        // The answer was paid for.
        assert.equal(runtime.snapshot().agents["asker"]?.tokensOut, 500);
      });
    }
  });

  test(`${name}: a tool without arguments gets an empty object`, async () => {
    await withProvider(vendor, [vendor.toolAnswer("")], async ({ read }) => {
      const end = (await read()).at(-1);
      assert.ok(end?.type === "end");
      assert.deepEqual(end.reply.toolCalls?.[0]?.input, {});
    });
  });

  test(`${name}: a page of HTML and an answer of another kind make no sense`, async () => {
    const html: ScriptedAnswer = (response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    for (const other of [html, json({ hello: "world" }), json("null")]) {
      await withProvider(vendor, [other], async ({ ask }) => {
        await assert.rejects(ask(), code("REPLY_INVALID"));
      });
    }
  });

  test(`${name}: an answer that never ends is given up, streamed or not`, async () => {
    const endless =
      (begin: string, part: string): ScriptedAnswer =>
      (response) => {
        const type = begin === "" ? "text/event-stream" : "application/json";
        response.writeHead(200, { "content-type": type });
        response.write(begin);
        const more = (): void => {
          while (!response.destroyed && response.write(part));
        };
        response.on("drain", more);
        more();
      };
    const noise = `: ${"x".repeat(1_000_000)}\n\n`;
    const answers = [endless('{"a": "', noise.trim()), endless("", noise)];
    await withProvider(vendor, answers, async ({ ask, read }) => {
      const tooLong = { ...code("REPLY_INVALID"), message: /it is longer than 33554432 bytes/ };
      await assert.rejects(ask(), tooLong);
      await assert.rejects(read(), tooLong);
    });
  });

  test(`${name}: whatever a server answers, the call ends in an answer or a typed error`, async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          model: fc.option(fc.string()),
          content: fc.anything({ withNullPrototype: false }),
          choices: fc.array(
            fc.record({ message: fc.option(fc.jsonValue()), delta: fc.jsonValue() }),
          ),
          usage: fc.jsonValue(),
        })
        .map((value) => JSON.stringify(value)),
    );
    let next = { status: 200, text: "", isStream: false };
    const answering: ScriptedAnswer = (response) => {
      const type = next.isStream ? "text/event-stream" : "application/json";
      response.writeHead(next.status, { "content-type": type });
      response.end(next.isStream ? `event: message_start\ndata: ${next.text}\n\n` : next.text);
    };
    const options = { retryCountMax: 0 };
    await withProvider(
      vendor,
      [answering],
      async ({ ask, read }) => {
        const status = fc.constantFrom(200, 200, 200, 404, 429, 500);
        const property = fc.asyncProperty(
          body,
          status,
          fc.boolean(),
          async (text, code, isStream) => {
            next = { status: code, text, isStream };
            const work: Promise<unknown> = isStream ? read() : ask();
            const failure: unknown = await work.then(
              () => undefined,
              (error: unknown) => error,
            );
            if (failure === undefined) return;
            assert.ok(failure instanceof TableError, inspect(failure));
            assert.match(failure.code, /^AGENTRT_MODEL_/);
          },
        );
        await fc.assert(property, { numRuns: 150 });
      },
      options,
    );
  });

  test(`${name}: a first byte, and a next part, that do not come in time`, async () => {
    const silent: ScriptedAnswer = () => arrived.resolve();
    const stuck: ScriptedAnswer = (response) => {
      beginStream(response);
      for (const event of vendor.stream.slice(0, 3)) writeEvent(response, event);
    };
    let arrived = Promise.withResolvers<void>();
    await using server = await startScriptedServer(silent, silent, stuck);
    const environment = {};
    const provider = vendor.make({
      baseUrl: `${server.url}${vendor.suffix}`,
      defaultModel: "m",
      timeoutMs: 120_000,
      environment,
    });
    await using simulation = new Simulation({
      supervision: supervisor("root", { children: [child(Asker, "asker")] }),
      models: [{ name, provider }],
    });
    await simulation.start();
    // Sockets are real and time is not: it passes when the server has the request.
    const late = async (pending: Promise<unknown>, waited: RegExp): Promise<void> => {
      const rejected = assert.rejects(pending, { ...code("TIMEOUT"), message: waited });
      await arrived.promise;
      arrived = Promise.withResolvers();
      await simulation.advance(120_100);
      await rejected;
    };
    const next = (chunks: AsyncIterator<ModelChunk>): Promise<unknown> => chunks.next();
    await late(llm().chat(question), /no answer came within 120000 ms/);
    await late(next(llm().stream(question)[Symbol.asyncIterator]()), /no part of the answer/);
    const chunks = llm().stream(question)[Symbol.asyncIterator]();
    await chunks.next();
    if (name === "openai") await chunks.next();
    arrived.resolve();
    await late(next(chunks), /no further part of the answer/);
  });

  test(`${name}: to stop reading closes the connection`, async () => {
    let onClose: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const endless: ScriptedAnswer = (response) => {
      beginStream(response);
      response.on("close", onClose);
      for (const event of vendor.stream.slice(0, 3)) writeEvent(response, event);
    };
    await withProvider(vendor, [endless], async () => {
      for await (const each of llm().stream(question)) if (each.type === "text") break;
      await closed;
    });
  });

  test(`${name}: nothing listens, and a connection that is cut before an answer`, async () => {
    const cut: ScriptedAnswer = (response) => void response.socket?.destroy();
    await withProvider(vendor, [cut, answer()], async ({ ask, requests }) => {
      assert.equal((await ask()).content, "Hello");
      assert.equal(requests.length, 2);
    });
    await withProvider(
      vendor,
      [answer()],
      async ({ ask }) => {
        await assert.rejects(ask(), {
          ...code("UNREACHABLE"),
          message: /no connection: nothing answers at that address/,
        });
      },
      { baseUrl: `http://127.0.0.1:${await freePort()}`, retryCountMax: 0 },
    );
  });

  test(`${name}: without a key calls say which variable to set, and a warning comes at the start`, async () => {
    const environment = { MY_KEY: " " };
    const options = { apiKeyEnv: "MY_KEY", environment };
    await withProvider(
      vendor,
      [answer()],
      async ({ ask, requests, printed }) => {
        await assert.rejects(ask(), { ...code("KEY_MISSING"), message: /MY_KEY/ });
        assert.equal(requests.length, 0);
        assert.ok(printed.some((line) => /^warn.*no key.*variable=MY_KEY/.test(line)));
      },
      options,
    );
  });

  test(`${name}: a server of one's own may want no key, and a key that is replaced is seen`, async () => {
    const environment: { [variable: string]: string } = {};
    await withProvider(
      vendor,
      [answer()],
      async ({ ask, requests }) => {
        await ask();
        environment[`${name.toUpperCase()}_API_KEY`] = "second-key";
        await ask();
        const sent = requests.map(({ headers }) => headers["authorization"]);
        assert.deepEqual(sent, ["Bearer none", "Bearer second-key"]);
      },
      { environment },
    );
  });

  test(`${name}: an agent's own key goes before the provider's, and is missed by its own name`, async () => {
    await using server = await startScriptedServer(answer());
    const provider = vendor.make({
      baseUrl: `${server.url}${vendor.suffix}`,
      environment: { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, OWN_KEY: "own" },
    });
    const ask = (keyVariable?: string) =>
      provider.chat({
        ...question,
        model: "m",
        tools: [],
        signal: new AbortController().signal,
        keyVariable,
      });
    await ask();
    await ask("OWN_KEY");
    await ask();
    const sent = server.requests.map(({ headers }) => headers["authorization"]);
    assert.deepEqual(sent, [`Bearer ${key}`, "Bearer own", `Bearer ${key}`]);
    await assert.rejects(ask("LOST_KEY"), { ...code("KEY_MISSING"), message: /LOST_KEY/ });
  });

  for (const [options, option] of [
    [{ apiKey: key }, "apiKey"],
    [{ maxTokens: 0 }, "maxTokens"],
    [{ retryCountMax: -1 }, "retryCountMax"],
    [{ timeoutMs: 300_001 }, "timeoutMs"],
    [{ baseUrl: "localhost:80" }, "baseUrl"],
    [{ baseUrl: "http://user:pass@localhost" }, "baseUrl"],
  ] as const) {
    test(`${name}: ${option} ${inspect(Object.values(options)[0])} is refused`, () => {
      assert.throws(
        () => vendor.make(options as VendorModelOptions),
        (error) => {
          assert.ok(error instanceof TableError);
          assert.equal(error.code, "AGENTRT_MODEL_CONFIG_INVALID");
          assert.ok(error.message.includes(`: ${option}: `));
          assert.equal(error.message.includes(key), false);
          return true;
        },
      );
    });
  }
}

const [anthropic, openai] = vendors as [VendorCase, VendorCase];

test("anthropic: system, tools and their answers as the Messages API wants them", async () => {
  await withProvider(anthropic, [anthropic.answer()], async ({ ask, requests }) => {
    await ask({
      tools: [tool],
      temperature: 0,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "1 + 2 and 3 + 4?" },
        {
          role: "assistant",
          content: "",
          toolCalls: [
            { id: "t1", name: "add", input: { a: 1, b: 2 } },
            { id: "t2", name: "add", input: { a: 3, b: 4 } },
          ],
        },
        { role: "tool", toolCallId: "t1", content: "3" },
        { role: "tool", toolCallId: "t2", content: "too hard", isError: true },
      ],
    });
    assert.deepEqual(requests[0]?.body, {
      model: "asked-model",
      max_tokens: 4096,
      temperature: 0,
      system: "Be brief.",
      tools: [{ name: "add", description: "Adds", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "1 + 2 and 3 + 4?" },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "t1", name: "add", input: { a: 1, b: 2 } },
            { type: "tool_use", id: "t2", name: "add", input: { a: 3, b: 4 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "3" },
            { type: "tool_result", tool_use_id: "t2", content: "too hard", is_error: true },
          ],
        },
      ],
    });
  });
});

test("anthropic: what the model thought goes back to it as it came, streamed or not", async () => {
  const content = [
    { type: "thinking", thinking: "Well, well", signature: "sig" },
    { type: "text", text: "Hello" },
  ];
  const thought = [
    anthropicStream[0] ?? {},
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "thinking_delta", thinking: "Well, " },
    },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "well" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig" } },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hello" } },
    ...anthropicStream.slice(9),
  ];
  const answers = [anthropic.answer({ content }), events(thought), anthropic.answer()];
  await withProvider(anthropic, answers, async ({ ask, read, requests }) => {
    const whole = await ask();
    const end = (await read()).at(-1);
    assert.ok(end?.type === "end");
    assert.deepEqual(end.reply.message.native, whole.message.native);
    assert.equal(whole.content, "Hello");
    await ask({ messages: [...question.messages, whole.message, ...question.messages] });
    const sent = requests[2]?.body as { messages: unknown[] };
    assert.deepEqual(sent.messages[1], { role: "assistant", content });
  });
});

test("anthropic: tokens of the cache count as input, at their own price", async () => {
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 900,
    cache_creation_input_tokens: 0,
    output_tokens: 0,
  };
  await withProvider(anthropic, [anthropic.answer({ usage })], async ({ ask }) => {
    const { tokensIn, costUsd } = await ask();
    assert.equal(tokensIn, 1000);
    assert.ok(Math.abs((costUsd ?? 0) - (100 * 4 + 900 * 0.2) / 1_000_000) < 1e-12);
  });
});

test("openai: tools and their answers as Chat Completions want them, cached tokens at their price", async () => {
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "t1", type: "function", function: { name: "add", arguments: '{"a":1}' } }],
  };
  const answers = [
    openai.answer({
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 0,
        prompt_tokens_details: { cached_tokens: 900 },
      },
    }),
    openai.answer(),
  ];
  await withProvider(openai, answers, async ({ ask, requests }) => {
    const reply = await ask({ tools: [tool] });
    assert.deepEqual(reply.toolCalls, [{ id: "t1", name: "add", input: { a: 1 } }]);
    assert.equal(reply.stopReason, "toolCalls");
    assert.ok(Math.abs((reply.costUsd ?? 0) - (100 * 5 + 900 * 0.5) / 1_000_000) < 1e-12);
    await ask({
      messages: [
        { role: "system", content: "Be brief." },
        ...question.messages,
        reply.message,
        { role: "tool", toolCallId: "t1", content: "1" },
      ],
    });
    const [first, second] = requests.map(({ body }) => body as { [name: string]: unknown });
    assert.deepEqual(first?.["tools"], [
      {
        type: "function",
        function: { name: "add", description: "Adds", parameters: { type: "object" } },
      },
    ]);
    assert.deepEqual(second?.["messages"], [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      message,
      { role: "tool", tool_call_id: "t1", content: "1" },
    ]);
  });
});

test("openai: a server that counts no tokens costs an unknown sum", async () => {
  await withProvider(openai, [openai.answer({ usage: undefined })], async ({ ask }) => {
    const { tokensIn, costUsd } = await ask();
    assert.deepEqual([tokensIn, costUsd], [0, null]);
  });
});

test("openai: an empty account is not asked again", async () => {
  const empty = json({ error: { code: "insufficient_quota", message: "pay first" } }, 429);
  await withProvider(openai, [empty], async ({ ask, requests }) => {
    await assert.rejects(ask(), { ...code("REFUSED"), message: /pay first/ });
    assert.equal(requests.length, 1);
  });
});
