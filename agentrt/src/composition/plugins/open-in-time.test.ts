import assert from "node:assert/strict";
import { test } from "node:test";
import { stateErrors } from "../../state/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import { openInTime, type StoreWait } from "./open-in-time.ts";

const away = (): Error =>
  new stateErrors.UNAVAILABLE({ path: "db", agent: undefined, reason: "it is away" });

interface Opening {
  readonly clock: VirtualClock;
  readonly waits: StoreWait[];
  readonly opened: Promise<string>;
  readonly counts: { tried: number };
}

function begin(open: (nowMs: number) => Promise<string>): Opening {
  const clock = new VirtualClock();
  const waits: StoreWait[] = [];
  const counts = { tried: 0 };
  const tried = (): Promise<string> => {
    counts.tried += 1;
    return open(clock.monotonicMs());
  };
  const opened = openInTime(tried, { system: clock, onWait: (wait) => waits.push(wait) });
  opened.catch(() => undefined);
  return { clock, waits, opened, counts };
}

test("a store that comes up later is opened then, and said to be waited for at once and every five seconds", async () => {
  const { clock, waits, opened, counts } = begin(async (nowMs) => {
    if (nowMs < 12_000) throw away();
    return "open";
  });
  await clock.advance(20_000);
  assert.equal(await opened, "open");
  assert.deepEqual(
    waits.map(({ waitedMs }) => waitedMs),
    [0, 5_000, 10_000],
  );
  assert.match(waits[0]?.reason ?? "", /it is away/);
  assert.ok(counts.tried >= 6 && counts.tried <= 15, `${counts.tried} times`);
  assert.equal(clock.timerCount, 0);
});

test("a store that stays away is given up after 60 seconds", async () => {
  const { clock, waits, opened } = begin(() => Promise.reject(away()));
  await clock.advance(58_000);
  assert.equal(waits.length, 12);
  await clock.advance(2_000);
  await assert.rejects(opened, { code: "AGENTRT_STATE_UNAVAILABLE" });
  assert.equal(clock.timerCount, 0);
});

test("one that does not answer is named, too", async () => {
  const { clock, waits, opened } = begin(() => new Promise(() => undefined));
  await clock.advance(5_000);
  assert.deepEqual(waits, [{ reason: "it does not answer", waitedMs: 5_000 }]);
  assert.ok(opened instanceof Promise);
});

test("what is not over by itself, and another runtime on the same states, is not waited for", async () => {
  const errors = [
    new stateErrors.LOCKED({ path: "db", holder: "process 1" }),
    new stateErrors.DATABASE_FAILED({ database: "db", reason: "no password" }),
  ];
  for (const error of errors) {
    const { clock, waits, opened } = begin(() => Promise.reject(error));
    await assert.rejects(opened, error);
    assert.deepEqual([waits.length, clock.timerCount], [0, 0]);
  }
});
