/** How many children a second are spawned and ended again, one after the other, compared with Erlang's supervisor? */
import { Agent, dynamicSupervisor, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { erlang } from "./rivals/erlang.ts";

const childCount = 200_000;
/** Children before the measured ones, quick or not: after so many the compiler has done its work. */
const warmUpCount = 60_000;

class Worker extends Agent {
  override handle(_message: Message): void {}
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

async function startAndStop(runtime: Runtime, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await runtime.spawn(Worker, "worker");
    await runtime.despawn("worker");
  }
}

async function measure(count: number): Promise<Sample> {
  await using runtime = new Runtime({
    supervision: supervisor("root", { children: [dynamicSupervisor("pool")] }),
    log: silent,
  });
  await runtime.start();
  await startAndStop(runtime, warmUpCount);
  const startedMs = performance.now();
  await startAndStop(runtime, count);
  return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
}

const agentrt: Contender = {
  name: "agentrt",
  run: async ({ isQuick }) => await measure(isQuick ? childCount / 5 : childCount),
};

/** See the header. */
export const bench: Bench = {
  question: "How many children a second are spawned and ended again, one after the other?",
  operation: "child start",
  contenders: [agentrt, erlang("child_bench", childCount)],
};
