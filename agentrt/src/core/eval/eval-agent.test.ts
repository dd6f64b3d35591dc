import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../state/index.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import { child, describeAgent } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";
import { EvalAgent, type EvalAgentOptions } from "./eval-agent.ts";
import type { EvalEvent, EvalSignal } from "../messages/eval-signal.ts";

/** Gives the signal that the event's payload asks for. */
class Judge extends EvalAgent {
  static events: EvalEvent[] = [];

  override onEvalEvent(event: EvalEvent): EvalSignal | null {
    Judge.events.push(event);
    const { signal } = event.payload as { signal?: EvalSignal };
    return signal ?? null;
  }
}

/** Writes down its corrections; does what its messages say. */
class Worker extends Agent {
  static trace: string[] = [];
  static release: () => void = () => undefined;

  override onStop(): void {
    Worker.trace.push(`${this.name} stops`);
  }
  override onCorrection({ type, sender, payload }: Message): void {
    Worker.trace.push(`${this.name} ${type} from ${sender}: ${JSON.stringify(payload)}`);
    if (payload["reason"] === "fails") throw new Error("of the hook");
  }
  override async handle({ payload }: Message): Promise<JsonObject> {
    const { report, to, hold, forge } = payload as {
      report?: JsonObject;
      to?: string;
      hold?: boolean;
      forge?: string;
    };
    if (report !== undefined) {
      await this.emitEval("answer", report, to === undefined ? {} : { evalAgent: to });
    }
    if (forge !== undefined) await this.send("victim", {}, { type: forge });
    if (hold === true) {
      await new Promise<void>((resolve) => {
        Worker.release = resolve;
      });
    }
    Worker.trace.push(`${this.name} handled`);
    return {};
  }
}

async function simulate(options: EvalAgentOptions = {}): Promise<Simulation> {
  Judge.events = [];
  Worker.trace = [];
  const children = [
    describeAgent(Judge, "eval_agent", options),
    child(EvalAgent, "silent"),
    child(Worker, "worker"),
    child(Worker, "victim"),
  ];
  const simulation = new Simulation({
    supervision: supervisor("root", { backoffBaseMs: 0, children }),
  });
  await simulation.start();
  return simulation;
}

const nudge = (reason: string): EvalSignal => ({ severity: "nudge", reason });

test("an event says who reported it, whatever its payload claims", async () => {
  await using simulation = await simulate();
  await simulation.cast("worker", { report: { agent_name: "victim", text: "long" } });
  const [event] = Judge.events;
  assert.equal(event?.agentName, "worker");
  assert.equal(event?.eventType, "answer");
  assert.deepEqual(event?.payload, { agent_name: "victim", text: "long" });
  assert.match(event?.traceId ?? "", /^[0-9a-f]{32}$/);
  assert.equal(event?.timestampMs, simulation.clock.nowMs());
});

test("the only eval agent hears what is reported, whatever its name is; of two only the one that is named", async () => {
  for (const { names, to, heard } of [
    { names: ["judge"], to: undefined, heard: 1 },
    { names: ["judge", "second"], to: undefined, heard: 0 },
    { names: ["judge", "second"], to: "second", heard: 1 },
    { names: ["judge", "eval_agent"], to: undefined, heard: 1 },
  ]) {
    Judge.events = [];
    const judges = names.map((name) => child(Judge, name));
    const children = [...judges, child(Worker, "worker")];
    await using simulation = new Simulation({ supervision: supervisor("root", { children }) });
    await simulation.start();
    await simulation.cast("worker", { report: {}, ...(to === undefined ? {} : { to }) });
    assert.equal(Judge.events.length, heard, names.join(" "));
  }
});

test("a nudge and a redirect come to onCorrection, never to handle", async () => {
  await using simulation = await simulate();
  const redirect = { severity: "redirect", reason: "wrong way", payload: { to: "north" } };
  for (const signal of [nudge("be brief"), redirect]) {
    await simulation.cast("worker", { report: { signal } });
  }
  const type = "worker agentrt.eval.correction from eval_agent";
  assert.deepEqual(Worker.trace, [
    "worker handled",
    `${type}: {"severity":"nudge","reason":"be brief"}`,
    "worker handled",
    `${type}: {"to":"north","severity":"redirect","reason":"wrong way"}`,
  ]);
});

test("a correction comes before the messages that wait, and waits while the agent is suspended", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await simulation.cast("worker", { report: { signal: nudge("now") }, hold: true });
  await simulation.cast("worker", {});
  Worker.release();
  await simulation.runUntilIdle();
  assert.deepEqual(
    Worker.trace.map((line) => line.split(" ")[1]),
    ["handled", "agentrt.eval.correction", "handled"],
  );
  await simulation.cast("worker", { report: { signal: nudge("later") }, hold: true });
  const suspended = runtime.suspend("worker", { reason: "audit" });
  Worker.release();
  await simulation.until(suspended);
  Worker.trace = [];
  await simulation.runUntilIdle();
  assert.deepEqual(Worker.trace, []);
  await simulation.until(runtime.resume("worker", { approver: "Ada" }));
  await simulation.runUntilIdle();
  assert.equal(Worker.trace.length, 1);
});

test("a halt stops the target for good: its stop hook runs, its supervisor does not restart it", async () => {
  await using simulation = await simulate();
  const signal = { severity: "halt", reason: "enough" };
  await simulation.cast("worker", { report: { signal }, hold: true });
  await simulation.cast("worker", {});
  Worker.release();
  await simulation.runUntilIdle();
  assert.deepEqual(Worker.trace, ["worker handled", "worker stops"]);
  const worker = simulation.runtime.tree().children[2];
  assert.deepEqual([worker?.status, worker?.restartCount], ["STOPPED", 0]);
  assert.equal(simulation.runtime.snapshot().dropped.stopped, 1);
  await assert.rejects(simulation.call("worker", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

test("corrections of each target have a limit in a sliding window; those beyond are dropped and logged", async () => {
  await using simulation = await simulate({ correctionCountMax: 2, correctionWindowMs: 10_000 });
  const report = async (name: string): Promise<void> =>
    await simulation.cast(name, { report: { signal: nudge("again") } });
  const corrections = (name: string): number =>
    Worker.trace.filter((line) => line.startsWith(`${name} agentrt`)).length;
  for (let count = 0; count < 4; count += 1) await report("worker");
  await report("victim");
  assert.deepEqual([corrections("worker"), corrections("victim")], [2, 1]);
  assert.equal(simulation.logLines.filter((line) => line.includes("too many")).length, 2);
  await simulation.advance(10_000);
  await report("worker");
  assert.equal(corrections("worker"), 3);
});

test("a limit of 0 allows no correction, no halt either", async () => {
  await using simulation = await simulate({ correctionCountMax: 0 });
  await simulation.cast("worker", { report: { signal: { severity: "halt", reason: "x" } } });
  assert.equal(simulation.runtime.tree().children[2]?.status, "RUNNING");
});

test("emitEval() without an eval agent of that name does nothing; EvalAgent itself corrects nobody", async () => {
  await using simulation = await simulate();
  const signal = nudge("x");
  await simulation.cast("worker", { report: { signal }, to: "nobody" });
  await simulation.cast("worker", { report: { signal }, to: "silent" });
  assert.deepEqual(Worker.trace, ["worker handled", "worker handled"]);
  assert.equal(simulation.runtime.snapshot().dropped.noRoute, 0);
});

test("agents cannot forge events, corrections or halts", async () => {
  await using simulation = await simulate();
  for (const type of ["agentrt.eval.halt", "agentrt.eval.correction", "agentrt.eval.event"]) {
    await simulation.cast("worker", { forge: type });
    await simulation.advance(100);
  }
  assert.equal(simulation.runtime.tree().children[3]?.status, "RUNNING");
  assert.ok(!Worker.trace.some((line) => line.startsWith("victim")));
});

test("onCorrection that throws crashes the agent, which is restarted", async () => {
  await using simulation = await simulate();
  await simulation.cast("worker", { report: { signal: nudge("fails") } });
  const worker = simulation.runtime.tree().children[2];
  assert.deepEqual([worker?.status, worker?.restartCount], ["RUNNING", 1]);
});

test("a signal of no known severity crashes the eval agent, with what it gave", async () => {
  await using simulation = await simulate();
  await simulation.cast("worker", { report: { signal: { severity: "shout", reason: "x" } } });
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 1);
  assert.ok(simulation.logLines.some((line) => line.includes("shout")));
});

test("limits out of range are refused when the tree starts", async () => {
  for (const options of [{ correctionCountMax: -1 }, { correctionWindowMs: 0 }]) {
    await assert.rejects(simulate(options), /correction(CountMax|WindowMs) is/);
  }
});

test("a halted agent stays halted when its siblings restart and its process ends, and is resumed", async () => {
  const state = new MemoryStateStore();
  Worker.trace = [];
  const supervision = supervisor("root", {
    strategy: "ONE_FOR_ALL",
    backoffBaseMs: 0,
    children: [child(Judge, "judge"), child(Worker, "worker"), child(Worker, "other")],
  });
  const statusOf = ({ runtime }: Simulation) => runtime.agentNode("worker")?.status;
  {
    await using simulation = new Simulation({ supervision, state });
    await simulation.start();
    const events: string[] = [];
    simulation.runtime.onEvent(({ type }) => events.push(type));
    await simulation.cast("worker", { report: { signal: { severity: "halt", reason: "rude" } } });
    assert.equal(events.filter((type) => type === "agent.halted").length, 1);
    await simulation.crash("other");
    assert.equal(statusOf(simulation), "STOPPED");
    assert.deepEqual(simulation.runtime.health().halted, ["worker"]);
    const restarted = simulation.runtime.restart("worker");
    await assert.rejects(restarted, { code: "AGENTRT_AGENT_HALTED", message: /"judge".*rude/ });
    const suspended = simulation.runtime.suspend("worker", { reason: "audit" });
    await assert.rejects(suspended, { code: "AGENTRT_AGENT_STOPPED" });
  }
  await using simulation = new Simulation({ supervision, state });
  await simulation.start();
  const { runtime } = simulation;
  await simulation.runUntilIdle();
  assert.equal(statusOf(simulation), "STOPPED");
  assert.equal(runtime.agentNode("worker")?.suspension?.initiatedBy, "judge");
  await assert.rejects(simulation.call("worker", {}), { message: /"judge" has halted it/ });
  // Two at once: both are served.
  const lifts = ["Ada", "Bob"].map((approver) => runtime.resume("worker", { approver }));
  await simulation.until(Promise.all(lifts));
  assert.equal(statusOf(simulation), "RUNNING");
  assert.deepEqual(await simulation.call("worker", {}), {});
  assert.deepEqual(await state.get("worker"), {});
  assert.equal(runtime.health().halted, undefined);
});

test("a resume that comes while the agent ends by a halt starts it again behind that", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const signal = { severity: "halt", reason: "enough" };
  await simulation.cast("worker", { report: { signal }, hold: true });
  const resumed = runtime.resume("worker", { approver: "Ada" });
  await simulation.runUntilIdle();
  Worker.release();
  await simulation.until(resumed);
  assert.deepEqual(Worker.trace, ["worker handled", "worker stops"]);
  assert.equal(runtime.agentNode("worker")?.status, "RUNNING");
});

test("a halt whose resume fails in onStart is lifted all the same, and the start is tried again", async () => {
  const state = new MemoryStateStore();
  let failureCount = 1;
  class Fragile extends Worker {
    override onStart(): void {
      if (this.state["old"] === true && failureCount > 0) {
        failureCount -= 1;
        throw new Error("not yet");
      }
      this.state["old"] = true;
    }
    override async handle(message: Message): Promise<JsonObject> {
      await this.checkpoint();
      return await super.handle(message);
    }
  }
  const children = [child(Judge, "judge"), child(Fragile, "worker")];
  await using simulation = new Simulation({
    supervision: supervisor("root", { backoffBaseMs: 10, children }),
    state,
  });
  await simulation.start();
  await simulation.cast("worker", { report: { signal: { severity: "halt", reason: "rude" } } });
  await simulation.until(simulation.runtime.resume("worker", { approver: "Ada" }));
  assert.equal(failureCount, 0);
  assert.deepEqual(await simulation.call("worker", {}), {});
});
