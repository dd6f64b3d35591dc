/** What another process is given of a crash that no event of an agent tells. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedactor } from "../../core/index.ts";
import { CrashBook } from "./crash-book.ts";

const key = "round-kettle-2718";

function open(): CrashBook {
  return new CrashBook("e", createRedactor({ DESK_API_KEY: key }));
}

test("a crash that no agent has told of is given on without the secrets that this process knows", () => {
  const crashes = open();
  const error = new Error(`401 for key ${key}`, { cause: new Error(`refused ${key}`) });
  const { id } = crashes.idOf({ agent: "desk", atMs: 1, error });
  assert.deepEqual(crashes.findLast("desk", error), {
    id,
    shown: { message: "401 for key ***", causes: ["refused ***"] },
  });
  assert.equal(crashes.findLast("desk", new Error("another")), undefined);
});

test("the error of a member is without its secrets where its pool fails by it", () => {
  const crashes = open();
  const error = new Error("refused plain-words");
  const shown = { message: "refused <secret-1>", causes: [] };
  crashes.add({ agent: "pool/1", atMs: 1, error, message: null, shown });
  const exhausted = new Error("the pool gives up", { cause: error });
  const { id } = crashes.idOf({ agent: "pool", atMs: 2, error: exhausted });
  assert.deepEqual(crashes.findLast("pool", exhausted), {
    id,
    shown: { message: "the pool gives up", causes: ["refused <secret-1>"] },
  });
});
