import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { createTextLog } from "../ports/log.ts";
import { Runtime } from "../../runtime/index.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import type { Message } from "../messages/message.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

interface Plan {
  /** Milliseconds before each chunk. */
  readonly producerDelaysMs: readonly number[];
  /** Milliseconds before each read, over and over. */
  readonly consumerDelaysMs: readonly number[];
  readonly bufferLengthMax: number;
  readonly style: "yield" | "emit" | "sync";
  /** Reads after which something ends the stream; more than there are chunks: nothing does. */
  readonly endsAfter: number;
  readonly ending: "leave" | "abort" | "throw" | "crash" | "stop";
  readonly seed: number;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  producerDelaysMs: fc.array(fc.constantFrom(0, 0, 0, 7, 250), { maxLength: 40, size: "max" }),
  consumerDelaysMs: fc.array(fc.constantFrom(0, 0, 3, 100), { minLength: 1, maxLength: 5 }),
  bufferLengthMax: fc.integer({ min: 1, max: 9 }),
  style: fc.constantFrom("yield", "emit", "sync"),
  endsAfter: fc.integer({ min: 0, max: 60 }),
  ending: fc.constantFrom("leave", "abort", "throw", "crash", "stop"),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

const tally = {
  begun: 0,
  finallyCount: 0,
  wait: (delayMs: number): Promise<void> => assert.fail(`no clock to wait ${delayMs} ms by`),
};

class Planned extends Agent {
  override handle(message: Message) {
    const { style, delaysMs } = message.payload as { style: string; delaysMs: number[] };
    if (style === "emit") return this.#emitAll(message, delaysMs);
    return style === "sync" ? this.#yieldAll(delaysMs) : this.#yieldLater(delaysMs);
  }

  *#yieldAll(delaysMs: readonly number[]) {
    tally.begun += 1;
    try {
      for (let n = 0; n < delaysMs.length; n += 1) yield { n };
    } finally {
      tally.finallyCount += 1;
    }
  }

  async *#yieldLater(delaysMs: readonly number[]) {
    tally.begun += 1;
    try {
      for (const [n, delayMs] of delaysMs.entries()) {
        await tally.wait(delayMs);
        yield { n };
      }
    } finally {
      tally.finallyCount += 1;
    }
  }

  async #emitAll(message: Message, delaysMs: readonly number[]): Promise<void> {
    tally.begun += 1;
    try {
      for (const [n, delayMs] of delaysMs.entries()) {
        await tally.wait(delayMs);
        await this.emit(message, { n });
      }
    } finally {
      tally.finallyCount += 1;
    }
  }
}

async function follow(simulation: Simulation, plan: Plan): Promise<unknown[]> {
  const { runtime } = simulation;
  const controller = new AbortController();
  const payload = { style: plan.style, delaysMs: [...plan.producerDelaysMs] };
  const { bufferLengthMax } = plan;
  const options = { bufferLengthMax, signal: controller.signal };
  const taken: unknown[] = [];
  const stream = runtime.stream("planned", payload, options);
  try {
    for (;;) {
      await tally.wait(plan.consumerDelaysMs[taken.length % plan.consumerDelaysMs.length] ?? 0);
      if (taken.length === plan.endsAfter) {
        if (plan.ending === "leave") await stream.return();
        if (plan.ending === "abort") controller.abort();
        if (plan.ending === "throw") throw new Error("the consumer's own");
        if (plan.ending === "crash") await runtime.restart("planned");
        if (plan.ending === "stop") void runtime.stopAgent("planned");
      }
      const step = await stream.next();
      if (step.done === true) break;
      taken.push(step.value["n"]);
    }
  } catch {
    await stream.return();
  }
  return taken;
}

test("whatever the paces and the ending: what comes is a prefix in order, finally runs once, nothing is left", async () => {
  const run = async (plan: Plan): Promise<void> => {
    const simulation = new Simulation({
      seed: plan.seed,
      supervision: supervisor("root", {
        backoffBaseMs: 0,
        children: [child(Planned, "planned")],
      }),
    });
    const { clock } = simulation;
    tally.begun = 0;
    tally.finallyCount = 0;
    tally.wait = (delayMs) =>
      delayMs === 0
        ? Promise.resolve()
        : new Promise((resolve) => void clock.setTimer(delayMs, resolve));
    await simulation.start();
    const taken = await simulation.until(follow(simulation, plan));
    await simulation.advance(20_000);
    const { length } = plan.producerDelaysMs;
    const isWhole = plan.endsAfter > length;
    assert.deepEqual(
      taken,
      Array.from({ length: taken.length }, (_, n) => n),
    );
    assert.ok(taken.length <= length);
    if (isWhole) assert.equal(taken.length, length);
    assert.equal(tally.finallyCount, tally.begun);
    assert.ok(tally.begun <= 1);
    assert.equal(simulation.runtime.snapshot().agents["planned"]?.errors ?? 0, crashesOf(plan));
    await simulation.stop();
    assert.equal(clock.timerCount, 0, "no timer is left");
    simulation.events.close();
  };
  await fc.assert(fc.asyncProperty(plans, run), { numRuns: repetitions(300), seed: 20_261_121 });
});

/** A restart on request is a crash of the agent, whatever it is at. */
function crashesOf(plan: Plan): number {
  return plan.ending === "crash" && plan.endsAfter <= plan.producerDelaysMs.length ? 1 : 0;
}

for (const mode of ["stream", "cast"] as const) {
  test(`an endless generator without an await leaves the event loop free: ${mode}`, async () => {
    let yieldCount = 0;
    class Endless extends Agent {
      override *handle() {
        for (;;) {
          yieldCount += 1;
          yield { n: yieldCount };
        }
      }
    }
    const runtime = new Runtime({
      supervision: supervisor("root", {
        children: [child(Endless, "endless", { shutdownTimeoutMs: 1 })],
      }),
      log: createTextLog({ write: () => {} }),
    });
    await runtime.start();
    let isReading = true;
    const read = async (): Promise<void> => {
      for await (const _ of runtime.stream("endless", {})) if (!isReading) break;
    };
    const reading = mode === "stream" ? read() : runtime.cast("endless", {});
    // Turns of the real event loop: they come although the generator never rests.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const before = yieldCount;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(yieldCount > before);
    isReading = false;
    await reading;
    await runtime.stop();
    const after = yieldCount;
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(yieldCount, after, "nothing runs on");
  });
}
