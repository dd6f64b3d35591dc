import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  type Message,
  type ModelChunk,
  modelReply,
  pool,
  supervisor,
  type ToolSource,
} from "../../core/index.ts";
import { Simulation } from "../../testing/index.ts";
import { overviewBody } from "./overview.ts";

const messages = [{ role: "user" as const, content: "?" }];

class Asker extends Agent {
  override async handle({ payload }: Message) {
    const { model, tool } = payload as { readonly model: string; readonly tool?: string };
    if (tool !== undefined) await this.tools.call(tool, {});
    else if (payload["streams"] === true) {
      for await (const chunk of this.llmNamed(model).stream({ messages }))
        if (chunk.type === "text") await thinking.promise;
    } else await this.llmNamed(model).chat({ messages });
    return {};
  }
}

/** What agents do with the first part of a stream. */
let thinking = Promise.withResolvers<void>();

interface Gate {
  open(): void;
}

/** A model whose answers wait for the test. */
class SlowModel {
  readonly gates: Gate[] = [];

  async chat() {
    await this.wait();
    return modelReply({ model: "m", content: "yes" });
  }

  async *stream(): AsyncGenerator<ModelChunk> {
    yield { type: "text", text: "think" };
    await this.wait();
    yield { type: "end", reply: modelReply({ model: "m", content: "think" }) };
  }

  private async wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gates.push({ open: resolve });
    await promise;
  }
}

async function start() {
  const [main, other] = [new SlowModel(), new SlowModel()];
  const answered = Promise.withResolvers<void>();
  const files: ToolSource = {
    name: "files",
    scheme: "mcp",
    tools: () => [{ name: "read", inputSchema: {} }],
    call: async () => {
      await answered.promise;
      return { content: "", isError: false };
    },
  };
  const provider = (model: SlowModel) => ({
    defaultModel: "m",
    timeoutMs: 10_000_000,
    chat: () => model.chat(),
    stream: () => model.stream(),
  });
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: ["a", "b", "c"].map((name) => child(Asker, name)),
    }),
    models: [
      { name: "main", provider: provider(main) },
      { name: "other", provider: provider(other) },
    ],
    tools: [files],
  });
  await simulation.start();
  const { runtime } = simulation;
  const startedMs = runtime.system.nowMs();
  const look = () => {
    const nowMs = runtime.system.nowMs();
    const view = {
      snapshot: () => runtime.snapshot(),
      tree: () => runtime.tree(),
      findNode: (name: string) => runtime.findNode(name),
      awaitedModels: () => runtime.awaitedModels(),
      activity: (name: string) => runtime.activity(name),
      modelAnsweredMs: (name: string) => runtime.modelAnsweredMs(name),
      observer: { nowMs },
    };
    const { agents, models_silent: silent } = overviewBody(view);
    const since = (seconds: number): number => Math.round(seconds - startedMs / 1000);
    return {
      waits: agents.flatMap(({ name, waits_for: each }) =>
        each === undefined ? [] : `${name}: ${each.kind} ${each.name} since ${since(each.since)}`,
      ),
      silent: silent?.map((each) => ({ ...each, since: since(each.since) })),
    };
  };
  const send = async (name: string, payload: object): Promise<void> => {
    runtime.call(name, payload, { timeoutMs: 1_000_000 }).catch(() => undefined);
    await simulation.runUntilIdle();
  };
  return { simulation, look, send, main, other, answered };
}

class Counting extends Agent {
  override async handle() {
    return {};
  }
}

test("the row of a pool has the counters of its members together, that of a suspended agent who did it and why", async () => {
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: [pool(Counting, "desks", { size: 2 }), child(Counting, "clerk")],
    }),
  });
  await simulation.start();
  const { runtime } = simulation;
  for (const _ of [1, 2, 3]) {
    const called = runtime.call("desks", {});
    await simulation.runUntilIdle();
    await called;
  }
  const suspended = runtime.suspend("clerk", { reason: "wrong refunds", initiatedBy: "ada" });
  await simulation.runUntilIdle();
  await suspended;
  const view = {
    snapshot: (names?: readonly string[]) => runtime.snapshot(names),
    tree: () => runtime.tree(),
    findNode: (name: string) => runtime.findNode(name),
    awaitedModels: () => runtime.awaitedModels(),
    activity: (name: string) => runtime.activity(name),
    modelAnsweredMs: () => undefined,
    observer: { nowMs: runtime.system.nowMs() },
  };
  const { agents } = overviewBody(view);
  const row = (name: string) => agents.find((each) => each.name === name);
  const members = agents.filter(({ name }) => name.startsWith("desks") && name !== "desks");
  assert.equal(members.length, 2);
  const sum = members.reduce((count, each) => count + each.messages_handled, 0);
  assert.deepEqual([row("desks")?.messages_handled, sum], [3, 3]);
  assert.equal(row("desks")?.latency_count, 3);
  const { suspend_reason: reason, suspended_by: by } = row("clerk") ?? {};
  assert.deepEqual([reason, by], ["wrong refunds", "ada"]);
  assert.ok(!("suspend_reason" in (row("desks") ?? {})));
  // Those that are named have the same rows; nobody else has one, and each only once.
  const named = overviewBody(view, ["clerk", "desks", "root", "nobody", "clerk"]);
  assert.deepEqual(named.agents, [row("clerk"), row("desks")]);
});

test("an agent that waits for a model or a tool says for which, and since when", async () => {
  const { simulation, look, send, main, answered } = await start();
  assert.deepEqual(look(), { waits: [], silent: undefined });
  await send("a", { model: "main" });
  await simulation.advance(5000);
  await send("b", { tool: "mcp://files/read" });
  const both = ["a: model main since 0", "b: tool mcp://files/read since 5"];
  assert.deepEqual(look(), { waits: both, silent: undefined });
  main.gates[0]?.open();
  answered.resolve();
  await simulation.runUntilIdle();
  assert.deepEqual(look().waits, []);
});

test("a stream is waited for only while its next part is", async () => {
  const { simulation, look, send } = await start();
  thinking = Promise.withResolvers();
  await send("a", { model: "main", streams: true });
  await simulation.advance(50_000);
  assert.deepEqual(look(), { waits: [], silent: undefined });
  thinking.resolve();
  await simulation.advance(60_000);
  assert.deepEqual(look().waits, ["a: model main since 50"]);
});

test("a model is silent when agents wait for it and nobody has had an answer for half a minute", async () => {
  const { simulation, look, send, main } = await start();
  await send("a", { model: "main" });
  await send("b", { model: "main" });
  await simulation.advance(29_000);
  assert.equal(look().silent, undefined);
  await send("c", { model: "other" });
  // It is slow with one, and has answered another one.
  main.gates[1]?.open();
  await simulation.runUntilIdle();
  await simulation.advance(25_000);
  assert.equal(look().silent, undefined);
  await send("b", { model: "main" });
  await simulation.advance(6000);
  assert.deepEqual(look().silent, [
    { name: "main", since: 29, agents: 2 },
    { name: "other", since: 29, agents: 1 },
  ]);
});
