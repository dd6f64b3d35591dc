import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions } from "testkit";
import {
  Agent,
  child,
  type Message,
  modelErrors,
  type ModelMessage,
  modelReply,
  supervisor,
} from "../../core/index.ts";
import {
  explore,
  type MakeModels,
  type MakeTools,
  ownCrashName,
  readRecording,
  recordModels,
  recordTools,
  replayModels,
  replayTools,
  scriptedModel,
  scriptedTools,
  seededModel,
  Simulation,
} from "../index.ts";

class Clerk extends Agent {
  override async handle({ payload }: Message) {
    const question = JSON.stringify(payload["question"] ?? "?");
    const messages: ModelMessage[] = [{ role: "user", content: question }];
    for (;;) {
      const reply = await this.llm.chat({ messages, tools: this.tools.forModel() });
      messages.push(reply.message);
      if (reply.toolCalls === null) return { answer: reply.content, tokens: reply.tokensIn };
      for (const toolCall of reply.toolCalls) messages.push(await this.tools.answer(toolCall));
    }
  }
}

class Teller extends Agent {
  override async handle() {
    let told = "";
    for await (const chunk of this.llm.stream({ messages: [{ role: "user", content: "Count" }] }))
      if (chunk.type === "text") told += chunk.text;
    return { told };
  }
}

const supervision = supervisor("root", {
  children: [child(Clerk, "clerk"), child(Teller, "teller")],
});
const askClerk = { workload: askOnce, isCalm: true, seed: 2, supervision } as const;

async function askOnce({
  call,
}: Parameters<NonNullable<Parameters<typeof explore>[0]["workload"]>>[0]) {
  const { answer } = await call("clerk", { question: "Done?" });
  if (answer !== "Yes") throw new Error(`it answered ${JSON.stringify(answer)}`);
}

test("explore() takes models and tools that are made for each run", async () => {
  let madeCount = 0;
  const models: MakeModels = () => {
    madeCount += 1;
    const wants = { id: "1", name: "files__read", input: { path: "a" } };
    return [
      { name: "main", provider: scriptedModel([{ content: "", toolCalls: [wants] }, "Yes"]) },
    ];
  };
  const used: unknown[] = [];
  const tools: MakeTools = [
    scriptedTools("files", {
      read: {
        run: (input) => {
          used.push(input);
          return "text";
        },
      },
    }),
  ];
  for (let seed = 1; seed <= 6; seed += 1) {
    const { violation } = await explore({ ...askClerk, seed, models, tools });
    assert.deepEqual(violation, undefined);
  }
  assert.equal(madeCount, 6);
  // In some of the runs the message is late.
  assert.ok(used.length > 0, `${used.length} uses`);
  for (const input of used) assert.deepEqual(input, { path: "a" });
});

test("an agent that crashes by its own code fails the run; one that a fault brought down does not", async () => {
  const models: MakeModels = [{ name: "main", provider: scriptedModel(["Yes"]) }];
  assert.equal((await explore({ ...askClerk, models })).violation, undefined);
  const { violation } = await explore({ supervision, seed: 1, isCalm: true });
  assert.equal(violation?.invariant, ownCrashName);
  assert.match(violation?.reason ?? "", /"\w+": .*no model provider is configured/);
  for (let seed = 1; seed <= repetitions(40); seed += 1) {
    const report = await explore({ supervision, seed, models });
    assert.equal(report.violation, undefined, `seed ${seed}`);
  }
});

test("models fail and are late as the seed decides, and agents may wait for them for minutes", async () => {
  const seedCount = repetitions(30);
  let failed = 0;
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const models: MakeModels = (world) => [
      {
        name: "main",
        provider: {
          defaultModel: "slow",
          chat: async () => {
            await world.sleep(120_000);
            return modelReply({ model: "slow", content: "Yes" });
          },
        },
      },
    ];
    const { violation, outsideUse, counts } = await explore({ supervision, seed, models });
    assert.deepEqual([violation, outsideUse], [undefined, undefined], `seed ${seed}`);
    failed += counts.faults;
  }
  assert.ok(failed > seedCount, `${failed} faults`);
});

test("seededModel() answers by chance, the same for one seed", async () => {
  const answers = async (seed: number): Promise<unknown[]> => {
    const models: MakeModels = (world) => [{ name: "main", provider: seededModel(world) }];
    await using simulation = new Simulation({ supervision, seed, models });
    await simulation.start();
    const told: unknown[] = [];
    for (let count = 0; count < 10; count += 1) told.push(await simulation.call("clerk", {}));
    return told;
  };
  assert.deepEqual(await answers(1), await answers(1));
  assert.notDeepEqual(await answers(1), await answers(2));
});

test("scriptedModel() throws the errors of its script, and refuses an empty one", async () => {
  const busy = new modelErrors.REFUSED({ provider: "main", model: "m", status: 400, reason: "no" });
  const models: MakeModels = [{ name: "main", provider: scriptedModel([busy]) }];
  await using simulation = new Simulation({ supervision, models });
  await simulation.start();
  await assert.rejects(simulation.call("clerk", {}), /it refused the request/);
  assert.throws(() => scriptedModel([]), RangeError);
});

test("what was recorded is replayed request by request: answers, streams, tools and errors", async () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  let count = 0;
  const provider = scriptedModel(({ messages }) => {
    count += 1;
    const [asked] = messages;
    if (asked?.content === "Count") return "one two";
    if (asked?.content === JSON.stringify("bad"))
      return new modelErrors.REFUSED({ provider: "m", model: "m", status: 400, reason: "bad" });
    const wants = { id: "1", name: "clock__now", input: {} };
    return messages.length === 1
      ? { content: "", toolCalls: [wants] }
      : `${messages.at(-1)?.content}, answer ${count}`;
  });
  const clock = scriptedTools("clock", { now: { run: () => `${count} o'clock` } });
  const play = async (models: MakeModels, tools: MakeTools): Promise<unknown[]> => {
    await using simulation = new Simulation({ supervision, models, tools });
    await simulation.start();
    const told: unknown[] = [];
    for (const question of ["a", "a", "b", "bad"]) {
      told.push(
        await simulation.call("clerk", { question }).catch((error: Error) => error.message),
      );
    }
    await simulation.advance(5000);
    told.push(await simulation.call("teller", {}));
    return told;
  };
  const real = await play(
    recordModels([{ name: "main", provider }], write),
    recordTools([clock], write),
  );
  const recording = readRecording(lines.join(""));
  const countReal = count;
  assert.deepEqual(await play(replayModels(recording), replayTools(recording)), real);
  assert.equal(count, countReal, "nobody was asked");
  await using simulation = new Simulation({
    supervision,
    models: replayModels(recording),
    tools: replayTools(recording),
  });
  await simulation.start();
  await assert.rejects(simulation.call("clerk", { question: "c" }), {
    message: /the recording has no answer to this request among its \d+/,
  });
  assert.throws(() => readRecording("{}\n"), /line 1 is not a line of a recording/);
});
