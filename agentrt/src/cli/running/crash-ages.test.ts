/** A crash loop does not begin with full limits at the supervisor process that takes over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, createTextLog, type JsonObject, supervisor } from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { CrashAges } from "./crash-ages.ts";

class Desk extends Agent {
  override async handle(): Promise<JsonObject> {
    throw new Error("as told");
  }
}

function start(clock: VirtualClock): Runtime {
  return new Runtime({
    system: clock,
    scheduler: clock.scheduler,
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      restartCountMax: 3,
      restartWindowMs: 60_000,
      backoffBaseMs: 0,
      children: [child(Desk, "desk")],
    }),
  });
}

test("crashes that one process has counted count in the next one, for as long as they would have", async () => {
  const clock = new VirtualClock();
  const crash = async (runtime: Runtime): Promise<void> => {
    const asked = assert.rejects(runtime.call("desk", {}));
    await clock.advance(10);
    await asked;
  };
  const first = start(clock);
  await first.start();
  const ages = new CrashAges(clock);
  ages.watch(first);
  for (let count = 0; count < 2; count += 1) {
    await crash(first);
    await clock.advance(10_000);
  }
  const legacy = JSON.parse(JSON.stringify(ages.agesMs())) as JsonObject;
  await clock.advance(5000);

  const second = start(clock);
  const next = new CrashAges(clock);
  next.watch(second);
  await second.start();
  second.recallCrashes(next.recall({ ...legacy, odd: "text", other: [null, -1, "x"] }, 5000));
  assert.equal(second.tree().crashesInWindow, 2);
  await crash(second);
  assert.deepEqual([second.tree().crashesInWindow, second.health().failed], [3, []]);
  assert.equal(next.agesMs()["root"]?.length, 3);
  await crash(second);
  assert.deepEqual(second.health().failed, ["desk"]);

  const third = start(clock);
  await third.start();
  third.recallCrashes(new CrashAges(clock).recall(legacy, 40_000));
  assert.equal(third.tree().crashesInWindow, 1);
  const ends = [first, second, third].map((each) => each.stop({ timeoutMs: 0 }));
  await clock.advance(1000);
  await Promise.all(ends);
});
