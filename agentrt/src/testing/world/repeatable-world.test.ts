import assert from "node:assert/strict";
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { Agent, child, supervisor } from "../../core/index.ts";
import { Simulation } from "../index.ts";

function look() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return {
    random: Math.random(),
    now: Date.now(),
    date: new Date().toISOString(),
    text: Date(),
    performance: performance.now(),
    origin: performance.timeOrigin,
    hrtime: process.hrtime(),
    hrtimeBig: String(process.hrtime.bigint()),
    uptime: process.uptime(),
    uuid: crypto.randomUUID(),
    nodeUuid: randomUUID(),
    bytes: randomBytes(8).toString("hex"),
    int: randomInt(5, 10),
    words: [...words],
  };
}

class Looker extends Agent {
  readonly #made = look();

  override async handle() {
    await Promise.resolve();
    return { made: this.#made, now: look() };
  }
}

const supervision = supervisor("root", { children: [child(Looker, "looker")] });

async function lookAt(seed: number) {
  await using simulation = new Simulation({ seed, supervision });
  await simulation.start();
  await simulation.advance(90_061_001);
  const told = await simulation.call("looker", {});
  return { told, direct: await simulation.runtime.call("looker", {}) };
}

test("clock and chance of a simulated agent come from the seed and the virtual clock", async () => {
  const first = await lookAt(7);
  assert.deepEqual(await lookAt(7), first);
  assert.notDeepEqual(await lookAt(8), first);
  const { now } = first.told as { now: ReturnType<typeof look> };
  assert.equal(now.date, "2025-01-02T01:01:01.001Z");
  assert.equal(now.now, Date.parse(now.date));
  assert.equal(now.performance, 90_061_001);
  assert.equal(now.origin, Date.UTC(2025, 0, 1));
  assert.deepEqual(now.hrtime, [90_061, 1_000_000]);
  assert.equal(now.hrtimeBig, "90061001000000");
  assert.match(now.uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.ok(now.int >= 5 && now.int < 10);
});

test("outside of a simulation the clock and chance are the real ones", async () => {
  await lookAt(1);
  const [a, b] = [look(), look()];
  assert.ok(Math.abs(Date.now() - a.now) < 60_000 && a.now > Date.UTC(2026, 0, 1));
  assert.notEqual(a.uuid, b.uuid);
  assert.notEqual(a.nodeUuid, b.nodeUuid);
  assert.notEqual(a.random, b.random);
  assert.ok(new Date() instanceof Date && new Date(5).getTime() === 5);
  class Own extends Date {}
  assert.ok(new Own() instanceof Own && structuredClone(new Date(3)) instanceof Date);
});
