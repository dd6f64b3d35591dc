import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import type { Message } from "../messages/message.ts";
import { ResidentLoops, residentLoopCountMax } from "./resident-loops.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

class Adder extends Agent {
  #sum = 0;

  override async handle(message: Message): Promise<object> {
    this.#sum = this.#sum * 2 + Number(message.payload["bit"]);
    return { sum: this.#sum, owner: this.name };
  }
}

test("ResidentLoops evicts the one that has had its place longest", () => {
  const loops = new ResidentLoops();
  const evicted: number[] = [];
  for (let index = 0; index < residentLoopCountMax + 3; index += 1) {
    loops.admit({ evict: () => void evicted.push(index) });
  }
  assert.deepEqual(evicted, [0, 1, 2]);
});

test("agents whose loops are not kept serve every message in order, round after round", async () => {
  const count = residentLoopCountMax + 200;
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: names.map((name) => child(Adder, name)) }),
  });
  await simulation.start();
  for (const bits of ["10", "1", "01"]) {
    for (const bit of bits) {
      for (const name of names) void simulation.runtime.cast(name, { bit: Number(bit) });
    }
    await simulation.runUntilIdle();
  }
  const sums = names.map((name) => simulation.runtime.call(name, { bit: 1 }));
  const replies = await simulation.until(Promise.all(sums));
  // 10 1 01 and a last 1, read as binary.
  assert.deepEqual(
    replies,
    names.map((name) => ({ sum: 0b101011, owner: name })),
  );
});

test("an agent whose loop is not kept still restarts and stops when it is asked", async () => {
  const names = Array.from({ length: residentLoopCountMax + 2 }, (_, index) => `agent-${index}`);
  await using simulation = new Simulation({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: names.map((name) => child(Adder, name)),
    }),
  });
  await simulation.start();
  for (const name of names) await simulation.runtime.cast(name, { bit: 1 });
  await simulation.runUntilIdle();
  // The first two have lost their place by now.
  await simulation.crash("agent-0");
  assert.deepEqual(await simulation.call("agent-0", { bit: 1 }), { sum: 1, owner: "agent-0" });
  await simulation.until(simulation.runtime.stopAgent("agent-1"));
  await assert.rejects(simulation.call("agent-1", { bit: 1 }), { code: "AGENTRT_AGENT_STOPPED" });
});
