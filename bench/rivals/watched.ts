import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  agentAsked,
  type Asked,
  figuresAsked,
  healthAsked,
  treeAsked,
  treeSince,
} from "../../agentrt/console/asked.ts";
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
        await setTimeout(settleMs);
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

/** Rows that exist of a tree of 10 000 agents in a window of 1080 pixels: those that are seen, and some more. */
const seenNames = Array.from({ length: 42 }, (_, index) => `desk-${index}`);

/** What the console's page of the tree asks, and that of an agent, with the pauses that they make: `agentrt/console/asked.ts`. */
const pagesAsk: readonly { readonly asked: Asked; readonly next?: typeof treeSince }[] = [
  { asked: treeAsked, next: treeSince },
  { asked: figuresAsked(seenNames) },
  ...Object.values(agentAsked("desk-4711")).map((asked) => ({ asked })),
  // Of each page.
  { asked: healthAsked },
  { asked: healthAsked },
];

/** Looks by the requests of so many consoles, each with both pages open and a session. */
export function consoles(count: number): Watcher {
  return {
    begin: (port) => {
      const stop = new AbortController();
      for (let number = 0; number < count; number += 1) {
        beginConsole(`http://127.0.0.1:${port}`, stop.signal).catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
        });
      }
      return () => stop.abort();
    },
  };
}

async function beginConsole(base: string, signal: AbortSignal): Promise<void> {
  const entered = await fetch(`${base}/console/session`, { method: "POST", signal });
  const cookie = entered.headers.getSetCookie().map((each) => each.split(";", 1)[0]);
  if (!entered.ok || cookie.length === 0) throw new Error("the console lets nobody in");
  const headers = { cookie: cookie.join("; ") };
  const follow = async ({ asked, next }: (typeof pagesAsk)[number]): Promise<void> => {
    let { path } = asked;
    while (!signal.aborted) {
      const beganMs = performance.now();
      const response = await fetch(`${base}${path}`, { headers, signal });
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
      if (next === undefined) await response.bytes();
      else if (response.status !== 204) path = next((await response.json()) as object);
      const tookMs = performance.now() - beganMs;
      // As the page: of an answer that takes long there are fewer.
      await setTimeout(Math.max(asked.everyMs, Math.min(30_000, 20 * tookMs)), undefined, {
        signal,
      });
    }
  };
  await Promise.all(pagesAsk.map(follow));
}
