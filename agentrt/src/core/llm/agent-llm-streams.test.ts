import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ModelChunk,
  modelErrors,
  type ModelProvider,
  modelReply,
  TableError,
} from "../index.ts";
import type { Asker } from "./test-support/scripted-models.ts";
import { Script, asked, says, never, plan, simulate } from "./test-support/scripted-models.ts";

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
    plan.act = async (agent) => ({ parts: await read(agent) });
    const reply = await simulation.call("asker", {}, { timeoutMs: 1_000_000 });
    assert.deepEqual(reply["parts"], parts);
    assert.equal(provider.streamCount, streamCount);
    const counters = simulation.runtime.snapshot().agents["asker"];
    assert.equal(counters?.tokensOut, parts.includes("end") ? 4 : 0);
  });
}

test("llm.stream() of a provider that only chats hands on the answer in one piece", async () => {
  await using simulation = await simulate([{ name: "main", provider: new Script(says("whole")) }]);
  plan.act = async (agent) => ({ parts: await read(agent) });
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
  plan.act = async (agent) => {
    for await (const chunk of agent.llm.stream({ messages: [{ role: "user", content: "Hi" }] }))
      return { first: chunk.type };
    return {};
  };
  assert.deepEqual(await simulation.call("asker", {}), { first: "text" });
  assert.equal(signal?.aborted, true);
});
