import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../../state/index.ts";
import { Simulation } from "../../../testing/index.ts";
import {
  Agent,
  type BudgetOptions,
  type BudgetReport,
  budgetStateKey,
  child,
  type ChildSpec,
  dynamicSupervisor,
  type JsonObject,
  keyed,
  type Message,
  modelErrors,
  type ModelProvider,
  modelReply,
  pool,
  type StateStore,
  supervisor,
  type SupervisorOptions,
} from "../../index.ts";

/** A model that counts what it was asked and what it answered. */
class Counting implements ModelProvider {
  readonly defaultModel = "counted-1";
  readonly retryBaseMs = 1;
  maxTokens = 10;
  requestCount = 0;
  tokenCount = 0;
  /** Each takes the place of an answer. */
  readonly failures: Error[] = [];
  #gate: PromiseWithResolvers<void> | undefined;

  priceOf = (model: string) => (model === "counted-1" ? { input: 100, output: 1000 } : undefined);

  /** Lets calls wait until `open`. */
  close(): void {
    this.#gate?.resolve();
  }

  shut(): void {
    this.#gate = Promise.withResolvers();
  }

  async chat({ model }: { readonly model: string }) {
    this.requestCount += 1;
    await this.#gate?.promise;
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const reply = modelReply({ model, content: "Yes", tokensIn: 8, tokensOut: 2 });
    this.tokenCount += 10;
    return reply;
  }
}

type Asked = { readonly count?: number; readonly model?: string };

/** Asks as often at once as it is told, and says what came of each. */
class Asker extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    const { count = 1, model } = payload as Asked;
    const asked = Array.from({ length: count }, () =>
      this.llm.chat({ model, messages: [{ role: "user", content: "Hi" }] }).then(
        () => "answered",
        (error: Error & { readonly code?: string }) => `${error.code}: ${error.message}`,
      ),
    );
    return { outcomes: await Promise.all(asked) };
  }
}

/** Reads one part of an answer and leaves. */
class Leaver extends Agent {
  override async handle(): Promise<JsonObject> {
    for await (const chunk of this.llm.stream({ messages: [{ role: "user", content: "Hi" }] }))
      return { type: chunk.type };
    return {};
  }
}

interface Setting {
  readonly children: readonly ChildSpec[];
  readonly budget?: SupervisorOptions["budget"];
  readonly state?: StateStore;
  readonly model?: Counting;
}

async function simulate({ children, budget, state, model = new Counting() }: Setting) {
  const supervision = supervisor("root", { children, budget });
  const models = [{ name: "main", provider: model }];
  const simulation = new Simulation({ supervision, models, state });
  await simulation.start();
  return Object.assign(simulation, { model });
}

async function outcomes(simulation: Simulation, to: string, asked: Asked = {}): Promise<string[]> {
  return (await simulation.call(to, asked))["outcomes"] as string[];
}

function reportOf(simulation: Simulation, name: string): BudgetReport {
  const report = simulation.runtime.budgets().find((each) => each.name === name);
  assert.ok(report !== undefined, `no budget of "${name}"`);
  return report;
}

const exceeded = /^AGENTRT_MODEL_BUDGET_EXCEEDED: /;

test("a budget in tokens lets calls pass until it is used up, and then refuses each", async () => {
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 30 } })],
  });
  for (let call = 1; call <= 3; call += 1)
    assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "asker"), [
    'AGENTRT_MODEL_BUDGET_EXCEEDED: Cannot ask a model for "asker": the budget of "asker" is used up: 30 of 30 tokens spent, until it is reset',
  ]);
  assert.equal(simulation.model.requestCount, 3);
  assert.equal(reportOf(simulation, "asker").spentTokens, 30);
  assert.equal(simulation.runtime.snapshot().budgets[0]?.callCount, 3);
});

test("of calls that begin at once only those pass whose turn finds room: none slips through", async () => {
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 30 } })],
  });
  const all = await outcomes(simulation, "asker", { count: 100 });
  const passed = all.filter((outcome) => outcome === "answered");
  // "Hi" may take 1 token and the answer 10: with three of them 30 are held back.
  assert.equal(passed.length, 3);
  assert.match(all.at(-1) ?? "", /0 of 30 tokens spent and 33 held back for calls that run/);
  const later = await outcomes(simulation, "asker", { count: 2 });
  for (const outcome of later) assert.match(outcome, /used up: 30 of 30 tokens spent, until/);
});

test("a budget in USD counts what the model costs, and refuses a model without a price", async () => {
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { usd: 0.005 } })],
  });
  // 8 tokens in and 2 out are 0.0028 USD.
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
  assert.match((await outcomes(simulation, "asker"))[0] ?? "", /0\.0056 of 0\.005 USD spent/);
  assert.deepEqual(await outcomes(simulation, "asker", { model: "secret-1" }), [
    'AGENTRT_MODEL_BUDGET_UNPRICED: Cannot ask model "secret-1" of "main" for "asker": the budget of "asker" is in USD, and no price of the model is known',
  ]);
  assert.equal(simulation.model.requestCount, 2);
});

test("the start warns of a default model without a price where a budget is in USD, and only there", async () => {
  for (const { budget, defaultModel, isWarned } of [
    { budget: { usd: 1 }, defaultModel: "secret-1", isWarned: true },
    { budget: { tokens: 1 }, defaultModel: "secret-1", isWarned: false },
    { budget: { usd: 1 }, defaultModel: "counted-1", isWarned: false },
  ]) {
    const model = Object.assign(new Counting(), { defaultModel });
    await using simulation = await simulate({
      model,
      children: [child(Asker, "asker", { budget })],
    });
    const lines = simulation.logLines.filter((line) => line.includes("secret-1"));
    assert.equal(lines.length, isWarned ? 1 : 0, simulation.logLines.join("\n"));
  }
});

test("a call counts against the budget of its agent and of every supervisor above it", async () => {
  await using simulation = await simulate({
    budget: { tokens: 50 },
    children: [
      supervisor("desk", {
        budget: { tokens: 1000, usd: 10 },
        children: [child(Asker, "small", { budget: { tokens: 20 } }), child(Asker, "free")],
      }),
      child(Asker, "beside"),
    ],
  });
  assert.deepEqual(await outcomes(simulation, "small"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "small"), ["answered"]);
  assert.match((await outcomes(simulation, "small"))[0] ?? "", /the budget of "small" is used up/);
  assert.deepEqual(await outcomes(simulation, "free"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "beside"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "beside"), ["answered"]);
  for (const name of ["free", "beside"])
    assert.match((await outcomes(simulation, name))[0] ?? "", /the budget of "root" is used up/);
  const spent = simulation.runtime.budgets().map(({ name, spentTokens }) => [name, spentTokens]);
  assert.deepEqual(spent, [
    ["root", 50],
    ["desk", 30],
    ["small", 20],
  ]);
});

test("members of a pool and spawned children spend the budget of the whole", async () => {
  await using simulation = await simulate({
    children: [
      pool(Asker, "writers", { size: 3, budget: { tokens: 20 } }),
      dynamicSupervisor("crew", { budget: { tokens: 20 } }),
    ],
  });
  await simulation.until(simulation.runtime.spawnInto("crew", Asker, "one"));
  await simulation.until(simulation.runtime.spawnInto("crew", Asker, "two"));
  for (const [first, second] of [
    ["writers", "writers"],
    ["one", "two"],
  ] as const) {
    assert.deepEqual(await outcomes(simulation, first), ["answered"]);
    assert.deepEqual(await outcomes(simulation, second), ["answered"]);
    assert.match((await outcomes(simulation, first))[0] ?? "", exceeded);
    assert.match((await outcomes(simulation, second))[0] ?? "", exceeded);
  }
});

test("a spawned child may have a budget of its own, which goes with it and stays when it fails", async () => {
  const state = new MemoryStateStore();
  await using simulation = await simulate({
    state,
    children: [dynamicSupervisor("crew", { budget: { tokens: 50 }, restart: "temporary" })],
  });
  const { runtime } = simulation;
  const spawn = (budget: BudgetOptions) =>
    simulation.until(runtime.spawn(Asker, "one", {}, { budget }));
  await spawn({ tokens: 20 });
  assert.deepEqual(await outcomes(simulation, "one"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "one"), ["answered"]);
  assert.match((await outcomes(simulation, "one"))[0] ?? "", /the budget of "one" is used up/);
  // It fails: whoever spawns it again goes on with what is spent.
  await simulation.until(runtime.restart("one", { isCharged: true }));
  await simulation.runUntilIdle();
  await spawn({ tokens: 30 });
  assert.deepEqual(await outcomes(simulation, "one"), ["answered"]);
  assert.match((await outcomes(simulation, "one"))[0] ?? "", /used up: 30 of 30 tokens spent/);
  assert.equal(reportOf(simulation, "one").spentTokens, 30);
  await simulation.until(runtime.despawn("one"));
  assert.deepEqual(await state.listAgents(), [budgetStateKey("crew")]);
  assert.deepEqual(
    runtime.budgets().map(({ name }) => name),
    ["crew"],
  );
  await spawn({ tokens: 100 });
  assert.deepEqual(await outcomes(simulation, "one"), ["answered"]);
  assert.deepEqual(await outcomes(simulation, "one"), ["answered"]);
  assert.match((await outcomes(simulation, "one"))[0] ?? "", /the budget of "crew" is used up/);
  await simulation.until(runtime.resetBudget("one"));
  assert.equal(reportOf(simulation, "one").spentTokens, 0);
});

test("a call that is open when a spawned child with a budget is ended leaves no ledger behind", async () => {
  const state = new MemoryStateStore();
  await using simulation = await simulate({ state, children: [dynamicSupervisor("crew")] });
  const { runtime, model } = simulation;
  await simulation.until(runtime.spawn(Asker, "one", {}, { budget: { tokens: 20 } }));
  model.shut();
  const asked = assert.rejects(simulation.call("one", {}));
  await simulation.runUntilIdle();
  assert.deepEqual(await state.listAgents(), [budgetStateKey("one")]);
  await simulation.until(runtime.despawn("one"));
  await asked;
  model.close();
  await simulation.runUntilIdle();
  assert.deepEqual(await state.listAgents(), []);
});

test("the budget of a spawn is refused what a topology's is refused", async () => {
  await using simulation = await simulate({ children: [dynamicSupervisor("crew")] });
  for (const [budget, message] of [
    [{}, /budget.*wanted usd, tokens or both/],
    [{ usd: -1 }, /budget\.usd.*wanted a number of 0 or more/],
    [{ tokens: 5, per: "key" }, /budget\.per.*wanted one of run, hour/],
    [{ tokens: 5, pre: "hour" }, /the budget of agent "one".*pre/],
  ] as const) {
    const options = { budget: budget as BudgetOptions };
    await assert.rejects(simulation.until(simulation.runtime.spawn(Asker, "one", {}, options)), {
      message,
    });
  }
});

test("per key: each key has a budget of its own, which a passivation does not give back", async () => {
  await using simulation = await simulate({
    children: [keyed(Asker, "ticket", { idleMs: 1000, budget: { tokens: 10, per: "key" } })],
  });
  assert.deepEqual(await outcomes(simulation, "ticket/a"), ["answered"]);
  assert.match((await outcomes(simulation, "ticket/a"))[0] ?? "", /the budget of "ticket\/a"/);
  assert.deepEqual(await outcomes(simulation, "ticket/b"), ["answered"]);
  await simulation.advance(60_000);
  assert.match((await outcomes(simulation, "ticket/a"))[0] ?? "", exceeded);
  await simulation.runtime.resetBudget("ticket/a");
  assert.deepEqual(await outcomes(simulation, "ticket/a"), ["answered"]);
});

test("a keyed agent whose budget is per run or per hour shares it among its keys", async () => {
  await using simulation = await simulate({
    children: [keyed(Asker, "ticket", { budget: { tokens: 10 } })],
  });
  assert.deepEqual(await outcomes(simulation, "ticket/a"), ["answered"]);
  assert.match((await outcomes(simulation, "ticket/b"))[0] ?? "", /the budget of "ticket" is/);
});

test("per hour: what is used up is free again with the next full hour", async () => {
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 10, per: "hour" } })],
  });
  const hourMs = 3_600_000;
  const leftMs = hourMs - (simulation.clock.nowMs() % hourMs);
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
  const until = new Date(simulation.clock.nowMs() + leftMs).toISOString().replace(".000", "");
  assert.equal(
    (await outcomes(simulation, "asker"))[0]?.split(": ").at(-1),
    `10 of 10 tokens spent this hour, until ${until}`,
  );
  await simulation.advance(leftMs - 1);
  assert.match((await outcomes(simulation, "asker"))[0] ?? "", exceeded);
  await simulation.advance(1);
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
});

test("at 80 % it warns once, and the first refusal is an event, too", async () => {
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 50 } })],
  });
  for (let call = 1; call <= 3; call += 1) await outcomes(simulation, "asker");
  simulation.events.take();
  for (let call = 4; call <= 8; call += 1) await outcomes(simulation, "asker");
  assert.deepEqual(
    simulation.events.take().map((line) => line.replace(/^\d+ /, "")),
    ["budget.warning asker", "budget.exceeded asker"],
  );
  const told = simulation.logLines.filter((line) => line.includes("budget"));
  assert.equal(told.length, 2, told.join("\n"));
  assert.match(
    told[0] ?? "",
    /80 % of a budget of model calls are spent .*limitTokens=50 spentTokens=40/,
  );
  assert.match(told[1] ?? "", /a budget of model calls is used up: calls are refused/);
});

test("the ledger outlives the process; what was reserved when it ended counts as spent", async () => {
  const state = new MemoryStateStore();
  const children = [child(Asker, "asker", { budget: { tokens: 100 } })];
  const model = new Counting();
  const first = await simulate({ children, state, model });
  await outcomes(first, "asker");
  model.shut();
  const cast = first.runtime.cast("asker", { count: 2 });
  await first.clock.runUntilIdle();
  await cast;
  // Nothing of the first one runs any more, and nothing was told: as after kill -9.
  await using second = await simulate({ children, state });
  const { spentTokens, unsettledCallCount, unsettledTokens } = reportOf(second, "asker");
  assert.deepEqual(
    { spentTokens, unsettledCallCount, unsettledTokens },
    { spentTokens: 32, unsettledCallCount: 2, unsettledTokens: 22 },
  );
  assert.match(second.logLines.join("\n"), /model calls were open when the process ended/);
  model.close();
  await first.stop();
});

test("what is not owed is given back, and what nobody knows counts as it was reserved", async () => {
  const asked = { provider: "main", model: "counted-1", reason: "busy" };
  const model = new Counting();
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 1000 } })],
    model,
  });
  const spentAfter = async (...failures: Error[]): Promise<number> => {
    model.failures.push(...failures);
    const before = reportOf(simulation, "asker").spentTokens;
    await outcomes(simulation, "asker");
    return reportOf(simulation, "asker").spentTokens - before;
  };
  assert.equal(await spentAfter(new modelErrors.OVERLOADED(asked)), 10);
  assert.equal(await spentAfter(new modelErrors.REFUSED({ ...asked, status: 400 })), 0);
  assert.equal(await spentAfter(new modelErrors.REPLY_INVALID(asked)), 11);
  const lost = { ...asked, connectionCode: "ECONNRESET" };
  assert.equal(await spentAfter(new modelErrors.UNREACHABLE(lost)), 21);
  const refused = { ...asked, connectionCode: "ECONNREFUSED" };
  assert.equal(await spentAfter(new modelErrors.UNREACHABLE(refused)), 10);
  const usage = { model: "counted-1", tokensIn: 3, tokensOut: 4, costUsd: null };
  const cut = { ...asked, tool: "add", usage };
  assert.equal(await spentAfter(new modelErrors.TOOL_INPUT_INVALID(cut)), 7);
  assert.equal(reportOf(simulation, "asker").reservedTokens, 0);
});

test("a stream that its reader leaves counts as it was reserved", async () => {
  await using simulation = await simulate({
    children: [child(Leaver, "leaver", { budget: { tokens: 100 } })],
  });
  assert.deepEqual(await simulation.call("leaver", {}), { type: "text" });
  const { spentTokens, reservedTokens, unsettledCallCount } = reportOf(simulation, "leaver");
  assert.deepEqual([spentTokens, reservedTokens, unsettledCallCount], [11, 0, 1]);
});

test("without its ledger a budget lets nothing pass, and nobody is asked", async () => {
  const state = new MemoryStateStore();
  let isAway = true;
  const set = state.set.bind(state);
  state.set = async (...given) => {
    if (isAway) throw new Error("the disk is full");
    await set(...given);
  };
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 100 } })],
    state,
  });
  assert.match((await outcomes(simulation, "asker"))[0] ?? "", /^AGENTRT_MODEL_BUDGET_NOT_SAVED: /);
  assert.equal(simulation.model.requestCount, 0);
  isAway = false;
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
  assert.equal(reportOf(simulation, "asker").spentTokens, 10);
});

test("who waits until it is saved what it spends waits for the state store, and so does nobody else", async () => {
  const state = new MemoryStateStore();
  const answer = Promise.withResolvers<void>();
  const set = state.set.bind(state);
  state.set = async (...given) => {
    await answer.promise;
    await set(...given);
  };
  await using simulation = await simulate({
    children: [
      supervisor("team", { budget: { tokens: 100 }, children: [child(Asker, "asker")] }),
      child(Asker, "free"),
    ],
    state,
  });
  const waits = (name: string): boolean => simulation.runtime.activity(name).awaitsStore;
  const asked = simulation.runtime.call("asker", {});
  await simulation.runUntilIdle();
  assert.deepEqual([waits("asker"), waits("free")], [true, false]);
  answer.resolve();
  assert.deepEqual((await simulation.until(asked))["outcomes"], ["answered"]);
  assert.equal(waits("asker"), false);
});

test("a saved ledger that makes no sense refuses calls until the budget is reset", async () => {
  const state = new MemoryStateStore();
  await state.set("_agency.budget/asker", { version: 1, per: "run" });
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 100 } })],
    state,
  });
  assert.match(
    (await outcomes(simulation, "asker"))[0] ?? "",
    /^AGENTRT_MODEL_BUDGET_LEDGER_INVALID: .* limit_usd is not a number/,
  );
  await simulation.runtime.resetBudget("asker");
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
});

test("resetBudget() begins again with nothing spent, and refuses a name without a budget", async () => {
  await using simulation = await simulate({
    children: [child(Asker, "asker", { budget: { tokens: 10 } })],
  });
  await outcomes(simulation, "asker");
  assert.match((await outcomes(simulation, "asker"))[0] ?? "", exceeded);
  await simulation.runtime.resetBudget("asker");
  assert.deepEqual(await outcomes(simulation, "asker"), ["answered"]);
  await assert.rejects(simulation.runtime.resetBudget("root"), { code: "AGENTRT_MODEL_NO_BUDGET" });
});

for (const { title, budget, message } of [
  { title: "no limit", budget: {}, message: /budget: found an object, wanted usd, tokens or both/ },
  { title: "a negative limit", budget: { usd: -1 }, message: /budget\.usd: found -1/ },
  { title: "half a token", budget: { tokens: 0.5 }, message: /budget\.tokens: found 0\.5/ },
  {
    title: "per key",
    budget: { usd: 1, per: "key" },
    message: /budget\.per: found "key", wanted one of run, hour/,
  },
  { title: "an unknown name", budget: { euro: 1 }, message: /unknown option "euro"/ },
] as const) {
  test(`a budget with ${title} is refused when the tree is described`, () => {
    const given = budget as { readonly usd?: number };
    assert.throws(() => child(Asker, "asker", { budget: given }), { message });
    assert.throws(() => pool(Asker, "asker", { size: 1, budget: given }), { message });
    const children = [child(Asker, "asker")];
    assert.throws(() => supervisor("root", { children, budget: given }), { message });
  });
}
