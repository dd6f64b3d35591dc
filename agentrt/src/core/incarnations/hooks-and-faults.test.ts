/** Crashes are always decided about: whatever is thrown, and however long a hook takes. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  agentInternals,
  child,
  type ErrorAction,
  type JsonObject,
  type Message,
  supervisor,
} from "../index.ts";
import type { AgentPort } from "../agents/index.ts";
import { Simulation } from "../../testing/index.ts";

const getter = (member: string): Error =>
  Object.defineProperty(new Error("x"), member, {
    get: () => {
      throw new Error("lazy");
    },
  });

interface Crashable extends AgentPort {
  crash(error: unknown): void;
}

const thrown: { readonly [title: string]: () => unknown } = {
  "an error whose code cannot be read": () => getter("code"),
  "an error whose name cannot be read": () => getter("name"),
  "an error whose message cannot be read": () => getter("message"),
  "an error whose stack cannot be read": () => getter("stack"),
  "an error whose cause cannot be read": () => new Error("x", { cause: getter("code") }),
  "a proxy that throws": () =>
    new Proxy(new Error("x"), {
      get: () => {
        throw new Error("trap");
      },
    }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
    revoke();
    return proxy;
  },
  "an object without a prototype": () => Object.create(null),
  "a symbol": () => Symbol("x"),
};

for (const [title, make] of Object.entries(thrown)) {
  for (const where of ["handle", "a timer", "onError"]) {
    test(`${title}, thrown in ${where}, is a crash like any other`, async () => {
      class Thrower extends Agent {
        override async handle({ payload }: Message): Promise<JsonObject> {
          if (payload["throw"] !== true) return { fine: true };
          // What the guard of the process does with a fault that nobody caught.
          if (where === "a timer")
            (agentInternals.portOf(this, "crash") as Crashable).crash(make());
          else throw make();
          await simulation.sleep(10);
          return {};
        }
        override onError(error: unknown): ErrorAction {
          if (where === "onError") throw make();
          return super.onError(error, {} as Message) as ErrorAction;
        }
      }
      await using simulation = new Simulation({
        supervision: supervisor("root", { children: [child(Thrower, "thrower")] }),
      });
      await simulation.start();
      const call = simulation.runtime.call("thrower", { throw: true });
      await assert.rejects(simulation.until(call), { code: "AGENTRT_AGENT_CRASHED" });
      const next = simulation.runtime.call("thrower", {});
      assert.deepEqual(await simulation.until(next), { fine: true });
      assert.equal(simulation.runtime.snapshot().agents["thrower"]?.restarts, 1);
    });
  }
}

test("a hook that never ends crashes its agent after hookTimeoutMs, and the restarted one serves", async () => {
  const never = new Promise<never>(() => undefined);
  class Stuck extends Agent {
    static isStuck = true;
    override async handle({ payload }: Message): Promise<JsonObject> {
      if (payload["throw"] === true) throw new Error("x");
      return { fine: true };
    }
    override async onError(): Promise<ErrorAction> {
      return Stuck.isStuck ? await never : "skip";
    }
    override async onSuspend(): Promise<void> {
      if (Stuck.isStuck) await never;
    }
    override async onResume(): Promise<void> {
      if (Stuck.isStuck) await never;
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      restartCountMax: 10,
      children: [child(Stuck, "stuck", { hookTimeoutMs: 200 })],
    }),
  });
  await simulation.start();
  const { runtime } = simulation;
  const crashed = runtime.call("stuck", { throw: true });
  await assert.rejects(simulation.until(crashed), { code: "AGENTRT_AGENT_CRASHED" });
  // It is suspended all the same: a hook that fails does not keep it from that.
  await simulation.until(runtime.suspend("stuck", { reason: "audit" }));
  const resuming = runtime.resume("stuck", { approver: "Ada" });
  await assert.rejects(simulation.until(resuming), { code: "AGENTRT_AGENT_HOOK_TIMEOUT" });
  Stuck.isStuck = false;
  assert.deepEqual(await simulation.until(runtime.call("stuck", {})), { fine: true });
  assert.equal(runtime.snapshot().agents["stuck"]?.restarts, 2);
});
