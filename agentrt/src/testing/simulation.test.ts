import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  GenServer,
  supervisor,
  type JsonObject,
  type Message,
} from "../core/index.ts";
import { MemoryStateStore } from "../state/index.ts";
import { FaultyStateStore, forEachSeed, type Invariant, Simulation } from "./index.ts";

class Saver extends Agent {
  override async handle(): Promise<JsonObject> {
    this.state["n"] = Number(this.state["n"] ?? 0) + 1;
    await this.checkpoint();
    return { ...this.state };
  }
}

const supervision = supervisor("root", { backoffBaseMs: 5000, children: [child(Saver, "saver")] });

test("Simulation.call() lets the time pass that a restart needs; crash() is a crash like any other", async () => {
  await using simulation = new Simulation({ supervision });
  await simulation.start();
  assert.deepEqual(await simulation.call("saver", {}), { n: 1 });
  await simulation.crash("saver");
  assert.deepEqual(await simulation.call("saver", {}), { n: 2 });
  assert.equal(simulation.clock.monotonicMs(), 5000);
  assert.deepEqual(
    simulation.events.lines.map((line) => line.replace(/:.*/, "")),
    [
      "0 agent.started saver",
      "0 agent.crashed saver",
      "0 supervisor.crash root/saver",
      "5000 supervisor.restart root/saver ONE_FOR_ONE",
      "5000 agent.started saver",
    ],
  );
  await simulation.cast("saver", {});
  assert.equal(simulation.runtime.snapshot().agents["saver"]?.messagesHandled, 3);
});

test("Simulation.stream() lets the time pass that each chunk needs", async () => {
  const wait = (delayMs: number): Promise<void> =>
    new Promise((resolve) => void simulation.clock.setTimer(delayMs, resolve));
  class Ticking extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      for (const delayMs of [1000, 2000]) {
        await wait(delayMs);
        await this.emit(message, { delayMs });
      }
      return { delayMs: 0 };
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Ticking, "ticking")] }),
  });
  await simulation.start();
  const taken: unknown[] = [];
  for await (const { delayMs } of simulation.stream("ticking", {})) {
    taken.push([simulation.clock.monotonicMs(), delayMs]);
    if (delayMs === 0) break;
  }
  assert.deepEqual(taken, [
    [1000, 1000],
    [3000, 2000],
    [3000, 0],
  ]);
});

test("invariants see what agents stream from each other, and that they leave", async () => {
  class Ticking extends Agent {
    override async *handle() {
      for (let count = 0; count < 10; count += 1) yield { count };
    }
  }
  class Reader extends Agent {
    override async handle(): Promise<JsonObject> {
      for await (const { count } of this.stream("ticking", {})) if (count === 1) break;
      for await (const _ of this.stream("nobody", {})) continue;
      return {};
    }
  }
  const seen: string[] = [];
  const watching: Invariant = {
    name: "watching",
    onFact: (fact) => {
      if (!("call" in fact) || !fact.call.isStream) return undefined;
      const { caller, to } = fact.call;
      seen.push(`${fact.type} ${caller?.name} ${JSON.stringify(to)}`);
      return undefined;
    },
  };
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [child(Ticking, "ticking"), child(Reader, "reader")],
    }),
    invariants: [watching],
  });
  await simulation.start();
  await assert.rejects(simulation.call("reader", {}));
  assert.deepEqual(seen, [
    'chunk reader "ticking"',
    'chunk reader "ticking"',
    'left reader "ticking"',
    'refused reader "nobody"',
  ]);
});

test("invariants see calls and streams to a capability, and which message each became", async () => {
  class Holder extends Agent {
    override handle({ isStream }: Message) {
      return isStream ? this.#stream() : {};
    }
    async *#stream() {
      yield {};
    }
  }
  class Asker extends Agent {
    override async handle(): Promise<JsonObject> {
      await this.callCapable("count", {});
      for await (const _ of this.streamCapable("count", {})) continue;
      return {};
    }
  }
  const seen: string[] = [];
  const watching: Invariant = {
    name: "watching",
    onFact: (fact) => {
      if ("call" in fact && typeof fact.call.to === "object") {
        const { caller, to, sent } = fact.call;
        seen.push(`${fact.type} ${caller?.name ?? "outside"} ${to.capability} ${sent?.way}`);
      }
      return undefined;
    },
  };
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      children: [child(Holder, "holder", { capabilities: ["count"] }), child(Asker, "asker")],
    }),
    invariants: [watching],
  });
  await simulation.start();
  const { runtime } = simulation;
  await simulation.call("asker", {});
  await simulation.until(runtime.callCapable("count", {}));
  await simulation.until(runtime.streamCapable("count", {}).next());
  await assert.rejects(simulation.until(runtime.callCapable("paint", {})));
  assert.deepEqual(seen, [
    "answered asker count asker>holder normal",
    "chunk asker count asker>holder normal",
    "answered outside count >holder normal",
    "chunk outside count >holder normal",
    "refused outside paint undefined",
  ]);
});

test("Simulation.until() gives up after a day of virtual time", async () => {
  class Ticking extends GenServer {
    override onStart(): void {
      this.sendAfter(60_000, {});
    }

    override handleInfo(): void {
      this.sendAfter(60_000, {});
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Ticking, "ticking")] }),
  });
  await simulation.start();
  await assert.rejects(simulation.until(new Promise(() => undefined)), { message: /a day/ });
});

test("forEachSeed() runs each seed once and names the one that fails, with its cause", async () => {
  const tried: number[] = [];
  await forEachSeed({ count: 3, first: 5 }, (seed) => void tried.push(seed));
  assert.deepEqual(tried, [5, 6, 7]);
  const cause = new Error("boom");
  const failing = forEachSeed({}, async (seed) => {
    await Promise.resolve();
    if (seed === 4) throw cause;
  });
  await assert.rejects(failing, {
    message: "seed 4 of 1 to 20, repeat it with { first: 4, count: 1 }: boom",
    cause,
  });
});

test("FaultyStateStore fails what it is told to, and keeps the rest", async () => {
  let isFull = true;
  const state = new FaultyStateStore(new MemoryStateStore(), (operation, agent) =>
    isFull && operation === "set" && agent === "saver" ? new Error("disk full") : undefined,
  );
  await using simulation = new Simulation({ supervision, state });
  await simulation.start();
  await assert.rejects(simulation.call("saver", {}), { message: /disk full/ });
  isFull = false;
  assert.deepEqual(await simulation.call("saver", {}), { n: 1 });
  assert.deepEqual(await state.listAgents(), ["saver"]);
  await state.delete("saver");
  assert.deepEqual(await state.listAgents(), []);
});

for (const durationMs of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
  test(`advance(${durationMs}) is refused`, async () => {
    await using simulation = new Simulation({ supervision });
    await assert.rejects(simulation.advance(durationMs), RangeError);
  });
}
