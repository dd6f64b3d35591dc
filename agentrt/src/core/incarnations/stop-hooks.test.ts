/** Stop hooks that throw, reject or hang: at a shutdown, in a restart, and after a start that failed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { puppet, Puppet } from "../../testing/puppet.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor, type SupervisorOptions } from "../tree/supervisor-spec.ts";

/** Ends as its configuration says. */
class Ending extends Agent {
  override onStart(): void {
    if (this.config["failsAtStart"] === true) throw new Error("no start");
  }
  override onStop(): Promise<void> | void {
    Puppet.trace.push(`stop ${this.name}`);
    if (this.config["how"] === "throws") throw new Error(`${this.name} ends badly`);
    if (this.config["how"] === "rejects")
      return Promise.reject(new Error(`${this.name} ends badly`));
    if (this.config["how"] === "hangs") return new Promise(() => undefined);
  }
  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["crash"] === true) throw new Error("as told");
    return { name: this.name };
  }
}

const ending = (how: string, more: { readonly [key: string]: JsonValue } = {}) =>
  child(Ending, how, { config: { how, ...more }, shutdownTimeoutMs: 500 });

async function start(options: SupervisorOptions): Promise<Simulation> {
  Puppet.trace = [];
  Puppet.failingStarts = new Map();
  const simulation = new Simulation({ supervision: supervisor("root", options) });
  await simulation.start();
  return simulation;
}

test("stop hooks that throw, reject and hang keep a shutdown neither from its end nor from its order", async () => {
  const simulation = await start({
    children: [
      puppet("first"),
      ending("throws"),
      supervisor("sub", { children: [ending("rejects"), ending("hangs")] }),
      puppet("last"),
    ],
  });
  const beganMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: ["hangs"] });
  assert.equal(simulation.clock.monotonicMs() - beganMs, 500);
  assert.deepEqual(Puppet.trace.slice(-5), [
    "stop last",
    "stop hangs",
    "stop rejects",
    "stop throws",
    "stop first",
  ]);
  for (const name of ["throws", "rejects"]) {
    const told = simulation.logLines.filter((line) => line.includes(`${name} ends badly`));
    assert.equal(told.length, 1, simulation.logLines.join("\n"));
  }
  assert.equal(simulation.runtime.status, "stopped");
});

for (const how of ["throws", "rejects", "hangs"]) {
  test(`a stop hook that ${how} does not keep a crashed agent from its restart, nor its siblings from theirs`, async () => {
    await using simulation = await start({
      strategy: "ONE_FOR_ALL",
      backoffBaseMs: 0,
      children: [puppet("sibling"), ending(how)],
    });
    await simulation.cast(how, { crash: true });
    // One that hangs is given up after its limit; the others are over at once.
    await simulation.advance(how === "hangs" ? 500 : 0);
    assert.deepEqual(
      simulation.runtime.tree().children.map(({ status, restartCount }) => [status, restartCount]),
      [
        ["RUNNING", 1],
        ["RUNNING", 1],
      ],
    );
    assert.deepEqual(await simulation.call(how, {}), { name: how });
    await simulation.stop({ timeoutMs: 1000 });
  });
}

test("the stop hook runs after a start hook that failed, and a fault of its own hides nothing of that", async () => {
  const children = [puppet("first"), ending("throws", { failsAtStart: true })];
  await assert.rejects(start({ children }), {
    code: "AGENTRT_SUPERVISION_START_FAILED",
    message: /no start/,
  });
  assert.deepEqual(Puppet.trace, ["start first", "stop throws", "stop first"]);
});
