import assert from "node:assert/strict";
import {
  Agent,
  type Approval,
  child,
  type ChildSpec,
  createTextLog,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
  type System,
  type TreeNode,
} from "../../../core/index.ts";
import { Runtime } from "../../../runtime/index.ts";
import { VirtualClock } from "../../../testing/virtual-clock.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { serializerNamed } from "../../../wire/index.ts";
import { FencedStateStore, supervisorNetwork, workerNetwork } from "../../index.ts";
import { Broker } from "./broker.ts";
import { SharedStates } from "./shared-states.ts";

/** What was handled where, in the order of its beginnings. */
export interface Handled {
  readonly worker: string;
  readonly key: string;
  readonly number: number;
  readonly beganMs: number;
  endedMs: number;
}

/** An object of an agent that is at one worker. */
export interface Life {
  readonly worker: string;
  readonly name: string;
  readonly beganMs: number;
  /** When it did something last: it works by itself, ten times a second. */
  workedMs: number;
  endedMs: number;
}

/** A decision that an agent was given. */
export interface Given {
  readonly worker: string;
  readonly agent: string;
  readonly id: string;
  readonly status: string;
}

/** A supervisor and workers of one group under one virtual clock. */
export class Cluster {
  readonly clock = new VirtualClock();
  readonly broker = new Broker();
  readonly states = new SharedStates();
  readonly handled: Handled[] = [];
  /** Objects of the agents `one`, `two` and `three`, in the order of their starts. */
  readonly lives: Life[] = [];
  /** Decisions about what was asked, in the order in which they were given. */
  readonly given: Given[] = [];
  readonly #workers = new Map<string, Runtime>();
  #supervisor: Runtime | undefined;
  readonly #memberCount: number;
  readonly #log = createTextLog({
    write: (line) => {
      if (process.env["SHOW_LOG"] !== undefined) process.stderr.write(line);
    },
  });

  /** @param memberCount Of the pool `team`. */
  constructor(memberCount = 4) {
    this.#memberCount = memberCount;
  }

  get supervisor(): Runtime {
    assert.ok(this.#supervisor !== undefined);
    return this.#supervisor;
  }

  worker(name: string): Runtime {
    const worker = this.#workers.get(name);
    assert.ok(worker !== undefined);
    return worker;
  }

  /** @param name Of its link: the one before may still be there. */
  async startSupervisor(name = "supervisor"): Promise<Runtime> {
    this.#supervisor = new Runtime({
      ...this.#shared(),
      supervision: supervisor("root", { restartCountMax: 100, children: this.#nodes("nowhere") }),
      network: supervisorNetwork({
        ...this.#connection(name),
        sharedGroups: new Set(["heavy"]),
        openGroupStates: async () => this.states,
      }),
    });
    await this.settle(this.#supervisor.start());
    return this.#supervisor;
  }

  /** @param isClockStopped True for one whose process finds no time to run its timers: it does not notice that its lease ends. */
  async startWorker(name: string, isClockStopped = false): Promise<Runtime> {
    const { states: shared } = this;
    const store = new FencedStateStore({
      shared,
      fenced: shared.fenced,
      rest: new MemoryStateStore(),
      keyed: new Set(["counter", "numbers"]),
      single: new Set(singleNames),
    });
    const worker = new Runtime({
      ...this.#shared(),
      ...(isClockStopped ? { system: stoppedClock(this.clock) } : {}),
      state: store,
      shutdown: { graceMs: isClockStopped ? 0 : 30_000 },
      supervision: supervisor("worker:heavy", { restartCountMax: 0, children: this.#nodes(name) }),
      network: workerNetwork({
        ...this.#connection(name),
        store,
        process: "heavy",
        isShared: true,
        others: [
          ...singleNames.map((each) => ({ name: each, takesKeys: false })),
          { name: "numbers", takesKeys: true },
          { name: "counter", takesKeys: true },
          { name: "flex", takesKeys: false },
          { name: "team", takesKeys: false },
        ],
        onRefused: (error) => assert.fail(error),
      }),
    });
    this.#workers.set(name, worker);
    await this.settle(worker.start());
    await this.clock.advance(1);
    return worker;
  }

  /** Lets time go on until something has settled. */
  async settle<Result>(promise: Promise<Result>, stepMs = 20): Promise<Result> {
    const end = { isSettled: false };
    const settled = promise.finally(() => {
      end.isSettled = true;
    });
    settled.catch(() => undefined);
    while (!end.isSettled) await this.clock.advance(stepMs);
    return await settled;
  }

  /** @returns What the tree says of a node. */
  node(name: string): Extract<TreeNode, { kind: "supervisor" }> {
    const node = this.supervisor.tree().children.find((each) => each.name === name);
    assert.ok(node?.kind === "supervisor");
    return node;
  }

  /** @returns How much of a node each worker has. */
  shares(name: string): readonly number[] {
    return (this.node(name).parts ?? []).map(({ count }) => count);
  }

  /** Lets time go on until the workers have so much of a node. */
  async untilShared(name: string, fits: (shares: readonly number[]) => boolean): Promise<void> {
    for (let round = 0; round < 10_000; round += 1) {
      if (fits(this.shares(name))) return;
      await this.clock.advance(20);
    }
    assert.fail(`${name} is shared as ${this.shares(name).join()}`);
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers.values())
      await this.settle(worker.stop({ timeoutMs: 1000 }), 500);
    await this.settle(this.supervisor.stop({ timeoutMs: 1000 }), 500);
  }

  #nodes(worker: string): ChildSpec[] {
    const { handled, lives, given, clock } = this;
    const note = (agent: string, { id, status }: Approval): void =>
      void given.push({ worker, agent, id, status });
    const asked = { kind: "refund", payload: { amount: 5 }, expiresMs: 600_000 };
    const wait = async (ms: number): Promise<void> =>
      await new Promise((resolve) => void clock.setTimer(ms, resolve));
    class Counter extends Agent {
      override onApproval(approval: Approval): void {
        note(this.name, approval);
      }
      override async handle({ payload, type }: Message): Promise<JsonObject> {
        if (type === "ask") return { worker, id: await this.suspendForApproval(asked) };
        const entry: Handled = {
          worker,
          key: this.key ?? "",
          number: Number(payload["number"] ?? 0),
          beganMs: clock.monotonicMs(),
          endedMs: Number.POSITIVE_INFINITY,
        };
        handled.push(entry);
        if (typeof payload["takesMs"] === "number") await wait(payload["takesMs"]);
        this.state["count"] = Number(this.state["count"] ?? 0) + 1;
        await this.checkpoint();
        entry.endedMs = clock.monotonicMs();
        return { worker, count: this.state["count"] };
      }
    }
    class Member extends Agent {
      override onApproval(approval: Approval): void {
        note(this.name, approval);
      }
      override async handle({ payload, type }: Message): Promise<JsonObject> {
        if (type === "crash") throw new Error("the member broke");
        if (type === "ask") return { worker, id: await this.suspendForApproval(asked) };
        if (typeof payload["takesMs"] === "number") await wait(payload["takesMs"]);
        return { worker, member: this.name };
      }
    }
    class Numbers extends Agent {
      override async *handle({ payload }: Message): AsyncGenerator<JsonObject> {
        for (let number = 1; number <= Number(payload["to"]); number += 1)
          yield { number, key: this.key ?? "" };
      }
    }
    class Single extends Agent {
      #life: Life | undefined;
      #stopMs = 0;
      override async onStart(): Promise<void> {
        const beganMs = clock.monotonicMs();
        const life = {
          worker,
          name: this.name,
          beganMs,
          workedMs: beganMs,
          endedMs: Number.POSITIVE_INFINITY,
        };
        this.#life = life;
        lives.push(life);
        const work = (): void => {
          if (life.endedMs < Number.POSITIVE_INFINITY) return;
          life.workedMs = clock.monotonicMs();
          clock.setTimer(100, work);
        };
        work();
      }
      override onApproval(approval: Approval): void {
        note(this.name, approval);
      }
      override async onStop(): Promise<void> {
        if (this.#stopMs > 0) await wait(this.#stopMs);
        if (this.#life !== undefined) this.#life.endedMs = clock.monotonicMs();
      }
      override async handle({ payload, type }: Message): Promise<JsonObject> {
        if (type === "crash") throw new Error("the agent broke");
        if (type === "ask") return { worker, id: await this.suspendForApproval(asked) };
        if (typeof payload["stopMs"] === "number") this.#stopMs = payload["stopMs"];
        if (typeof payload["takesMs"] === "number") await wait(payload["takesMs"]);
        this.state["count"] = Number(this.state["count"] ?? 0) + 1;
        await this.checkpoint();
        return { worker, count: this.state["count"] };
      }
    }
    return [
      ...singleNames.map((name) =>
        child(Single, name, { process: "heavy", shutdownTimeoutMs: 5000 }),
      ),
      keyed(Numbers, "numbers", { key: "id", process: "heavy" }),
      keyed(Counter, "counter", { key: "id", process: "heavy" }),
      pool(Member, "flex", {
        memberCountMin: 1,
        memberCountMax: 6,
        scaleAfterMs: 500,
        idleMs: 5000,
        process: "heavy",
      }),
      pool(Member, "team", { size: this.#memberCount, process: "heavy" }),
    ];
  }

  #shared() {
    const { clock } = this;
    return { system: clock, scheduler: clock.scheduler, log: this.#log };
  }

  #connection(name: string) {
    return {
      link: this.broker.linkOf(name),
      serializer: serializerNamed(undefined),
      log: this.#log,
      topologyHash: "same",
    };
  }
}

/** Agents that are at one worker each. */
const singleNames = ["one", "two", "three"];

/** A clock on which no time goes by, and whose timers are a hundred times late. */
function stoppedClock(clock: VirtualClock): System {
  const startedMs = clock.monotonicMs();
  return new Proxy<System>(clock, {
    get: (_, name) => {
      if (name === "monotonicMs") return () => startedMs;
      if (name === "setTimer")
        return (delayMs: number, callback: () => void) => clock.setTimer(delayMs * 100, callback);
      const value: unknown = Reflect.get(clock, name, clock);
      return typeof value === "function" ? (value.bind(clock) as unknown) : value;
    },
  });
}
