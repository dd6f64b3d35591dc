import { Runtime } from "agentrt";
import { commandPath } from "testkit";
import type { Contender, Sample } from "../bench.ts";
import { payload } from "./payload.ts";
import {
  startBroker,
  startProcess,
  topologyFolder,
  type TransportName,
} from "./transport-folder.ts";
import { connectRaw, startRawProxy } from "./transport-raw.ts";

type Call = (body: { sequence: number }) => Promise<{ sequence?: unknown }>;

/** How the calls of a bench are made. */
export interface RoundTripOptions {
  readonly transport: TransportName;
  /** Calls that wait for their answers at a time. */
  readonly inFlightCount: number;
  readonly callCount: number;
}

const echoProgram = new URL("./transport-echo.ts", import.meta.url);
const agentrtProgram = new URL("../../agentrt/bin/agentrt.cjs", import.meta.url);

function obstacleOf(transport: TransportName): string | undefined {
  if (transport === "zmq" || commandPath("nats-server") !== undefined) return undefined;
  return "nats-server is not installed (Debian: apt-get install nats-server)";
}

/** Warms up by a quarter of the calls, and times them. */
export async function measureCalls(
  call: Call,
  options: Omit<RoundTripOptions, "transport"> & { readonly isQuick: boolean },
): Promise<Sample> {
  const { inFlightCount, callCount, isQuick } = options;
  const run = async (count: number): Promise<void> => {
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < count) {
        const sequence = (next += 1);
        const answer = await call(payload(sequence));
        if (answer.sequence !== sequence)
          throw new Error(`the answer to ${sequence} was ${JSON.stringify(answer)}`);
      }
    };
    await Promise.all(Array.from({ length: inFlightCount }, lane));
  };
  const count = isQuick ? callCount / 5 : callCount;
  await run(Math.floor(count / 4));
  const startedMs = performance.now();
  await run(count);
  return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
}

/** Calls again until there is an answer: the other process has just started. */
async function untilAnswered(call: Call): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      const timeout = new Promise<never>((_resolve, reject) =>
        setTimeout(() => reject(new Error("no answer")), 500),
      );
      await Promise.race([call(payload(0)), timeout]);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function runAgentrt(options: RoundTripOptions & { isQuick: boolean }): Promise<Sample> {
  await using broker = await startBroker(options.transport);
  using folder = topologyFolder(broker.section);
  await using runtime = await Runtime.fromTopology(`${folder.path}/topology.yaml`);
  await runtime.start();
  await using worker = await startProcess(agentrtProgram, ["run", "--process", "back"], {
    directory: folder.path,
    until: /taken this worker/,
  });
  void worker;
  const call: Call = async (body) => await runtime.call("echo", body);
  await untilAnswered(call);
  const sample = await measureCalls(call, options);
  // While its worker is there: else it waits until that is noticed to be gone.
  await runtime.stop();
  return sample;
}

async function runRaw(options: RoundTripOptions & { isQuick: boolean }): Promise<Sample> {
  await using broker = await startBroker(options.transport);
  const [, pub = "", sub = ""] = broker.words;
  const endProxy = options.transport === "zmq" ? await startRawProxy(pub, sub) : undefined;
  await using server = await startProcess(echoProgram, broker.words, { until: /ready/ });
  void server;
  await using client = await connectRaw(broker.words);
  const call: Call = async (body) =>
    JSON.parse(Buffer.from(await client.call(Buffer.from(JSON.stringify(body)))).toString()) as {
      sequence?: unknown;
    };
  await untilAnswered(call);
  const sample = await measureCalls(call, options);
  endProxy?.();
  return sample;
}

/** Makes the contenders of a bench: calls to an agent in another process, and the same by the raw client library. */
export function roundTrips(options: RoundTripOptions): readonly [Contender, Contender] {
  const prepare = (): string | undefined => obstacleOf(options.transport);
  return [
    {
      name: "agentrt",
      prepare,
      run: async ({ isQuick }) => await runAgentrt({ ...options, isQuick }),
    },
    { name: "raw", prepare, run: async ({ isQuick }) => await runRaw({ ...options, isQuick }) },
  ];
}
