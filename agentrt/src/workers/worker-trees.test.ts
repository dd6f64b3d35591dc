/** Another tree at workers is kept by all or by none, whoever is cut off meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child } from "../core/index.ts";
import type { PreparedTree, SentTree } from "../runtime/index.ts";
import { type MemoryProcess, MemoryProcesses } from "./test-support/memory-processes.ts";

class Desk extends Agent {
  override async handle(): Promise<{ served: boolean }> {
    return { served: true };
  }
}

const next: SentTree = {
  hash: "next",
  files: [{ fileName: "next.yaml", text: "of no matter" }],
  groups: new Map([["desk", "back"]]),
  agentNames: new Set(["desk"]),
};

async function start() {
  const processes = new MemoryProcesses();
  const root = processes.supervisor(
    "supervisor",
    { children: [child(Desk, "desk", { process: "back" })] },
    { files: [{ fileName: "same.yaml", text: "the first one" }] },
  );
  const worker = processes.worker("back", [child(Desk, "desk")]);
  const steps: string[] = [];
  const fault: { reason?: string } = {};
  worker.network.takeTrees?.({
    read: async ({ hash, files }) => ({
      others: [],
      budgetedNames: new Set<string>(),
      agentNames: new Set<string>(),
      prepare: async (): Promise<PreparedTree> => {
        if (fault.reason !== undefined) throw new Error(fault.reason);
        steps.push(`prepare ${hash} of ${files[0]?.fileName}`);
        return {
          commit: async () => {
            steps.push(`commit ${hash}`);
            return ["late one"];
          },
          abort: async () => void steps.push(`abort ${hash}`),
        };
      },
    }),
  });
  await processes.start(root, worker);
  assert.deepEqual(await root.runtime.call("desk", {}), { served: true });
  return { processes, root, worker, steps, fault };
}

/** Settles what is asked while time passes. */
async function within<Value>(processes: MemoryProcesses, asked: Promise<Value>): Promise<Value> {
  const settled = asked.catch(() => undefined);
  await processes.clock.advance(60_000);
  await settled;
  return await asked;
}

function prepare({ network }: MemoryProcess): Promise<PreparedTree> {
  const asked = network.trees?.prepare(next);
  assert.ok(asked !== undefined);
  return asked;
}

const done = "prepare next of next.yaml";

test("a worker keeps a tree when the supervisor says so, and names who was late; what does not start there is refused with the reason", async () => {
  const { processes, root, worker, steps, fault } = await start();
  fault.reason = "the till is locked";
  await assert.rejects(prepare(root), {
    code: "AGENTRT_WORKER_NOT_CHANGED",
    message: /process "back" does not take the tree, .*: the till is locked/,
  });
  delete fault.reason;
  const dropped = await prepare(root);
  await dropped.abort();
  const kept = await prepare(root);
  assert.deepEqual(await kept.commit(), ["late one"]);
  await processes.clock.advance(60_000);
  assert.deepEqual(steps, [done, "abort next", done, "commit next"]);
  assert.deepEqual(await root.runtime.call("desk", {}), { served: true });
  await processes.stop(root.runtime, worker.runtime);
});

test("a worker whose supervisor is gone before the end takes the tree back", async () => {
  const { processes, root, worker, steps } = await start();
  await prepare(root);
  processes.broker.cut("supervisor");
  await processes.clock.advance(20_000);
  assert.deepEqual(steps, [done, "abort next"]);
  await processes.stop(root.runtime, worker.runtime);
});

test("a worker that is cut off before the end gets the tree when it is back, and others are not held up", async () => {
  const { processes, root, worker, steps } = await start();
  const prepared = await prepare(root);
  processes.broker.cut("back");
  await processes.clock.advance(30_000);
  assert.deepEqual(await within(processes, prepared.commit()), []);
  const late = steps.length;
  processes.broker.mend("back");
  await processes.clock.advance(30_000);
  assert.deepEqual(steps.slice(0, late), [done, "abort next"]);
  assert.deepEqual(steps.slice(late), [done, "commit next"]);
  assert.deepEqual(await root.runtime.call("desk", {}), { served: true });
  await processes.stop(root.runtime, worker.runtime);
});

test("a worker that does not answer is noticed, and the change is refused or done without it", async () => {
  const { processes, root, worker, steps } = await start();
  processes.broker.silent.add("back");
  // It falls silent, and is away from then on.
  const prepared = await within(processes, prepare(root));
  assert.deepEqual(await within(processes, prepared.commit()), []);
  processes.broker.silent.delete("back");
  await processes.clock.advance(60_000);
  assert.equal(steps.at(-1), "commit next");
  assert.deepEqual(await root.runtime.call("desk", {}), { served: true });
  await processes.stop(root.runtime, worker.runtime);
});
