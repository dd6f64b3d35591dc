/** A wall clock that somebody sets, or that a server corrects, moves nothing that is measured in time that passes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  GenServer,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
} from "../core/index.ts";
import { Simulation } from "../testing/index.ts";

const hourMs = 3_600_000;
const jumps = { "back by an hour": -hourMs, "ahead by a day": 24 * hourMs };

/** Lets the wall clock of a simulation be set apart from the monotonic one. */
function setWallClock({ clock, runtime }: Simulation, jumpMs: number): void {
  const nowMs = clock.nowMs.bind(clock);
  const beforeMs = runtime.system.nowMs();
  clock.nowMs = () => nowMs() + jumpMs;
  assert.equal(runtime.system.nowMs() - beforeMs, jumpMs);
}

for (const [name, jumpMs] of Object.entries(jumps)) {
  test(`a wall clock that is set ${name} moves no deadline, no ttlMs and no timer`, async () => {
    const ticks: number[] = [];
    class Busy extends GenServer {
      override onStart(): void {
        this.sendAfter(1000, {});
      }
      override async handleCall(): Promise<JsonObject> {
        await simulation.sleep(5000);
        return {};
      }
      override handleInfo(): void {
        ticks.push(simulation.clock.monotonicMs());
      }
    }
    await using simulation = new Simulation({
      supervision: supervisor("root", {
        children: [child(Busy, "ticking"), child(Busy, "busy")],
      }),
    });
    await simulation.start();
    const { runtime, clock } = simulation;
    const ends: (readonly [code: string, atMs: number])[] = [];
    const note = (error: { code: string }): void =>
      void ends.push([error.code, Math.round(clock.monotonicMs() / 100) * 100]);
    const asked = [
      runtime.call("busy", {}, { timeoutMs: 1500 }).catch(note),
      runtime.call("busy", {}, { ttlMs: 2000, timeoutMs: 20_000 }).catch(note),
      runtime.call("busy", {}, { ttlMs: 9000, timeoutMs: 20_000 }),
    ];
    await simulation.advance(500);
    setWallClock(simulation, jumpMs);
    await simulation.until(Promise.all(asked));
    assert.deepEqual(ends, [
      ["AGENTRT_BUS_TIMEOUT", 1500],
      ["AGENTRT_BUS_EXPIRED", 5000],
    ]);
    assert.ok(Math.abs((ticks[0] ?? 0) - 1000) <= 20, String(ticks));
  });

  test(`a wall clock that is set ${name} neither forgets crashes nor keeps them, and passivates in time`, async () => {
    class Worker extends Agent {
      override handle(): JsonObject {
        return {};
      }
    }
    await using simulation = new Simulation({
      supervision: supervisor("root", {
        restartCountMax: 2,
        restartWindowMs: 60_000,
        backoffBaseMs: 0,
        children: [child(Worker, "worker"), keyed(Worker, "ticket", { key: "id", idleMs: 30_000 })],
      }),
    });
    await simulation.start();
    const { runtime } = simulation;
    await simulation.call("ticket", { id: "a" });
    await simulation.crash("worker");
    setWallClock(simulation, jumpMs);
    await simulation.advance(20_000);
    assert.equal(runtime.keys("ticket").length, 1);
    assert.equal(runtime.tree().crashesInWindow, 1);
    await simulation.advance(20_000);
    assert.equal(runtime.keys("ticket").length, 0);
    await simulation.advance(30_000);
    assert.equal(runtime.tree().crashesInWindow, 0);
    for (let count = 0; count < 3; count += 1) {
      await simulation.crash("worker");
      await simulation.advance(10);
    }
    assert.deepEqual(runtime.health(), { status: "degraded", failed: ["worker"] });
  });

  test(`a wall clock that is set ${name} brings no member of a pool, and takes none`, async () => {
    class Writer extends Agent {
      override async handle({ payload }: Message): Promise<JsonObject> {
        await simulation.sleep(Number(payload["ms"]));
        return {};
      }
    }
    const size = { memberCountMin: 1, memberCountMax: 2, scaleAfterMs: 10_000, idleMs: 30_000 };
    await using simulation = new Simulation({
      supervision: supervisor("root", { children: [pool(Writer, "writer", size)] }),
    });
    await simulation.start();
    const { runtime } = simulation;
    const memberCount = (): number => {
      const [node] = runtime.tree().children;
      assert.ok(node?.kind === "supervisor");
      return node.children.length;
    };
    const calls = [15_000, 10].map((ms) => runtime.call("writer", { ms }, { timeoutMs: 60_000 }));
    await simulation.advance(5000);
    setWallClock(simulation, jumpMs);
    await simulation.advance(4900);
    assert.equal(memberCount(), 1);
    await simulation.advance(200);
    assert.equal(memberCount(), 2);
    await simulation.until(Promise.all(calls));
    setWallClock(simulation, jumpMs);
    await simulation.advance(20_000);
    assert.equal(memberCount(), 2);
    await simulation.advance(20_000);
    assert.equal(memberCount(), 1);
  });
}
