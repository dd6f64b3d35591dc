import { loadavg } from "node:os";
import { connect } from "@nats-io/transport-node";
import { commandPath } from "testkit";
import type { Contender, Sample } from "../bench.ts";
import { Cluster } from "./cluster.ts";

/** How long before the supervisor speaks to a worker that one has registered at most, milliseconds. */
const registerMs = 5;
/** How long keys are called before a worker comes, milliseconds. */
const settleMs = 5000;
/** Calls that are open while workers come and go. */
const openCount = 8;

/** What goes over the broker, seen by one more client of it. */
class Spy implements AsyncDisposable {
  /** When each message of processes about processes came. */
  readonly controlMs: number[] = [];
  /** When the supervisor first spoke to each worker. */
  readonly spokenTo = new Map<string, number>();
  readonly #connection: Awaited<ReturnType<typeof connect>>;

  private constructor(connection: Awaited<ReturnType<typeof connect>>) {
    this.#connection = connection;
  }

  static async on(url: string): Promise<Spy> {
    const connection = await connect({ servers: url });
    const spy = new Spy(connection);
    connection.subscribe("agentrt.>", { callback: (_error, { subject }) => spy.#take(subject) });
    await connection.flush();
    return spy;
  }

  #take(subject: string): void {
    if (!/_agency|_control/.test(subject)) return;
    this.controlMs.push(performance.now());
    if (/_agency.*worker[^s]/.test(subject) && !this.spokenTo.has(subject))
      this.spokenTo.set(subject, performance.now());
  }

  /** @returns How many came between two times. */
  countIn(fromMs: number, toMs: number): number {
    return this.controlMs.filter((each) => each >= fromMs && each <= toMs).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }
}

/** Calls keys without a pause, and notes how long the longest call of late took. */
class Callers {
  longestMs = 0;
  failedCount = 0;
  #isOver = false;
  readonly #lanes: Promise<void>[];

  constructor({ runtime }: Cluster, keyCount: number) {
    const lane = async (number: number): Promise<void> => {
      for (let count = 0; !this.#isOver; count += 1) {
        const id = `key-${(number * 131 + count * 7) % keyCount}`;
        const startedMs = performance.now();
        try {
          await runtime.call("ticket", { sequence: count, work: "nothing", id });
        } catch {
          this.failedCount += 1;
        }
        this.longestMs = Math.max(this.longestMs, performance.now() - startedMs);
        // Not as many as there can be: the processor is for those who come and go.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    this.#lanes = Array.from({ length: openCount }, (_, number) => lane(number));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
  }
}

async function measure(workerCount: number, keyCount: number): Promise<Sample> {
  const [load = 0] = loadavg();
  await using cluster = await Cluster.start(workerCount + 1);
  await using spy = await Spy.on(cluster.broker.url);
  for (let count = 0; count < workerCount; count += 1) await cluster.startWorker();
  const callers = new Callers(cluster, keyCount);
  // Meanwhile all keys have an object.
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const known = new Set(spy.spokenTo.keys());
  callers.longestMs = 0;
  await cluster.startWorker();
  const { sharedMs } = cluster;
  const began = [...spy.spokenTo].find(([subject]) => !known.has(subject))?.[1] ?? Number.NaN;
  const joinMs = sharedMs - began;
  // The worker has spoken before it is spoken to.
  const joinCount = spy.countIn(began - registerMs, sharedMs);
  const longestOfJoinMs = callers.longestMs;
  const leaveMs = await end(cluster, "SIGTERM", callers);
  const longestOfLeaveMs = callers.longestMs;
  await cluster.startWorker();
  const killMs = await end(cluster, "SIGKILL", callers);
  const figures = {
    "join: until all is shared, ms": joinMs,
    "join: messages of processes": joinCount,
    "join: the longest call, ms": longestOfJoinMs,
    "stop: until all is shared, ms": leaveMs,
    "stop: the longest call, ms": longestOfLeaveMs,
    "kill: until all is shared, ms": killMs,
    "kill: calls that failed": callers.failedCount,
    "load of the machine before": load,
  };
  await callers.end();
  return { operationCount: 1, seconds: joinMs / 1000, figures };
}

/** Ends the last worker; how long it took until the others have everything, milliseconds. */
async function end(
  cluster: Cluster,
  signal: "SIGTERM" | "SIGKILL",
  callers: Callers,
): Promise<number> {
  const worker = cluster.workers.pop();
  if (worker === undefined) throw new TypeError("there is no worker");
  callers.longestMs = 0;
  callers.failedCount = 0;
  const startedMs = performance.now();
  worker.child.kill(signal);
  await cluster.untilShared(cluster.workers.length);
  return performance.now() - startedMs;
}

/** Makes the contenders of a bench: a worker comes to so many. */
export function joins(): readonly [Contender, ...Contender[]] {
  const make = (workerCount: number, keyCount: number): Contender => ({
    name: `to-${workerCount + 1}-keys-${keyCount}`,
    prepare: () =>
      commandPath("nats-server") === undefined ? "nats-server is not installed" : undefined,
    run: async () => await measure(workerCount, keyCount),
  });
  return [make(1, 1000), make(1, 100), make(3, 1000), make(3, 100)];
}
