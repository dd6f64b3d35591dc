/** Pools under the faults of the simulation: the invariants of the kernel hold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions } from "testkit";
import { Agent, child, type JsonObject, pool, supervisor } from "../../index.ts";
import { explore } from "../../../testing/index.ts";

class Member extends Agent {
  override async handle(): Promise<JsonObject> {
    return await this.call("helper", {}, { timeoutMs: 500 });
  }
}

class Helper extends Agent {
  override handle(): JsonObject {
    return { by: this.name };
  }
}

class Asker extends Agent {
  override async handle(): Promise<void> {
    await this.cast("helper", {});
    await this.call("member", {}, { timeoutMs: 2000 });
  }
}

test("messages, crashes, restarts and stops of pools keep the invariants of the kernel", async () => {
  const seedCount = repetitions(60);
  let messageCount = 0;
  let restartCount = 0;
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const report = await explore({
      seed,
      supervision: supervisor("root", {
        children: [
          pool(Helper, "helper", { size: 2 }),
          pool(Member, "member", { memberCountMax: 4, scaleAfterMs: 20, idleMs: 500 }),
          child(Asker, "asker"),
        ],
      }),
    });
    assert.equal(report.violation, undefined, `seed ${seed}: ${JSON.stringify(report.violation)}`);
    messageCount += report.counts.messages;
    restartCount += report.counts.restarts;
  }
  assert.ok(messageCount > (50 * seedCount) / 3, String(messageCount));
  assert.ok(restartCount > seedCount / 3, String(restartCount));
});
