/** Suspension, restart and stop of a pool and of its members: no message is lost, and none waits for who is gone. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  child,
  createTextLog,
  EvalAgent,
  type EvalEvent,
  type EvalSignal,
  type JsonObject,
  type Message,
  pool,
  supervisor,
} from "../../index.ts";
import { Runtime } from "../../../runtime/index.ts";
import { Simulation } from "../../../testing/index.ts";
import { simulatePool, Writer } from "./test-support/writer.ts";

test("a suspended pool begins nothing but messages with a priority, over a restart too", async () => {
  await using simulation = await simulatePool({ size: 2 });
  const { runtime } = simulation;
  const atHand = runtime.call("writer", { n: 0, ms: 100 });
  await simulation.runUntilIdle();
  const suspending = runtime.suspend("writer", { reason: "audit" });
  let isInEffect = false;
  void suspending.then(() => (isInEffect = true));
  const queued = runtime.call("writer", { n: 1 });
  await simulation.runUntilIdle();
  assert.equal(isInEffect, false);
  await simulation.until(Promise.all([atHand, suspending]));
  const urgent = await simulation.call("writer", { n: 2 }, { priority: 1 });
  assert.ok(urgent["by"]);
  await runtime.restart("writer");
  await simulation.advance(5000);
  const [node] = runtime.tree().children;
  assert.deepEqual([node?.status, node?.restartCount], ["SUSPENDED", 1]);
  assert.ok(node?.kind === "supervisor");
  assert.equal(node.pool?.suspension?.reason, "audit");
  await assert.rejects(simulation.call("writer", {}, { failIfSuspended: true }), {
    code: "AGENTRT_AGENT_SUSPENDED",
  });
  assert.deepEqual(Writer.begun, [0, 2]);
  await simulation.until(runtime.resume("writer", { approver: "ada" }));
  await simulation.until(queued);
  const said = simulation.events.lines.filter((line) => /suspended|resumed/.test(line));
  assert.equal(said.length, 2, said.join("\n"));
});

test("the suspension of a pool outlives the process", async () => {
  const saved = new Map<string, JsonObject>();
  const state = {
    get: async (name: string) => saved.get(name),
    set: async (name: string, value: JsonObject) => void saved.set(name, value),
    delete: async (name: string) => void saved.delete(name),
    close: async () => undefined,
  };
  const start = async (): Promise<Simulation> => {
    const simulation = new Simulation({
      state: state as never,
      supervision: supervisor("root", { children: [pool(Writer, "writer", { size: 2 })] }),
    });
    await simulation.start();
    return simulation;
  };
  {
    await using simulation = await start();
    await simulation.until(simulation.runtime.suspend("writer", { reason: "audit" }));
  }
  assert.deepEqual([...saved.keys()], ["writer"]);
  await using simulation = await start();
  await simulation.runUntilIdle();
  assert.equal(simulation.runtime.tree().children[0]?.status, "SUSPENDED");
  await simulation.until(simulation.runtime.resume("writer", { approver: "ada" }));
  assert.deepEqual([...saved.keys()], []);
});

test("a suspended member takes nothing; the others do", async () => {
  await using simulation = await simulatePool({ size: 2 });
  const { runtime } = simulation;
  await simulation.until(runtime.suspend("writer/1", { reason: "audit" }));
  const calls = [1, 2, 3].map((n) => runtime.call("writer", { n }));
  const replies = await simulation.until(Promise.all(calls));
  assert.deepEqual(new Set(replies.map((reply) => reply["by"])), new Set(["writer/2"]));
  await simulation.until(runtime.resume("writer/1", { approver: "ada" }));
  const both = [1, 2].map(() => runtime.call("writer", { ms: 10 }));
  await simulation.until(Promise.all(both));
  assert.equal(Writer.busyCountMax, 2);
});

test("a message that a member was called for goes to another one when the member is asked for something else", async () => {
  for (const act of ["suspend", "restart", "stopAgent"] as const) {
    for (let seed = 1; seed <= 10; seed += 1) {
      await using simulation = await simulatePool({ size: 2 }, seed);
      const { runtime } = simulation;
      const [one, two] = [1, 2].map((n) => runtime.call("writer", { n, ms: 5 }));
      const acting =
        act === "suspend"
          ? runtime.suspend("writer/1", { reason: "audit" })
          : act === "restart"
            ? runtime.restart("writer/1")
            : runtime.stopAgent("writer/1");
      const replies = await simulation.until(Promise.all([one, two]));
      await simulation.until(Promise.resolve(acting));
      assert.equal(replies.length, 2);
      assert.equal(Writer.begun.length, 2, `${act}, seed ${seed}`);
    }
  }
});

test("a member that waits for its hook keeps no message from the others", async () => {
  class Slow extends Agent {
    override onSuspend = (): Promise<void> => new Promise(() => undefined);
    override handle(): JsonObject {
      return { by: this.name };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Slow, "slow", { size: 2 })] }),
  });
  await simulation.start();
  const { runtime } = simulation;
  const call = runtime.call("slow", {}, { timeoutMs: 1000 });
  void runtime.suspend("slow/1", { reason: "audit" }).catch(() => undefined);
  assert.deepEqual(await simulation.until(call), { by: "slow/2" });
});

test("a stop lets the messages at hand end, and refuses and counts those that wait", async () => {
  await using simulation = await simulatePool({ size: 2 });
  const { runtime } = simulation;
  const calls = Promise.allSettled([1, 2, 3, 4].map((n) => runtime.call("writer", { n, ms: 100 })));
  await simulation.runUntilIdle();
  const { lateNames } = await simulation.until(runtime.stopAgent("writer"));
  assert.deepEqual(lateNames, []);
  const ends = await calls;
  assert.deepEqual(
    ends.map((end) => (end.status === "rejected" ? end.reason.code : "answered")),
    ["answered", "answered", "AGENTRT_AGENT_STOPPED", "AGENTRT_AGENT_STOPPED"],
  );
  assert.equal(runtime.snapshot().dropped.stopped, 2);
  await assert.rejects(simulation.call("writer", {}), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.until(runtime.restart("writer"));
  assert.ok((await simulation.call("writer", {}))["by"]);
});

test("a pool whose members were all stopped takes no messages, until one is back", async () => {
  await using simulation = await simulatePool({ size: 2 });
  const { runtime } = simulation;
  await simulation.until(runtime.stopAgent("writer/1"));
  assert.deepEqual(await simulation.call("writer", {}), { by: "writer/2" });
  await simulation.until(runtime.stopAgent("writer/2"));
  await assert.rejects(simulation.call("writer", {}), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.until(runtime.restart("writer/1"));
  assert.deepEqual(await simulation.call("writer", {}), { by: "writer/1" });
});

test("a pool that is restarted keeps its queue, and members that were stopped on purpose stay stopped", async () => {
  await using simulation = await simulatePool({ size: 3 });
  const { runtime } = simulation;
  await simulation.until(runtime.stopAgent("writer/2"));
  const calls = [1, 2, 3, 4, 5].map((n) => runtime.call("writer", { n, ms: 100 }));
  await simulation.runUntilIdle();
  await runtime.restart("writer");
  const replies = await simulation.until(Promise.all(calls));
  assert.deepEqual(new Set(replies.map((reply) => reply["by"])), new Set(["writer/1", "writer/3"]));
  const [node] = runtime.tree().children;
  assert.equal(node?.restartCount, 1);
});

test("the stop of the runtime stops a pool; a member that hangs is named", async () => {
  const simulation = await simulatePool({ size: 2, shutdownTimeoutMs: 500 });
  const { runtime } = simulation;
  const calls = [{ ms: 10 }, { ms: 1e7 }].map((each) => runtime.call("writer", each));
  void Promise.allSettled(calls);
  await simulation.runUntilIdle();
  const { lateNames } = await simulation.until(runtime.stop());
  assert.deepEqual(lateNames, ["writer/2"]);
});

test("a timer of a member comes back to the same member", async () => {
  const seen: string[] = [];
  class Timed extends Agent {
    override handle({ type }: Message): JsonObject {
      seen.push(`${type} ${this.name}`);
      if (type === "message") this.sendAfter(100, {}, { type: "tick" });
      return {};
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Timed, "timed", { size: 2 })] }),
  });
  await simulation.start();
  await simulation.call("timed", {});
  await simulation.call("timed", {});
  await simulation.advance(200);
  assert.deepEqual(seen.slice(0, 2), ["message timed/1", "message timed/2"]);
  assert.deepEqual(seen.slice(2).toSorted(), ["tick timed/1", "tick timed/2"]);
});

test("senders that find the mailbox full wait for room", async () => {
  await using simulation = await simulatePool({ size: 1, mailboxLengthMax: 2 });
  const { runtime } = simulation;
  const calls = [0, 1, 2, 3, 4].map((n) => runtime.call("writer", { n, ms: 10 }));
  await simulation.runUntilIdle();
  const [node] = runtime.tree().children;
  assert.ok(node?.kind === "supervisor");
  assert.deepEqual([node.pool?.mailboxDepth, node.pool?.waitingSenderCount], [2, 2]);
  await simulation.until(Promise.all(calls));
  assert.deepEqual(Writer.begun, [0, 1, 2, 3, 4]);
});

test("the grace of a stop counts what waits in the pool while its members restart", async () => {
  const gate = Promise.withResolvers<void>();
  class Gated extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      await gate.promise;
      if (payload["crash"] === true) throw new RangeError("as told");
      return {};
    }
  }
  const gated = pool(Gated, "gated", { size: 1, backoffBaseMs: 20 });
  const runtime = new Runtime({
    supervision: supervisor("root", { children: [gated] }),
    log: createTextLog({ write: () => undefined }),
    shutdown: { graceMs: 60_000 },
  });
  await runtime.start();
  const calls = [true, false, false].map((crash) => runtime.call("gated", { crash }));
  const ends = Promise.allSettled(calls);
  const stopping = runtime.stop();
  gate.resolve();
  assert.deepEqual(
    (await ends).map(({ status }) => status),
    ["rejected", "fulfilled", "fulfilled"],
  );
  await stopping;
  assert.equal(runtime.snapshot().dropped.stopped, 0);
});

test("members stop all at once: the stop takes as long as the slowest hook", async () => {
  class Closing extends Agent {
    override onStop = () => simulation.sleep(1000);
    override handle(): void {}
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Closing, "closing", { size: 5 })] }),
  });
  await simulation.start();
  await simulation.until(simulation.runtime.stopAgent("closing"));
  assert.ok(simulation.clock.monotonicMs() < 1100, String(simulation.clock.monotonicMs()));
});

test("members that end by themselves are not started again; without any the pool takes no messages", async () => {
  class Ending extends Agent {
    override onError = () => "stop" as const;
    override handle({ payload }: Message): JsonObject {
      if (payload["end"] === true) throw new RangeError("as told");
      return { by: this.name };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Ending, "ending", { size: 2 })] }),
  });
  await simulation.start();
  await assert.rejects(simulation.call("ending", { end: true }), { code: "AGENTRT_AGENT_STOPPED" });
  assert.deepEqual(await simulation.call("ending", {}), { by: "ending/2" });
  await assert.rejects(simulation.call("ending", { end: true }), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.runUntilIdle();
  await assert.rejects(simulation.call("ending", {}), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.until(simulation.runtime.restart("ending/1"));
  assert.deepEqual(await simulation.call("ending", {}), { by: "ending/1" });
});

test("a correction goes to the member that it is about, and a halt ends that one", async () => {
  const corrected: string[] = [];
  class Judged extends Agent {
    override onCorrection(): void {
      corrected.push(this.name);
    }
    override async handle({ payload }: Message): Promise<JsonObject> {
      if (payload["severity"] !== undefined)
        await this.emitEval("said", payload, { evalAgent: "judge" });
      return { by: this.name };
    }
  }
  class Judge extends EvalAgent {
    override onEvalEvent({ payload }: EvalEvent): EvalSignal {
      return { severity: payload["severity"] as "halt", reason: "judged", payload: {} };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [child(Judge, "judge"), pool(Judged, "judged", { size: 2 })],
    }),
  });
  await simulation.start();
  await simulation.call("judged", { severity: "nudge" });
  await simulation.runUntilIdle();
  assert.deepEqual(corrected, ["judged/1"]);
  assert.deepEqual(await simulation.call("judged", { severity: "halt" }), { by: "judged/2" });
  await simulation.runUntilIdle();
  for (let n = 0; n < 3; n += 1) {
    assert.deepEqual(await simulation.call("judged", {}), { by: "judged/1" });
  }
});

test("a pool may be the root", async () => {
  Writer.begun = [];
  await using simulation = new Simulation({
    supervision: pool(Judgeless, "root", { size: 1, restartCountMax: 0 }),
  });
  await simulation.start();
  assert.deepEqual(await simulation.call("root", {}), { by: "root/1" });
  await assert.rejects(simulation.call("root", { crash: true }), { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
  assert.deepEqual(simulation.runtime.health().failed, ["root/1"]);
  await assert.rejects(simulation.call("root", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

class Judgeless extends Agent {
  override handle({ payload }: Message): JsonObject {
    if (payload["crash"] === true) throw new RangeError("as told");
    return { by: this.name };
  }
}

test("a handler that takes too long costs its member alone", async () => {
  await using simulation = await simulatePool({ size: 2, handleTimeoutMs: 100 });
  const { runtime } = simulation;
  const ends = Promise.allSettled([1e6, 50].map((ms) => runtime.call("writer", { ms })));
  const [late, other] = await simulation.until(ends);
  assert.equal(late?.status === "rejected" && late.reason.code, "AGENTRT_AGENT_CRASHED");
  assert.equal(other?.status, "fulfilled");
  await simulation.advance(5000);
  assert.equal(runtime.snapshot().agents["writer/1"]?.restarts, 1);
});

/** A pool of one member, whose store can be away. */
function poolWithStore() {
  const outage = Object.assign(new Error("away"), { isRetryable: true });
  const saved = new Map<string, object>();
  const store = { isAway: false };
  const ask = async <Answer>(answer: () => Answer): Promise<Answer> => {
    if (store.isAway) throw outage;
    return answer();
  };
  const state = {
    get: (name: string) => ask(() => saved.get(name)),
    set: (name: string, value: object) => ask(() => void saved.set(name, value)),
    delete: (name: string) => ask(() => void saved.delete(name)),
    close: async () => undefined,
  };
  const simulation = new Simulation({
    state: state as never,
    supervision: supervisor("root", {
      restartCountMax: 1,
      children: [pool(Writer, "writer", { size: 1, restartCountMax: 1 })],
    }),
  });
  return { store, simulation };
}

test("a store that is away when a member that is suspended starts again costs no budget", async () => {
  const { store, simulation } = poolWithStore();
  await using _ = simulation;
  await simulation.start();
  const { runtime } = simulation;
  await simulation.until(runtime.suspend("writer/1", { reason: "audit" }));
  store.isAway = true;
  await runtime.restart("writer/1");
  await simulation.advance(20_000);
  store.isAway = false;
  await simulation.advance(20_000);
  assert.equal(runtime.agentNode("writer/1")?.status, "SUSPENDED");
  await simulation.until(runtime.resume("writer/1", { approver: "Ada" }));
  assert.deepEqual(runtime.health(), { status: "ok", failed: [] });
  assert.ok(simulation.logLines.some((line) => line.includes("the state store is away")));
});

test("a member that is not suspended starts again while the store is away", async () => {
  const { store, simulation } = poolWithStore();
  await using _ = simulation;
  await simulation.start();
  const { runtime } = simulation;
  store.isAway = true;
  await runtime.restart("writer/1");
  await simulation.advance(1000);
  assert.equal(runtime.agentNode("writer/1")?.status, "RUNNING");
  assert.equal(runtime.agentNode("writer/1")?.restartCount, 1);
});

test("a pool that is being restarted can be suspended, and starts suspended", async () => {
  const writer = pool(Writer, "writer", { size: 1 });
  await using simulation = new Simulation({
    supervision: supervisor("root", { backoffBaseMs: 5000, children: [writer] }),
  });
  await simulation.start();
  const { runtime } = simulation;
  await runtime.restart("writer");
  await simulation.advance(1000);
  await simulation.until(runtime.suspend("writer", { reason: "audit" }));
  await simulation.advance(10_000);
  assert.equal(runtime.tree().children[0]?.status, "SUSPENDED");
});

test("the restart of a pool with its siblings loses nothing", async () => {
  class Sibling extends Agent {
    override handle(): never {
      throw new RangeError("as told");
    }
  }
  await using simulation = await simulatePool({ size: 2 }, 1, [child(Sibling, "sibling")]);
  const { runtime } = simulation;
  const calls = Array.from({ length: 10 }, (_, n) => runtime.call("writer", { n, ms: 100 }));
  await simulation.runUntilIdle();
  await runtime.cast("sibling", {});
  assert.equal((await simulation.until(Promise.all(calls))).length, 10);
  assert.equal(Writer.begun.length, 10);
  const [, node] = runtime.tree().children;
  assert.equal(node?.restartCount, 1);
});

test("a restart that is asked for while the pool starts does not fail the start of the tree", async () => {
  class Opening extends Agent {
    override onStart = () => simulation.sleep(1000);
    override handle(): JsonObject {
      return { by: this.name };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [pool(Opening, "opening", { size: 2 })] }),
  });
  const starting = simulation.start();
  await simulation.runtime.restart("opening");
  await starting;
  assert.deepEqual(await simulation.call("opening", {}), { by: "opening/1" });
});
