import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, type Message, modelReply, supervisor } from "../../core/index.ts";
import { Simulation } from "../../testing/index.ts";
import { agentCountMax, AgentSeries } from "../observing/index.ts";
import { agentFamilies } from "./agent-families.ts";
import { familiesText } from "./family-text.ts";

class Asker extends Agent {
  override async handle({ payload }: Message) {
    await this.llm.chat({
      messages: [{ role: "user", content: "" }],
      model: payload["model"] as string,
    });
    return {};
  }
}

/** Costs a dollar, whatever it is called. */
const provider = {
  chat: ({ model }: { readonly model: string }) =>
    Promise.resolve(modelReply({ model, content: "", tokensIn: 3, tokensOut: 2, costUsd: 1 })),
};

async function fleet(names: readonly string[]): Promise<Simulation> {
  const children = names.map((name) => child(Asker, name));
  const simulation = new Simulation({
    supervision: supervisor("root", { backoffBaseMs: 0, children }),
    models: [{ name: "main", provider }],
  });
  await simulation.start();
  return simulation;
}

/** The samples of one family as a scrape has them, by their labels. */
function scrape(
  { runtime }: Simulation,
  family: string,
  series = new AgentSeries(),
): Map<string, number> {
  const snapshot = runtime.snapshot();
  const agents = series.of(snapshot);
  const text = familiesText(agentFamilies({ snapshot, agents }, runtime.tree(), () => null, 0));
  const samples = text.matchAll(new RegExp(`^${family}\\{(.*)\\} (\\S+)$`, "gm"));
  return new Map([...samples].map(([, labels = "", value]) => [labels, Number(value)]));
}

test("the series of models only grow while an agent changes its model, and when it is restarted", async () => {
  await using simulation = await fleet(["desk"]);
  const families = ["calls", "tokens_in", "tokens_out", "cost_usd"].flatMap((name) => [
    `agentrt_llm_${name}_total`,
    `agentrt_model_${name}_total`,
  ]);
  const all = () =>
    new Map(
      families.flatMap((family) =>
        [...scrape(simulation, family)].map(([labels, value]): [string, number] => [
          `${family} ${labels}`,
          value,
        ]),
      ),
    );
  let before = all();
  assert.equal(before.size, 0);
  for (const model of ["a", "b", "a", "crash", "b", "a"]) {
    if (model === "crash") {
      await simulation.crash("desk");
      await simulation.advance(1000);
    } else await simulation.call("desk", { model });
    const now = all();
    for (const [series, value] of before)
      assert.ok((now.get(series) ?? -1) >= value, `${series} fell after ${model}`);
    before = now;
  }
  assert.equal(before.size, 16);
  assert.deepEqual(
    [...scrape(simulation, "agentrt_llm_cost_usd_total")],
    [
      ['agent="desk",model="a"', 3],
      ['agent="desk",model="b"', 2],
    ],
  );
});

test("a fleet of 30 models is told apart by model, and 20 of them by agent", async () => {
  await using simulation = await fleet(["one", "two"]);
  for (let index = 0; index < 30; index += 1) {
    await simulation.call("one", { model: `m-${index}` });
    if (index >= 20) await simulation.call("two", { model: `m-${index}` });
  }
  const byAgent = scrape(simulation, "agentrt_llm_calls_total");
  assert.equal(byAgent.size, 21 + 10);
  assert.equal(byAgent.get('agent="one",model="_other"'), 10);
  assert.equal(byAgent.get('agent="two",model="m-29"'), 1);
  const byModel = scrape(simulation, "agentrt_model_tokens_in_total");
  assert.equal(byModel.size, 30);
  assert.equal(byModel.get('model="m-29"'), 6);
});

test("agents beyond the most are together in one series for each model", async () => {
  const names = Array.from({ length: agentCountMax + 3 }, (_, index) => `agent-${index}`);
  await using simulation = await fleet(names);
  for (const name of names.slice(-3)) await simulation.call(name, { model: "a" });
  await simulation.call(names.at(-1) ?? "", { model: "b" });
  assert.deepEqual(
    [...scrape(simulation, "agentrt_llm_cost_usd_total")],
    [
      ['agent="_other",model="a"', 3],
      ['agent="_other",model="b"', 1],
    ],
  );
});
