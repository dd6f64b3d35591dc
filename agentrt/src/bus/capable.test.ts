/** Requests to one of those who can do something. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, type JsonObject, type Message, supervisor } from "../core/index.ts";
import { Simulation } from "../testing/index.ts";

class Translator extends Agent {
  override handle(message: Message) {
    const { tag } = message.payload as { tag?: string };
    if (tag !== undefined) return this.callCapable(tag, {});
    if (message.isStream) return this.#stream();
    return { by: this.name };
  }

  async *#stream() {
    yield { by: this.name };
    yield { isLast: true };
  }
}

/** Asks by both verbs, as an agent does. */
class Asker extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    const tag = payload["tag"] as string;
    const { by } = await this.callCapable(tag, {});
    const chunks: JsonObject[] = [];
    for await (const chunk of this.streamCapable(tag, {})) chunks.push(chunk);
    return { by: by ?? null, chunks };
  }
}

async function simulate(seed = 1): Promise<Simulation> {
  const children = [
    child(Asker, "asker"),
    child(Translator, "one", { capabilities: ["translate"] }),
    child(Translator, "two", { capabilities: ["translate", "proof"] }),
  ];
  const simulation = new Simulation({ seed, supervision: supervisor("root", { children }) });
  await simulation.start();
  return simulation;
}

async function chunksOf(stream: AsyncIterable<JsonObject>): Promise<JsonObject[]> {
  const chunks: JsonObject[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test("callCapable() and streamCapable() ask every holder over the seeds, from inside and outside of the tree", async () => {
  const seen = { asked: new Set(), streamed: new Set(), called: new Set(), outside: new Set() };
  for (let seed = 1; seed <= 12; seed += 1) {
    await using simulation = await simulate(seed);
    const { runtime } = simulation;
    const { by, chunks } = await simulation.call("asker", { tag: "translate" });
    seen.asked.add(by);
    seen.streamed.add((chunks as JsonObject[])[0]?.["by"]);
    assert.deepEqual((chunks as JsonObject[])[1], { isLast: true });
    const called = await simulation.until(runtime.callCapable("translate", {}));
    seen.called.add(called["by"]);
    const [first] = await simulation.until(chunksOf(runtime.streamCapable("translate", {})));
    seen.outside.add(first?.["by"]);
  }
  for (const names of Object.values(seen)) {
    assert.deepEqual([...names].map(String).toSorted(), ["one", "two"]);
  }
});

test("who takes no messages is passed over, and nobody left is an error that says so", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await runtime.stopAgent("one");
  for (let count = 0; count < 8; count += 1) {
    assert.deepEqual(await simulation.until(runtime.callCapable("translate", {})), { by: "two" });
  }
  await runtime.stopAgent("two");
  const error = { code: "AGENTRT_BUS_NO_CAPABLE" };
  await assert.rejects(runtime.callCapable("translate", {}), error);
  await assert.rejects(runtime.sendCapable("translate", {}), error);
  const stream = runtime.streamCapable("paint", {});
  await assert.rejects(stream.next(), { ...error, message: /no agent declares it/ });
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});

test("a holder that asks for its own capability is asked only when there is no other", async () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    await using simulation = await simulate(seed);
    assert.deepEqual(await simulation.call("one", { tag: "translate" }), { by: "two" });
    const alone = simulation.call("two", { tag: "proof" });
    await assert.rejects(alone, /it waits for this call itself: two -> two/);
  }
});
