import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, type Program } from "testkit";
import { makeRandom } from "../random.ts";
import { type Broker, type BrokerKind, startBroker } from "./brokers.ts";
import { failureText, Load } from "./load.ts";
import { linksFolder, startRun } from "./tree.ts";

const laneCount = 24;
/** How long calls may fail after the broker is back. */
const backMsMax = 60_000;
/** How long after the load a cast that the broker keeps may come, milliseconds: three times as long as it waits for an acknowledgement. */
const comesAgainMsMax = 30_000;
/** What says that something was not thought of. */
const surprises = /unhandled|uncaught|TypeError|ReferenceError|    at [^\n]*agentrt\/src/i;

/**
 * Kills the broker between two processes and starts it again, and cuts the wires to it, each so often, under load: every call
 * is answered or fails with a typed error within its time, calls are served again after each, and no process ends or says
 * anything unforeseen. It counts the casts that were accepted and did not come; where the broker keeps casts, each has come.
 *
 * @param rounds How often, of each kind, for each transport.
 * @returns What was done.
 * @throws Error that says which call broke what.
 */
export async function soakLinkCuts(rounds: number): Promise<string> {
  const told: string[] = [];
  for (const transport of ["nats", "jetstream", "zmq"] as const)
    told.push(await cutAll(transport, rounds));
  return `link-cuts: ${told.join("; ")}`;
}

async function cutAll(transport: BrokerKind, rounds: number): Promise<string> {
  const port = await freePort();
  await using broker = await startBroker(transport);
  using folder = linksFolder(broker.section, port);
  await using supervisor = startRun(folder.path);
  await supervisor.waitFor(/started/);
  await using worker = startRun(folder.path, "--process", "back");
  await worker.waitFor(/taken this worker/);
  const load = new Load(port, laneCount);
  await untilServed(load);
  const random = makeRandom(rounds);
  let backMsLongest = 0;
  for (let round = 1; round <= rounds; round += 1)
    for (const disturb of [killBroker, cutWires]) {
      await sleep(200 + 600 * random());
      await disturb(broker, 50 + 1500 * random());
      backMsLongest = Math.max(backMsLongest, await untilServed(load));
      for (const program of [supervisor, worker])
        assert.equal(program.process.exitCode, null, program.output.slice(-2000));
      process.stderr.write(`  ${transport} ${disturb.name} ${round} of ${rounds}\n`);
    }
  const { callCount, failures, accepted, slowestMs } = await load.end();
  const tally = (): string[] =>
    readFileSync(`${folder.path}/tally.txt`, "utf8").split("\n").filter(Boolean);
  const lost = (): string[] => [...accepted.difference(new Set(tally()))];
  await sleep(2000);
  if (transport === "jetstream") await untilNoneIsLost(lost);
  const handled = tally();
  const lostCount = lost().length;
  const lossesTold = await lossesOf(port);
  checkOutput([supervisor, worker]);
  return (
    `${transport}: ${rounds} restarts of the broker and ${rounds} cuts, ${callCount} answered in at most ${Math.round(slowestMs)} ms, ` +
    `${failureText(failures)}; served again within ${Math.round(backMsLongest)} ms; of ${accepted.size} accepted casts ` +
    `${lostCount} did not come (${lossesTold}), ${handled.length - new Set(handled).size} came twice`
  );
}

async function killBroker(broker: Broker, awayMs: number): Promise<void> {
  await broker.kill();
  await sleep(awayMs);
  await broker.start();
}

async function cutWires({ wires }: Broker, awayMs: number): Promise<void> {
  for (const wire of wires) wire.cut();
  await sleep(awayMs);
  for (const wire of wires) wire.mend();
}

/** @returns How long it took until a call and a cast were served, milliseconds. */
async function untilServed(load: Load): Promise<number> {
  const begunMs = performance.now();
  for (;;) {
    const isServed = (await load.ask("call")) && (await load.ask("cast"));
    if (isServed) return performance.now() - begunMs;
    await Promise.race([sleep(50), load.broken]);
    assert.ok(performance.now() - begunMs < backMsMax, `not served again in ${backMsMax} ms`);
  }
}

/** What the broker had given out when it was killed comes again. */
async function untilNoneIsLost(lost: () => readonly string[]): Promise<void> {
  const endMs = performance.now() + comesAgainMsMax;
  while (lost().length > 0) {
    const some = lost().slice(0, 20).join(", ");
    assert.ok(performance.now() < endMs, `casts that were acknowledged did not come: ${some}`);
    await sleep(200);
  }
}

/** What the supervisor counts as lost, where its link can know. */
async function lossesOf(port: number): Promise<string> {
  const text = await (await fetch(`http://127.0.0.1:${port}/control/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith("agentrt_link_messages_lost"));
  return lines.length === 0 ? "none is counted" : lines.join(", ");
}

function checkOutput(programs: readonly Program[]): void {
  for (const { output } of programs) assert.doesNotMatch(output, surprises);
}
