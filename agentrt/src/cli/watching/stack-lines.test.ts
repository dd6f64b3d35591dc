/** The lines of a stack that `agentrt describe` shows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ownFolder } from "../../core/index.ts";
import { stackLines } from "./stack-lines.ts";

const user = "at Desk.handle (file:///my%20app/agents.ts:6:34)";
const inside = [
  "at #noRoute (file:///x/agentrt/src/bus.ts:1:1)",
  "at Desk.call (file:///x/a.ts:2:2)",
];

test("a stack begins at the first line of the user's code, and says how many calls were inside of it", () => {
  const at = "/my app/agents.ts:6:34";
  assert.deepEqual(stackLines({ stack: [...inside, user, "at main (file:///x/m.ts:1:1)"], at }), [
    user,
    "at main (file:///x/m.ts:1:1)",
    "(and 2 calls inside of it, in agentrt or a package: --json has them)",
  ]);
  assert.deepEqual(stackLines({ stack: [user, ...inside], at }), [user, ...inside]);
  const behind = [`at serve (${ownFolder}core/loop.ts:1:1)`, "at run (node:async_hooks:1:1)"];
  assert.deepEqual(stackLines({ stack: [user, ...behind, user], at }), [user, user]);
  // Nobody knows the user's code: all there is.
  assert.deepEqual(stackLines({ stack: inside, at: null }), inside);
  assert.deepEqual(stackLines({ stack: ["at %E0%A4%A", "at b"], at: "/elsewhere.ts:1:1" }), [
    "at %E0%A4%A",
    "at b",
  ]);
  assert.deepEqual(stackLines({ stack: Array.from({ length: 20 }, () => user), at }).length, 8);
  assert.deepEqual(stackLines({ stack: "nonsense" }), []);
});
