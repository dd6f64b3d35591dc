import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Contender } from "../bench.ts";

/** The numbers of the calls that are still to be made, shared by all connections. */
export type Sequences = Iterator<number, undefined>;

/** Calls as long as there are numbers; resolves with how many were answered right, rejects at the first that was not. */
export type Lane = (port: number, sequences: Sequences) => Promise<number>;

/** A contender that serves calls in a separate process. */
export interface ServedOptions {
  readonly name: string;
  /** The file of a program that prints `port <number>`. */
  readonly server: URL;
  /** Of the server's command line. */
  readonly args: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  readonly callCount: number;
  /** One for each connection. */
  readonly lanes: readonly Lane[];
  readonly prepare?: Contender["prepare"];
}

/** Linux counts the time of a process in hundredths of a second. */
const ticksPerSecond = 100;

/** Makes a contender: starts its server, warms it by a quarter of the calls, and times the calls. */
export function served(options: ServedOptions): Contender {
  const { name, prepare } = options;
  return {
    name,
    ...(prepare === undefined ? {} : { prepare }),
    run: async ({ isQuick }) => {
      const file = fileURLToPath(options.server);
      const child = spawn(process.execPath, [...process.execArgv, file, ...options.args], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...options.environment },
      });
      try {
        const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
        const port = Number(line.split(" ")[1]);
        const callCount = isQuick ? options.callCount / 5 : options.callCount;
        await load(port, { lanes: options.lanes, callCount: Math.floor(callCount / 4) });
        const before = processorSeconds(child.pid);
        const seconds = await load(port, { lanes: options.lanes, callCount });
        const spent = processorSeconds(child.pid) - before;
        const figures = { "server processor us a call": (spent * 1e6) / callCount };
        return { operationCount: callCount, seconds, ...(spent > 0 ? { figures } : {}) };
      } finally {
        child.kill();
      }
    },
  };
}

async function load(
  port: number,
  { lanes, callCount }: { readonly lanes: readonly Lane[]; readonly callCount: number },
): Promise<number> {
  const sequences = (function* (): Generator<number, undefined> {
    for (let sequence = 1; sequence <= callCount; sequence += 1) yield sequence;
    return undefined;
  })();
  const startedMs = performance.now();
  const counts = await Promise.all(lanes.map((lane) => lane(port, sequences)));
  const seconds = (performance.now() - startedMs) / 1000;
  const answeredCount = counts.reduce((sum, one) => sum + one, 0);
  if (answeredCount !== callCount)
    throw new Error(`${answeredCount} of ${callCount} calls were answered`);
  return seconds;
}

/** What a process has taken of the processors, its own work and the system's for it; 0 where nobody says. */
function processorSeconds(id: number | undefined): number {
  const path = `/proc/${id}/stat`;
  if (!existsSync(path)) return 0;
  const stat = readFileSync(path, "utf8");
  // The name before it may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
