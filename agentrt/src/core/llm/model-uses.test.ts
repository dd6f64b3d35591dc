import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/index.ts";
import { Agent, dynamicSupervisor, modelReply, supervisor } from "../index.ts";
import type { ModelRequest } from "../index.ts";
import { Script, says, simulate } from "./test-support/scripted-models.ts";

/** Answers as the model that is asked; only `free` has no known price. */
const named = () => {
  const answer = ({ model }: ModelRequest) =>
    Promise.resolve(
      modelReply({
        model,
        content: "",
        tokensIn: 10,
        tokensOut: 2,
        costUsd: model === "free" ? null : 0.25,
      }),
    );
  return { name: "main", provider: new Script(answer) };
};

const use = (callCount: number, unpricedCallCount = 0) => ({
  calls: callCount,
  unpricedCalls: unpricedCallCount,
  tokensIn: 10 * callCount,
  tokensOut: 2 * callCount,
  costUsd: 0.25 * (callCount - unpricedCallCount),
});

test("an agent that uses two models in turn has exact sums for each, and a restart takes nothing from them", async () => {
  await using simulation = await simulate([named()]);
  for (const model of ["a", "free", "a", "free", "a"]) await simulation.call("asker", { model });
  const expected = { a: use(3), free: use(2, 2) };
  assert.deepEqual({ ...simulation.runtime.snapshot().agents["asker"]?.byModel }, expected);
  await simulation.crash("asker");
  await simulation.advance(1000);
  const { agents, models, totalCostUsd } = simulation.runtime.snapshot();
  assert.deepEqual({ ...agents["asker"]?.byModel }, expected);
  assert.deepEqual({ ...models }, expected);
  assert.equal(totalCostUsd, 0.75);
  await simulation.call("asker", { model: "a" });
  assert.deepEqual(simulation.runtime.snapshot().agents["asker"]?.byModel["a"], use(4));
});

test("an agent has 20 models of its own, the runtime 100; the first ones keep their names, the rest is _other", async () => {
  await using simulation = await simulate([named()]);
  const ask = async (index: number): Promise<unknown> =>
    await simulation.call("asker", { model: `m-${index}` });
  for (let index = 0; index < 130; index += 1) await ask(index);
  await ask(19);
  await ask(129);
  const { agents, models } = simulation.runtime.snapshot();
  const own = agents["asker"]?.byModel ?? {};
  assert.equal(Object.keys(own).length, 21);
  assert.deepEqual([own["m-0"], own["m-19"], own["m-20"]], [use(1), use(2), undefined]);
  assert.deepEqual(own["_other"], use(111));
  assert.equal(Object.keys(models).length, 101);
  assert.deepEqual([models["m-99"], models["_other"]], [use(1), use(31)]);
});

test("what a model is called by a strange server is cut, and no name of it is special", async () => {
  await using simulation = await simulate([named()]);
  for (const model of ["__proto__", "x".repeat(5000)]) await simulation.call("asker", { model });
  const { models } = simulation.runtime.snapshot();
  assert.deepEqual(Object.keys(models), ["__proto__", `${"x".repeat(199)}…`]);
});

test("what a child has used stays in the sums of the models when it is gone", async () => {
  class Once extends Agent {
    override async handle() {
      await this.llm.chat({ messages: [{ role: "user", content: "Hi" }] });
      return {};
    }
  }
  const supervision = supervisor("root", {
    children: [dynamicSupervisor("kids")],
  });
  const models = [{ name: "main", provider: new Script(says("Hello")) }];
  await using simulation = new Simulation({ supervision, models });
  await simulation.start();
  for (const name of ["one", "two"]) {
    await simulation.runtime.spawn(Once, name);
    await simulation.call(name, {});
    await simulation.runtime.despawn(name);
  }
  assert.deepEqual(Object.keys(simulation.runtime.snapshot().agents), []);
  assert.deepEqual({ ...simulation.runtime.snapshot().models }, { "script-1": use(2) });
});
