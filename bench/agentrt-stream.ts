/** How many chunks a second does one agent stream to another's loop, compared with a plain async generator and a Node stream? */
import { Readable } from "node:stream";
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { payload } from "./rivals/payload.ts";

const chunkCount = 500_000;

type Open = (count: number) => AsyncIterable<unknown>;

async function measure(open: Open, isQuick: boolean): Promise<Sample> {
  const count = isQuick ? chunkCount / 5 : chunkCount;
  const run = async (wanted: number): Promise<void> => {
    let sequence = 0;
    for await (const chunk of open(wanted)) {
      sequence += 1;
      const found = (chunk as { sequence: number }).sequence;
      if (found !== sequence) throw new Error(`chunk ${found} came in place ${sequence}`);
    }
    if (sequence !== wanted) throw new Error(`${sequence} chunks came, want ${wanted}`);
  };
  await run(Math.floor(count / 5));
  const startedMs = performance.now();
  await run(count);
  return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
}

async function* generate(count: number) {
  for (let sequence = 1; sequence <= count; sequence += 1) yield payload(sequence);
}

class Generating extends Agent {
  override handle(message: Message) {
    return generate(Number(message.payload["count"]));
  }
}

class Emitting extends Agent {
  override async handle(message: Message): Promise<void> {
    const count = Number(message.payload["count"]);
    for (let sequence = 1; sequence <= count; sequence += 1) {
      await this.emit(message, payload(sequence));
    }
  }
}

function contender(name: string, agentClass: typeof Generating | typeof Emitting): Contender {
  return {
    name,
    run: async ({ isQuick }) => {
      await using runtime = new Runtime({
        supervision: supervisor("root", { children: [child(agentClass, "producer")] }),
      });
      await runtime.start();
      return await measure((count) => runtime.stream("producer", { count }), isQuick);
    },
  };
}

const generator: Contender = {
  name: "generator",
  run: async ({ isQuick }) => await measure(generate, isQuick),
};

const readable: Contender = {
  name: "readable",
  run: async ({ isQuick }) => await measure((count) => Readable.from(generate(count)), isQuick),
};

export const bench: Bench = {
  question: "How many chunks a second does one agent stream to a loop?",
  operation: "chunk",
  contenders: [
    contender("agentrt", Generating),
    contender("agentrt-emit", Emitting),
    generator,
    readable,
  ],
};
