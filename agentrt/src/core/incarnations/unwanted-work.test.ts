/** What happens to work whose caller has left, or whose time is over. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  type AgentClass,
  child,
  type JsonObject,
  type Message,
  supervisor,
} from "../index.ts";
import { Simulation } from "../../testing/index.ts";

let clock: Simulation;

async function simulate(agents: { readonly [name: string]: AgentClass }): Promise<Simulation> {
  const children = Object.entries(agents).map(([name, agentClass]) => child(agentClass, name));
  const simulation = new Simulation({ supervision: supervisor("root", { children }) });
  clock = simulation;
  await simulation.start();
  return simulation;
}

/** Waits until its signal is aborted, and notes why. */
class Patient extends Agent {
  static reasons: unknown[] = [];
  static begunCount = 0;
  override async handle({ payload, signal }: Message): Promise<JsonObject> {
    Patient.begunCount += 1;
    if (payload["quick"] === true) return { quick: true };
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        Patient.reasons.push((signal.reason as { code: string }).code);
        reject(new Error("whatever the library throws"));
      });
    });
    return {};
  }
}

function reset(): void {
  Patient.reasons = [];
  Patient.begunCount = 0;
}

const codeOf = (error: unknown): string => (error as { code: string }).code;

test("a call that is over aborts its message's signal, and what the handler throws then is no crash", async () => {
  reset();
  await using simulation = await simulate({ patient: Patient });
  const { runtime } = simulation;
  const timedOut = runtime.call("patient", {}, { timeoutMs: 100 });
  await assert.rejects(simulation.until(timedOut), { code: "AGENTRT_BUS_TIMEOUT" });
  const controller = new AbortController();
  const left = runtime.call("patient", {}, { signal: controller.signal });
  await simulation.runUntilIdle();
  controller.abort();
  await assert.rejects(left, { code: "AGENTRT_BUS_CANCELLED" });
  assert.deepEqual(await runtime.call("patient", { quick: true }), { quick: true });
  assert.deepEqual(Patient.reasons, ["AGENTRT_BUS_TIMEOUT", "AGENTRT_BUS_CANCELLED"]);
  const { patient } = runtime.snapshot().agents;
  assert.deepEqual(
    [patient?.messagesCancelled, patient?.errors, patient?.restarts, patient?.messagesHandled],
    [2, 0, 0, 3],
  );
});

test("queued messages of callers that left, or whose time is over, are never handled, and counted", async () => {
  reset();
  await using simulation = await simulate({ patient: Patient });
  const { runtime } = simulation;
  const first = runtime.call("patient", {}, { timeoutMs: 1000 });
  const late = runtime.call("patient", {}, { timeoutMs: 100 });
  const controller = new AbortController();
  const left = runtime.call("patient", {}, { signal: controller.signal });
  const stream = runtime.stream("patient", {});
  const reading = stream.next();
  await simulation.runUntilIdle();
  controller.abort();
  await stream.return();
  assert.deepEqual(await reading, { done: true, value: undefined });
  const ends = await simulation.until(Promise.allSettled([first, late, left]));
  assert.deepEqual(
    ends.map((end) => end.status === "rejected" && codeOf(end.reason)),
    ["AGENTRT_BUS_TIMEOUT", "AGENTRT_BUS_TIMEOUT", "AGENTRT_BUS_CANCELLED"],
  );
  assert.deepEqual(await runtime.call("patient", { quick: true }), { quick: true });
  assert.equal(Patient.begunCount, 2);
  const { expired, abandoned } = runtime.snapshot().dropped;
  assert.deepEqual([expired, abandoned], [1, 2]);
});

/** Asks the next one. */
class Relay extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    return await this.call(payload["to"] as string, { to: "patient" });
  }
}

test("who leaves at the front of a chain ends all of it at once; the deadline of the front holds for all", async () => {
  reset();
  await using simulation = await simulate({ a: Relay, b: Relay, patient: Patient });
  const { runtime } = simulation;
  // The own time-outs of the hops are 30 s each.
  const called = runtime.call("a", { to: "b" }, { timeoutMs: 200 });
  await assert.rejects(simulation.until(called), { code: "AGENTRT_BUS_TIMEOUT" });
  await simulation.runUntilIdle();
  assert.ok(simulation.clock.monotonicMs() < 250);
  assert.equal(Patient.reasons.length, 1);
  const controller = new AbortController();
  const left = runtime.call("a", { to: "b" }, { signal: controller.signal });
  left.catch(() => undefined);
  await simulation.runUntilIdle();
  controller.abort();
  await simulation.runUntilIdle();
  assert.equal(Patient.reasons.length, 2);
  const { agents } = runtime.snapshot();
  assert.deepEqual(
    ["a", "b", "patient"].map((name) => [agents[name]?.errors, agents[name]?.messagesCancelled]),
    [
      [0, 2],
      [0, 2],
      [0, 2],
    ],
  );
});

test("a handler that goes on after its caller has left asks nobody any more", async () => {
  reset();
  class Stubborn extends Agent {
    static codes: string[] = [];
    override async handle(): Promise<JsonObject> {
      const note = (error: unknown): void => void Stubborn.codes.push(codeOf(error));
      await this.call("patient", {}).catch(note);
      await this.call("patient", {}).catch(note);
      try {
        await this.stream("patient", {}).next();
      } catch (error) {
        note(error);
      }
      return {};
    }
  }
  await using simulation = await simulate({ stubborn: Stubborn, patient: Patient });
  const controller = new AbortController();
  const left = simulation.runtime.call("stubborn", {}, { signal: controller.signal });
  await simulation.runUntilIdle();
  controller.abort();
  await assert.rejects(left, { code: "AGENTRT_BUS_CANCELLED" });
  await simulation.runUntilIdle();
  const code = "AGENTRT_AGENT_CANCELLED";
  assert.deepEqual([Stubborn.codes, Patient.begunCount], [[code, code, code], 1]);
});

test("signal: null makes a request independent of the message at hand", async () => {
  class Slow extends Agent {
    override async handle(): Promise<JsonObject> {
      await this.call("clock", {}, { signal: null });
      return { done: true };
    }
  }
  class Clock extends Agent {
    static endedCount = 0;
    override async handle({ signal }: Message): Promise<JsonObject> {
      await clock.sleep(1000);
      Clock.endedCount += signal.aborted ? 0 : 1;
      return {};
    }
  }
  await using simulation = await simulate({ slow: Slow, clock: Clock });
  const called = simulation.runtime.call("slow", {}, { timeoutMs: 100 });
  await assert.rejects(simulation.until(called), { code: "AGENTRT_BUS_TIMEOUT" });
  await simulation.advance(2000);
  assert.equal(Clock.endedCount, 1);
  assert.equal(simulation.runtime.snapshot().agents["slow"]?.repliesUnwanted, 1);
});

test("work of the agent's own, begun at its start or by a timer, does not end with a message at hand", async () => {
  class Keeper extends Agent {
    static codes: string[] = [];
    override onStart(): void {
      void this.#background();
    }
    async #background(): Promise<void> {
      await clock.sleep(50);
      const reply = await this.call("slow", {});
      Keeper.codes.push(JSON.stringify(reply));
    }
    override async handle(): Promise<JsonObject> {
      await this.call("slow", {});
      return {};
    }
  }
  class Slow extends Agent {
    override async handle(): Promise<JsonObject> {
      await clock.sleep(500);
      return { done: true };
    }
  }
  await using simulation = await simulate({ keeper: Keeper, slow: Slow });
  const called = simulation.runtime.call("keeper", {}, { timeoutMs: 100 });
  await assert.rejects(simulation.until(called), { code: "AGENTRT_BUS_TIMEOUT" });
  await simulation.advance(5000);
  assert.deepEqual(Keeper.codes, ['{"done":true}']);
});

test("the calls of an agent that crashes or stops are over: whom it asked learns of it", async () => {
  reset();
  class Fragile extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      if (payload["crash"] === true) throw new Error("crash");
      void this.call("patient", {}).catch(() => undefined);
      return {};
    }
  }
  await using simulation = await simulate({ fragile: Fragile, patient: Patient });
  await simulation.runtime.call("fragile", {});
  await simulation.runUntilIdle();
  assert.deepEqual(Patient.reasons, []);
  await assert.rejects(simulation.runtime.call("fragile", { crash: true }));
  await simulation.runUntilIdle();
  assert.deepEqual(Patient.reasons, ["AGENTRT_AGENT_STOPPED"]);
});

test("checkpoint and sendAfter refuse what nobody waits for, unless they are told not to", async () => {
  class Writer extends Agent {
    static codes: string[] = [];
    override async handle({ signal, payload, type }: Message): Promise<JsonObject> {
      if (type === "tick") this.state = { ticks: Number(this.state["ticks"] ?? 0) + 1 };
      if (payload["slow"] !== true) return this.state;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      for (const options of [{}, { signal: null }]) {
        const saved = this.checkpoint(options);
        Writer.codes.push(await saved.then(() => "saved", codeOf));
        try {
          this.sendAfter(10, {}, { type: "tick", ...options });
        } catch (error) {
          Writer.codes.push(codeOf(error));
        }
      }
      return {};
    }
  }
  await using simulation = await simulate({ writer: Writer });
  const called = simulation.runtime.call("writer", { slow: true }, { timeoutMs: 100 });
  await assert.rejects(simulation.until(called), { code: "AGENTRT_BUS_TIMEOUT" });
  await simulation.advance(100);
  assert.deepEqual(Writer.codes, ["AGENTRT_AGENT_CANCELLED", "AGENTRT_AGENT_CANCELLED", "saved"]);
  assert.deepEqual(await simulation.runtime.call("writer", {}), { ticks: 1 });
});

test("a call to oneself, or along a chain that comes back, fails at once and names the chain", async () => {
  class Asker extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      const [next, ...rest] = payload["path"] as string[];
      if (next === undefined) return { fine: true };
      const reply = await this.call(next, { path: rest }).catch((error: Error) => ({
        error: error.message,
        code: codeOf(error),
      }));
      return reply;
    }
  }
  await using simulation = await simulate({ a: Asker, b: Asker, c: Asker });
  const { runtime } = simulation;
  const before = simulation.clock.monotonicMs();
  const own = await runtime.call("a", { path: ["a"] });
  assert.equal(own["code"], "AGENTRT_BUS_CALL_CYCLE");
  assert.match(own["error"] as string, /: a -> a$/);
  const far = await runtime.call("a", { path: ["b", "c", "a"] });
  assert.match(far["error"] as string, /: a -> b -> c -> a$/);
  assert.equal(simulation.clock.monotonicMs(), before);
  assert.deepEqual(await runtime.call("a", { path: ["b", "c"] }), { fine: true });
});

test("the latency of an agent that streams is the time to the first chunk", async () => {
  class Slow extends Agent {
    override async *handle(): AsyncGenerator<JsonObject> {
      await clock.sleep(300);
      yield { n: 1 };
      await clock.sleep(5000);
      yield { n: 2 };
    }
  }
  await using simulation = await simulate({ slow: Slow });
  const read = async (): Promise<void> => {
    for await (const _ of simulation.runtime.stream("slow", {}));
  };
  await simulation.until(read());
  assert.equal(simulation.runtime.snapshot().agents["slow"]?.avgLatencyMs, 300);
});
