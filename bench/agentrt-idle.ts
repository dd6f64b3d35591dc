/** How many idle supervised agents fit into a megabyte of memory, compared with Erlang's gen_servers? */
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { erlang } from "./rivals/erlang.ts";

const agentCount = 100_000;

class IdleAgent extends Agent {
  override async handle(_message: Message) {
    return { isUp: true };
  }
}

/** Bytes of live objects, buffers outside of the heap included. */
async function liveSizeBytes(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measure(count: number): Promise<Sample> {
  const runtime = new Runtime({
    supervision: supervisor("root", { children: [child(IdleAgent, "agent")] }),
  });
  await runtime.start();
  await runtime.stop();
  const before = await liveSizeBytes();
  await using loaded = new Runtime({
    supervision: supervisor("root", {
      children: Array.from({ length: count }, (_, index) => child(IdleAgent, `agent-${index}`)),
    }),
  });
  await loaded.start();
  for (let index = 0; index < count; index += 1) await loaded.call(`agent-${index}`, {});
  const after = await liveSizeBytes();
  const reply = await loaded.call(`agent-${count - 1}`, {});
  if (reply["isUp"] !== true) throw new Error("an agent does not answer");
  return { operationCount: count, seconds: (after - before) / 1e6 };
}

const agentrt: Contender = {
  name: "agentrt",
  run: async ({ isQuick }) => await measure(isQuick ? agentCount / 5 : agentCount),
};

/** See the header. */
export const bench: Bench = {
  question: "How many idle supervised agents fit into a megabyte of memory?",
  operation: "agent",
  perUnit: "MB",
  roundCount: 3,
  contenders: [agentrt, erlang("idle_bench", agentCount)],
};
