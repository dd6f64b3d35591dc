/** Whatever happens to the members of a pool, every message is handled once, and never more than the maximum at once. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { repetitions } from "testkit";
import { Agent, type Message, pool, supervisor, type TreeNode } from "../../index.ts";
import { forEachSeed, Simulation } from "../../../testing/index.ts";

const messageCount = 1000;
const memberCountMax = 5;

/** Handles after some turns; crashes between two messages when it is told to, with nothing at hand. */
class Counter extends Agent {
  static begun: number[] = [];
  static busyCount = 0;
  static busyCountMax = 0;
  override async handle({ payload }: Message): Promise<void> {
    Counter.begun.push(Number(payload["n"]));
    Counter.busyCount += 1;
    Counter.busyCountMax = Math.max(Counter.busyCountMax, Counter.busyCount);
    await simulation.sleep(Number(payload["ms"]));
    Counter.busyCount -= 1;
  }
}

let simulation: Simulation;

test("a thousand messages are handled once each, over restarts, suspensions, stops and scaling", async () => {
  await forEachSeed({ count: repetitions(15) }, async (seed) => {
    Counter.begun = [];
    Counter.busyCount = 0;
    Counter.busyCountMax = 0;
    simulation = new Simulation({
      seed,
      supervision: supervisor("root", {
        backoffBaseMs: 0,
        restartCountMax: 1000,
        children: [
          pool(Counter, "counter", {
            memberCountMin: 2,
            memberCountMax,
            scaleAfterMs: 20,
            idleMs: 50,
            restartCountMax: 1000,
            backoffBaseMs: 5,
            mailboxLengthMax: 100,
          }),
        ],
      }),
    });
    await using _ = simulation;
    await simulation.start();
    const { runtime, clock } = simulation;
    const sent: Promise<void>[] = [];
    const asked: Promise<unknown>[] = [];
    const quietly = (request: Promise<unknown>): void =>
      void asked.push(request.catch(() => undefined));
    for (let n = 0; n < messageCount; n += 1) {
      const ms = Math.floor(clock.random() * 20);
      sent.push(runtime.cast("counter", { n, ms }, { timeoutMs: 10_000_000 }));
      const dice = clock.random();
      const name = `counter/${1 + Math.floor(clock.random() * memberCountMax)}`;
      if (dice < 0.02) quietly(runtime.restart(name));
      else if (dice < 0.04) quietly(runtime.suspend(name, { reason: "audit" }));
      else if (dice < 0.08) quietly(runtime.resume(name, { approver: "ada" }));
      else if (dice < 0.085) quietly(runtime.restart("counter"));
      else if (dice < 0.09) quietly(runtime.suspend("counter", { reason: "audit" }));
      else if (dice < 0.11) quietly(runtime.resume("counter", { approver: "ada" }));
      if (dice > 0.6) await simulation.advance(Math.floor(clock.random() * 10));
    }
    quietly(runtime.resume("counter", { approver: "ada" }));
    for (let number = 1; number <= memberCountMax; number += 1) {
      quietly(runtime.resume(`counter/${number}`, { approver: "ada" }));
    }
    await simulation.until(Promise.all(sent));
    await simulation.until(Promise.all(asked));
    await simulation.advance(100_000);
    const handled = Counter.begun.toSorted((a, b) => a - b);
    assert.deepEqual(
      handled,
      Array.from({ length: messageCount }, (_each, n) => n),
    );
    assert.ok(Counter.busyCountMax <= memberCountMax, `${Counter.busyCountMax} at once`);
    assert.equal(runtime.snapshot().totalMessages, messageCount);
    const members = (): readonly TreeNode[] => {
      const [node] = runtime.tree().children;
      assert.ok(node?.kind === "supervisor");
      return node.children;
    };
    // Members that rested while all others were resumed may be back, suspended as they were.
    for (const { name, status } of members()) {
      if (status === "SUSPENDED") await simulation.until(runtime.resume(name, { approver: "ada" }));
    }
    await simulation.advance(100_000);
    assert.equal(members().length, 2, "it shrinks to its minimum");
  });
});
