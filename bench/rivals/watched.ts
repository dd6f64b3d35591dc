import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Contender } from "../bench.ts";

/** Somebody who looks at a tree. */
export interface Watcher {
  readonly prepare?: Contender["prepare"];
  /** Looks at the topology server of a port from now on. @returns Ends that. */
  readonly begin: (port: number) => () => void | Promise<void>;
}

const server = fileURLToPath(new URL("./watched-server.ts", import.meta.url));
const probe = new URL("./paint-probe.ts", import.meta.url).href;
const launcher = fileURLToPath(new URL("../../agentrt/bin/agentrt.cjs", import.meta.url));
/** How long a watcher has to have its first picture before calls are counted, ms. */
const settleMs = 3000;

/** A process of 10 000 agents, which are called all the time unless it is idle. */
interface WatchedServer extends AsyncDisposable {
  readonly port: number;
  /** Counts for so many seconds. @returns Calls, seconds, processor seconds. */
  readonly count: (seconds: number) => Promise<number[]>;
}

/** Starts one. @param words `idle` for one that nobody calls. */
export async function watched(words: readonly string[] = []): Promise<WatchedServer> {
  const child = spawn(process.execPath, [...process.execArgv, server, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const port = Number((await next()).split(" ")[1]);
  return {
    port,
    count: async (seconds) => {
      child.stdin.write(`${seconds}\n`);
      return (await next()).split(" ").map(Number);
    },
    [Symbol.asyncDispose]: async () => void child.kill(),
  };
}

/** Calls in a process of 10 000 agents, while somebody looks at it. */
export function watchedBy(name: string, watcher?: Watcher): Contender {
  return {
    name,
    ...(watcher?.prepare === undefined ? {} : { prepare: watcher.prepare }),
    run: async ({ isQuick }) => {
      await using running = await watched();
      const end = watcher?.begin(running.port);
      try {
        await new Promise((resolve) => setTimeout(resolve, settleMs));
        const counted = await running.count(isQuick ? 3 : 10);
        const [operationCount = 0, seconds = 0, processorSeconds = 0] = counted;
        const figures = { "server processor us a call": (processorSeconds * 1e6) / operationCount };
        return { operationCount, seconds, figures };
      } finally {
        await end?.();
      }
    },
  };
}

/** A dashboard in a terminal. */
interface ShownDashboard extends AsyncDisposable {
  /** Sends keys to it. */
  readonly press: (keys: string) => void;
  /** @returns The lines that `paint-probe.ts` has written. */
  readonly probed: () => string[];
}

/** @returns Why no dashboard can be shown here, if so. */
export function noTerminal(): string | undefined {
  return spawnSync("script", ["--version"]).status === 0
    ? undefined
    : "there is no `script` (Debian: apt-get install bsdutils)";
}

/** Shows `agentrt dashboard` in a terminal of 200 by 60, which asks each second. */
export function dashboardAt(port: number): ShownDashboard {
  const folder = mkdtempSync(join(tmpdir(), "bench-watched-"));
  const topology = join(folder, "topology.yaml");
  const log = join(folder, "probed");
  writeFileSync(log, "");
  // All that a dashboard reads of it is where the topology server listens.
  writeFileSync(
    topology,
    `supervision:\n  name: root\n  children:\n    - { type: topology_server, config: { port: ${port} } }\n`,
  );
  const command = `stty cols 200 rows 60; exec "${process.execPath}" --conditions=agentrt-source --import="${probe}" "${launcher}" dashboard "${topology}"`;
  const child = spawn("script", ["-qfec", command, "/dev/null"], {
    stdio: ["pipe", "ignore", "inherit"],
    env: { ...process.env, TERM: "xterm-256color", SHELL: "/bin/sh", PAINT_PROBE: log },
  });
  return {
    press: (keys) => void child.stdin.write(keys),
    probed: () => {
      if (child.exitCode !== null) throw new Error("the dashboard had ended by itself");
      return readFileSync(log, "utf8").split("\n").slice(0, -1);
    },
    [Symbol.asyncDispose]: async () => {
      const wasThere = child.exitCode === null;
      child.stdin.write("q");
      if (wasThere) await once(child, "exit");
      rmSync(folder, { recursive: true });
      if (!wasThere) throw new Error("the dashboard had ended by itself");
    },
  };
}

/** Looks by a dashboard. */
export const dashboard: Watcher = {
  prepare: noTerminal,
  begin: (port) => {
    const shown = dashboardAt(port);
    return async () => await shown[Symbol.asyncDispose]();
  },
};

/** What the console's page of the tree, and that of an agent, ask in turn, with the pauses that they make. */
export const consoleRequests: Watcher = {
  begin: (port) => {
    const base = `http://127.0.0.1:${port}`;
    const ask = async (path: string): Promise<unknown> => {
      const response = await fetch(`${base}${path}`);
      if (response.status === 204) return undefined;
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
      return await response.json();
    };
    let revision: string | undefined;
    const askTree = async (): Promise<void> => {
      const since = revision === undefined ? "" : `?since=${revision}`;
      const body = (await ask(`/topology${since}`)) as { readonly revision?: string } | undefined;
      revision = body?.revision ?? revision;
    };
    const agent = "/agents/desk-4711";
    const timers = [
      setInterval(() => void askTree(), 1500),
      setInterval(() => void ask("/overview"), 5000),
      setInterval(() => void ask(agent), 1500),
      setInterval(() => void ask(`${agent}/mailbox?limit=50`), 2000),
      setInterval(() => void ask("/snapshot?agent=desk-4711"), 3000),
      setInterval(() => void ask(`${agent}/logs?limit=200`), 2000),
      setInterval(() => void ask("/health"), 3000),
    ];
    void askTree();
    return () => timers.forEach((timer) => clearInterval(timer));
  },
};
