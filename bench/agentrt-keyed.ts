/** How many calls a second do keyed agents answer, one in eight to a key without an object, compared with Pekko's cluster sharding? */
import { Agent, keyed, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { pekko } from "./rivals/pekko.ts";

const callCount = 400_000;
const laneCount = 64;
/** Keys that seven of eight calls go to: each has its place for good. */
const hotCount = 800;
/** Keys that the eighth goes to: it starts there, and the one that was used longest ago is passivated. */
const coldCount = 20_000;
const placeCount = 1000;

class Ticket extends Agent {
  override handle({ payload }: Message) {
    return { key: this.key ?? "", sequence: payload["sequence"] ?? 0 };
  }
}

function keyOf(sequence: number): string {
  return sequence % 8 === 0
    ? `cold${Math.floor(sequence / 8) % coldCount}`
    : `hot${sequence % hotCount}`;
}

async function callMany(runtime: Runtime, count: number): Promise<void> {
  let last = 0;
  const lane = async (): Promise<void> => {
    while (last < count) {
      const sequence = (last += 1);
      const key = keyOf(sequence);
      const reply = await runtime.call("ticket", { sequence }, { key });
      if (reply["key"] !== key || reply["sequence"] !== sequence)
        throw new Error(`${JSON.stringify(reply)} came for call ${sequence} to ${key}`);
    }
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
}

async function measure(count: number): Promise<Sample> {
  await using runtime = new Runtime({
    supervision: supervisor("root", {
      children: [keyed(Ticket, "ticket", { residentCountMax: placeCount })],
    }),
  });
  await runtime.start();
  await callMany(runtime, count / 5);
  const startedMs = performance.now();
  await callMany(runtime, count);
  return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
}

const agentrt: Contender = {
  name: "agentrt",
  run: async ({ isQuick }) => await measure(isQuick ? callCount / 5 : callCount),
};

/** See the header. */
export const bench: Bench = {
  question:
    "How many calls a second do keyed agents answer, one in eight to a key without an object?",
  operation: "call",
  contenders: [agentrt, pekko(callCount, [laneCount, hotCount, coldCount, placeCount])],
};
