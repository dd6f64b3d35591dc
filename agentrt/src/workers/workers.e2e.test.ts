/** Agents on workers over each link with a real broker: served, restarted by their supervisor, lost with their worker, and back with it. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  Agent,
  child,
  createTextLog,
  EvalAgent,
  type EvalEvent,
  type EvalSignal,
  type JsonObject,
  type Message,
  supervisor,
  type RuntimeEvent,
} from "../core/index.ts";
import { linkCases, type Meeting } from "../links/test-support/link-cases.ts";
import { Runtime } from "../runtime/index.ts";
import { serializerNamed } from "../wire/index.ts";
import { supervisorNetwork, workerNetwork } from "./index.ts";

class Desk extends Agent {
  #count = 0;
  readonly #corrections: JsonObject[] = [];
  override onCorrection({ sender, payload }: Message): void {
    this.#corrections.push({ sender, ...payload });
  }
  override async handle({ payload, type }: Message): Promise<JsonObject | undefined> {
    this.#count += 1;
    if (type === "crash") throw new Error("the desk broke");
    if (type === "ask") return { front: await this.call("front", {}) };
    if (type === "report") await this.emitEval("answer", payload);
    if (type === "corrected") return { corrections: this.#corrections };
    if (type === "hang") return await new Promise<never>(() => undefined);
    return { said: payload["say"] ?? null, count: this.#count };
  }
}

/** Says what its events ask it to say. */
class Judge extends EvalAgent {
  override onEvalEvent({ payload }: EvalEvent): EvalSignal {
    const isHalt = payload["severity"] === "halt";
    return { severity: isHalt ? "halt" : "nudge", reason: "as reported", payload: { n: 1 } };
  }
}

class Front extends Agent {
  override async handle({ type }: Message): Promise<JsonObject> {
    return type === "forward" ? await this.call("desk", { say: "from front" }) : { isFront: true };
  }
}

class Counter extends Agent {
  override async *handle({ payload }: Message): AsyncGenerator<JsonObject> {
    for (let number = 1; number <= Number(payload["to"]); number += 1) yield { number };
  }
}

const lines: string[] = [];
const log = createTextLog({ write: (line) => void lines.push(line) });

/** The processes of one topology, which meet at one broker. */
class Cluster {
  readonly #meeting: Meeting;

  constructor(meeting: Meeting) {
    this.#meeting = meeting;
  }

  async startSupervisor(): Promise<Runtime> {
    const runtime = new Runtime({
      supervision: supervisor("root", {
        backoffBaseMs: 0,
        restartCountMax: 100,
        children: [
          child(Front, "front"),
          child(Judge, "judge"),
          child(Desk, "desk", { process: "back" }),
          child(Counter, "counter", { process: "back" }),
        ],
      }),
      log,
      network: supervisorNetwork(this.#connection("supervisor")),
    });
    await runtime.start();
    return runtime;
  }

  makeWorker(topologyHash = "same", onRefused: (error: Error) => void = () => undefined): Runtime {
    return new Runtime({
      supervision: supervisor("worker:back", {
        restartCountMax: 0,
        children: [child(Desk, "desk"), child(Counter, "counter")],
      }),
      log,
      network: workerNetwork({
        ...this.#connection("back"),
        topologyHash,
        process: "back",
        others: [
          { name: "front", takesKeys: false, isEvalAgent: false },
          { name: "judge", takesKeys: false, isEvalAgent: true },
        ],
        onRefused,
      }),
    });
  }

  #connection(name: string) {
    return {
      link: this.#meeting.linkOf(name),
      serializer: serializerNamed(undefined),
      log,
      topologyHash: "same",
    };
  }
}

/** Settles with the next event that fits. */
async function next(
  runtime: Runtime,
  fits: (event: RuntimeEvent) => boolean,
): Promise<RuntimeEvent> {
  const { promise, resolve } = Promise.withResolvers<RuntimeEvent>();
  const end = runtime.onEvent((event) => fits(event) && resolve(event));
  return await promise.finally(end);
}

/** Asks again until it is answered. */
async function untilServed(runtime: Runtime): Promise<JsonObject> {
  for (;;) {
    try {
      return await runtime.call("desk", { say: "hello" }, { timeoutMs: 2000 });
    } catch (error) {
      const { isRetryable } = error as { readonly isRetryable?: boolean };
      if (isRetryable !== true) throw error;
      await new Promise(setImmediate);
    }
  }
}

function testWorkers(name: string, cluster: Cluster): void {
  test(`${name}: agents on a worker are called, call back, stream, and are restarted by their supervisor`, async () => {
    await using runtime = await cluster.startSupervisor();
    await assert.rejects(runtime.call("desk", {}), {
      code: "AGENTRT_WORKER_AWAY",
      httpStatus: 503,
    });

    await using worker = cluster.makeWorker();
    await worker.start();
    assert.deepEqual(await untilServed(runtime), { said: "hello", count: 1 });
    assert.deepEqual(await runtime.call("front", {}, { type: "forward" }), {
      said: "from front",
      count: 2,
    });
    assert.deepEqual(await runtime.call("desk", {}, { type: "ask" }), { front: { isFront: true } });
    const numbers: unknown[] = [];
    for await (const { number } of runtime.stream("counter", { to: 500 })) numbers.push(number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 500 }, (_, index) => index + 1),
    );

    const restarted = next(runtime, ({ type }) => type === "supervisor.restart");
    await assert.rejects(runtime.call("desk", {}, { type: "crash" }), {
      code: "AGENTRT_AGENT_CRASHED",
    });
    await restarted;
    // What comes while it starts again waits for it.
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => runtime.call("desk", { say: "again" })),
    );
    assert.deepEqual(
      replies.map(({ count }) => count),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    const desk = runtime.tree().children.find((each) => each.name === "desk");
    assert.deepEqual([desk?.status, desk?.restartCount, desk?.processName], ["RUNNING", 1, "back"]);
  });

  test(`${name}: callers of a worker that stops get a typed error at once, and its agents are back with the next worker`, async () => {
    await using runtime = await cluster.startSupervisor();
    const worker = cluster.makeWorker();
    await worker.start();
    await untilServed(runtime);
    const hanging = runtime.call("desk", {}, { type: "hang" });
    const crashed = next(
      runtime,
      (event) => event.type === "supervisor.crash" && event.child === "desk",
    );
    lines.length = 0;
    const stopping = worker.stop({ timeoutMs: 0 });
    await assert.rejects(hanging, { isRetryable: true });
    await crashed;
    await stopping;
    const said = lines.filter((line) => line.includes("a worker "));
    assert.match(said.join(""), /^info {2}a worker has stopped process=back /);
    await assert.rejects(runtime.call("desk", {}), { code: "AGENTRT_WORKER_AWAY" });

    await using again = cluster.makeWorker();
    await again.start();
    assert.deepEqual(await untilServed(runtime), { said: "hello", count: 1 });
  });

  test(`${name}: an agent of a worker that is stopped stays so, also at the next worker, until a restart`, async () => {
    await using runtime = await cluster.startSupervisor();
    const worker = cluster.makeWorker();
    await worker.start();
    await untilServed(runtime);
    assert.deepEqual(await runtime.stopAgent("desk"), { lateNames: [] });
    const stopped = { code: "AGENTRT_AGENT_STOPPED" };
    await assert.rejects(runtime.call("desk", {}), stopped);
    assert.equal(worker.tree().children.find((each) => each.name === "desk")?.status, "STOPPED");
    for (const action of ["suspend", "resume", "drain"] as const)
      await assert.rejects(runtime[action]("desk", { reason: "lunch", approver: "ada" }), {
        code: "AGENTRT_SUPERVISION_ELSEWHERE",
        message: new RegExp(`Cannot ${action} "desk"`),
      });
    await worker.stop();
    await using again = cluster.makeWorker();
    const settled = next(again, (event) => event.type === "agent.stopped" && event.name === "desk");
    await again.start();
    await settled;
    await assert.rejects(runtime.call("desk", {}), stopped);
    await runtime.restart("desk", { initiatedBy: "ada" });
    assert.deepEqual(await untilServed(runtime), { said: "hello", count: 1 });
  });

  test(`${name}: an eval agent of another process corrects an agent of a worker, and halts it until somebody resumes it`, async () => {
    await using runtime = await cluster.startSupervisor();
    await using worker = cluster.makeWorker();
    await worker.start();
    await untilServed(runtime);
    await runtime.call("desk", {}, { type: "report" });
    let corrections: unknown = [];
    while (JSON.stringify(corrections) === "[]")
      ({ corrections = [] } = await runtime.call("desk", {}, { type: "corrected" }));
    assert.deepEqual(corrections, [
      { sender: "judge", n: 1, severity: "nudge", reason: "as reported" },
    ]);

    const halted = next(worker, (event) => event.type === "agent.halted");
    await runtime.call("desk", { severity: "halt" }, { type: "report" });
    await halted;
    await assert.rejects(runtime.call("desk", {}, { timeoutMs: 2000 }), {
      code: "AGENTRT_AGENT_STOPPED",
    });
    // Neither a restart nor another supervisor starts it.
    await runtime.restart("desk", { initiatedBy: "ada" });
    await assert.rejects(runtime.call("desk", {}, { timeoutMs: 2000 }), {
      code: "AGENTRT_AGENT_STOPPED",
    });
    await worker.resume("desk", { approver: "ada" });
    assert.equal((await untilServed(runtime))["said"], "hello");
    const desk = runtime.tree().children.find((each) => each.name === "desk");
    assert.deepEqual([desk?.status, desk?.restartCount], ["RUNNING", 1]);
  });

  test(`${name}: a worker of another topology is refused, and says so`, async () => {
    await using runtime = await cluster.startSupervisor();
    const { promise, resolve } = Promise.withResolvers<Error>();
    await using worker = cluster.makeWorker("another", resolve);
    await worker.start();
    assert.equal(((await promise) as { code?: string }).code, "AGENTRT_WORKER_OTHER_TOPOLOGY");
    await assert.rejects(runtime.call("desk", {}), { code: "AGENTRT_WORKER_AWAY" });
  });

  test(`${name}: a worker outlives its supervisor, and the next one finds it`, async () => {
    const first = await cluster.startSupervisor();
    await using worker = cluster.makeWorker();
    await worker.start();
    await untilServed(first);
    await first.stop();
    await using second = await cluster.startSupervisor();
    assert.deepEqual(await untilServed(second), { said: "hello", count: 1 });
  });
}

for (const { name, skip, open } of linkCases)
  if (skip === false) {
    const meeting = await open();
    after(async () => await meeting[Symbol.asyncDispose]());
    testWorkers(name, new Cluster(meeting));
  } else test(`${name}: agents on workers`, { skip }, () => undefined);
