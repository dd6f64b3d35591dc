/** What both vendors' models are asked and answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  key,
  type VendorCase,
  json,
  question,
  events,
  anthropicStream,
  vendors,
  withProvider,
  code,
  tool,
} from "./test-support/vendor-cases.ts";

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
        provider: name,
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
    await withProvider({ ...vendor, options: { prices } }, [other], async ({ ask }) =>
      assert.equal((await ask()).costUsd, 0.002),
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

  test(`${name}: a tool without arguments gets an empty object`, async () => {
    await withProvider(vendor, [vendor.toolAnswer("")], async ({ read }) => {
      const end = (await read()).at(-1);
      assert.ok(end?.type === "end");
      assert.deepEqual(end.reply.toolCalls?.[0]?.input, {});
    });
  });
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
