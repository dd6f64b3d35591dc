/** What a supervisor of thousands of children does for each of them, counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, dynamicSupervisor, supervisor } from "../index.ts";
import { Runtime } from "../../runtime/index.ts";

class Worker extends Agent {
  override async handle(): Promise<object> {
    return {};
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

/** Counts the elements that `shift` and `splice` move in lists of children while `work` runs. */
async function countMoves(work: () => Promise<void>): Promise<number> {
  const own = { shift: Array.prototype.shift, splice: Array.prototype.splice };
  let moveCount = 0;
  for (const [name, original] of Object.entries(own)) {
    const counted = function (
      this: readonly { readonly driver?: unknown }[],
      ...rest: unknown[]
    ): unknown {
      if (this[0]?.driver !== undefined) moveCount += this.length;
      return Reflect.apply(original, this, rest);
    };
    Reflect.set(Array.prototype, name, counted);
  }
  try {
    await work();
  } finally {
    for (const [name, original] of Object.entries(own)) {
      Reflect.set(Array.prototype, name, original);
    }
  }
  return moveCount;
}

test("start and stop of many children move none of the others", async () => {
  const children = Array.from({ length: 1000 }, (_, index) => child(Worker, `w${index}`));
  const runtime = new Runtime({ supervision: supervisor("root", { children }), log: silent });
  const moveCount = await countMoves(async () => {
    await runtime.start();
    await runtime.stop();
  });
  assert.ok(moveCount <= 4 * children.length, `${moveCount} moves for ${children.length} children`);
});

test("thousands of spawns leave the event loop its turns", async () => {
  let turnCount = 0;
  const spawnCount = 5000;
  class Spawner extends Agent {
    override async onStart(): Promise<void> {
      let isCounting = true;
      const turn = (): void => {
        turnCount += 1;
        if (isCounting) setImmediate(turn);
      };
      setImmediate(turn);
      const names = Array.from({ length: spawnCount }, (_, index) => `w${index}`);
      await Promise.all(names.map((name) => this.spawn(Worker, name)));
      isCounting = false;
    }

    override async handle(): Promise<object> {
      return {};
    }
  }
  const children = [dynamicSupervisor("pool"), child(Spawner, "spawner")];
  await using runtime = new Runtime({
    supervision: supervisor("root", { children }),
    log: silent,
  });
  await runtime.start();
  assert.equal(runtime.registry.list().length, spawnCount + 3);
  assert.ok(turnCount >= spawnCount / 1000, `${turnCount} turns`);
});
