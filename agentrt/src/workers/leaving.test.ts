/** A worker that its group has to itself stops by a signal: what it has at hand is answered, and what comes later is an error at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, type JsonObject, type Message } from "../core/index.ts";
import { MemoryProcesses } from "./test-support/memory-processes.ts";

/** Settles what an agent of the worker waits for, by the name of the question. */
const gates = new Map<string, () => void>();

class Desk extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    const { name } = payload as { readonly name: string };
    await new Promise<void>((resolve) => void gates.set(name, resolve));
    const { asks } = payload as { readonly asks?: string };
    if (asks !== undefined) return { name, asked: await this.call(asks, { back: "clerk" }) };
    // What it needs of others, and of its own process, is there until the end.
    return { name, front: await this.call("front", {}), clerk: await this.call("clerk", {}) };
  }
}

/** Notes that were handled, in their order. */
const noted: unknown[] = [];

class Clerk extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    if (payload["note"] !== undefined) noted.push(payload["note"]);
    const { back } = payload as { readonly back?: string };
    if (back !== undefined) return { back: await this.call(back, {}) };
    return { served: true };
  }
}

const tree = () => [
  child(Clerk, "front", { capabilities: ["serve"] }),
  child(Desk, "desk", { process: "back" }),
  child(Clerk, "clerk", { process: "back", capabilities: ["serve"] }),
  child(Clerk, "other", { process: "side" }),
];

async function start() {
  const processes = new MemoryProcesses();
  const root = processes.supervisor("supervisor", {
    children: tree(),
  });
  const shutdown = { graceMs: 30_000 };
  const back = processes.worker("back", [child(Desk, "desk"), child(Clerk, "clerk")], {
    shutdown,
    others: ["front", "other"],
  });
  const side = processes.worker("side", [child(Clerk, "other")], {
    process: "side",
    others: ["front", "desk", "clerk"],
  });
  await processes.start(root, back, side);
  const { clock, broker } = processes;
  return { clock, broker, processes, root: root.runtime, back: back.runtime, side: side.runtime };
}

test("what a worker has at hand when it stops is answered; calls from the supervisor and from other workers that come later are errors at once", async () => {
  const { clock, processes, root, back, side } = await start();
  const calls = ["first", "second"].map(
    async (name) => await root.call("desk", { name }, { timeoutMs: 60_000 }),
  );
  await clock.advance(10);
  const stopped = back.stop();
  await clock.advance(10);
  const late: unknown[] = [];
  for (const runtime of [root, side])
    for (const name of ["desk", "clerk"])
      runtime.call(name, {}).catch((error: unknown) => late.push(error));
  await clock.advance(1);
  assert.deepEqual(
    late.map((error) => (error as { readonly code?: string }).code),
    Array.from({ length: 4 }, () => "AGENTRT_WORKER_AWAY"),
  );
  for (const name of ["first", "second"]) {
    gates.get(name)?.();
    await clock.advance(10);
  }
  const served = { front: { served: true }, clerk: { served: true } };
  assert.deepEqual(await Promise.all(calls), [
    { name: "first", ...served },
    { name: "second", ...served },
  ]);
  await clock.advance(1000);
  assert.deepEqual((await stopped).lateNames, []);

  // Another one of the group is served at once.
  const next = processes.worker("next", [child(Desk, "desk"), child(Clerk, "clerk")]);
  await processes.start(next);
  assert.deepEqual(await root.call("clerk", {}), { served: true });
  await processes.stop(root, next.runtime, side);
});

test("what a worker has at hand when it stops is called back by those that it calls, in the supervisor and at other workers", async () => {
  const { clock, processes, root, back, side } = await start();
  const calls = ["front", "other"].map(
    async (asks) => await root.call("desk", { name: asks, asks }, { timeoutMs: 60_000 }),
  );
  await clock.advance(10);
  const stopped = back.stop();
  await clock.advance(10);
  for (const name of ["front", "other"]) {
    gates.get(name)?.();
    await clock.advance(10);
  }
  const asked = { back: { served: true } };
  assert.deepEqual(await Promise.all(calls), [
    { name: "front", asked },
    { name: "other", asked },
  ]);
  await clock.advance(1000);
  assert.deepEqual((await stopped).lateNames, []);
  await processes.stop(root, side);
});

test("what others do that is not for a worker that stops is refused there, also in the middle of their work", async () => {
  const { clock, processes, root, back, side } = await start();
  const call = root.call("desk", { name: "first" }, { timeoutMs: 60_000 });
  await clock.advance(10);
  const stopped = back.stop();
  await clock.advance(10);
  for (const name of ["front", "other"]) {
    const refused = root.call(name, { back: "clerk" }, { timeoutMs: 5000 });
    refused.catch(() => undefined);
    await clock.advance(10);
    await assert.rejects(refused, /no worker of process "back" is there/);
  }
  gates.get("first")?.();
  await clock.advance(1000);
  assert.deepEqual((await stopped).lateNames, []);
  await call;
  await processes.stop(root, side);
});

test("who is asked for by what it can do is none of a worker that stops, or has stopped, while there is another one", async () => {
  const { clock, processes, root, back, side } = await start();
  const chosen = async () => {
    const names = Array.from({ length: 12 }, async () => await root.sendCapable("serve", {}));
    return [...new Set(await Promise.all(names))].sort();
  };
  assert.deepEqual(await chosen(), ["clerk", "front"]);
  const call = root.call("desk", { name: "first" }, { timeoutMs: 60_000 });
  await clock.advance(10);
  const stopped = back.stop();
  await clock.advance(10);
  assert.deepEqual(await chosen(), ["front"]);
  gates.get("first")?.();
  await clock.advance(1000);
  await Promise.all([call, stopped]);
  assert.deepEqual(await chosen(), ["front"]);
  await processes.stop(root, side);
});

test("a supervisor that comes while a worker stops sends it nothing more, and what it has at hand goes on", async () => {
  const { clock, broker, processes, root, back, side } = await start();
  const call = side.call("desk", { name: "first" }, { timeoutMs: 60_000 });
  await clock.advance(10);
  const stopped = back.stop();
  await clock.advance(10);
  broker.cut("supervisor");
  const second = processes.supervisor("second", {
    children: tree(),
  });
  await processes.start(second);
  await assert.rejects(second.runtime.call("desk", {}), { code: "AGENTRT_WORKER_AWAY" });
  gates.get("first")?.();
  await clock.advance(1000);
  assert.equal((await stopped).lateNames.length, 0);
  assert.equal((await call)["name"], "first");
  await processes.stop(second.runtime, side, root);
});

test("what another worker casts to a worker that stops is handled as long as that has time: nobody would learn that it was refused", async () => {
  const { clock, processes, root, back, side } = await start();
  const call = side.call("desk", { name: "first" }, { timeoutMs: 60_000 });
  await clock.advance(10);
  const stopped = back.stop();
  await clock.advance(10);
  await side.cast("clerk", { note: "late" });
  await clock.advance(10);
  assert.deepEqual(noted, ["late"]);
  gates.get("first")?.();
  await clock.advance(1000);
  assert.deepEqual((await stopped).lateNames, []);
  assert.equal((await call)["name"], "first");
  await processes.stop(root, side);
});
