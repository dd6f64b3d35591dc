/**
 * `npm run example:cluster [-- <words of agentrt run>]`: runs `examples/triage` as a NATS server with JetStream, a supervisor
 * and two workers that have the tickets, until Ctrl+C. Exit 1: the server is not installed, or the supervisor has ended.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { agentrtLauncher, commandPath, freePort } from "testkit";

const example = fileURLToPath(new URL("../examples/triage/", import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Starts a program whose lines begin with its name. */
function start(name: string, command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, {
    cwd: folder,
    env: { AGENTRT_GATEWAY_API_KEYS: "first-key", AGENTRT_STATE_KEY: key, ...process.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => say(`[${name}] ${line}`));
  return child;
}

/** Starts a process of the topology. */
function startRun(name: string, ...words: string[]): ChildProcess {
  const files = [join(example, "topology.yaml"), "-t", join(example, "cluster.yaml")];
  const where = ["--nats-url", `nats://127.0.0.1:${port}`];
  const run = [agentrtLauncher(), "run", ...files, ...where, ...process.argv.slice(2), ...words];
  return start(name, process.execPath, run);
}

const server = commandPath("nats-server");
if (server === undefined) {
  process.stderr.write("nats-server is not installed (Debian: apt-get install nats-server)\n");
  process.exit(1);
}
const key = randomBytes(32).toString("base64");
const folder = mkdtempSync(join(tmpdir(), "agentrt-cluster-"));
const port = await freePort();
const broker = start("nats", server, ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder]);
const supervisor = startRun("supervisor");
const workers = [1, 2].map((number) => startRun(`worker ${number}`, "--process", "tickets"));
say(`ask (each ticket is one conversation):
  curl -N -H 'X-API-Key: first-key' localhost:8080/tickets/4711 --json '{"text": "My parcel is lost"}'
end a worker, and ask again: the conversation goes on at the other one, after ten seconds at most
  kill -9 ${workers.map(({ pid }) => pid).join("   or   kill -9 ")}`);
const all = [supervisor, ...workers];
const stop = (): void => all.forEach((child) => child.kill("SIGTERM"));
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
const [code] = (await once(supervisor, "exit")) as [number | null];
for (const worker of workers) worker.kill("SIGTERM");
await Promise.all(
  workers.map(async (each) => {
    if (each.exitCode === null && each.signalCode === null) await once(each, "exit");
  }),
);
broker.kill("SIGKILL");
rmSync(folder, { recursive: true, force: true });
process.exitCode = code ?? 1;
