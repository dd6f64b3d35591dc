/** How many calls a second does one agent make to another, compared with a process that calls an Erlang gen_server? */
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { erlang } from "./rivals/erlang.ts";
import { payload } from "./rivals/payload.ts";

const callCount = 1_000_000;

class EchoAgent extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}

/** Calls as often as its message says. */
class CallingAgent extends Agent {
  override async handle(message: Message) {
    const count = Number(message.payload["count"]);
    for (let sequence = 1; sequence <= count; sequence += 1) {
      const reply = await this.call("echo", payload(sequence));
      if (reply["sequence"] !== sequence)
        throw new Error(`a wrong reply came for call ${sequence}`);
    }
    return {};
  }
}

/** Makes all calls while it handles one message. */
async function callAtOnce(runtime: Runtime, count: number): Promise<void> {
  await runtime.call("caller", { count }, { timeoutMs: 600_000 });
}

/** Makes one call for each message: what the call is made for is another one each time. */
async function callOneByOne(runtime: Runtime, count: number): Promise<void> {
  for (let sequence = 1; sequence <= count; sequence += 1)
    await runtime.call("caller", { count: 1 });
}

function contender(name: string, run: typeof callAtOnce): Contender {
  return {
    name,
    run: async ({ isQuick }): Promise<Sample> => {
      const count = isQuick ? callCount / 5 : callCount;
      await using runtime = new Runtime({
        supervision: supervisor("root", {
          children: [child(EchoAgent, "echo"), child(CallingAgent, "caller")],
        }),
      });
      await runtime.start();
      await run(runtime, Math.floor(count / 5));
      const startedMs = performance.now();
      await run(runtime, count);
      return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
    },
  };
}

export const bench: Bench = {
  question: "How many calls a second does one agent make to another?",
  operation: "call",
  contenders: [
    contender("agentrt", callAtOnce),
    contender("agentrt-each", callOneByOne),
    erlang("call_bench", callCount),
  ],
};
