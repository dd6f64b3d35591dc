import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { pythonTools } from "../../conformance/tools.ts";
import { type Seen, startClients } from "./clients.ts";
import { startHaproxy } from "./haproxy.ts";
import { RollingRun } from "./runs.ts";

/** Longer than haproxy needs to see two failed checks. */
const lameDuckS = 0.6;
/** In a short form nothing is installed: grpcio and websockets are left out. */
const pythonRoundCountMin = 10;
/** Until haproxy has seen that a run is there again. */
const returnMs = 400;
/** From the moment in which a client begins until its request has left; curl is a process that has to start first. */
const handOverS = 0.05;
/** A connection that was refused took no request. */
const notSent = /refused|curl exit 7,/i;

/**
 * Stops runs under load, by turns behind a balancer and without one.
 *
 * @param rounds How many stops of each kind.
 * @returns What was done.
 * @throws Error with the requests that were lost.
 */
export async function soakRollingStops(rounds: number): Promise<string> {
  const python = rounds < pythonRoundCountMin ? undefined : await installPython();
  const balanced = await stopBehindBalancer(rounds, python);
  const direct = await stopDirectly(rounds, python);
  const count = (all: readonly Seen[]): number => all.reduce((sum, { ok }) => sum + ok, 0);
  const clients = [...new Set([...balanced, ...direct].map(({ client }) => client))].join(", ");
  return `rolling-stops: stops behind haproxy: ${rounds}, ${count(balanced)} requests, none lost; without: ${rounds}, ${count(direct)} requests, none lost that was sent before; ${clients}`;
}

async function installPython(): Promise<string> {
  const found = await pythonTools(["grpcio", "websockets"]);
  if (typeof found === "string") return found;
  throw new Error(`the clients of Python cannot be had: ${found.missing}`);
}

async function stopBehindBalancer(
  rounds: number,
  python: string | undefined,
): Promise<readonly Seen[]> {
  await using first = await RollingRun.create(lameDuckS);
  await using second = await RollingRun.create(lameDuckS);
  await Promise.all([first.start(), second.start()]);
  await using balancer = await startHaproxy([first.ports, second.ports]);
  await sleep(returnMs);
  const clients = await startClients(balancer, python);
  for (let round = 0; round < rounds; round += 1) {
    const run = round % 2 === 0 ? first : second;
    await run.stop();
    await run.start();
    await sleep(returnMs);
  }
  const seen = await Promise.all(clients.map((client) => client.stop()));
  refuseLosses(seen, Number.POSITIVE_INFINITY);
  return seen;
}

async function stopDirectly(rounds: number, python: string | undefined): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using run = await RollingRun.create(0);
    await run.start();
    const { http, grpc } = run.ports;
    const clients = await startClients({ http1: http, http2: http, grpc }, python);
    await sleep(returnMs);
    const signalledS = await run.stop();
    const seen = await Promise.all(clients.map((client) => client.stop()));
    // h2load counts and dates no single request; what it saw behind the balancer is judged there.
    refuseLosses(
      seen.filter(({ client }) => client !== "h2load"),
      signalledS - handOverS,
    );
    all.push(...seen);
  }
  return all;
}

/** Every client did something, and lost nothing that it sent before that time. */
function refuseLosses(seen: readonly Seen[], beforeS: number): void {
  for (const { client, ok, failures } of seen) {
    assert.ok(ok > 0, `${client}: no request was answered: ${failures[0]?.error}`);
    const lost = failures.filter(({ sentS, error }) => sentS < beforeS && !notSent.test(error));
    assert.equal(lost.length, 0, `${client}: lost ${lost.length}: ${lost[0]?.error}`);
  }
}
