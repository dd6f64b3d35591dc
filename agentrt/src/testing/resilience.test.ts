/** Trees with policies under seeded interleavings, faults and models. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions } from "testkit";
import { Agent, child, type Message, type ResilienceOptions, supervisor } from "../core/index.ts";
import { explore, seededModel, type MakeModels } from "./index.ts";

class Asker extends Agent {
  override async handle({ payload }: Message) {
    const { content, provider } = await this.llm.chat({
      messages: [{ role: "user", content: JSON.stringify(payload) }],
    });
    return { content, provider };
  }
}

class Front extends Agent {
  #count = 0;

  override async handle() {
    this.#count += 1;
    if (this.#count % 2 === 0) return { ...(await this.call("asker", {}, { timeoutMs: 20_000 })) };
    for await (const chunk of this.stream("asker", {}, { timeoutMs: 20_000 })) return { chunk };
    return {};
  }
}

const circuitBreaker = { callCountMin: 2, openMs: 2000 };
const resilience: ResilienceOptions = {
  models: {
    main: { timeoutMs: 1500, retry: { retryCountMax: 1 }, circuitBreaker, fallback: "spare" },
    spare: { circuitBreaker },
  },
  agents: {
    asker: { timeoutMs: 6000, retry: { retryCountMax: 2, backoffBaseMs: 200 }, circuitBreaker },
    front: { circuitBreaker },
  },
};
const models: MakeModels = (world) =>
  ["main", "spare"].map((name) => ({ name, provider: seededModel(world) }));
const treeOf = () =>
  supervisor("root", {
    backoffBaseMs: 100,
    children: [
      child(Asker, "asker", { concurrency: 5 }),
      child(Front, "front", { concurrency: 5 }),
    ],
  });

test("no invariant of the kernel breaks over retries, fallbacks and circuits, whatever goes wrong", async () => {
  let faultCount = 0;
  // In the last three a second attempt is on its way when all has stopped: of calls, and of a stream.
  const seeds = [
    ...Array.from({ length: repetitions(37) }, (_, index) => index + 1),
    338,
    511,
    927,
  ];
  for (const seed of seeds) {
    const report = await explore({ supervision: treeOf(), resilience, models, seed });
    assert.equal(report.violation, undefined, `seed ${seed}: ${report.violation?.invariant}`);
    faultCount += report.counts.faults;
  }
  assert.ok(faultCount > 5 * seeds.length, `${faultCount} faults in all`);
});

test("a run with policies repeats from its seed, message for message", async () => {
  const run = async (seed: number) =>
    await explore({ supervision: treeOf(), resilience, models, seed, isTraced: true });
  const { trace } = await run(9);
  assert.ok(trace.length > 50, `${trace.length} lines`);
  assert.deepEqual((await run(9)).trace, trace);
});
