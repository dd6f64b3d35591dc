import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { Runtime } from "agentrt";
import { commandPath } from "testkit";
import type { Contender, Sample } from "../bench.ts";
import { measureCalls } from "./round-trips.ts";
import { startBroker, startProcess, topologyFolder } from "./transport-folder.ts";

const [inFlightCount, callCount] = [64, 40_000];
const stream = "BENCH";
const subject = "bench.kept";

function obstacle(): string | undefined {
  if (commandPath("nats-server") !== undefined) return undefined;
  return "nats-server is not installed (Debian: apt-get install nats-server)";
}

async function runAgentrt(isQuick: boolean): Promise<Sample> {
  await using broker = await startBroker("nats", { jetStream: true });
  using folder = topologyFolder(broker.section);
  await using runtime = await Runtime.fromTopology(`${folder.path}/topology.yaml`);
  await runtime.start();
  const program = new URL("../../agentrt/bin/agentrt.cjs", import.meta.url);
  await using worker = await startProcess(program, ["run", "--process", "back"], {
    directory: folder.path,
    until: /taken this worker/,
  });
  void worker;
  const cast = async (body: { sequence: number }): Promise<{ sequence: number }> => {
    await runtime.cast("echo", body);
    return body;
  };
  const sample = await measureCalls(cast, { inFlightCount, callCount, isQuick });
  // While its worker is there: else it waits until that is noticed to be gone.
  await runtime.stop();
  return sample;
}

/** @param isConsumed True: another process takes the messages and acknowledges each. */
async function runRaw(isQuick: boolean, isConsumed: boolean): Promise<Sample> {
  await using broker = await startBroker("nats", { jetStream: true });
  const [, url = ""] = broker.words;
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: stream, subjects: [subject], retention: "workqueue" });
  await manager.consumers.add(stream, { durable_name: "back", ack_policy: "explicit" });
  await using consumer = isConsumed
    ? await startProcess(new URL("./kept-consumer.ts", import.meta.url), [url, stream], {
        until: /ready/,
      })
    : undefined;
  void consumer;
  const client = jetstream(connection);
  const publish = async (body: { sequence: number }): Promise<{ sequence: number }> => {
    const msgID = crypto.randomUUID();
    await client.publish(subject, Buffer.from(JSON.stringify(body)), { msgID });
    return body;
  };
  const sample = await measureCalls(publish, { inFlightCount, callCount, isQuick });
  await connection.close();
  return sample;
}

/** Messages to an agent in another process that the broker keeps, and the same by the raw client library. */
export const keptCasts: readonly [Contender, ...Contender[]] = [
  {
    name: "agentrt",
    prepare: obstacle,
    run: async ({ isQuick }) => await runAgentrt(isQuick),
  },
  {
    name: "raw",
    prepare: obstacle,
    run: async ({ isQuick }) => await runRaw(isQuick, false),
  },
  {
    name: "raw-consumed",
    prepare: obstacle,
    run: async ({ isQuick }) => await runRaw(isQuick, true),
  },
];
