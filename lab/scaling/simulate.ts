import type { Runtime } from "../../agentrt/src/runtime/index.ts";
import type { VirtualClock } from "../../agentrt/src/testing/index.ts";
import {
  type ClusterShape,
  SimulatedCluster,
  type Target,
  type Work,
} from "./simulated-cluster.ts";

/** What is simulated of calls. */
export interface RateScenario extends ClusterShape {
  readonly workerCount: number;
  readonly work: Work;
  readonly target: Target;
  /** Calls that are open at a time. */
  readonly openCount: number;
  readonly keyCount: number;
  /** True where the callers are in a separate process, and the supervisor only forwards. */
  readonly isForwarded: boolean;
  /** How long calls are counted at least, milliseconds of virtual time: longer where the answers take longer. */
  readonly windowMs: number;
}

/** What came of it. */
export interface SimulatedRate {
  readonly callsPerSecond: number;
  /** Shares of the time in which processors worked, from 0 to 1. */
  readonly supervisorBusy: number;
  readonly brokerBusy: number;
  /** Of the worker that worked most. */
  readonly workerBusyMax: number;
}

/** How often each open call is answered, on the average, before calls are counted, and at least while they are. */
const [warmRoundCount, roundCount] = [2, 10];

/** Calls all the time, from so many places as may be open, and counts. */
export async function simulateRate(scenario: RateScenario): Promise<SimulatedRate> {
  const { workerCount, isForwarded, openCount, windowMs } = scenario;
  await using cluster = new SimulatedCluster(scenario);
  const { clock } = cluster;
  await cluster.start();
  await cluster.startWorkers(workerCount);
  await cluster.untilShared(workerCount, 100);
  const caller = isForwarded ? await cluster.startCaller() : cluster.supervisor;
  const calls = callAll(caller, clock, scenario);
  const { supervisorProcessor, brokerProcessor, workerProcessors } = cluster;
  const processors = [supervisorProcessor, brokerProcessor, ...workerProcessors];
  // Answers come many at a time: both ends are where some have just come, so that no half of a turn is counted.
  await cluster.advanceUntil(() => calls.count >= warmRoundCount * openCount);
  const [countBefore, startMs] = [calls.count, clock.monotonicMs()];
  const busyBefore = processors.map(({ busyMs }) => busyMs);
  const [wantedCount, endMs] = [countBefore + roundCount * openCount, startMs + windowMs];
  await cluster.advanceUntil(() => calls.count >= wantedCount && calls.answeredMs >= endMs);
  const durationMs = clock.monotonicMs() - startMs;
  const [supervisorBusy = 0, brokerBusy = 0, ...workers] = processors.map(
    ({ busyMs }, index) => (busyMs - (busyBefore[index] ?? 0)) / durationMs,
  );
  const callsPerSecond = ((calls.count - countBefore) * 1000) / durationMs;
  calls.isOver = true;
  return { callsPerSecond, supervisorBusy, brokerBusy, workerBusyMax: Math.max(...workers) };
}

interface Calls {
  count: number;
  /** When the latest answer came. */
  answeredMs: number;
  isOver: boolean;
}

function callAll(caller: Runtime, clock: VirtualClock, scenario: RateScenario): Calls {
  const calls: Calls = { count: 0, answeredMs: 0, isOver: false };
  const { work, target, openCount, keyCount } = scenario;
  const name = target === "pool" ? "team" : "ticket";
  const lane = async (number: number): Promise<void> => {
    for (let count = 0; !calls.isOver; count += 1) {
      const id = `key-${(number * 131 + count * 7) % keyCount}`;
      await caller.call(name, { work, id });
      calls.count += 1;
      calls.answeredMs = clock.monotonicMs();
    }
  };
  for (let number = 0; number < openCount; number += 1)
    lane(number).catch((error: unknown) => {
      // The cluster stops while calls are open.
      if (!calls.isOver) throw error;
    });
  return calls;
}

/** What a worker that comes costs; of several, the means. */
export interface SimulatedJoin {
  /** From its first word to when all members and keys are at workers again, milliseconds. */
  readonly durationMs: number;
  /** Messages of processes about processes meanwhile, probes with them. */
  readonly messageCount: number;
  /** Partitions of keys of the worker that has most, by those of the average, before the first one comes. */
  readonly partitionSkew: number;
}

/** What is simulated of workers that come. */
export interface JoinScenario extends ClusterShape {
  readonly workerCount: number;
  /** Keys that have an object. */
  readonly keyCount: number;
  /** How many workers come, each when the one before has its share. */
  readonly joinCount: number;
}

/** Adds workers to so many, while all keys have an object. */
export async function simulateJoin(scenario: JoinScenario): Promise<SimulatedJoin> {
  const { workerCount, keyCount, joinCount } = scenario;
  await using cluster = new SimulatedCluster(scenario);
  await cluster.start();
  await cluster.startWorkers(workerCount);
  await cluster.untilShared(workerCount, 100);
  const keys = Array.from({ length: keyCount }, async (_, number) => {
    await cluster.supervisor.call("ticket", { id: `key-${number}` });
  });
  await cluster.clock.settle(Promise.all(keys));
  const partitions = cluster.partitionCounts;
  const partitionSkew = (Math.max(...partitions) * partitions.length) / 256;
  const { counts } = cluster.network;
  let [durationMs, messageCount] = [0, 0];
  for (let joined = 1; joined <= joinCount; joined += 1) {
    const [startMs, before] = [cluster.clock.monotonicMs(), counts.control];
    await cluster.startWorkers(1);
    await cluster.untilShared(workerCount + joined, 1);
    durationMs += (cluster.clock.monotonicMs() - startMs) / joinCount;
    messageCount += (counts.control - before) / joinCount;
  }
  return { durationMs, messageCount, partitionSkew };
}
