import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../state/index.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent, type AgentClass } from "../agents/agent.ts";
import { GenServer } from "../agents/gen-server.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import { child, type ChildOptions } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

async function simulate(
  agentClass: AgentClass,
  options: ChildOptions & { readonly state?: MemoryStateStore } = {},
): Promise<Simulation> {
  const { state, ...childOptions } = options;
  const supervision = supervisor("root", {
    backoffBaseMs: 0,
    children: [child(agentClass, "agent", childOptions)],
  });
  const simulation = new Simulation({ supervision, state });
  await simulation.start();
  return simulation;
}

/** A store whose reads and writes end when they are let go. */
class SlowStore extends MemoryStateStore {
  readonly held: (() => void)[] = [];
  isSlow = false;

  override async get(agent: string): Promise<JsonObject | undefined> {
    await this.#hold();
    return await super.get(agent);
  }

  override async set(agent: string, state: JsonObject): Promise<void> {
    await this.#hold();
    await super.set(agent, state);
  }

  async #hold(): Promise<void> {
    if (this.isSlow) await new Promise<void>((resolve) => this.held.push(resolve));
  }
}

test("an incarnation that ended while its state was read never runs its start hook", async () => {
  const trace: string[] = [];
  class Starting extends Agent {
    override onStart(): void {
      trace.push("start");
    }

    override onStop(): void {
      trace.push("stop");
    }

    override handle(): void {}
  }
  const state = new SlowStore();
  state.isSlow = true;
  const failing = assert.rejects(simulate(Starting, { state, startTimeoutMs: 100 }), {
    message: /within 100 ms/,
  });
  await failing;
  for (const letGo of state.held) letGo();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(trace, ["stop"]);
});

test("the next incarnation begins with what the one before it was saving when it crashed", async () => {
  class Keeper extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      if (message.payload["crash"] !== true) return { ...this.state };
      this.state = { saved: 1 };
      void this.checkpoint();
      this.state = { saved: 2 };
      void this.checkpoint();
      throw new Error("crash");
    }
  }
  const state = new SlowStore();
  await using simulation = await simulate(Keeper, { state });
  state.isSlow = true;
  await assert.rejects(simulation.runtime.call("agent", { crash: true }));
  await simulation.runUntilIdle();
  // The latest first: an order that a slow store may well choose.
  state.isSlow = false;
  for (const letGo of state.held.splice(0).reverse()) letGo();
  await simulation.runUntilIdle();
  assert.deepEqual(await simulation.runtime.call("agent", {}), { saved: 2 });
});

test("a checkpoint that fails is told to its agent alone, and the next one is written", async () => {
  class Keeper extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      this.state = { n: message.payload["n"] ?? 0 };
      const failed = await this.checkpoint().then(
        () => "saved",
        (error: unknown) => String(error),
      );
      return { failed };
    }
  }
  const state = new MemoryStateStore();
  const set = state.set.bind(state);
  await using simulation = await simulate(Keeper, { state });
  state.set = () => Promise.reject(new Error("disk full"));
  assert.deepEqual(await simulation.runtime.call("agent", { n: 1 }), {
    failed: "Error: disk full",
  });
  state.set = set;
  assert.deepEqual(await simulation.runtime.call("agent", { n: 2 }), { failed: "saved" });
  assert.deepEqual(await state.get("agent"), { n: 2 });
});

class Ticker extends GenServer {
  static infos: { readonly payload: JsonObject; readonly parentSpanId: string | null }[] = [];
  static starts = 0;

  override onStart(): void {
    Ticker.starts += 1;
  }

  override onStop(): Promise<void> | void {
    if (Ticker.starts === 1) return new Promise(() => undefined);
  }

  override async handleCall(message: Message): Promise<JsonObject> {
    const { delayMs, crash, mutate, hang } = message.payload;
    if (typeof delayMs === "number") {
      const payload = { tick: 1 };
      this.sendAfter(delayMs, payload);
      if (mutate === true) payload.tick = 2;
    }
    if (crash === true) throw new Error("crash");
    if (hang === true) await new Promise((resolve) => Ticker.held.push(resolve));
    return {};
  }

  static held: ((value: unknown) => void)[] = [];

  override handleInfo(message: Message): void {
    Ticker.infos.push({ payload: message.payload, parentSpanId: message.parentSpanId });
  }
}

test("a timer that is due while a crashed incarnation still runs its stop hook does not reach the next one", async () => {
  Ticker.infos = [];
  Ticker.starts = 0;
  await using simulation = await simulate(Ticker, { shutdownTimeoutMs: 500 });
  const crashing = simulation.runtime.call("agent", { delayMs: 100, crash: true });
  await assert.rejects(crashing);
  await simulation.advance(1000);
  assert.equal(Ticker.starts, 2);
  assert.deepEqual(Ticker.infos, []);
});

test("sendAfter() takes its payload as it is, and begins a trace of its own", async () => {
  Ticker.infos = [];
  Ticker.starts = 1;
  await using simulation = await simulate(Ticker);
  await simulation.runtime.call("agent", { delayMs: 100, mutate: true });
  // In the middle of another message when the timer fires.
  const hanging = simulation.runtime.call("agent", { hang: true });
  await simulation.advance(200);
  for (const letGo of Ticker.held.splice(0)) letGo(undefined);
  await hanging;
  await simulation.runUntilIdle();
  assert.deepEqual(Ticker.infos, [{ payload: { tick: 1 }, parentSpanId: null }]);
});

for (const delayMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "10"]) {
  test(`sendAfter() refuses a delay of ${JSON.stringify(delayMs)} ${delayMs}`, async () => {
    let refused: unknown;
    class Timed extends GenServer {
      override handleCall(): JsonObject {
        try {
          this.sendAfter(delayMs as number, {});
        } catch (error) {
          refused = error;
        }
        return {};
      }
    }
    await using simulation = await simulate(Timed);
    await simulation.runtime.call("agent", {});
    assert.match(
      String(refused),
      /AGENTRT_BUS_OPTION_INVALID: .*delayMs is .*, want a number from 0/,
    );
  });
}

test("sendAfter() refuses what is no plain JSON when it is called, not when it is due", async () => {
  class Timed extends GenServer {
    override handleCall(): JsonObject {
      const wrong: object = { at: new Date(0) };
      this.sendAfter(10, wrong);
      return {};
    }
  }
  await using simulation = await simulate(Timed);
  await assert.rejects(simulation.runtime.call("agent", {}), {
    message: /payload\.at.* is a Date/,
  });
});

test("one whose stop hook never ends is late, also when a crash had begun its end", async () => {
  class Hanging extends Agent {
    override onStop(): Promise<void> {
      return new Promise(() => undefined);
    }

    override handle(): never {
      throw new Error("crash");
    }
  }
  const simulation = await simulate(Hanging, { shutdownTimeoutMs: 1000 });
  await assert.rejects(simulation.runtime.call("agent", {}));
  await simulation.advance(400);
  assert.deepEqual(await simulation.stop(), { lateNames: ["agent"] });
  assert.equal(simulation.runtime.tree().children[0]?.status, "CRASHED");
});

test("an agent that was abandoned is not reported a second time", async () => {
  class Hanging extends Agent {
    override onStop(): Promise<void> {
      return new Promise(() => undefined);
    }

    override handle(): void {}
  }
  await using simulation = await simulate(Hanging, { shutdownTimeoutMs: 60_000 });
  const stopping = simulation.runtime.stopAgent("agent");
  await simulation.stop({ timeoutMs: 100 });
  assert.deepEqual(await stopping, { lateNames: ["agent"] });
  await simulation.advance(100_000);
  assert.deepEqual(
    simulation.logLines.filter((line) => line.includes("onStop")),
    [],
  );
});

test("a call whose message is older than its ttlMs is told at once, not at its own time-out", async () => {
  class Slow extends Agent {
    override async handle(): Promise<void> {
      await new Promise<void>((resolve) => Slow.held.push(resolve));
    }

    static held: (() => void)[] = [];
  }
  await using simulation = await simulate(Slow);
  const first = simulation.runtime.call("agent", {});
  const second = simulation.runtime.call("agent", {}, { ttlMs: 50 });
  const refused = assert.rejects(second, { code: "AGENTRT_BUS_EXPIRED", message: /50 ms/ });
  await simulation.advance(100);
  for (const letGo of Slow.held) letGo();
  await first;
  const beganMs = simulation.clock.monotonicMs();
  await refused;
  assert.equal(simulation.clock.monotonicMs(), beganMs);
});

test("timers have a named maximum, and one that was due or cancelled makes room", async () => {
  let heard = 0;
  class Timed extends GenServer {
    override handleCall(message: Message): JsonObject {
      const wanted = Number(message.payload["count"]);
      for (let count = 0; count < wanted; count += 1) this.sendAfter(10, {});
      if (message.payload["cancel"] === true) {
        const last = this.sendAfter(10, {});
        last.cancel();
        last.cancel();
        this.sendAfter(10, {}).cancel();
      }
      return {};
    }

    override handleInfo(): void {
      heard += 1;
    }
  }
  await using simulation = await simulate(Timed);
  const { runtime } = simulation;
  await runtime.call("agent", { count: 9999, cancel: true });
  await simulation.advance(20);
  assert.equal(heard, 9999);
  await runtime.call("agent", { count: 10_000 });
  await assert.rejects(runtime.call("agent", { count: 1 }), {
    message: /Cannot set a timer in "agent": 10000 wait already/,
  });
});

test("sendAfter() of an incarnation that is over is refused", async () => {
  let late: () => void = () => undefined;
  class Timed extends GenServer {
    override handleCall(): JsonObject {
      late = () => void this.sendAfter(1, {});
      return {};
    }
  }
  await using simulation = await simulate(Timed);
  await simulation.call("agent", {});
  await simulation.crash("agent");
  assert.throws(late, { code: "AGENTRT_AGENT_STOPPED" });
});

test("a reply that comes after the end of its caller is refused to what the caller left behind", async () => {
  const outcomes: string[] = [];
  let answer: () => void = () => undefined;
  class Asking extends Agent {
    override async handle(): Promise<void> {
      await this.call("answering", {}).then(
        () => void outcomes.push("answered"),
        (error: { code?: string }) => void outcomes.push(error.code ?? "none"),
      );
    }
  }
  class Answering extends Agent {
    override async handle(): Promise<JsonObject> {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { late: true };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(Asking, "asking", { handleTimeoutMs: 100 }), child(Answering, "answering")],
    }),
  });
  await simulation.start();
  await simulation.cast("asking", {});
  await simulation.advance(200);
  assert.equal(simulation.runtime.snapshot().agents["asking"]?.restarts, 1);
  answer();
  await simulation.runUntilIdle();
  assert.deepEqual(outcomes, ["AGENTRT_AGENT_STOPPED"]);
});
