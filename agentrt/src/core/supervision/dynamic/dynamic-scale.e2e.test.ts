/** Ten thousand children at once, and forty thousand one after the other: what is left of those that are gone? */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  Agent,
  dynamicSupervisor,
  type DynamicSupervisorOptions,
  supervisor,
} from "../../index.ts";
import { Runtime } from "../../../runtime/index.ts";

class Worker extends Agent {
  override async handle(): Promise<object> {
    return { name: this.name };
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function heapUsedBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

const makeRuntime = (
  options: DynamicSupervisorOptions = { childCountMaxPerSpawner: 20_000 },
): Runtime =>
  new Runtime({
    supervision: supervisor("root", { children: [dynamicSupervisor("pool", options)] }),
    log: silent,
  });

test("ten thousand children start together, answer, and stop together", async () => {
  await using runtime = makeRuntime();
  await runtime.start();
  const names = Array.from({ length: 10_000 }, (_, index) => `w${index}`);
  await Promise.all(names.map((name) => runtime.spawn(Worker, name)));
  const [pool] = runtime.tree().children;
  assert.equal(pool?.kind === "supervisor" && pool.children.length, 10_000);
  const replies = await Promise.all(names.map((name) => runtime.call(name, {})));
  assert.deepEqual(replies[9999], { name: "w9999" });
  await Promise.all(names.slice(0, 5000).map((name) => runtime.despawn(name)));
  assert.equal(runtime.registry.list().length, 5002);
  const { lateNames } = await runtime.stop();
  assert.deepEqual(lateNames, []);
});

test("forty thousand children, one after the other, leave nothing behind", async () => {
  await using runtime = makeRuntime();
  await runtime.start();
  const churn = async (from: number, count: number): Promise<void> => {
    for (let index = from; index < from + count; index += 100) {
      const names = Array.from({ length: 100 }, (_, offset) => `w${index + offset}`);
      await Promise.all(names.map((name) => runtime.spawn(Worker, name)));
      await Promise.all(names.map((name) => runtime.call(name, {})));
      await Promise.all(names.map((name) => runtime.despawn(name)));
    }
  };
  await churn(0, 5000);
  const before = await heapUsedBytes();
  await churn(5000, 40_000);
  const grown = (await heapUsedBytes()) - before;
  // Twenty bytes a child: what would be left of one is more than a hundred.
  assert.ok(grown < 800_000, `the heap grew by ${grown} bytes`);
  assert.equal(runtime.registry.list().length, 2);
  const { agents, totalMessages } = runtime.snapshot();
  assert.deepEqual([Object.keys(agents), totalMessages], [[], 45_000]);
});

test("a hundred thousand spawns may wait for their hook; one more is refused, and the place comes back", async () => {
  let admit: (isAdmitted: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    admit = resolve;
  });
  await using runtime = makeRuntime({ onSpawnRequested: () => answer });
  await runtime.start();
  const waiting = Array.from({ length: 100_000 }, (_, index) => runtime.spawn(Worker, `w${index}`));
  for (const each of waiting) each.catch(() => undefined);
  await assert.rejects(runtime.spawn(Worker, "more"), {
    code: "AGENTRT_SPAWN_TOO_MANY_REQUESTS",
    message: /100000 spawns wait there already/,
  });
  admit(false);
  const codes = await Promise.all(waiting.map((each) => each.catch(({ code }) => code as string)));
  assert.deepEqual([...new Set(codes)], ["AGENTRT_SPAWN_VETOED"]);
  await assert.rejects(runtime.spawn(Worker, "more"), { code: "AGENTRT_SPAWN_VETOED" });
});
