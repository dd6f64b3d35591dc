import process from "node:process";
import { fileURLToPath } from "node:url";
import { commandPath, createTemporaryFolder, freePort, type Program, startProgram } from "testkit";
import { type CutWire, startCutWire } from "./cut-wire.ts";

const proxyFile = fileURLToPath(
  new URL("../../../agentrt/src/links/fixtures/zmq-proxy.ts", import.meta.url),
);

/** A broker that can be killed and started again, behind wires that can be cut. */
export interface Broker extends AsyncDisposable {
  /** What a topology says of it. */
  readonly section: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  readonly wires: readonly CutWire[];
}

/** What processes meet over; with `jetstream` the broker keeps casts. */
export type BrokerKind = "nats" | "jetstream" | "zmq";

/** Starts the broker of a transport. */
export async function startBroker(kind: BrokerKind): Promise<Broker> {
  return kind === "zmq" ? await startZmqBroker() : await startNatsBroker(kind === "jetstream");
}

async function startNatsBroker(keepsCasts: boolean): Promise<Broker> {
  const port = await freePort();
  const wire = await startCutWire(port);
  const folder = createTemporaryFolder();
  const stored = keepsCasts ? ["-js", "-sd", folder.path] : [];
  return await brokerOf({
    section: `{ type: nats, servers: "nats://127.0.0.1:${wire.port}", jetstream: ${keepsCasts} }`,
    wires: [wire],
    start: () =>
      startProgram(
        commandPath("nats-server") ?? "nats-server",
        ["-a", "127.0.0.1", "-p", String(port), ...stored],
        { timeoutMs: 3_600_000 },
      ),
    ready: /Server is ready/,
    end: () => folder[Symbol.dispose](),
  });
}

async function startZmqBroker(): Promise<Broker> {
  const [pub, sub] = [await freePort(), await freePort()];
  const wires = [await startCutWire(pub), await startCutWire(sub)] as const;
  const [pubAddress, subAddress] = wires.map(({ port }) => `tcp://127.0.0.1:${port}`);
  return await brokerOf({
    section: `{ type: zmq, start_proxy: false, pub_addr: "${pubAddress}", sub_addr: "${subAddress}" }`,
    wires,
    start: () =>
      startProgram(
        process.execPath,
        [...process.execArgv, proxyFile, `tcp://127.0.0.1:${pub}`, `tcp://127.0.0.1:${sub}`],
        { timeoutMs: 3_600_000 },
      ),
    ready: /ready/,
  });
}

async function brokerOf(made: {
  readonly section: string;
  readonly wires: readonly CutWire[];
  readonly start: () => Program;
  readonly ready: RegExp;
  readonly end?: () => void;
}): Promise<Broker> {
  let program: Program | undefined;
  const start = async (): Promise<void> => {
    program = made.start();
    await program.waitFor(made.ready);
  };
  const kill = async (): Promise<void> => {
    program?.kill("SIGKILL");
    await program?.exited();
  };
  await start();
  return {
    section: made.section,
    wires: made.wires,
    kill,
    start,
    [Symbol.asyncDispose]: async () => {
      await kill();
      for (const wire of made.wires) wire.end();
      made.end?.();
    },
  };
}
