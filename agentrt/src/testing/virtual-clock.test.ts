import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Agent, child, supervisor, type JsonObject, type Message } from "../core/index.ts";
import { SeededRandom, Simulation, VirtualClock } from "./index.ts";

test("VirtualClock: time passes only by advance(), timers fire in order of time, then of setting", async () => {
  const clock = new VirtualClock({ startMs: 1000 });
  const fired: string[] = [];
  const note = (name: string) => () => fired.push(`${name}@${clock.nowMs()}`);
  clock.setTimer(20, note("b"));
  clock.setTimer(10, note("a"));
  clock.setTimer(20, note("c"));
  const cleared = clock.setTimer(15, note("cleared"));
  clock.clearTimer(cleared);
  clock.setTimer(5, () => clock.setTimer(5, note("nested")));
  await clock.runUntilIdle();
  assert.deepEqual(fired, []);
  await clock.advance(19);
  assert.deepEqual(fired, ["a@1010", "nested@1010"]);
  await clock.advance(1);
  assert.deepEqual(fired, ["a@1010", "nested@1010", "b@1020", "c@1020"]);
  assert.equal(clock.monotonicMs(), 20);
  assert.equal(clock.timerCount, 0);
});

test("VirtualClock: one seed gives one sequence of ids and randomness, another seed another", () => {
  const draw = (seed: number) => {
    const clock = new VirtualClock({ seed });
    return [clock.nextId(), clock.nextTraceId(), clock.nextSpanId(), clock.random()];
  };
  assert.deepEqual(draw(7), draw(7));
  for (const [index, value] of draw(8).entries()) assert.notEqual(value, draw(7)[index]);
});

test("SeededRandom stays in its range and spreads evenly, for any seed", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new SeededRandom(seed);
      const counts = [0, 0, 0, 0, 0];
      for (let draw = 0; draw < 1000; draw += 1) {
        const index = random.below(5);
        counts[index] = (counts[index] ?? Number.NaN) + 1;
      }
      assert.ok(
        counts.every((count) => count > 120 && count < 280),
        counts.join(" "),
      );
    }),
  );
});

async function interleaving(seed: number): Promise<string> {
  const order: string[] = [];
  class Talker extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      order.push(`${this.name}${JSON.stringify(message.payload["n"])}`);
      return {};
    }
  }
  await using simulation = new Simulation({
    seed,
    supervision: supervisor("root", {
      children: ["a", "b", "c"].map((name) => child(Talker, name)),
    }),
  });
  await simulation.start();
  for (let n = 0; n < 5; n += 1) {
    for (const name of ["a", "b", "c"]) void simulation.runtime.cast(name, { n });
  }
  await simulation.runUntilIdle();
  return order.join(" ");
}

test("the seed decides the interleaving of mailboxes, never the order within one", async () => {
  const orders = new Set<string>();
  for (let seed = 1; seed <= 10; seed += 1) {
    const order = await interleaving(seed);
    assert.equal(await interleaving(seed), order, "the same seed, the same order");
    assert.equal(order.replaceAll(/[bc]\d ?/g, "").trim(), "a0 a1 a2 a3 a4");
    orders.add(order);
  }
  assert.ok(orders.size >= 9, `${orders.size} different interleavings of 10 seeds`);
});

test("runUntilIdle() gives up on mailboxes that feed each other for ever", async () => {
  class Loop extends Agent {
    override async handle(message: Message): Promise<void> {
      if (message.payload["stop"] !== true) await this.send(this.name, {});
    }
  }
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Loop, "loop")] }),
  });
  await simulation.start();
  await simulation.runtime.cast("loop", {});
  await assert.rejects(simulation.clock.runUntilIdle({ stepCountMax: 1000 }), {
    message: /1000 messages and still more to do/,
  });
  await simulation.runtime.stopAgent("loop");
  await simulation.stop();
});
