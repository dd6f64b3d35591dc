/** A worker is asked whether it is there, whatever its agents do; one that falls silent is noticed within two intervals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, type JsonObject } from "../core/index.ts";
import type { Runtime } from "../runtime/index.ts";
import { MemoryProcesses } from "./test-support/memory-processes.ts";
import { probeIntervalMs } from "./workers.ts";

let deskCount = 0;

class Desk extends Agent {
  override async onStart(): Promise<void> {
    deskCount += 1;
  }
  override async handle({ payload }: { readonly payload: JsonObject }): Promise<JsonObject> {
    if (payload["crash"] === true) throw new Error("the desk broke");
    if (payload["hang"] === true) return await new Promise<never>(() => undefined);
    return { served: true };
  }
}

async function startBoth({ backoffBaseMs }: { readonly backoffBaseMs?: number } = {}) {
  const processes = new MemoryProcesses();
  const { clock, broker } = processes;
  const names = ["busy", "waiting"];
  const makeSupervisor = (name: string): Runtime => rootOf(name).runtime;
  const makeWorker = (name: string): Runtime => workerOf(name).runtime;
  const rootOf = (name: string) =>
    processes.supervisor(name, {
      ...(backoffBaseMs === undefined ? {} : { backoff: "CONSTANT", backoffBaseMs }),
      children: names.map((each) => child(Desk, each, { process: "back" })),
    });
  const workerOf = (name: string) =>
    processes.worker(
      name,
      names.map((each) => child(Desk, each)),
    );
  const [root, back] = [rootOf("supervisor"), workerOf("back")];
  const [runtime, worker] = [root.runtime, back.runtime];
  await processes.start(root, back);
  const crashes: { readonly child: string; readonly atMs: number }[] = [];
  runtime.onEvent((event) => {
    if (event.type === "supervisor.crash")
      crashes.push({ child: event.child, atMs: clock.monotonicMs() });
  });
  return { clock, broker, runtime, worker, crashes, makeSupervisor, makeWorker };
}

test("agents of a worker that are busy or suspended for an hour, with full queues, are not taken for dead", async () => {
  const { clock, runtime, worker, crashes } = await startBoth();
  await worker.suspend("waiting", { reason: "lunch", initiatedBy: "ada" });
  const calls = ["busy", "waiting"].flatMap((name) =>
    Array.from({ length: 500 }, () =>
      runtime.call(name, { hang: name === "busy" }, { timeoutMs: Number.POSITIVE_INFINITY }),
    ),
  );
  const ended = Promise.allSettled(calls);
  await clock.advance(3_600_000);
  assert.deepEqual(crashes, []);
  const [busy, waiting] = runtime.tree().children;
  assert.deepEqual([busy?.status, waiting?.status], ["RUNNING", "SUSPENDED"]);
  await worker.resume("waiting", { approver: "ada" });
  await clock.advance(1);
  assert.deepEqual(await calls.at(-1), { served: true });
  const stopped = Promise.all([worker.stop({ timeoutMs: 0 }), runtime.stop({ timeoutMs: 0 })]);
  await clock.advance(60_000);
  await stopped;
  await ended;
});

test("a worker that falls silent is noticed within two intervals, and its agents are back when it speaks again", async () => {
  const { clock, broker, runtime, worker, crashes } = await startBoth();
  await clock.advance(probeIntervalMs * 3);
  broker.silent.add("back");
  const silentAtMs = clock.monotonicMs();
  await clock.advance(probeIntervalMs * 2);
  assert.deepEqual(crashes.map(({ child: name }) => name).sort(), ["busy", "waiting"]);
  for (const { atMs } of crashes) assert.ok(atMs - silentAtMs <= probeIntervalMs * 2, String(atMs));
  await assert.rejects(runtime.call("busy", {}), { code: "AGENTRT_WORKER_AWAY" });

  broker.silent.clear();
  await clock.advance(60_000);
  assert.deepEqual(await runtime.call("busy", {}), { served: true });
  const stopped = Promise.all([worker.stop({ timeoutMs: 0 }), runtime.stop({ timeoutMs: 0 })]);
  await clock.advance(60_000);
  await stopped;
});

test("a stop and a restart wait for a worker that has died only until that is noticed", async () => {
  const { clock, broker, runtime } = await startBoth();
  broker.silent.add("back");
  const begunAtMs = clock.monotonicMs();
  let endedAtMs = Number.NaN;
  const stopped = runtime.stop({ timeoutMs: 60_000 }).then(() => {
    endedAtMs = clock.monotonicMs();
  });
  await clock.advance(120_000);
  await stopped;
  assert.ok(endedAtMs - begunAtMs <= probeIntervalMs * 2, String(endedAtMs - begunAtMs));
});

test("a supervisor that is cut off from the broker takes no worker for dead, and notices soon after its return which one has died", async () => {
  const { clock, broker, runtime, crashes } = await startBoth();
  broker.cut("supervisor");
  await clock.advance(3_600_000);
  await assert.rejects(runtime.call("busy", {}), { code: "AGENTRT_LINK_DOWN" });
  broker.mend("supervisor");
  await clock.advance(probeIntervalMs * 3);
  assert.deepEqual(crashes, []);
  assert.deepEqual(await runtime.call("busy", {}), { served: true });

  broker.cut("supervisor");
  broker.silent.add("back");
  await clock.advance(60_000);
  assert.deepEqual(crashes, []);
  broker.mend("supervisor");
  await clock.advance(probeIntervalMs * 2);
  assert.deepEqual(new Set(crashes.map(({ child: name }) => name)), new Set(["busy", "waiting"]));
  const stopped = runtime.stop({ timeoutMs: 0 });
  await clock.advance(60_000);
  await stopped;
});

test("a worker that was cut off while another supervisor came is taken as soon as it is connected again", async () => {
  const { clock, broker, runtime, worker, makeSupervisor } = await startBoth();
  broker.cut("supervisor");
  broker.cut("back");
  const next = makeSupervisor("next supervisor");
  const started = next.start();
  await clock.advance(1000);
  await started;
  await assert.rejects(next.call("busy", {}), { code: "AGENTRT_WORKER_AWAY" });
  broker.mend("back");
  await clock.advance(10);
  assert.deepEqual(await next.call("busy", {}), { served: true });
  const all = [worker, next, runtime].map(async (each) => await each.stop({ timeoutMs: 0 }));
  await clock.advance(60_000);
  await Promise.all(all);
});

test("agents of a worker that comes during their backoff are not started twice, and those that crash there are", async () => {
  const { clock, broker, runtime, crashes, makeWorker } = await startBoth({
    backoffBaseMs: 30_000,
  });
  broker.silent.add("back");
  broker.cut("back");
  await clock.advance(probeIntervalMs * 2);
  assert.equal(crashes.length, 2);
  deskCount = 0;
  const fresh = makeWorker("fresh back");
  const started = fresh.start();
  await clock.advance(5000);
  await started;
  assert.equal(deskCount, 2);
  await assert.rejects(fresh.call("waiting", { crash: true }), /the desk broke/);
  await clock.advance(60_000);
  assert.equal(deskCount, 3);
  assert.deepEqual(await runtime.call("busy", {}), { served: true });
  assert.deepEqual(await runtime.call("waiting", {}), { served: true });
  assert.equal(crashes.length, 2);
  const stopped = Promise.all([fresh.stop({ timeoutMs: 0 }), runtime.stop({ timeoutMs: 0 })]);
  await clock.advance(60_000);
  await stopped;
});
