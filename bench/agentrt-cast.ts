/** How many casts a second does one supervised agent with an async handle take, compared with Erlang's gen_server:cast? */
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import type { Bench, Contender, Sample } from "./bench.ts";
import { civitas } from "./rivals/civitas.ts";
import { erlang } from "./rivals/erlang.ts";
import { installPackages, requireRival } from "./rivals/install.ts";
import { FloorActor } from "./rivals/node-floor.ts";
import { payload } from "./rivals/payload.ts";

/** Casts of a full run. */
export const castCount = 2_000_000;

/** Sends casts and ends when the receiver has counted them all. */
export async function measureCasts(
  cast: (payload: { sequence: number }) => Promise<void> | void,
  handledCount: () => Promise<number>,
  count: number,
): Promise<Sample> {
  const flood = async (operationCount: number): Promise<void> => {
    const before = await handledCount();
    for (let sequence = 1; sequence <= operationCount; sequence += 1) {
      const pending = cast(payload(sequence));
      if (pending !== undefined) await pending;
    }
    const handled = (await handledCount()) - before;
    if (handled !== operationCount)
      throw new Error(`${handled} of ${operationCount} casts were handled`);
  };
  await flood(Math.floor(count / 5));
  const startedMs = performance.now();
  await flood(count);
  return { operationCount: count, seconds: (performance.now() - startedMs) / 1000 };
}

class CountingAgent extends Agent {
  #handledCount = 0;

  override async handle(message: Message) {
    if (message.type === "count") return { count: this.#handledCount };
    this.#handledCount += 1;
    return undefined;
  }
}

const agentrt: Contender = {
  name: "agentrt",
  run: async ({ isQuick }) => {
    await using runtime = new Runtime({
      supervision: supervisor("root", { children: [child(CountingAgent, "sink")] }),
    });
    await runtime.start();
    return await measureCasts(
      (body) => runtime.cast("sink", body),
      async () => Number((await runtime.call("sink", {}, { type: "count" }))["count"]),
      isQuick ? castCount / 5 : castCount,
    );
  },
};

const node: Contender = {
  name: "node",
  run: async ({ isQuick }) => {
    let handledCount = 0;
    const actor = new FloorActor(async (body) => {
      if (body.sequence === 0) return { sequence: handledCount };
      handledCount += 1;
      return body;
    });
    const actors = new Map([["sink", actor]]);
    const ask = (): Promise<{ sequence: number }> =>
      new Promise((resolve) => actors.get("sink")?.post({ sequence: 0 }, resolve));
    return await measureCasts(
      (body) => actors.get("sink")?.post(body),
      async () => (await ask()).sequence,
      isQuick ? castCount / 5 : castCount,
    );
  },
};

interface Nact {
  start(): unknown;
  spawnStateless(system: unknown, handler: (message: unknown) => unknown, name: string): unknown;
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
    let handledCount = 0;
    const actor = library.spawnStateless(
      library.start(),
      async (message) => {
        const { sender } = message as { sender?: unknown };
        if (sender === undefined) handledCount += 1;
        else library.dispatch(sender, { count: handledCount });
      },
      "sink",
    );
    return await measureCasts(
      (body) => library.dispatch(actor, body),
      async () =>
        ((await library.query(actor, (sender) => ({ sender }), 120_000)) as { count: number })
          .count,
      (isQuick ? castCount / 5 : castCount) / 5,
    );
  },
};

/** See the header. */
export const bench: Bench = {
  question: "How many casts a second does one supervised agent with an async handle take?",
  operation: "cast",
  contenders: [agentrt, erlang("cast_bench", castCount), node, nact, civitas("cast", 40_000)],
};
