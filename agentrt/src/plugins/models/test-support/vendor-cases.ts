/** Both vendors' own packages, on real sockets, against servers that answer by a script. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from "testkit";
import {
  Agent,
  child,
  createTextLog,
  type Llm,
  type LlmOptions,
  type ModelChunk,
  type ModelReply,
  supervisor,
  type Tracer,
} from "../../../core/index.ts";
import { Runtime } from "../../../runtime/index.ts";
import { AnthropicModel } from "../anthropic-model.ts";
import type { VendorModelOptions } from "../model-options.ts";
import { OpenAiModel } from "../openai-model.ts";

/** The key of both vendors, which nobody may ever see. */
export const key = "sk-very-secret-0123456789";

/** An agent that a model can be asked through. */
export class Asker extends Agent {
  override async handle() {
    return {};
  }
  override onStart(): void {
    askers.push(this);
  }
}
/** The one that started last asks. */
const askers: Asker[] = [];
/** The model client of the agent that started last. */
export const llm = (): Llm => {
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

/** One vendor, and what its server says. */
export interface VendorCase {
  readonly name: "anthropic" | "openai";
  readonly make: (options: VendorModelOptions) => AnthropicModel | OpenAiModel;
  readonly suffix: string;
  readonly answer: (parts?: object) => ScriptedAnswer;
  readonly toolAnswer: (inputText: string) => ScriptedAnswer;
  readonly stream: readonly object[];
  readonly streamed: ScriptedAnswer;
  /** What the provider is made with beyond the usual. */
  readonly options?: VendorModelOptions;
}

/** A scripted answer with a body of JSON. */
export const json =
  (body: unknown, status = 200, headers: { [name: string]: string } = {}): ScriptedAnswer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** The shortest question. */
export const question: LlmOptions = { messages: [{ role: "user", content: "Hi" }] };

/** Begins an answer of server-sent events. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

/** Writes one server-sent event. */
export function writeEvent(response: ServerResponse, event: object): void {
  const { type } = event as { readonly type?: string };
  const name = type === undefined ? "" : `event: ${type}\n`;
  response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
}

/** Streams events; `isWhole: false` cuts the connection after them. */
export const events =
  (list: readonly object[], { isWhole = true, last = "" } = {}): ScriptedAnswer =>
  (response) => {
    beginStream(response);
    for (const event of list) writeEvent(response, event);
    if (isWhole) response.end(last);
    else response.write(": cut\n\n", () => response.socket?.destroy());
  };

/** The events of Anthropic's streamed answer. */
export const anthropicStream = [
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

/** Both vendors. */
export const vendors: readonly VendorCase[] = [
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
export async function withProvider(
  vendor: VendorCase,
  answers: readonly ScriptedAnswer[],
  work: (running: Running) => Promise<void>,
): Promise<void> {
  await using server = await startScriptedServer(...answers);
  const printed: string[] = [];
  const tracer: Tracer = {
    isSampled: () => true,
    addMessageSpan: () => undefined,
    startSpan: (name, { attributes }) => ({
      point: { trace: 1, span: 1 },
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      rename: () => undefined,
      set: (more) => void printed.push(inspect(more)),
      end: (error) => void printed.push(inspect({ name, attributes, error }, { depth: 9 })),
    }),
  };
  const provider = vendor.make({
    baseUrl: `${server.url}${vendor.suffix}`,
    defaultModel: "asked-model",
    retryBaseMs: 1,
    environment: { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key },
    ...vendor.options,
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

/** The code of an error of models. */
export const code = (suffix: string) => ({ code: `AGENTRT_MODEL_${suffix}` });
/** A tool that may be called. */
export const tool = { name: "add", description: "Adds", inputSchema: { type: "object" } };
/** The body of a refusal. */
export const refusal = (text: string): object => ({ error: { type: "some_error", message: text } });
