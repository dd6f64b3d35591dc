import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  dynamicSupervisor,
  modelReply,
  supervisor,
  type TreeNode,
} from "../../core/index.ts";
import { SeededRandom, Simulation } from "../../testing/index.ts";
import { AgentSeries } from "../observing/index.ts";
import { agentFamilies } from "./agent-families.ts";
import { familiesText } from "./family-text.ts";

class Desk extends Agent {
  override async handle() {
    await this.llm.chat({ messages: [{ role: "user", content: "" }], model: "m" });
    return {};
  }
}

const provider = {
  chat: async () => modelReply({ model: "m", content: "", tokensIn: 3, tokensOut: 2, costUsd: 1 }),
};

/** The counters of a scrape, by family and labels. */
function scrape({ runtime }: Simulation, series: AgentSeries): Map<string, number> {
  const snapshot = runtime.snapshot();
  const agents = series.of(snapshot);
  const root: TreeNode = { ...runtime.tree(), children: [] };
  const text = familiesText(agentFamilies({ snapshot, agents }, root, () => null, 0));
  const samples = text.matchAll(/^(\w+_(?:total|count|sum|bucket)\{agent="[^"]*".*\}) (\S+)$/gm);
  return new Map([...samples].map(([, labels = "", value]) => [labels, Number(value)]));
}

test("of more agents than have series, counters only grow while agents come, go and come again", async () => {
  const children = ["a1", "a2", "a3"].map((name) => child(Desk, name));
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [dynamicSupervisor("d", { childCountMax: 20 }), ...children],
    }),
    models: [{ name: "main", provider }],
  });
  await simulation.start();
  const { runtime } = simulation;
  const series = new AgentSeries(5);
  const random = new SeededRandom(7);
  const there = new Set<string>();
  let before = scrape(simulation, series);
  for (let round = 0; round < 150; round += 1) {
    const name = `d${random.below(12)}`;
    if (!there.has(name)) {
      await simulation.until(runtime.spawnInto("d", Desk, name));
      there.add(name);
    } else if (random.next() < 0.4) {
      await simulation.until(runtime.despawn(name));
      there.delete(name);
    } else await simulation.call(name, {});
    if (random.next() < 0.3) continue;
    const now = scrape(simulation, series);
    // One that is gone has no series; another one of its name begins again.
    for (const [labels, value] of before) {
      const isOther = labels.includes('agent="_other"');
      if (isOther || !/agent="d/.test(labels))
        assert.ok((now.get(labels) ?? -1) >= value, `round ${round}: ${labels} fell`);
    }
    before = now;
  }
  const others = before.get('agentrt_messages_handled_total{agent="_other"}') ?? 0;
  assert.ok(others > 10, String(others));
  assert.ok((before.get('agentrt_llm_calls_total{agent="_other",model="m"}') ?? 0) > 10);
});
