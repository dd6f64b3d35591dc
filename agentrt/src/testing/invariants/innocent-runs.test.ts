/** What ends as it may end breaks no invariant: each of these runs was once reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
  type SupervisorSpec,
} from "../../core/index.ts";
import { Simulation } from "../simulation.ts";
import { kernelInvariants } from "./index.ts";

let simulation: Simulation;

function simulateWithGrace(supervision: SupervisorSpec): Simulation {
  const shutdown = { graceMs: 60_000 };
  simulation = new Simulation({ supervision, shutdown, invariants: kernelInvariants() });
  return simulation;
}

/** Takes as long as it is told, asks whom it is told, and crashes when it is told. */
class Worker extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    const { ask } = payload;
    const asked = typeof ask === "string" ? this.call(ask, { ms: 1000 }) : undefined;
    asked?.catch(() => undefined);
    await simulation.sleep(Number(payload["ms"] ?? 0));
    if (payload["crash"] === true) throw new RangeError("as told");
    return {};
  }
}

test("a drain does not answer for agents below a supervisor that is given up", async () => {
  const stage = supervisor("stage", {
    restartCountMax: 0,
    children: [child(Worker, "first"), child(Worker, "last")],
  });
  simulateWithGrace(supervisor("root", { restartCountMax: 0, children: [stage] }));
  await simulation.start();
  const { runtime } = simulation;
  const asked = [
    runtime.call("first", { ms: 500, crash: true }),
    runtime.call("last", { ms: 1000 }),
    runtime.call("last", { ms: 1000 }),
  ];
  const ends = Promise.allSettled(asked);
  await simulation.advance(100);
  await simulation.stop();
  const [, , queued] = await ends;
  assert.equal(queued?.status === "rejected" && queued.reason.code, "AGENTRT_AGENT_STOPPED");
});

test("a stream ends when the supervisor of its agent fails in a drain", async () => {
  class Talker extends Agent {
    override async handle(message: Message): Promise<void> {
      for (let part = 1; part < 20; part += 1) {
        await this.emit(message, { part });
        await simulation.sleep(100);
      }
    }
  }
  const stage = supervisor("stage", {
    restartCountMax: 0,
    children: [child(Worker, "first"), child(Talker, "talker")],
  });
  simulateWithGrace(supervisor("root", { backoffBaseMs: 10, children: [stage] }));
  await simulation.start();
  const { runtime } = simulation;
  const crashing = runtime.call("first", { ms: 500, crash: true });
  const refused = assert.rejects(crashing, { code: "AGENTRT_AGENT_CRASHED" });
  let chunkCount = 0;
  const reading = (async () => {
    for await (const _ of runtime.stream("talker", {})) chunkCount += 1;
  })();
  const ended = assert.rejects(reading, { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.advance(100);
  await simulation.stop();
  await Promise.all([refused, ended]);
  assert.ok(chunkCount < 10, String(chunkCount));
});

test("a drain does not answer callers that have crashed", async () => {
  const several = child(Worker, "several", { concurrency: 2 });
  simulateWithGrace(
    supervisor("root", { backoffBaseMs: 10, children: [child(Worker, "asked"), several] }),
  );
  await simulation.start();
  const { runtime } = simulation;
  await simulation.cast("several", { ask: "asked", ms: 2000 });
  const crashing = runtime.call("several", { ms: 500, crash: true });
  const refused = assert.rejects(crashing, { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.advance(100);
  await simulation.stop();
  await refused;
});

test("a drain does not answer for the keys of an agent that somebody stops meanwhile", async () => {
  simulateWithGrace(
    supervisor("root", { children: [keyed(Worker, "ticket", { residentCountMax: 1 })] }),
  );
  await simulation.start();
  const { runtime } = simulation;
  const asked = ["ticket/a", "ticket/b"].map((name) => runtime.call(name, { ms: 1000 }));
  const ends = Promise.allSettled(asked);
  await simulation.advance(100);
  const stopped = simulation.stop();
  await simulation.until(runtime.stopAgent("ticket"));
  await stopped;
  const [, waiting] = await ends;
  assert.equal(waiting?.status === "rejected" && waiting.reason.code, "AGENTRT_AGENT_STOPPED");
});

test("a key that waits for the store to note that it is resumed has something to do", async () => {
  let writeMs = 0;
  const state = {
    get: async () => undefined,
    set: async () => await simulation.sleep(writeMs),
    delete: async () => await simulation.sleep(writeMs),
    close: async () => undefined,
  };
  const counted = keyed(Worker, "counted", { idleMs: 1000, residentCountMax: 2 });
  simulation = new Simulation({
    supervision: supervisor("root", { children: [counted] }),
    invariants: kernelInvariants(),
    state: state as never,
  });
  await simulation.start();
  const { runtime } = simulation;
  await simulation.call("counted/a", {});
  await simulation.until(runtime.suspend("counted/a", { reason: "audit" }));
  writeMs = 10_000;
  const resuming = runtime.resume("counted/a", { approver: "ada" });
  await simulation.runUntilIdle();
  // The others share the place that is left.
  const others = ["b", "c", "d"].map((key) => runtime.call(`counted/${key}`, {}));
  await simulation.until(Promise.allSettled(others));
  await simulation.advance(5000);
  await simulation.until(resuming);
  await simulation.stop();
});

test("a key that is not waited for when it goes keeps no state", async () => {
  class Slow extends Agent {
    override async handle(): Promise<JsonObject> {
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      return { count: this.state["count"] };
    }
    override onPassivate = (): Promise<void> => simulation.sleep(5000);
  }
  simulateWithGrace(
    supervisor("root", { children: [keyed(Slow, "slow", { shutdownTimeoutMs: 1000 })] }),
  );
  await simulation.start();
  const { runtime } = simulation;
  await simulation.call("slow/a", {});
  const { lateNames } = await simulation.until(runtime.stopAgent("slow/a"));
  assert.deepEqual(lateNames, ["slow/a"]);
  await simulation.advance(10_000);
  assert.deepEqual(await simulation.call("slow/a", {}), { count: 1 });
  await simulation.stop();
});

test("the crash of a pool that somebody stops meanwhile needs no decision", async () => {
  let delayMs = 0;
  class SlowStart extends Worker {
    override async onStart(): Promise<void> {
      await simulation.sleep(delayMs);
    }
  }
  const writers = { memberCountMin: 2, memberCountMax: 2, restartCountMax: 0 };
  const children = [child(SlowStart, "slow"), pool(Worker, "writer", writers)];
  simulateWithGrace(supervisor("root", { backoffBaseMs: 10, children }));
  await simulation.start();
  const { runtime } = simulation;
  delayMs = 5000;
  const asked = [
    runtime.call("writer", { ms: 300, crash: true }),
    runtime.call("slow", { crash: true }),
  ];
  const ends = Promise.allSettled(asked);
  await simulation.advance(100);
  // Its supervisor starts another child for seconds, and comes to both after that.
  const stopped = runtime.stopAgent("writer");
  await simulation.until(ends);
  await simulation.until(stopped);
  await simulation.stop();
});
