import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { createTemporaryFolder, freePort, startNats } from "testkit";

/** What processes meet over. */
export type TransportName = "nats" | "zmq";

/** A broker of this sample, and the words that tell another process where it is. */
export interface Broker extends AsyncDisposable {
  /** Of a topology: `transport: …`. */
  readonly section: string;
  /** For the raw clients: `nats <url>`, or `zmq <pub> <sub>`. */
  readonly words: readonly string[];
}

/** Starts the broker of a transport; that of ZeroMQ is a proxy in the process that asks, and only has its addresses here. */
export async function startBroker(
  transport: TransportName,
  options: { readonly jetStream?: boolean } = {},
): Promise<Broker> {
  if (transport === "nats") {
    const server = await startNats(options);
    const stream = options.jetStream === true ? ", jetstream: true" : "";
    return {
      section: `{ type: nats, servers: "${server.url}"${stream} }`,
      words: ["nats", server.url],
      [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
    };
  }
  const [pub, sub] = [await freePort(), await freePort()].map((port) => `tcp://127.0.0.1:${port}`);
  return {
    section: `{ type: zmq, pub_addr: "${pub}", sub_addr: "${sub}" }`,
    words: ["zmq", pub ?? "", sub ?? ""],
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const agents = `import { Agent } from "agentrt";
export class Echo extends Agent {
  async handle({ payload }) { return { sequence: payload.sequence ?? 0 }; }
}
`;

/** A folder with a topology whose agent `echo` is on the worker `back`. */
export function topologyFolder(section: string): ReturnType<typeof createTemporaryFolder> {
  return createTemporaryFolder({
    "package.json": '{"type":"module"}',
    "agents.ts": agents,
    "topology.yaml": `transport: ${section}
supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo, process: back }
`,
  });
}

/** Starts a program of this repository, and waits for a line that fits. */
export async function startProcess(
  file: URL,
  args: readonly string[],
  options: { readonly directory?: string; readonly until: RegExp },
): Promise<AsyncDisposable & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(file), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.directory === undefined ? {} : { cwd: options.directory }),
  });
  let said = "";
  const ready = Promise.withResolvers<void>();
  const listen = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-10_000);
    if (options.until.test(said)) ready.resolve();
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  child.on("exit", (code) => ready.reject(new Error(`it ended with ${code}: ${said}`)));
  await ready.promise;
  return {
    child,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
