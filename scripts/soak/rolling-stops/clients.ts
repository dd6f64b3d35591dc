import { Agent as HttpAgent, get } from "node:http";
import { join } from "node:path";
import { commandPath, createTemporaryFolder, runProgram, startProgram } from "testkit";
import { pythonClients } from "./python-clients.ts";

/** A request that did not get its whole answer. */
export interface Failure {
  /** When it was sent, seconds since 1970. */
  readonly sentS: number;
  readonly error: string;
}

/** What one client saw. */
export interface Seen {
  readonly client: string;
  readonly ok: number;
  /** Messages over WebSocket that crossed the server's close frame, and were sent again. */
  readonly resent: number;
  readonly failures: readonly Failure[];
}

/** Where clients send their requests. */
export interface Targets {
  readonly http1: number;
  readonly http2: number;
  readonly grpc: number;
}

/** A client at work. */
export interface Running {
  /** Settles when its first request was answered. */
  readonly ready: Promise<unknown>;
  /** Ends it behind its last request. */
  stop(): Promise<Seen>;
}

const bodyOfEvents = /^(?:id: \d\ndata: \{"n":\d\}\n\n){5}$/;

/**
 * Starts one client of each kind: curl over HTTP/1.1, HTTP/2 and for event streams, a new connection each; h2load;
 * Node's client of HTTP/1.1 on connections that it keeps; grpcio and websockets where Python can have them.
 *
 * @param targets Where.
 * @param python Folder of Python's programs with grpcio and websockets; undefined leaves those clients out.
 */
export async function startClients(
  targets: Targets,
  python: string | undefined,
): Promise<Running[]> {
  const { http1, http2, grpc } = targets;
  const curl = (name: string, ...words: string[]): Running =>
    loop(name, async () => await runCurl(words));
  const running = [
    curl("curl", `http://127.0.0.1:${http1}/slow`),
    curl("curl --http2", "--http2-prior-knowledge", `http://127.0.0.1:${http2}/slow`),
    curl("curl, events", "--no-buffer", `http://127.0.0.1:${http1}/events`),
    keepAlive(http1),
  ];
  const h2load = commandPath("h2load");
  if (h2load !== undefined) running.push(runH2load(h2load, http2));
  if (python !== undefined) {
    running.push(runPython(python, "grpc", `127.0.0.1:${grpc}`));
    running.push(runPython(python, "websocket", `127.0.0.1:${http1}`));
  }
  await Promise.all(running.map(({ ready }) => ready));
  return running;
}

/** Asks again and again; what it throws is a failure. */
function loop(client: string, ask: () => Promise<number>): Running {
  const ended = new AbortController();
  let ok = 0;
  const failures: Failure[] = [];
  const { promise: ready, resolve: beReady } = Promise.withResolvers<void>();
  const done = (async () => {
    while (!ended.signal.aborted) {
      const sentS = Date.now() / 1000;
      try {
        ok += await ask();
        beReady();
      } catch (error) {
        failures.push({ sentS, error: error instanceof Error ? error.message : String(error) });
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  })();
  return {
    ready,
    async stop() {
      ended.abort();
      await done;
      return { client, ok, resent: 0, failures };
    },
  };
}

async function runCurl(words: readonly string[]): Promise<number> {
  const args = ["--silent", "--show-error", "--write-out", "\n%{http_code}", ...words];
  const { code, stdout, stderr } = await runProgram("curl", args);
  const [body = "", status] = stdout.split(/\n(?=\d{3}$)/);
  const isWhole = words.some((word) => word.endsWith("/events"))
    ? bodyOfEvents.test(body)
    : body === '{"done":true}';
  if (code !== 0 || status !== "200" || !isWhole) {
    throw new Error(`curl exit ${code}, status ${status}: ${stderr.trim()} ${body}`);
  }
  return 1;
}

function keepAlive(port: number): Running {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 4 });
  return loop("node:http, kept alive", async () => {
    const response = await new Promise<{ status: number | undefined; body: string }>(
      (resolve, reject) => {
        const request = get({ port, host: "127.0.0.1", path: "/slow", agent }, (incoming) => {
          let body = "";
          incoming.setEncoding("utf8").on("data", (text: string) => (body += text));
          incoming.on("end", () => resolve({ status: incoming.statusCode, body }));
          incoming.on("error", reject);
        });
        request.on("error", reject);
      },
    );
    if (response.status !== 200 || response.body !== '{"done":true}') {
      throw new Error(`status ${response.status} ${response.body}`);
    }
    return 1;
  });
}

function runH2load(h2load: string, port: number): Running {
  return loop("h2load", async () => {
    const args = ["-n", "100", "-c", "2", "-m", "8", `http://127.0.0.1:${port}/slow`];
    const { stdout } = await runProgram(h2load, args);
    const good = Number(/status codes: (\d+) 2xx/.exec(stdout)?.[1]);
    if (good !== 100) {
      throw new Error(/requests: .*\nstatus codes: .*/.exec(stdout)?.[0] ?? stdout);
    }
    return good;
  });
}

function runPython(programs: string, kind: "grpc" | "websocket", address: string): Running {
  const folder = createTemporaryFolder({ "clients.py": pythonClients });
  const program = startProgram(join(programs, "python"), ["clients.py", kind, address], {
    workingDirectory: folder.path,
    timeoutMs: 3_600_000,
    keepInput: true,
  });
  return {
    ready: program.waitFor(/ready/),
    async stop() {
      program.process.stdin?.end();
      const exit = await program.exited();
      folder[Symbol.dispose]();
      if (exit.code !== 0) throw new Error(`${kind}: ${exit.stderr}`);
      const name = kind === "grpc" ? "grpcio" : "websockets";
      return { client: name, ...(JSON.parse(exit.stdout) as Omit<Seen, "client">) };
    },
  };
}
