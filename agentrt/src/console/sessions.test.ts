import assert from "node:assert/strict";
import { test } from "node:test";
import { ConsoleSessions } from "./sessions.ts";

const minuteMs = 60_000;
const ada = { credentials: {}, principal: "ada", scopes: null };

function sessionsAt(): { readonly sessions: ConsoleSessions; readonly clock: { nowMs: number } } {
  const clock = { nowMs: 1_000_000 };
  return { sessions: new ConsoleSessions(() => clock.nowMs), clock };
}

test("a session ends half an hour after it was used last, and after twelve hours", () => {
  const { sessions, clock } = sessionsAt();
  const { id } = sessions.open(ada);
  for (let minutes = 0; minutes < 12 * 60 - 29; minutes += 29) {
    assert.notEqual(sessions.find([id]), undefined, `${minutes} minutes`);
    clock.nowMs += 29 * minuteMs;
  }
  clock.nowMs += 29 * minuteMs;
  assert.equal(sessions.find([id]), undefined);
  const { id: idle } = sessions.open(ada);
  clock.nowMs += 30 * minuteMs;
  assert.equal(sessions.find([idle]), undefined);
});

test("a session ends with its credentials", () => {
  const { sessions, clock } = sessionsAt();
  const { id } = sessions.open({ ...ada, credentialsEndMs: clock.nowMs + minuteMs });
  clock.nowMs += minuteMs - 1;
  assert.equal(sessions.find(["unknown", id])?.principal, "ada");
  clock.nowMs += 1;
  assert.equal(sessions.find([id]), undefined);
});

test("hundreds who share a key, or need none, each keep their session", () => {
  const { sessions } = sessionsAt();
  const ids = Array.from({ length: 900 }, () => sessions.open(ada).id);
  for (const id of ids) assert.notEqual(sessions.find([id]), undefined);
});

test("of a principal that has most the session that was used longest ago makes room, and none of another", () => {
  const { sessions } = sessionsAt();
  const { id: others } = sessions.open({ ...ada, principal: "bob" });
  const ids = Array.from({ length: 999 }, () => sessions.open(ada).id);
  assert.notEqual(sessions.find([ids[0] ?? ""]), undefined);
  sessions.open(ada);
  assert.notEqual(sessions.find([ids[0] ?? ""]), undefined);
  assert.equal(sessions.find([ids[1] ?? ""]), undefined);
  assert.notEqual(sessions.find([ids[2] ?? ""]), undefined);
  for (let count = 0; count < 1000; count += 1) sessions.open(ada);
  assert.equal(sessions.find([others])?.principal, "bob");
});

test("of a thousand sessions one of who has most makes room", () => {
  const { sessions } = sessionsAt();
  const { id: first } = sessions.open({ ...ada, principal: "bob" });
  const [oldest = ""] = Array.from({ length: 2 }, () => sessions.open(ada).id);
  for (let count = 0; count < 997; count += 1) sessions.open({ ...ada, principal: `p${count}` });
  sessions.open({ ...ada, principal: "eve" });
  assert.notEqual(sessions.find([first]), undefined);
  assert.equal(sessions.find([oldest]), undefined);
});

test("a stream ends when its session is closed, and at its first piece after the session's end", async () => {
  const { sessions, clock } = sessionsAt();
  const { id, session } = sessions.open(ada);
  const left: string[] = [];
  const source = (name: string): AsyncIterable<string> => {
    const waiting = Promise.withResolvers<IteratorResult<string>>();
    let count = 0;
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          count += 1;
          return count < 3 ? { done: false, value: `${count}` } : await waiting.promise;
        },
        return: async () => {
          left.push(name);
          waiting.resolve({ done: true, value: undefined });
          return { done: true, value: undefined };
        },
      }),
    };
  };
  const first = sessions.bound(session, source("first"))[Symbol.asyncIterator]();
  assert.deepEqual(await first.next(), { done: false, value: "1" });
  await first.next();
  const pending = first.next();
  sessions.close([id]);
  assert.deepEqual(await pending, { done: true, value: undefined });
  assert.ok(left.includes("first"));
  const other = sessions.open(ada);
  const late = sessions.bound(other.session, source("late"))[Symbol.asyncIterator]();
  clock.nowMs += 13 * 60 * minuteMs;
  assert.deepEqual(await late.next(), { done: true, value: undefined });
  assert.ok(left.includes("late"));
});
