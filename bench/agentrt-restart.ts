/** How many times a second does an agent crash and its next incarnation answer, without backoff, compared with Erlang? */
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { erlang } from "./rivals/erlang.ts";

const crashCount = 50_000;
/** Crashes before the measured ones, quick or not: after so many the compiler has done its work. */
const warmUpCount = 20_000;

class CrashingAgent extends Agent {
  static startCount = 0;

  override onStart(): void {
    CrashingAgent.startCount += 1;
  }

  override async handle(message: Message) {
    if (message.type === "crash") throw new Error("as told");
    return { startCount: CrashingAgent.startCount };
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

/** A hundred crashes under each root, as the rival does it: its list of restarts in the window stays short then. */
async function crashHundredTimes(): Promise<number> {
  await using runtime = new Runtime({
    supervision: supervisor("root", {
      restartCountMax: 1000,
      restartWindowMs: 1000,
      backoffBaseMs: 0,
      children: [child(CrashingAgent, "crasher")],
    }),
    log: silent,
  });
  await runtime.start();
  const startedMs = performance.now();
  for (let index = 0; index < 100; index += 1) {
    const expected = CrashingAgent.startCount + 1;
    await runtime.cast("crasher", {}, { type: "crash" });
    const { startCount } = await runtime.call("crasher", {});
    if (startCount !== expected) throw new Error("the old incarnation answered");
  }
  return performance.now() - startedMs;
}

async function measure(count: number): Promise<Sample> {
  for (let round = 0; round < warmUpCount / 100; round += 1) await crashHundredTimes();
  let elapsedMs = 0;
  for (let round = 0; round < count / 100; round += 1) elapsedMs += await crashHundredTimes();
  return { operationCount: count, seconds: elapsedMs / 1000 };
}

const agentrt: Contender = {
  name: "agentrt",
  run: async ({ isQuick }) => await measure(isQuick ? crashCount / 5 : crashCount),
};

/** See the header. */
export const bench: Bench = {
  question: "How many times a second does an agent crash and its next incarnation answer?",
  operation: "restart",
  contenders: [agentrt, erlang("restart_bench", crashCount)],
};
