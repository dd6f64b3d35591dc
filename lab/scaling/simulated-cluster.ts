import {
  Agent,
  child,
  createTextLog,
  keyed,
  type Message,
  pool,
  supervisor,
} from "../../agentrt/src/core/index.ts";
import type {
  AgentSpec,
  JsonObject,
  SupervisorSpec,
  TreeNode,
} from "../../agentrt/src/core/index.ts";
import { Runtime, type RuntimeOptions } from "../../agentrt/src/runtime/index.ts";
import { VirtualClock } from "../../agentrt/src/testing/index.ts";
import { serializerNamed } from "../../agentrt/src/wire/index.ts";
import { supervisorNetwork, workerNetwork } from "../../agentrt/src/workers/index.ts";
import { SimulatedNetwork } from "./network.ts";
import { Machine, Processor } from "./processors.ts";

/** What handlers do. */
export type Work = "nothing" | "wait" | "compute";

/** What is called: members of a pool, or keys. */
export type Target = "pool" | "keys";

/** Processor time of a kind of process, microseconds. */
export interface ProcessCosts {
  /** Of a message that it gets, with what it sends because of it. */
  readonly messageUs: number;
  /** Of a turn of its event loop, however many messages are handled in it. */
  readonly turnUs: number;
}

/** Processor time, as measured. */
export interface Costs {
  readonly supervisor: ProcessCosts;
  readonly worker: ProcessCosts;
  /** The process of those who call, where that is not the supervisor's. */
  readonly caller: ProcessCosts;
  readonly broker: ProcessCosts;
  /** Of a handler that computes, microseconds. */
  readonly computeUs: number;
  /** How long a handler that waits does, milliseconds. */
  readonly waitMs: number;
  /** Of its worker, for a key that goes to another one, microseconds. */
  readonly keyMoveUs: number;
}

/** What a simulated cluster is. */
export interface ClusterShape {
  readonly costs: Costs;
  /** Members of the pool, of all workers. */
  readonly memberCount: number;
  /** One machine for all processes with so many cores; undefined for a machine for each process. */
  readonly sharedCoreCount?: number | undefined;
  /** How much longer all takes than the costs say. Default 1. */
  readonly slowness?: number;
  /** From one machine to another one, milliseconds. */
  readonly hopMs: number;
}

/** What is read of a socket in one turn at most, bytes: by Node 32 times 64 KiB, by the broker once that for each client. */
const [nodeBytesMax, brokerBytesMax] = [32 * 65_536, 65_536];

type SimulatedLink = ReturnType<SimulatedNetwork["linkOf"]>;

/** What a simulated cluster logs is of no interest. */
const log = createTextLog({ write: () => undefined });

/**
 * A supervisor and workers of one group under one virtual clock: the real code of both, which sends and gets its messages by
 * links that cost time.
 */
export class SimulatedCluster implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly network: SimulatedNetwork;
  readonly supervisorProcessor: Processor;
  readonly brokerProcessor: Processor;
  readonly workerProcessors: Processor[] = [];
  readonly #shape: ClusterShape;
  readonly #shared: Machine | undefined;
  readonly #runtimes: Runtime[] = [];
  #supervisor: Runtime | undefined;

  constructor(shape: ClusterShape) {
    this.#shape = shape;
    const { sharedCoreCount, slowness = 1, costs, hopMs } = shape;
    this.#shared =
      sharedCoreCount === undefined
        ? undefined
        : new Machine(this.clock, { coreCount: sharedCoreCount, slowness });
    this.supervisorProcessor = this.#processor(costs.supervisor);
    this.brokerProcessor = this.#processor(costs.broker, brokerBytesMax);
    const brokerMessageUs = costs.broker.messageUs;
    this.network = new SimulatedNetwork(this.clock, this.brokerProcessor, {
      brokerMessageUs,
      hopMs,
    });
  }

  get supervisor(): Runtime {
    if (this.#supervisor === undefined) throw new TypeError("the supervisor is not started");
    return this.#supervisor;
  }

  async start(): Promise<void> {
    const { messageUs } = this.#shape.costs.supervisor;
    const link = this.network.linkOf(this.supervisorProcessor, messageUs);
    this.#supervisor = this.#runtime(
      supervisor("root", { children: [...this.#nodes(), this.#idle()] }),
      supervisorNetwork(this.#connection(link)),
    );
    await this.clock.settle(this.#supervisor.start());
  }

  /** Starts workers side by side; they join as time goes on. */
  async startWorkers(count: number): Promise<void> {
    const started = Array.from({ length: count }, async () => {
      const { worker } = this.#shape.costs;
      const processor = this.#processor(worker);
      this.workerProcessors.push(processor);
      const link = this.network.linkOf(processor, worker.messageUs);
      await this.#process("back", this.#nodes(processor), link).start();
    });
    await this.clock.settle(Promise.all(started));
  }

  /** Starts a process that calls the nodes, without a part of them. */
  async startCaller(): Promise<Runtime> {
    const { caller } = this.#shape.costs;
    const link = this.network.linkOf(this.#processor(caller), caller.messageUs);
    const runtime = this.#process("front", [this.#idle()], link);
    await this.clock.settle(runtime.start());
    return runtime;
  }

  /** Lets time go on until so many workers have all members and all keys. */
  async untilShared(workerCount: number, stepMs: number): Promise<void> {
    const endMs = this.clock.monotonicMs() + 600_000;
    while (!this.isShared(workerCount)) {
      if (this.clock.monotonicMs() > endMs)
        throw new Error(`not shared by ${workerCount} workers after ten minutes`);
      await this.clock.advance(stepMs);
    }
  }

  /** Lets time go on, event by event, until something is so. @throws Error when that takes ten minutes of it. */
  async advanceUntil(isSo: () => boolean): Promise<void> {
    const endMs = this.clock.monotonicMs() + 600_000;
    await this.clock.runUntilIdle();
    while (!isSo())
      if (!(await this.clock.fireNextTimer(endMs)))
        throw new Error("what was waited for did not come in ten minutes");
  }

  /** Ends all processes: until then this one has their listeners, and all that they hold. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const runtime of this.#runtimes) await this.clock.settle(runtime.stop());
  }

  /** True when all partitions and members are at workers, of which there are so many. */
  isShared(workerCount: number): boolean {
    return this.supervisor.tree().children.every((node) => isSharedBy(node, workerCount));
  }

  /** How many of the keys' partitions the workers have, of each its number. */
  get partitionCounts(): readonly number[] {
    const node = this.supervisor.tree().children.find(({ name }) => name === "ticket");
    return node?.kind === "supervisor" ? (node.parts ?? []).map(({ count }) => count) : [];
  }

  #processor({ turnUs }: ProcessCosts, turnBytesMax = nodeBytesMax): Processor {
    return new Processor(this.#shared ?? new Machine(this.clock, { coreCount: 1 }), {
      turnUs,
      turnBytesMax,
    });
  }

  #process(group: string, children: (AgentSpec | SupervisorSpec)[], link: SimulatedLink): Runtime {
    const network = workerNetwork({
      ...this.#connection(link),
      process: group,
      others: [
        { name: "ticket", takesKeys: true },
        { name: "team", takesKeys: false },
      ],
      onRefused: (error) => {
        throw error;
      },
    });
    return this.#runtime(supervisor(`worker:${group}`, { restartCountMax: 0, children }), network);
  }

  #runtime(supervision: SupervisorSpec, network: RuntimeOptions["network"]): Runtime {
    const { clock } = this;
    const options = { system: clock, scheduler: clock.scheduler, log };
    const runtime = new Runtime({ ...options, supervision, network });
    this.#runtimes.push(runtime);
    return runtime;
  }

  #idle(): AgentSpec {
    class Idle extends Agent {
      override async handle(): Promise<JsonObject> {
        return {};
      }
    }
    return child(Idle, "caller", { process: "front" });
  }

  /** @param processor Of the worker that has them; the supervisor only says who has what. */
  #nodes(processor?: Processor): SupervisorSpec[] {
    const { clock } = this;
    const { computeUs, waitMs, keyMoveUs } = this.#shape.costs;
    const handle = async ({ payload }: Message): Promise<JsonObject> => {
      const { work } = payload;
      if (work === "wait") await new Promise<void>((done) => void clock.setTimer(waitMs, done));
      if (work === "compute") await new Promise<void>((done) => processor?.work(computeUs, done));
      return {};
    };
    class Member extends Agent {
      override handle = handle;
    }
    class Ticket extends Agent {
      override handle = handle;
      override async onStop(): Promise<void> {
        await new Promise<void>((done) => processor?.work(keyMoveUs, done));
      }
    }
    return [
      keyed(Ticket, "ticket", { key: "id", process: "back" }),
      pool(Member, "team", { size: this.#shape.memberCount, process: "back" }),
    ];
  }

  #connection(link: SimulatedLink) {
    return { link, serializer: serializerNamed(undefined), log, topologyHash: "same" };
  }
}

function isSharedBy(node: TreeNode, workerCount: number): boolean {
  if (node.kind !== "supervisor") return true;
  const { parts = [], pool: members } = node;
  const sum = parts.reduce((total, { count }) => total + count, 0);
  return parts.length === workerCount && sum === (members?.memberCountMax ?? 256);
}
