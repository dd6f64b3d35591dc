import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../state/index.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent, type ErrorAction, type AgentClass } from "../agents/agent.ts";
import type { AgentOptions } from "../agents/agent-options.ts";
import { GenServer } from "../agents/gen-server.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
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

function agentStatus(simulation: Simulation): string | undefined {
  return simulation.runtime.tree().children[0]?.status;
}

/** Fails messages as often as they say, and writes down every attempt. */
function makeFlaky(action: ErrorAction) {
  const attempts: string[] = [];
  class Flaky extends Agent {
    override onError(): ErrorAction {
      return action;
    }

    override async handle(message: Message): Promise<JsonObject> {
      attempts.push(`${JSON.stringify(message.payload["n"])}.${message.attempt}`);
      await Promise.resolve();
      if (message.attempt < Number(message.payload["failures"] ?? 0)) throw new Error("flaky");
      return { attempt: message.attempt };
    }
  }
  return { Flaky, attempts };
}

test("retry handles the same message again in place, before those behind it", async () => {
  const { Flaky, attempts } = makeFlaky("retry");
  await using simulation = await simulate(Flaky);
  const replies = await Promise.all([
    simulation.runtime.call("agent", { n: 1, failures: 2 }),
    simulation.runtime.call("agent", { n: 2 }),
  ]);
  assert.deepEqual(attempts, ["1.0", "1.1", "1.2", "2.0"]);
  assert.deepEqual(replies, [{ attempt: 2 }, { attempt: 0 }]);
});

test("retry ends in a crash after retryCountMax retries", async () => {
  const { Flaky, attempts } = makeFlaky("retry");
  await using simulation = await simulate(Flaky, { retryCountMax: 2 });
  await assert.rejects(simulation.runtime.call("agent", { n: 1, failures: 9 }), {
    code: "AGENTRT_AGENT_CRASHED",
    message: /failed after 2 retries/,
  });
  assert.deepEqual(attempts, ["1.0", "1.1", "1.2"]);
  await simulation.runUntilIdle();
  assert.equal(simulation.runtime.snapshot().agents["agent"]?.restarts, 1);
});

test("skip tells the caller at once and goes on with the next message", async () => {
  const { Flaky, attempts } = makeFlaky("skip");
  await using simulation = await simulate(Flaky);
  await assert.rejects(simulation.runtime.call("agent", { n: 1, failures: 1 }), {
    code: "AGENTRT_AGENT_FAILED",
    message: /flaky/,
  });
  await simulation.runtime.call("agent", { n: 2 });
  assert.deepEqual(attempts, ["1.0", "2.0"]);
  assert.equal(simulation.runtime.snapshot().agents["agent"]?.restarts, 0);
  assert.equal(simulation.runtime.snapshot().dropped.skipped, 1);
});

test("escalate rejects the caller at once, loses that message and keeps those behind it in order", async () => {
  const { Flaky, attempts } = makeFlaky("escalate");
  await using simulation = await simulate(Flaky);
  const first = simulation.runtime.call("agent", { n: 1, failures: 9 });
  const others = [2, 3, 4].map((n) => simulation.runtime.call("agent", { n }));
  const beganMs = simulation.clock.monotonicMs();
  await assert.rejects(first, { code: "AGENTRT_AGENT_CRASHED", message: /: flaky$/ });
  await Promise.all(others);
  assert.equal(simulation.clock.monotonicMs(), beganMs, "no caller waited for a time-out");
  assert.deepEqual(attempts, ["1.0", "2.0", "3.0", "4.0"]);
});

test("stop ends the agent for good: it is not restarted, and what was queued is refused", async () => {
  const { Flaky } = makeFlaky("stop");
  await using simulation = await simulate(Flaky);
  const first = simulation.runtime.call("agent", { n: 1, failures: 1 });
  const second = simulation.runtime.call("agent", { n: 2 });
  await assert.rejects(first, { code: "AGENTRT_AGENT_STOPPED" });
  await assert.rejects(second, { code: "AGENTRT_AGENT_STOPPED" });
  assert.equal(agentStatus(simulation), "STOPPED");
  assert.equal(
    simulation.runtime.snapshot().dropped.stopped,
    2,
    "the one at hand and the queued one",
  );
});

test("an onError that throws crashes the agent with what it threw", async () => {
  class Broken extends Agent {
    override onError(): ErrorAction {
      throw new Error("hook is broken");
    }

    override async handle(): Promise<void> {
      throw new Error("handler is broken");
    }
  }
  await using simulation = await simulate(Broken);
  await assert.rejects(simulation.runtime.call("agent", {}), { message: /hook is broken/ });
});

test("a handler may return nothing, a value without a promise, or a thenable of its own", async () => {
  class Various extends Agent {
    override handle(message: Message) {
      switch (message.payload["kind"]) {
        case "plain":
          return { plain: true };
        case "thenable":
          return {
            // oxlint-disable-next-line unicorn/no-thenable -- the point of this test
            then: (resolve: (value: JsonObject) => void) => resolve({ thenable: true }),
          } as PromiseLike<JsonObject>;
        default:
          return undefined;
      }
    }
  }
  await using simulation = await simulate(Various);
  assert.deepEqual(await simulation.runtime.call("agent", { kind: "plain" }), { plain: true });
  assert.deepEqual(await simulation.runtime.call("agent", { kind: "thenable" }), {
    thenable: true,
  });
  assert.deepEqual(await simulation.runtime.call("agent", {}), {});
});

test("a reply that is no plain object is a failure of the handler", async () => {
  class Wrong extends Agent {
    override async handle(message: Message): Promise<object> {
      const kinds: { [kind: string]: unknown } = { text: "text", list: [1], date: new Date(0) };
      return kinds[message.payload["kind"] as string] as object;
    }
  }
  for (const kind of ["text", "list", "date"]) {
    await using simulation = await simulate(Wrong);
    await assert.rejects(simulation.runtime.call("agent", { kind }), {
      code: "AGENTRT_AGENT_CRASHED",
    });
  }
});

test("handleTimeoutMs sends a time-out through onError, each attempt with a fresh one", async () => {
  const seen: unknown[] = [];
  class Slow extends Agent {
    override onError(error: unknown, message: Message): ErrorAction {
      seen.push((error as { code?: string }).code, message.attempt);
      return message.attempt < 1 ? "retry" : "skip";
    }

    override handle(message: Message): Promise<void> | JsonObject {
      return message.payload["hang"] === true ? new Promise(() => undefined) : { fine: true };
    }
  }
  await using simulation = await simulate(Slow, { handleTimeoutMs: 100 });
  const call = simulation.runtime.call("agent", { hang: true });
  const failed = assert.rejects(call, { code: "AGENTRT_AGENT_FAILED" });
  await simulation.advance(300);
  await failed;
  const code = "AGENTRT_AGENT_HANDLE_TIMEOUT";
  assert.deepEqual(seen, [code, 0, code, 1]);
  assert.deepEqual(await simulation.runtime.call("agent", {}), { fine: true });
});

test("onStart that hangs fails the start after startTimeoutMs, naming the agent", async () => {
  class Hanging extends Agent {
    override onStart(): Promise<void> {
      return new Promise(() => undefined);
    }

    override handle(): void {}
  }
  await assert.rejects(simulate(Hanging, { startTimeoutMs: 700 }), {
    code: "AGENTRT_SUPERVISION_START_FAILED",
    message: /"agent".*700 ms/,
  });
});

test("a restart is a new object: only the checkpoint survives, fields and unsaved state do not", async () => {
  class Counter extends Agent {
    #calls = 0;

    override async handle(message: Message): Promise<JsonObject> {
      this.#calls += 1;
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      if (message.payload["save"] === true) await this.checkpoint();
      if (message.payload["crash"] === true) throw new Error("crash");
      return { calls: this.#calls, count: this.state["count"] as JsonValue };
    }
  }
  await using simulation = await simulate(Counter);
  await simulation.runtime.call("agent", { save: true });
  await simulation.runtime.call("agent", {});
  await assert.rejects(simulation.runtime.call("agent", { crash: true }));
  assert.deepEqual(await simulation.runtime.call("agent", {}), { calls: 1, count: 2 });
});

test("a checkpoint survives the runtime and is refused when it is no plain JSON", async () => {
  class Keeper extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      this.state["kept"] = message.payload["keep"] ?? this.state["kept"] ?? null;
      if (message.payload["break"] === true) this.state["bad"] = new Map() as never;
      await this.checkpoint();
      return { ...this.state };
    }
  }
  const state = new MemoryStateStore();
  const first = await simulate(Keeper, { state });
  await first.runtime.call("agent", { keep: [1, 2] });
  await assert.rejects(first.runtime.call("agent", { break: true }), {
    message:
      /Cannot save the state of "agent": "state\.bad" is a Map, and a state holds plain JSON/,
  });
  await first.stop();
  await using second = await simulate(Keeper, { state });
  assert.deepEqual(await second.runtime.call("agent", {}), { kept: [1, 2] });
});

test("an abandoned incarnation is inert: no send, no checkpoint, no reply, no timer of its has an effect", async () => {
  let release: () => void = () => undefined;
  const outcomes: string[] = [];
  class Zombie extends GenServer {
    override async handleCall(message: Message): Promise<JsonObject> {
      if (message.payload["hang"] !== true) return { n: this.state["n"] ?? 0 };
      this.sendAfter(1000, { late: "timer" });
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      const note = (error: unknown): void =>
        void outcomes.push(String((error as { code?: string }).code));
      this.state["n"] = 666;
      await this.checkpoint().catch(note);
      await this.send("agent", { late: "send" }).catch(note);
      await this.call("agent", {}).catch(note);
      return { late: "reply" };
    }

    override handleInfo(message: Message): void {
      outcomes.push(`info ${JSON.stringify(message.payload["late"])}`);
    }
  }
  await using simulation = await simulate(Zombie, { shutdownTimeoutMs: 100 });
  const call = simulation.runtime.call("agent", { hang: true });
  const crashed = assert.rejects(call, { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
  await simulation.runtime.restart("agent");
  await simulation.advance(500);
  await crashed;
  release();
  await simulation.advance(5000);
  const stopped = "AGENTRT_AGENT_STOPPED";
  assert.deepEqual(outcomes, [stopped, stopped, stopped]);
  assert.deepEqual(await simulation.runtime.call("agent", {}), { n: 0 });
});

test("a question about the state that handle leaves open is answered with the redacted state", async () => {
  class Secretive extends Agent {
    override state: JsonObject = { open: 1, secret: "key" };

    override redactState(state: JsonObject): JsonObject {
      return { ...state, secret: "***" };
    }

    override async handle(message: Message): Promise<JsonObject | undefined> {
      return message.payload["own"] === true ? { own: "answer" } : undefined;
    }
  }
  class Server extends GenServer {
    override state: JsonObject = { n: 1 };
  }
  const question = { __op__: "state" };
  const options = { type: "state" };
  await using simulation = await simulate(Secretive);
  const { runtime } = simulation;
  assert.deepEqual(await runtime.call("agent", question, options), { open: 1, secret: "***" });
  assert.deepEqual(await runtime.call("agent", { ...question, own: true }, options), {
    own: "answer",
  });
  assert.deepEqual(await runtime.call("agent", question), {}, "the payload alone does not ask");
  assert.deepEqual(await runtime.call("agent", {}, options), {});
  await using other = await simulate(Server);
  assert.deepEqual(await other.runtime.call("agent", question, options), { n: 1 });
});

test("GenServer tells calls, casts and the rest apart, and its timers die with the incarnation", async () => {
  const seen: string[] = [];
  class Server extends GenServer {
    override handleCall(message: Message): JsonObject {
      if (message.payload["later"] === true) {
        this.sendAfter(50, { tick: 1 });
        this.sendAfter(60, { tick: 2 }).cancel();
        this.sendAfter(5000, { tick: 3 });
      }
      if (message.payload["crash"] === true) throw new Error("crash");
      return { answer: 42 };
    }

    override handleCast(message: Message): void {
      seen.push(`cast ${JSON.stringify(message.payload)}`);
    }

    override handleInfo(message: Message): void {
      seen.push(`info ${message.type} ${JSON.stringify(message.payload)}`);
    }
  }
  await using simulation = await simulate(Server);
  assert.deepEqual(await simulation.runtime.call("agent", { later: true }), { answer: 42 });
  await simulation.runtime.cast("agent", { a: 1 });
  await simulation.advance(100);
  await assert.rejects(simulation.runtime.call("agent", { crash: true }));
  await simulation.advance(10_000);
  assert.deepEqual(seen, ['cast {"a":1}', 'info genserver.info {"tick":1}']);
});

test("a GenServer that answers a call with nothing crashes: handleCall owes a reply", async () => {
  class Silent extends GenServer {}
  await using simulation = await simulate(Silent);
  await assert.rejects(simulation.runtime.call("agent", {}), {
    code: "AGENTRT_AGENT_CRASHED",
    message: /handler returned nothing/,
  });
});

test("an agent's ports refuse to work before the agent runs", () => {
  class Early extends Agent {
    override handle(): void {}
  }
  const early = new Early("early");
  assert.throws(() => early.send("x", {}), { code: "AGENTRT_AGENT_NOT_ATTACHED" });
  assert.throws(() => early.log, { code: "AGENTRT_AGENT_NOT_ATTACHED" });
});

const wrongOptions: [ChildOptions, RegExp][] = [
  [{ mailboxLengthMax: 0 }, /mailboxLengthMax is 0, want a whole number from 1/],
  [{ retryCountMax: -1 }, /retryCountMax is -1/],
  [{ retryCountMax: 1.5 }, /retryCountMax is 1.5/],
  [{ handleTimeoutMs: 0 }, /handleTimeoutMs is 0/],
  [{ shutdownTimeoutMs: Number.NaN }, /shutdownTimeoutMs is NaN/],
  [{ startTimeoutMs: 2 ** 31 }, /startTimeoutMs is 2147483648/],
];
for (const [options, message] of wrongOptions) {
  test(`child() refuses ${JSON.stringify(options)}`, () => {
    class Any extends Agent {
      override handle(): void {}
    }
    assert.throws(() => child(Any, "agent", options), {
      code: "AGENTRT_AGENT_OPTION_INVALID",
      message,
    });
  });
}

test("config reaches each incarnation as it was given, whatever the one before did to it", async () => {
  class Configured extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      const list = this.config["list"] as JsonValue[];
      list.push(2);
      if (message.payload["crash"] === true) throw new Error("crash");
      return { list };
    }
  }
  await using simulation = await simulate(Configured, { config: { list: [1] } });
  await assert.rejects(simulation.runtime.call("agent", { crash: true }));
  assert.deepEqual(await simulation.runtime.call("agent", {}), { list: [1, 2] });
});

test("an agent that throws what cannot be shown crashes like any other, and its caller is told", async () => {
  const unshowable = {
    toString(): string {
      throw new Error("no text");
    },
  };
  class Rogue extends Agent {
    override async handle(): Promise<never> {
      throw unshowable;
    }
  }
  await using simulation = await simulate(Rogue);
  const called = simulation.runtime.call("agent", {});
  await assert.rejects(called, { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
  assert.equal(agentStatus(simulation), "RUNNING");
  const [crash, restart] = simulation.logLines;
  assert.match(
    crash ?? "",
    /^error agent crashed agent=agent during=handle type=message id=\S+ error=/,
  );
  assert.equal(
    restart,
    "warn  child will be restarted supervisor=root child=agent strategy=ONE_FOR_ONE delayMs=0 crashesInWindow=1 restartsLeft=2",
  );
});

test("limits that a class gives to itself go before those of the tree, and are checked", async () => {
  class Bounded extends Agent {
    constructor(name: string, options: AgentOptions = {}) {
      super(name, { ...options, mailboxLengthMax: 2, shutdownTimeoutMs: 50 });
    }
    override async handle(): Promise<never> {
      return await new Promise(() => undefined);
    }
  }
  const simulation = await simulate(Bounded, { mailboxLengthMax: 10, shutdownTimeoutMs: 5000 });
  for (let sent = 0; sent < 5; sent += 1)
    simulation.runtime.cast("agent", {}).catch(() => undefined);
  await simulation.runUntilIdle();
  const node = simulation.runtime.tree().children[0];
  assert.ok(node?.kind === "agent");
  assert.deepEqual([node.mailboxDepth, node.waitingSenderCount], [2, 2]);
  const beganMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: ["agent"] });
  assert.equal(simulation.clock.monotonicMs() - beganMs, 50);
  class Roomless extends Agent {
    constructor(name: string) {
      super(name, { mailboxLengthMax: 0 });
    }
    override handle(): void {}
  }
  await assert.rejects(simulate(Roomless), /mailboxLengthMax is 0, want a whole number from 1/);
});
