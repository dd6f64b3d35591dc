import { setTimeout as sleep } from "node:timers/promises";
import { commandPath, createTemporaryFolder, freePort, type Program, startProgram } from "testkit";
import type { RunPorts } from "./runs.ts";

/** A balancer before several runs: it asks each for `/ready` every 100 ms, and leaves out one that fails twice. */
export interface Balancer extends AsyncDisposable {
  readonly http1: number;
  readonly http2: number;
  readonly grpc: number;
  /** How often it had no run left to send requests to: with one of two stopped, the other was too busy to answer. */
  readonly emptyCount: number;
  /** Settles when it counts on every run. */
  allUp(): Promise<void>;
}

const lookAgainAfterMs = 50;

/** Starts haproxy. */
export async function startHaproxy(runs: readonly RunPorts[]): Promise<Balancer> {
  const ports = { http1: await freePort(), http2: await freePort(), grpc: await freePort() };
  const statePort = await freePort();
  const servers = (which: "http" | "grpc", more: string): string =>
    runs
      .map(
        (run, index) =>
          `  server run${index} 127.0.0.1:${run[which]} check port ${run.control} inter 100ms fall 2 rise 1${more}\n`,
      )
      .join("");
  const backend = (name: string, lines: string): string =>
    `backend ${name}\n  option httpchk\n  http-check send meth GET uri /ready ver HTTP/1.1 hdr Host 127.0.0.1\n${lines}`;
  // Over HTTP/2 haproxy waits for the answer to a check no longer than from one to the next, and a busy run seems to be down.
  const http2 = " proto h2 check-proto h1";
  const text = `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 60s
  timeout check 5s
frontend state
  bind 127.0.0.1:${statePort}
  stats enable
  stats uri /
${(["http1", "http2", "grpc"] as const)
  .map((name) => {
    const protocol = name === "http1" ? "" : " proto h2";
    return `frontend in_${name}\n  bind 127.0.0.1:${ports[name]}${protocol}\n  default_backend ${name}\n`;
  })
  .join(
    "",
  )}${backend("http1", servers("http", ""))}${backend("http2", servers("http", http2))}${backend("grpc", servers("grpc", http2))}`;
  const folder = createTemporaryFolder({ "haproxy.cfg": text });
  const haproxy = commandPath("haproxy") ?? "haproxy";
  const program: Program = startProgram(haproxy, ["-db", "-f", "haproxy.cfg"], {
    workingDirectory: folder.path,
    timeoutMs: 3_600_000,
  });
  return {
    ...ports,
    get emptyCount() {
      return program.output.split("has no server available").length - 1;
    },
    async allUp() {
      for (;;) {
        const states = await askStates(statePort);
        if (states.length > 0 && states.every((state) => state === "UP")) return;
        await sleep(lookAgainAfterMs);
      }
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** What the balancer thinks of each run, once for each protocol; nothing while it does not answer. */
async function askStates(port: number): Promise<string[]> {
  try {
    const table = await (await fetch(`http://127.0.0.1:${port}/;csv`)).text();
    const [head = "", ...rows] = table.split("\n").map((row) => row.split(","));
    const [name, state] = [head.indexOf("svname"), head.indexOf("status")];
    return rows.filter((row) => row[name]?.startsWith("run")).map((row) => row[state] ?? "");
  } catch {
    return [];
  }
}
