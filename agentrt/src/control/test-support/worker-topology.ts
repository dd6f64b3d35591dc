import assert from "node:assert/strict";
import process from "node:process";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  skipUnless,
  startNats,
  startProgram,
} from "testkit";

/** A mapping of an answer. */
export type Json = { readonly [name: string]: unknown };

/** A transport that processes can meet over. */
interface TransportCase {
  readonly name: "nats" | "zmq";
  readonly skip: string | false;
  /** Starts its broker, where it has one; `section` is what the topology says. */
  readonly open: () => Promise<AsyncDisposable & { readonly section: string }>;
}

/** Every transport between processes. */
export const transportCases: readonly TransportCase[] = [
  {
    name: "nats",
    skip: skipUnless("nats-server"),
    open: async () => {
      const server = await startNats();
      const section = `{ type: nats, servers: "${server.url}" }`;
      return { section, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() };
    },
  },
  {
    name: "zmq",
    skip: false,
    open: async () => {
      const [pub, sub] = [await freePort(), await freePort()];
      const section = `{ type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }`;
      return { section, [Symbol.asyncDispose]: async () => undefined };
    },
  },
];

const binary = agentrtLauncher();

/** What a topology of several processes is made of. */
export interface WorkerTopologyFiles {
  /** @param transport The section of that name. @param port Of the gateway that serves the control plane. */
  readonly topology: (transport: string, port: number) => string;
  readonly agents: string;
}

type Program = ReturnType<typeof startProgram>;

/** A topology whose agents are partly on workers, each process one of the command line. */
export class WorkerTopology implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  readonly #end: AsyncDisposableStack;

  private constructor(port: number, folder: string, end: AsyncDisposableStack) {
    this.port = port;
    this.folder = folder;
    this.#end = end;
  }

  /** Makes the folder and the broker; no process is started. */
  static async open(
    { open }: TransportCase,
    { topology, agents }: WorkerTopologyFiles,
  ): Promise<WorkerTopology> {
    const end = new AsyncDisposableStack();
    const { section } = end.use(await open());
    const port = await freePort();
    const folder = end.use(
      createTemporaryFolder({
        "topology.yaml": topology(section, port),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      }),
    );
    return new WorkerTopology(port, folder.path, end);
  }

  /** Starts the supervisor, or the worker of a group, and waits until it says that it has started. */
  async start(group?: string): Promise<Program> {
    const words = group === undefined ? [] : ["--process", group];
    const program = startProgram(process.execPath, [binary, "run", ...words], {
      workingDirectory: this.folder,
    });
    this.#end.use(program);
    await program.waitFor(/started; Ctrl\+C stops/);
    return program;
  }

  /** Runs another command. */
  async command(...words: string[]): ReturnType<typeof runProgram> {
    return await runProgram(process.execPath, [binary, ...words], {
      workingDirectory: this.folder,
    });
  }

  /** Starts another command that goes on. */
  follow(...words: string[]): Program {
    const options = { workingDirectory: this.folder };
    return this.#end.use(startProgram(process.execPath, [binary, ...words], options));
  }

  /** Asks the gateway of the supervisor. @returns Status and body, of an answer that is no JSON its text. */
  async ask(request: string, body?: object): Promise<readonly [number, Json]> {
    const [method = "", path = ""] = request.split(" ");
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return [response.status, isJson ? (JSON.parse(text) as Json) : { text }];
  }

  /** Asks until the answer is as wanted. */
  async until(request: string, isWanted: (body: Json) => boolean): Promise<Json> {
    for (;;) {
      const [, body] = await this.ask(request);
      if (isWanted(body)) return body;
      await new Promise(setImmediate);
    }
  }

  /** Sends a message over the gateway until it is served: 503 while the worker is away, 502 for what it took along. */
  async served(path: string, body: object): Promise<Json> {
    for (;;) {
      const [status, answer] = await this.ask(`POST ${path}`, body);
      if (status === 200) return answer;
      assert.match(String(status), /^50[23]$/, JSON.stringify(answer));
      await new Promise(setImmediate);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end.disposeAsync();
  }
}
