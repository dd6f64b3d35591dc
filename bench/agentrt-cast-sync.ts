/** How many casts a second does one supervised agent take whose handle returns at once, compared with gen_server:cast? */
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import { castCount, measureCasts } from "./agentrt-cast.ts";
import type { Bench, Contender } from "./bench.ts";
import { erlang } from "./rivals/erlang.ts";

class CountingAgent extends Agent {
  #handledCount = 0;

  override handle(message: Message) {
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

/** See the header. */
export const bench: Bench = {
  question: "How many casts a second does one supervised agent take whose handle returns at once?",
  operation: "cast",
  contenders: [agentrt, erlang("cast_bench", castCount)],
};
