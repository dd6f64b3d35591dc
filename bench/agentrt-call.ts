/** How many sequential calls a second does one supervised agent answer, compared with Erlang's gen_server:call? */
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { civitas } from "./rivals/civitas.ts";
import { erlang } from "./rivals/erlang.ts";
import { installPackages, requireRival } from "./rivals/install.ts";
import { FloorActor } from "./rivals/node-floor.ts";
import { payload } from "./rivals/payload.ts";

const callCount = 1_000_000;

type Call = (payload: { sequence: number }) => Promise<unknown>;

async function measure(call: Call, count: number): Promise<Sample> {
  const run = async (operationCount: number): Promise<void> => {
    for (let sequence = 1; sequence <= operationCount; sequence += 1) {
      const reply = (await call(payload(sequence))) as { sequence: number };
      if (reply.sequence !== sequence)
        throw new Error(`reply ${reply.sequence} came for call ${sequence}`);
    }
  };
  await run(Math.floor(count / 5));
  const startedMs = performance.now();
  await run(count);
  return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
}

class EchoAgent extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}

const agentrt: Contender = {
  name: "agentrt",
  run: async ({ isQuick }) => {
    await using runtime = new Runtime({
      supervision: supervisor("root", { children: [child(EchoAgent, "echo")] }),
    });
    await runtime.start();
    return await measure((body) => runtime.call("echo", body), isQuick ? callCount / 5 : callCount);
  },
};

const node: Contender = {
  name: "node",
  run: async ({ isQuick }) => {
    const actors = new Map([
      ["echo", new FloorActor(async (body) => ({ sequence: body.sequence }))],
    ]);
    const call: Call = (body) => new Promise((resolve) => actors.get("echo")?.post(body, resolve));
    return await measure(call, isQuick ? callCount / 5 : callCount);
  },
};

interface Broker {
  createService(schema: object): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  call(action: string, params: object): Promise<unknown>;
}

const moleculer: Contender = {
  name: "moleculer",
  prepare: installPackages,
  run: async ({ isQuick }) => {
    const { ServiceBroker } = requireRival("moleculer") as {
      ServiceBroker: new (options: object) => Broker;
    };
    const broker = new ServiceBroker({ logger: false });
    broker.createService({
      name: "echo",
      actions: {
        call: async (context: { params: { sequence: number } }) => ({
          sequence: context.params.sequence,
        }),
      },
    });
    await broker.start();
    const sample = await measure(
      (body) => broker.call("echo.call", body),
      (isQuick ? callCount / 5 : callCount) / 2,
    );
    await broker.stop();
    return sample;
  },
};

interface Nact {
  start(): unknown;
  spawnStateless(system: unknown, handler: (message: unknown) => void, name: string): unknown;
  dispatch(target: unknown, message: unknown): void;
  query(
    target: unknown,
    message: (sender: unknown) => unknown,
    timeoutMs: number,
  ): Promise<unknown>;
}

const nact: Contender = {
  name: "nact",
  prepare: installPackages,
  run: async ({ isQuick }) => {
    const library = requireRival("nact") as Nact;
    const actor = library.spawnStateless(
      library.start(),
      (message) => {
        const { sequence, sender } = message as { sequence: number; sender: unknown };
        library.dispatch(sender, { sequence });
      },
      "echo",
    );
    const call: Call = (body) => library.query(actor, (sender) => ({ ...body, sender }), 30_000);
    return await measure(call, (isQuick ? callCount / 5 : callCount) / 4);
  },
};

/** See the header. */
export const bench: Bench = {
  question: "How many sequential calls a second does one supervised agent answer?",
  operation: "call",
  contenders: [
    agentrt,
    erlang("call_bench", callCount),
    node,
    moleculer,
    nact,
    civitas("call", 20_000),
  ],
};
