import assert from "node:assert/strict";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "testkit";
import { makeRandom } from "../random.ts";
import { type BrokerKind, startBroker } from "./brokers.ts";
import { failureText, Load } from "./load.ts";
import { linksFolder, startRun } from "./tree.ts";

const laneCount = 24;
/** A worker is probed each five seconds, so that a dead one is noticed within two of them; the rest is for a machine with other work. */
const noticeMsMax = 10_000 + 5000;

/**
 * Kills a worker under load, so often: its death is noticed within two intervals of its probes, every call ends with an
 * answer or a typed error, and its agents are served again when another worker is there.
 *
 * @param rounds How often, for each transport.
 * @returns What was done.
 * @throws Error that says what was wrong.
 */
export async function soakWorkerKill(rounds: number): Promise<string> {
  const told: string[] = [];
  for (const transport of ["nats", "zmq"] as const) told.push(await killAll(transport, rounds));
  return `worker-kill: ${told.join("; ")}`;
}

async function killAll(transport: BrokerKind, rounds: number): Promise<string> {
  const port = await freePort();
  await using broker = await startBroker(transport);
  using folder = linksFolder(broker.section, port);
  await using supervisor = startRun(folder.path);
  await supervisor.waitFor(/started/);
  const load = new Load(port, laneCount);
  const random = makeRandom(rounds);
  const noticed: number[] = [];
  const back: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const startedMs = performance.now();
    await using worker = startRun(folder.path, "--process", "back");
    while (!(await load.ask("call"))) await Promise.race([sleep(50), load.broken]);
    back.push(performance.now() - startedMs);
    await sleep(500 + 4500 * random());
    worker.kill("SIGKILL");
    const killedMs = performance.now();
    await worker.exited();
    while (await isThere(port)) {
      await Promise.race([sleep(20), load.broken]);
      const sinceMs = performance.now() - killedMs;
      assert.ok(sinceMs < noticeMsMax, `a dead worker was not noticed in ${sinceMs} ms`);
    }
    noticed.push(performance.now() - killedMs);
    process.stderr.write(`  ${transport} kill ${round} of ${rounds}\n`);
  }
  const { callCount, failures, slowestMs } = await load.end();
  assert.equal(supervisor.process.exitCode, null, supervisor.output.slice(-2000));
  return (
    `${transport}: ${rounds} kills, noticed within ${Math.round(Math.max(...noticed))} ms (median ${Math.round(median(noticed))}), ` +
    `served again ${Math.round(Math.max(...back))} ms after the start of another at most; ${callCount} answered, ${failureText(failures)}, ` +
    `the slowest after ${Math.round(slowestMs)} ms`
  );
}

/** @returns Whether the supervisor takes the worker for alive. */
async function isThere(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/control/agents/desk`);
  const { status } = (await response.json()) as { readonly status?: unknown };
  return status === "RUNNING";
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
