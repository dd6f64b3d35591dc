/** Supervisor and workers of one topology in one process: they meet at a broker in memory, under a virtual clock. */
import assert from "node:assert/strict";
import {
  type ChildSpec,
  createTextLog,
  supervisor,
  type SupervisorOptions,
} from "../../core/index.ts";
import { MemoryBroker } from "../../links/test-support/memory-broker.ts";
import { type Network, Runtime, type ShutdownOptions } from "../../runtime/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { serializerNamed } from "../../wire/index.ts";
import { type ConnectionOptions, supervisorNetwork, workerNetwork } from "../index.ts";

/** One process. */
export interface MemoryProcess {
  readonly runtime: Runtime;
  /** What connects it with the others. */
  readonly network: Network;
}

/** What differs of a worker. */
interface WorkerProcessOptions {
  readonly process?: string | undefined;
  readonly others?: readonly string[] | undefined;
  readonly shutdown?: ShutdownOptions | undefined;
}

/** The processes of a topology. */
export class MemoryProcesses {
  readonly clock = new VirtualClock();
  readonly broker = new MemoryBroker();
  readonly #log = createTextLog({ write: () => undefined });

  /**
   * Makes a supervisor; it is not started.
   *
   * @param name Of its link, for cuts.
   * @param options Of its root.
   * @param given Number of its lead, and the like.
   */
  supervisor(
    name: string,
    options: SupervisorOptions,
    given: Partial<ConnectionOptions> = {},
  ): MemoryProcess {
    const connect = supervisorNetwork({ ...this.#connection(name), ...given });
    return this.#make(supervisor("root", options), connect);
  }

  /**
   * Makes a worker; it is not started.
   *
   * @param name Of its link, for cuts.
   * @param children What it runs.
   * @param options.process Its group. Default `back`.
   * @param options.others Agents of other processes that its own ones call. Default none.
   * @param options.shutdown How it stops. Default at once.
   */
  worker(
    name: string,
    children: readonly ChildSpec[],
    { process = "back", others = [], shutdown }: WorkerProcessOptions = {},
  ): MemoryProcess {
    const connect = workerNetwork({
      ...this.#connection(name),
      process,
      others: others.map((each) => ({ name: each, takesKeys: false })),
      onRefused: (error) => assert.fail(error),
    });
    const supervision = supervisor(`worker:${process}`, { restartCountMax: 0, children });
    return this.#make(supervision, connect, shutdown);
  }

  /** Starts processes, and lets time pass in which they meet. */
  async start(...processes: readonly MemoryProcess[]): Promise<void> {
    const started = Promise.all(processes.map(({ runtime }) => runtime.start()));
    await this.clock.advance(10_000);
    await started;
  }

  /** Stops processes at once. */
  async stop(...runtimes: readonly Runtime[]): Promise<void> {
    const stopped = Promise.all(runtimes.map((runtime) => runtime.stop({ timeoutMs: 0 })));
    await this.clock.advance(60_000);
    await stopped;
  }

  #make(
    supervision: ReturnType<typeof supervisor>,
    connect: ReturnType<typeof workerNetwork>,
    shutdown?: ShutdownOptions,
  ): MemoryProcess {
    const { clock } = this;
    let made: Network | undefined;
    const runtime = new Runtime({
      system: clock,
      scheduler: clock.scheduler,
      log: this.#log,
      supervision,
      shutdown,
      network: (kernel, of) => (made = connect(kernel, of)),
    });
    if (made === undefined) throw new TypeError("A runtime asked for no network");
    return { runtime, network: made };
  }

  #connection(name: string): ConnectionOptions {
    return {
      link: this.broker.linkOf(name),
      serializer: serializerNamed(undefined),
      log: this.#log,
      topologyHash: "same",
    };
  }
}
