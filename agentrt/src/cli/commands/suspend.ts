import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { suspendedText } from "../watching/index.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt suspend`. */
export const suspendCommand: CommandSpec = {
  words: ["suspend"],
  summary: "let an agent of a running topology wait behind the message at hand",
  arguments: [agentArgument],
  flags: [
    { name: "reason", value: "text", summary: "what for" },
    {
      name: "category",
      value: "name",
      summary: "what kind of pause it is; default other",
      choices: ["other", "hitl_approval", "governance_pause"],
    },
    ...controlFlags,
  ],
  examples: [
    ['agentrt suspend desk --reason "wrong refunds"', "suspends the agent of ./topology.yaml"],
    ["agentrt suspend ticket/4711 -t demo/topology.yaml", "suspends one key of a keyed agent"],
  ],
  run: async (input, io) => {
    const [reason, category] = [input.text("reason"), input.text("category")];
    const body = {
      ...(reason === undefined ? {} : { reason }),
      ...(category === undefined ? {} : { category }),
    };
    return await operate(
      { act: "suspend", done: "suspended", body, outcomeText: suspendedText },
      input,
      io,
    );
  },
};
