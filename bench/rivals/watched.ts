import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
const launcher = fileURLToPath(new URL("../../agentrt/bin/agentrt.cjs", import.meta.url));
/** How long a watcher has to have its first picture before calls are counted, ms. */
const settleMs = 3000;

/** Calls in a process of 10 000 agents, while somebody looks at it. */
export function watchedBy(name: string, watcher?: Watcher): Contender {
  return {
    name,
    ...(watcher?.prepare === undefined ? {} : { prepare: watcher.prepare }),
    run: async ({ isQuick }) => {
      const child = spawn(process.execPath, [...process.execArgv, server], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const next = async (): Promise<string> => String((await lines.next()).value);
      const port = Number((await next()).split(" ")[1]);
      const end = watcher?.begin(port);
      try {
        await new Promise((resolve) => setTimeout(resolve, settleMs));
        child.stdin.write(`${isQuick ? 3 : 10}\n`);
        const [operationCount = 0, seconds = 0, processorSeconds = 0] = (await next())
          .split(" ")
          .map(Number);
        const figures = { "server processor us a call": (processorSeconds * 1e6) / operationCount };
        return { operationCount, seconds, figures };
      } finally {
        await end?.();
        child.kill();
      }
    },
  };
}

/** `agentrt dashboard` in a terminal of 200 by 60, which asks each second. */
export const dashboard: Watcher = {
  prepare: () =>
    spawnSync("script", ["--version"]).status === 0
      ? undefined
      : "there is no `script` (Debian: apt-get install bsdutils)",
  begin: (port) => {
    const folder = mkdtempSync(join(tmpdir(), "bench-watched-"));
    const topology = join(folder, "topology.yaml");
    // All that a dashboard reads of it is where the topology server listens.
    writeFileSync(
      topology,
      `supervision:\n  name: root\n  children:\n    - { type: topology_server, config: { port: ${port} } }\n`,
    );
    const command = `stty cols 200 rows 60; exec "${process.execPath}" --conditions=agentrt-source "${launcher}" dashboard "${topology}"`;
    const child = spawn("script", ["-qfec", command, "/dev/null"], {
      stdio: ["pipe", "ignore", "inherit"],
      env: { ...process.env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    });
    return async () => {
      const wasThere = child.exitCode === null;
      child.stdin.write("q");
      if (wasThere) await once(child, "exit");
      rmSync(folder, { recursive: true });
      if (!wasThere) throw new Error("the dashboard had ended by itself");
    };
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
